import HeadlessGL
import TestSupport
import Testing
import VitrailGL

/// Textures and framebuffers: what goes in comes out, and what cannot be made says why.
@Suite(.renderTurn) struct TextureTests {
    @Test(arguments: [TextureFormat.r8, .rg8, .rgba8], [0, 1, 3, 4, 61])
    func uploadTakesAnyStride(_ format: TextureFormat, _ padding: Int) throws {
        let context = try HeadlessContext.make()
        let picture = try Framebuffer(context, format, width: 7, height: 5)
        let row = 7 * format.bytesPerTexel
        let stride = row + padding
        // The last row has no padding: reading it would be reading beyond the memory.
        let source = (0..<stride * 4 + row).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        source.withUnsafeBytes { picture.texture.upload($0, bytesPerRow: stride) }
        var read = [UInt8](repeating: 0, count: row * 5)
        read.withUnsafeMutableBytes { picture.readPixels(into: $0, bytesPerRow: row) }
        try context.check("The round trip")
        for y in 0..<5 { #expect(Array(read[y * row..<(y + 1) * row]) == Array(source[y * stride..<y * stride + row])) }
    }

    @Test(arguments: [(0, 4), (4, 0), (-1, 4), (1 << 20, 4)]) func impossibleSizesAreRefused(
        _ width: Int, _ height: Int
    )
        throws
    {
        let context = try HeadlessContext.make()
        let error = #expect(throws: GLError.self) { _ = try Texture(context, .r8, width: width, height: height) }
        #expect(error?.code == .tooLarge)
        #expect(error?.description.contains("\(context.information.maximumTextureSize)") == true)
    }

    @Test func objectsOutliveTheContextVariable() throws {
        func make() throws -> Holder { try Holder(HeadlessContext.make()) }
        let holder = try make()
        holder.framebuffer.bind()
        holder.framebuffer.texture.context.clear(red: 1, green: 0, blue: 1)
        var read = [UInt8](repeating: 0, count: 4)
        read.withUnsafeMutableBytes { holder.framebuffer.readPixels(into: $0, bytesPerRow: 4) }
        #expect(read == [255, 0, 255, 255])
    }

    @Test func contextsDoNotMix() throws {
        let first = try HeadlessContext.make()
        let one = try Framebuffer(first, .rgba8, width: 1, height: 1)
        let second = try HeadlessContext.make()
        let two = try Framebuffer(second, .rgba8, width: 1, height: 1)
        try first.use()
        one.bind()
        first.clear(red: 1, green: 0, blue: 0)
        try second.use()
        two.bind()
        second.clear(red: 0, green: 0, blue: 1)
        var read = [UInt8](repeating: 0, count: 4)
        try first.use()
        read.withUnsafeMutableBytes { one.readPixels(into: $0, bytesPerRow: 4) }
        #expect(read == [255, 0, 0, 255])
        try second.use()
        read.withUnsafeMutableBytes { two.readPixels(into: $0, bytesPerRow: 4) }
        #expect(read == [0, 0, 255, 255])
    }

    /// Objects of two contexts have the same numbers: what goes must take its own with it.
    @Test func deletingIsDoneInTheObjectsOwnContext() throws {
        let first = try HeadlessContext.make()
        var one: Holder? = try Holder(first)
        let second = try HeadlessContext.make()
        let two = try Holder(second)
        two.framebuffer.bind()
        second.clear(red: 0, green: 1, blue: 0)
        #expect(one != nil && first.textureCount == 1)
        one = nil
        #expect(first.textureCount == 0 && second.textureCount == 1)
        // Without a call of use(): the other context was not made current.
        var read = [UInt8](repeating: 0, count: 4)
        read.withUnsafeMutableBytes { two.framebuffer.readPixels(into: $0, bytesPerRow: 4) }
        #expect(read == [0, 255, 0, 255])
        try second.check("Reading what is left")
        try first.use()
        try first.check("Deleting what was left behind")
    }

    @Test func theDriverSaysWhatIsWrong() throws {
        let context = try HeadlessContext.make(debug: true)
        // A viewport of negative width is an error by the letter of the standard.
        context.setViewport(width: -1, height: 1)
        let error = #expect(throws: GLError.self) { try context.check("Setting the viewport") }
        #expect(error?.description.contains("Setting the viewport failed") == true)
        #expect(error?.description.contains("glViewport") == true, "\(error?.description ?? "")")
        #expect(throws: Never.self) { try context.check("Nothing") }
    }
}

private final class Holder {
    let framebuffer: Framebuffer

    init(_ context: GLContext) throws {
        framebuffer = try Framebuffer(context, .rgba8, width: 1, height: 1)
    }
}
