// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Optimised in debug builds, too: tests that compute a picture pixel by pixel would take several times as long.
let fast = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func system(_ name: String, _ pkgConfig: String, _ package: String) -> Target {
    .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

func example(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/Examples/\(name)", swiftSettings: strict)
}

func tests(
    _ subject: String, _ dependencies: [Target.Dependency], pictures: [String] = [], settings: [SwiftSetting] = strict
) -> Target {
    .testTarget(
        name: "\(subject)Tests", dependencies: ["TestSupport"] + dependencies, exclude: pictures,
        swiftSettings: settings)
}

let package = Package(
    name: "vitrail",
    products: [
        .library(name: "MediaIO", targets: ["MediaIO"]),
        .library(name: "VitrailGL", targets: ["VitrailGL"]),
        .library(name: "VideoWall", targets: ["VideoWall"]),
        .library(name: "GLRendering", targets: ["GLRendering"]),
        .library(name: "FrameConversion", targets: ["FrameConversion"]),
        .library(name: "SoftwareRendering", targets: ["SoftwareRendering"]),
        .library(name: "WallRendering", targets: ["WallRendering"]),
        .library(name: "MediaEngine", targets: ["MediaEngine"]),
        .library(name: "MediaConformance", targets: ["MediaConformance"]),
        .library(name: "VideoEffects", targets: ["VideoEffects"]),
        .library(name: "TextRaster", targets: ["TextRaster"]),
        .library(name: "HeadlessGL", targets: ["HeadlessGL"]),
        .library(name: "WindowGL", targets: ["WindowGL"]),
        .library(name: "VideoSources", targets: ["VideoSources"]),
        .library(name: "FFmpegMedia", targets: ["FFmpegMedia"]),
        .library(name: "V4L2Capture", targets: ["V4L2Capture"]),
        .library(name: "GStreamerMedia", targets: ["GStreamerMedia"]),
        .library(name: "PipeWireMedia", targets: ["PipeWireMedia"]),
        .library(name: "PNGFile", targets: ["PNGFile"]),
        .executable(name: "vitrail", targets: ["vitrail"]),
    ],
    traits: [
        .trait(name: "Program", description: "The program `vitrail`, which needs packages that the libraries do not."),
        .default(enabledTraits: ["Program"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        system("CVitrailEpoxy", "epoxy", "libepoxy-dev"),
        system("CVitrailEGL", "egl", "libegl-dev"),
        system("CVitrailGLFW", "glfw3", "libglfw3-dev"),
        system("CVitrailFFmpeg", "libavfilter libavformat libavcodec libavutil", "libavfilter-dev"),
        system(
            "CVitrailGStreamer", "gstreamer-app-1.0 gstreamer-video-1.0 gstreamer-allocators-1.0",
            "libgstreamer-plugins-base1.0-dev"),
        system("CVitrailPipeWire", "libpipewire-0.3 gio-unix-2.0", "libpipewire-0.3-dev"),
        system("CVitrailSeccomp", "libseccomp", "libseccomp-dev"),
        system("CVitrailV4L2", "libv4lconvert", "libv4l-dev"),
        system("CVitrailPangoCairo", "pangocairo", "libpango1.0-dev"),
        system("CVitrailPNG", "libpng", "libpng-dev"),
        // Declarations only: libdispatch is part of the toolchain.
        .systemLibrary(name: "CVitrailDispatch", path: "Sources/CVitrailDispatch"),
        // Optimised in debug builds, too, in which they would take 25 times as long. Packages that use this one may. There
        // is no variant for processors of 2006 and 2007, which take the one for older processors.
        .target(
            name: "CVitrailKernels",
            cxxSettings: [
                .headerSearchPath("."), .define("HWY_DISABLED_TARGETS", to: "HWY_SSSE3"),
                .unsafeFlags(["-O2"], .when(configuration: .debug)),
            ],
            linkerSettings: [.linkedLibrary("hwy")]),

        // What the driver calls instead of the C library.
        .target(name: "CVitrailDriver"),

        library("VitrailSupport"),
        library("MediaIO", ["VitrailSupport"]),
        library("VitrailGL", ["VitrailSupport", "CVitrailEpoxy"]),
        .target(
            name: "VitrailShaders", path: "Shaders", resources: [.embedInCode("video"), .embedInCode("effects")],
            swiftSettings: strict),
        library("VitrailGLSL"),
        library("VideoWall", ["VitrailSupport", "MediaIO", "VitrailGLSL"]),
        library("TextRaster", ["VitrailSupport", "MediaIO", "VideoWall", "CVitrailPangoCairo"]),
        library("PNGFile", ["VitrailSupport", "CVitrailPNG"]),
        library("GLRendering", ["VitrailSupport", "MediaIO", "VideoWall", "VitrailGL", "VitrailShaders"]),
        library("FrameConversion", ["VitrailSupport", "MediaIO", "VideoWall", "CVitrailKernels"]),
        library(
            "SoftwareRendering", ["VitrailSupport", "MediaIO", "VideoWall", "FrameConversion", "CVitrailKernels"]),
        library("MediaEngine", ["MediaIO", "FrameConversion"]),
        library("MediaConformance", ["MediaIO"]),
        library("VideoEffects", ["VitrailSupport", "MediaIO", "VideoWall", "VitrailShaders", "PNGFile"]),
        library("HeadlessGL", ["VitrailGL", "CVitrailEGL", "CVitrailDriver"]),
        library(
            "WallRendering",
            [
                "VitrailSupport", "MediaIO", "VideoWall", "VitrailGL", "GLRendering", "SoftwareRendering", "HeadlessGL",
            ]),
        library("WindowGL", ["VitrailSupport", "MediaIO", "VitrailGL", "CVitrailGLFW", "CVitrailDispatch"]),
        library("VideoSources", ["VitrailSupport", "MediaIO"]),
        library("FFmpegMedia", ["VitrailSupport", "MediaIO", "CVitrailFFmpeg", "CVitrailSeccomp"]),
        library("V4L2Capture", ["VitrailSupport", "MediaIO", "CVitrailV4L2"]),
        library("GStreamerMedia", ["VitrailSupport", "MediaIO", "CVitrailGStreamer"]),
        library("PipeWireMedia", ["MediaIO", "CVitrailPipeWire"]),
        // Optimised for size: what takes time is in the libraries.
        .executableTarget(
            name: "vitrail",
            dependencies: [
                "MediaIO", "VideoWall", "VitrailGL", "GLRendering", "WallRendering", "HeadlessGL", "WindowGL",
                "TextRaster", "VideoSources", "VideoEffects", "FFmpegMedia", "V4L2Capture", "GStreamerMedia",
                "PipeWireMedia", "PNGFile", "VitrailSupport",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Program"])),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Program"])),
            ],
            swiftSettings: strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))],
            plugins: ["CommitPlugin"]),
        .plugin(name: "CommitPlugin", capability: .buildTool(), path: "Sources/CommitPlugin"),

        example("HelloFrame", ["MediaIO", "VideoWall", "WallRendering", "PNGFile"]),
        example("HelloWindow", ["MediaIO", "VideoWall", "WallRendering", "WindowGL", "VideoSources"]),
        example("CustomSource", ["MediaIO", "VideoWall", "GLRendering", "HeadlessGL", "PNGFile"]),
        example("CustomSink", ["MediaIO", "VideoSources"]),
        example(
            "BlackAndWhite", ["MediaIO", "MediaEngine", "VideoWall", "WallRendering", "VideoSources", "PNGFile"]),
        example(
            "AgoraMediaIO", ["MediaIO", "MediaEngine", "VideoWall", "WallRendering", "VideoSources", "PNGFile"]),
        example("ZegoCustomVideo", ["MediaIO", "MediaEngine", "VideoWall", "VideoSources"]),
        example(
            "CustomEffect", ["MediaIO", "VideoWall", "GLRendering", "HeadlessGL", "VideoSources", "PNGFile"]),

        .target(name: "CHeapCounter", path: "Tests/CHeapCounter"),
        .target(
            name: "TestSupport", dependencies: ["MediaIO", "CHeapCounter"], path: "Tests/TestSupport",
            swiftSettings: fast),
        .systemLibrary(name: "CVideoDev2", path: "Tests/CVideoDev2"),
        tests("VitrailSupport", ["VitrailSupport"]),
        tests("MediaIO", ["MediaIO", "CVideoDev2"]),
        tests("VitrailGLSL", ["VitrailGLSL"]),
        tests("VideoWall", ["MediaIO", "VideoWall", "VitrailGLSL"]),
        tests(
            "MediaConformance",
            ["MediaIO", "MediaConformance", "MediaEngine", "VideoSources"]),
        tests("MediaEngine", ["MediaIO", "MediaEngine", "FrameConversion", "FFmpegMedia"]),
        tests("VitrailGL", ["MediaIO", "VitrailGL", "HeadlessGL"]),
        tests(
            "Article",
            [
                "MediaIO", "MediaEngine", "VideoWall", "VitrailGL", "GLRendering", "HeadlessGL", "WallRendering",
                "FFmpegMedia",
            ]),
        tests(
            "GLRendering",
            [
                "MediaIO", "VideoWall", "VitrailGL", "GLRendering", "HeadlessGL", "TextRaster", "VideoSources",
                "VideoEffects", "PNGFile", "CVitrailEpoxy", "FrameConversion", "SoftwareRendering", "CVitrailKernels",
                "WallRendering", "MediaEngine", "MediaConformance",
            ],
            pictures: ["References"], settings: fast),
        tests("WallRendering", ["MediaIO", "VideoWall", "WallRendering", "MediaConformance"]),
        tests("VideoSources", ["MediaIO", "VideoSources"]),
        tests("VideoEffects", ["VideoWall", "VideoEffects", "PNGFile"]),
        tests("FFmpegMedia", ["MediaIO", "VideoSources", "FFmpegMedia", "CVitrailFFmpeg", "MediaConformance"]),
        tests(
            "GStreamerMedia",
            [
                "MediaIO", "GStreamerMedia", "CVitrailGStreamer", "MediaConformance", "VideoWall", "WallRendering",
                "SoftwareRendering",
            ]),
        tests("PipeWireMedia", ["MediaIO", "PipeWireMedia", "CVitrailPipeWire", "MediaConformance"]),
        tests("V4L2Capture", ["MediaIO", "V4L2Capture", "CVitrailV4L2", "CVideoDev2", "MediaConformance"]),
        tests("TextRaster", ["MediaIO", "VideoWall", "TextRaster", "PNGFile"]),
        .executableTarget(
            name: "WindowProbe",
            dependencies: [
                "MediaIO", "VideoWall", "VitrailGL", "GLRendering", "HeadlessGL", "WallRendering", "TextRaster",
                "VideoSources", "WindowGL",
            ],
            path: "Tests/WindowProbe", swiftSettings: strict),
        .executableTarget(
            name: "VitrailBenchmark",
            dependencies: [
                "MediaIO", "VideoWall", "VideoEffects", "VitrailGL", "GLRendering", "FrameConversion",
                "SoftwareRendering", "HeadlessGL", "WindowGL", "WallRendering", "FFmpegMedia", "TestSupport",
            ],
            path: "Tests/Benchmarks", swiftSettings: strict),
        tests(
            "Fuzz",
            [
                "MediaIO", "VideoSources", "VideoEffects", "VideoWall", "VitrailShaders", "VitrailSupport",
                "FFmpegMedia",
                "CVitrailFFmpeg", "vitrail",
            ], pictures: ["Found"]),
        .executableTarget(
            name: "SandboxProbe", dependencies: ["CVitrailSeccomp"], path: "Tests/SandboxProbe", swiftSettings: strict),
        .executableTarget(
            name: "Soak", dependencies: ["TestSupport"], path: "Tests/Soak", exclude: ["rtsp-server.py"],
            swiftSettings: strict),
        .executableTarget(
            name: "Nodes", dependencies: ["MediaIO", "VideoSources", "TestSupport"], path: "Tests/Nodes",
            swiftSettings: strict),
        tests(
            "WindowGL",
            [
                "MediaIO", "VideoWall", "WallRendering", "HeadlessGL", "TextRaster", "WindowGL", "VideoSources",
                "WindowProbe",
            ]),
        tests(
            "Program",
            [
                "MediaIO", "VitrailGL", "PNGFile", "VideoWall", "HeadlessGL", "VideoSources", "VideoEffects",
                "FFmpegMedia", "WindowGL", "vitrail", "SandboxProbe",
                "HelloFrame", "HelloWindow", "CustomSource", "CustomSink", "CustomEffect",
                "BlackAndWhite",
                "AgoraMediaIO",
                "ZegoCustomVideo",
            ]),
    ],
    cxxLanguageStandard: .cxx17
)

