import Foundation
import MediaIO
import TestSupport
import Testing
import VideoEffects
import VideoWall

/// A tile with one of the built-in effects, frame after frame, at the size of the frames.
final class SpatialWall {
    private let test: TestWall
    private let size: VideoSize
    private let tile: WallTile
    private let other: WallTile
    private var step: EffectChain.Step

    /// - Parameters:
    ///   - name: the effect's name.
    ///   - width: the width of the frames.
    ///   - height: the height of the frames.
    ///   - edit: what is changed in the effect's text.
    /// - Throws: what effects and renderers throw.
    init(_ name: String, _ width: Int, _ height: Int, _ edit: (String) -> String = { $0 }) throws {
        let builtIn = try #require(try BuiltInEffects.effect(named: name))
        let text = builtIn.sources.map(\.text).joined()
        let edited = edit(text)
        // The effect itself may be drawn without its text.
        step = EffectChain.Step(edited == text ? builtIn : try Effect(edited, file: builtIn.file))
        test = try TestWall()
        size = VideoSize(width: width, height: height)
        tile = test.wall.addTile(named: name)
        other = test.wall.addTile(named: "other")
        for tile in [tile, other] { tile.filter = .nearest }
        test.wall.focus = tile.id
    }

    /// Sets a parameter to a value in its range, as text or as a number or truth value that makes such a text.
    func set(_ name: String, _ value: some CustomStringConvertible) throws {
        let parameter = try #require(step.effect.parameter(name))
        let parsed = try #require(parameter.value(value.description))
        #expect(step.set(name, parsed) == parsed)
    }

    /// Sets a point.
    func set(_ name: String, _ point: SIMD2<Double>) throws { try set(name, "\(point.x)/\(point.y)") }

    /// The next frame with the effect; `other` is the frame of the wall's second tile.
    func draw(_ picture: SpatialPicture, with other: SpatialPicture? = nil) throws -> SpatialPicture {
        tile.effects = EffectChain([step])
        tile.mailbox.put(try picture.frame())
        if let other { self.other.mailbox.put(try other.frame()) }
        let bytes = try RenderTurn.lock.withLock {
            let target = try test.renderer.makeOffscreenTarget(size: size, format: .rgba32f)
            try test.renderer.render(test.wall, into: target)
            return try target.readPixels()
        }
        try #require(tile.report.effectFailure == nil)
        try #require(tile.report.failure == nil)
        let floats = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        return SpatialPicture(size.width, size.height) { x, y in
            let index = (y * size.width + x) * 4
            return SIMD4((0..<4).map { Double(floats[index + $0]) })
        }
    }
}
