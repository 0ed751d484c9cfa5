import Foundation
import MediaIO
import TestSupport
import Testing
import VideoEffects
import VideoWall
import VitrailShaders

@testable import GLRendering
@testable import VitrailGL

/// Every kind of program against the letter of GLSL 3.30 and GLSL ES 3.00, with Khronos' own compiler: drivers forgive different things.
@Suite struct ShaderValidationTests {
    /// The measure of what a compiler sees does not know these macros, so no condition may ask for them.
    @Test func noConditionAsksForOurMacros() throws {
        let texts =
            [ShaderLog.prologue(isES: true), ShaderLog.prologue(isES: false)]
            + [
                ShaderLibrary.effectPrelude, ShaderLibrary.shadertoyPrelude, ShaderLibrary.effectTables,
                ShaderLibrary.effectGuard,
            ].map(\.text)
        let names = Set(texts.flatMap { $0.matches(of: /#define\s+(\w+)/).map { String($0.1) } })
        #expect(names.isSuperset(of: ["sample", "noperspective", "iChannel1", "iChannel3"]))
        for name in names {
            for condition in ["#ifdef \(name)", "#ifndef \(name)", "#if defined(\(name))", "#if \(name)"] {
                let text = "vec4 effect(vec2 uv) { return sample(uv); }\n\(condition)\n#endif\n"
                let error = #expect(throws: EffectError.self, "\(condition)") {
                    try Effect(text, file: "a.effect.glsl")
                }
                #expect(error?.line == 2)
            }
        }
    }

    static var kinds: [VideoProgram.Kind] {
        let scalings: [ScalingMethod] = [
            .nearest, .aligned, .direct, .kernel(.tent), .kernel(.pairedTent), .kernel(.catmullRom), .kernel(.mitchell),
            .kernel(.lanczos),
        ]
        let hdr = ColorConversion(primaries: .bt2020, transfer: .pq)
        var kinds = PixelFormat.allCases.map { format in
            VideoProgram.Kind(
                format: format, matrix: .bt709, range: .limited, swapsChroma: false, scaling: .direct,
                isLinearLight: false, conversion: nil, isBounded: false, ditherDepth: 0)
        }
        // One format of each file of planes, in every combination.
        for format in [PixelFormat.i420a, .p010, .y410, .v210, .grbg8, .rgba64f] {
            for scaling in scalings {
                for (isBounded, ditherDepth) in [(false, 0), (true, 8)] {
                    for (conversion, isLinearLight) in [(nil, false), (hdr, false), (hdr, true)] {
                        var kind = VideoProgram.Kind(
                            format: format, matrix: .ycgco, range: .full, swapsChroma: true, scaling: scaling,
                            isLinearLight: isLinearLight, conversion: conversion, isBounded: isBounded,
                            ditherDepth: ditherDepth)
                        let passes: [VideoProgram.Pass] = scaling.kernel == nil ? [.only] : [.across, .down]
                        for pass in passes {
                            kind.pass = pass
                            kinds.append(kind)
                        }
                    }
                }
            }
        }
        for transfer in ColorSpace.Transfer.allCases {
            for target in ColorSpace.Transfer.allCases {
                var kind = kinds[0]
                kind.conversion = ColorConversion(
                    primaries: .bt709, transfer: transfer, target: ColorTarget(transfer: target))
                kinds.append(kind)
            }
        }
        return kinds
    }

    @Test(arguments: [false, true]) func allProgramsAreValid(isES: Bool) throws {
        let folder = TemporaryFolder()
        let files = Self.kinds.enumerated().map { index, kind in
            let sources =
                [ShaderSource(ShaderLibrary.position)] + VideoShader.sources(kind, PlaneSampling(kind.format))
            let text = ShaderLog.prologue(isES: isES) + sources.map { $0.text + "\n" }.joined()
            return folder.write("\(index)-\(kind.format).frag", Array(text.utf8))
        }
        #expect(files.count == 88 + 6 * (3 + 2 * 5) * 2 * 3 + 49)
        let log = try validate(files)
        #expect(log.status == 0, "\(log.text.prefix(2000))")
        // The compiler does see what is wrong.
        #expect(
            try validate([folder.write("wrong.frag", Array("#version 330 core\nvoid main() { x = 1; }\n".utf8))]).status
                != 0)
    }

    /// The built-in effects, each alone, folded where it can be, and with all of its passes.
    @Test(arguments: [false, true]) func allEffectsAreValid(isES: Bool) throws {
        let folder = TemporaryFolder()
        var files: [String] = []
        func add(_ name: String, _ sources: [ShaderSource]) {
            let text = ShaderLog.prologue(isES: isES) + sources.map { $0.text + "\n" }.joined()
            files.append(folder.write("\(files.count)-\(name)", Array(text.utf8)))
        }
        for name in BuiltInEffects.names {
            let effect = try #require(try BuiltInEffects.effect(named: name))
            for pass in effect.passes.map(Optional.init) + [nil] {
                let kind = EffectProgram.Kind(effect: effect, pass: pass, isShown: pass == nil, ditherDepth: 8)
                add("\(name).frag", EffectShader.fragment(kind))
                add("\(name).vert", EffectShader.vertex(kind))
            }
            guard effect.traits.isFoldable else { continue }
            add("\(name).frag", EffectShader.fragment(EffectProgram.Kind(followers: [effect, effect], isShown: true)))
            var kind = try #require(Self.kinds.first)
            kind.effects = [effect, effect]
            add(
                "\(name).frag",
                [ShaderSource(ShaderLibrary.position)] + VideoShader.sources(kind, PlaneSampling(kind.format)))
        }
        let log = try validate(files)
        #expect(log.status == 0, "\(log.text.prefix(2000))")
        #expect(files.count > BuiltInEffects.names.count)
    }

    private func validate(_ files: [String]) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["glslangValidator"] + files
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: bytes, as: UTF8.self)
        return (
            process.terminationStatus,
            text.split(separator: "\n").filter { $0.contains("ERROR") }.joined(separator: "\n")
        )
    }
}
