internal import FoundationEssentials
internal import Glibc
internal import PNGFile
public import VideoWall
internal import VitrailSupport

/// Reads effects from files.
///
/// Included files and textures must be in the effect's folder or below it: other paths are refused, even if a link
/// leads there.
///
/// **Thread:** any. **Cost:** rare.
public enum EffectFile {
    /// The suffix of the name of an effect's file.
    public static let suffix = ".effect.glsl"
    /// The suffix of the name of a Shadertoy image shader's file.
    public static let shadertoySuffix = ".shadertoy.glsl"
    /// The largest `.cube` file, in bytes; a table with 129 entries per side needs less.
    public static let maximumByteCount = 1 << 26

    private struct Name: Hashable {
        let path: String
        let dialect: Effect.Dialect
    }

    private static let memory = FileMemory<Name, Effect>(
        files: { paths(of: $0) },
        byteCount: { effect in
            effect.sources.reduce(0) { $0 + $1.text.utf8.count }
                + effect.textures.reduce(0) { $0 + $1.image.rgba.count }
        })

    /// Reads an effect; as long as its files do not change, it is the same one.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - dialect: its language; by default, its name says which.
    /// - Returns: the effect, which is checked but not compiled.
    /// - Throws: `EffectError`, with the line if the content is wrong.
    public static func read(_ path: String, _ dialect: Effect.Dialect? = nil) throws(EffectError) -> Effect {
        let dialect = dialect ?? (path.hasSuffix(shadertoySuffix) ? .shadertoy : .effect)
        return try memory.value(of: Name(path: path, dialect: dialect)) { () throws(EffectError) in
            let text = try text(ofFileAt: path, named: path)
            return try Effect(text, file: path, dialect: dialect, folder: Folder(path: folder(of: path)))
        }
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func file(of path: String) -> Substring {
        path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    }

    /// The files that an effect was read from; none for a built-in one.
    static func paths(of effect: Effect) -> Set<String> {
        guard effect.isFile else { return [] }
        let folder = folder(of: effect.file)
        return Set([effect.file] + effect.companions.map { "\(folder)/\($0)" })
    }

    static func text(ofFileAt path: String, named name: String) throws(EffectError) -> String {
        let bytes = try bytes(ofFileAt: path, named: name, limit: EffectLimits.sourceBytes)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let line = firstInvalidLine(bytes)
            throw EffectError("this line is not UTF-8: save the file as UTF-8", file: name, line: line)
        }
        if let zero = bytes.firstIndex(of: 0) {
            let line = 1 + bytes[..<zero].count { $0 == UInt8(ascii: "\n") }
            throw EffectError("this line has a zero byte: is the file text?", file: name, line: line)
        }
        guard text.utf8.contains(where: { $0 > 32 }) else {
            throw EffectError("the file is empty: write vec4 effect(vec2 uv)", file: name, line: 1)
        }
        return text
    }

    /// The content of a regular file; a pipe or a device is refused.
    static func bytes(ofFileAt path: String, named name: String, limit: Int) throws(EffectError) -> [UInt8] {
        do throws(SmallFile.Problem) {
            return try SmallFile.bytes(at: path, limit: limit)
        } catch {
            let reason =
                switch error {
                case .cannotOpen(let number): "the file cannot be opened: \(systemMessage(number))"
                case .folder, .notRegular: "this is a folder, pipe or device: name a file"
                case .tooLarge: "the file has more than \(limit >> 10) KB: is it the right one?"
                case .cannotRead(let number): "the file cannot be read: \(systemMessage(number))"
                }
            throw EffectError(reason, file: name)
        }
    }

    /// The line of the first byte that is not UTF-8.
    private static func firstInvalidLine(_ bytes: [UInt8]) -> Int {
        var line = 1
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            guard String(validating: part, as: UTF8.self) != nil else { return line }
            line += 1
        }
        return 1
    }
}

/// The folder of an effect's file.
private struct Folder: EffectFolder {
    let path: String

    func text(ofFile name: String) throws(EffectError) -> String {
        try EffectFile.text(ofFileAt: try inside(name), named: name)
    }

    func image(ofFile name: String) throws(EffectError) -> EffectTexture.Image {
        let path = try inside(name)
        do throws(PNGError) {
            let image = try PNG.read(path, maximumByteCount: EffectLimits.textureBytes)
            return EffectTexture.Image(width: image.width, height: image.height, rgba: image.rgba)
        } catch {
            throw EffectError("“\(name)” cannot be used as a texture: \(error.description)", file: name)
        }
    }

    /// The path of a file, which must be in the folder after all links are followed.
    private func inside(_ name: String) throws(EffectError) -> String {
        guard let root = realpath(path, nil) else {
            throw EffectError("the folder \(path) cannot be read: \(systemMessage(errno))", file: name)
        }
        defer { free(root) }
        guard !name.hasPrefix("/"), let real = realpath("\(path)/\(name)", nil) else {
            let reason = name.hasPrefix("/") ? "it is not in the effect's own folder" : systemMessage(errno)
            throw EffectError("“\(name)” cannot be opened: \(reason)", file: name)
        }
        defer { free(real) }
        let (folder, file) = (String(cString: root), String(cString: real))
        guard file.hasPrefix(folder == "/" ? "/" : folder + "/") else {
            throw EffectError("“\(name)” cannot be opened: it is not in the effect's own folder", file: name)
        }
        return file
    }
}