// Programs with other toolkits, whose packages only `make test` installs: without them, every build would warn.
if Context.environment["VITRAIL_TOOLKITS"] != nil {
    func host(_ name: String, _ toolkit: String) -> Target {
        .executableTarget(
            name: name,
            dependencies: [
                "MediaIO", "VideoWall", "VitrailGL", "GLRendering", "HeadlessGL", "VideoSources", "CVitrailEpoxy",
                .byName(name: toolkit),
            ],
            path: "Tests/\(name)", swiftSettings: strict)
    }
    package.targets += [
        .systemLibrary(name: "CSDL2", path: "Tests/CSDL2", pkgConfig: "sdl2", providers: [.apt(["libsdl2-dev"])]),
        .systemLibrary(name: "CGTK4", path: "Tests/CGTK4", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        host("SDLHost", "CSDL2"),
        host("GTKHost", "CGTK4"),
        tests("Embedding", ["MediaIO", "VideoWall", "SoftwareRendering", "VideoSources", "SDLHost", "GTKHost"]),
    ]
}

// VITRAIL_TESTS="VitrailGL MediaIO" keeps only those tests and their dependencies: swift test builds every target.
if let subjects = Context.environment["VITRAIL_TESTS"], !subjects.isEmpty {
    var needed = Set(subjects.split(separator: " ").map { "\($0)Tests" })
    let unknown = needed.subtracting(package.targets.map(\.name))
    precondition(unknown.isEmpty, "VITRAIL_TESTS: there are no targets \(unknown).")
    // Dependencies are listed before the targets that need them.
    for target in package.targets.reversed() where needed.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
    if needed.contains("vitrail") { needed.insert("CommitPlugin") }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll()
}
