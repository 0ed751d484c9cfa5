// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

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

func tests(_ subject: String, _ dependencies: [Target.Dependency], pictures: [String] = []) -> Target {
    .testTarget(
        name: "\(subject)Tests", dependencies: ["TestSupport"] + dependencies, exclude: pictures,
        swiftSettings: strict)
}

let package = Package(
    name: "vitrail",
    products: [
        .library(name: "MediaIO", targets: ["MediaIO"]),
        .library(name: "GL", targets: ["GL"]),
        .library(name: "VideoWall", targets: ["VideoWall"]),
        .library(name: "GLRendering", targets: ["GLRendering"]),
        .library(name: "TextRaster", targets: ["TextRaster"]),
        .library(name: "HeadlessGL", targets: ["HeadlessGL"]),
        .library(name: "WindowGL", targets: ["WindowGL"]),
        .library(name: "VideoSources", targets: ["VideoSources"]),
        .library(name: "FFmpegMedia", targets: ["FFmpegMedia"]),
        .library(name: "PNGFile", targets: ["PNGFile"]),
        .executable(name: "vitrail", targets: ["vitrail"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        system("CEpoxy", "epoxy", "libepoxy-dev"),
        system("CEGL", "egl", "libegl-dev"),
        system("CGLFW", "glfw3", "libglfw3-dev"),
        system("CFFmpeg", "libavformat libavcodec libavutil", "libavformat-dev"),
        system("CPangoCairo", "pangocairo", "libpango1.0-dev"),
        system("CPNG", "libpng", "libpng-dev"),

        library("MediaIO"),
        library("GL", ["CEpoxy"]),
        .target(
            name: "Shaders", path: "Shaders", resources: [.embedInCode("video")], swiftSettings: strict),
        library("VideoWall", ["MediaIO"]),
        library("TextRaster", ["MediaIO", "VideoWall", "CPangoCairo"]),
        library("PNGFile", ["CPNG"]),
        library("GLRendering", ["MediaIO", "VideoWall", "GL", "Shaders"]),
        library("HeadlessGL", ["GL", "CEGL"]),
        library("WindowGL", ["GL", "CGLFW"]),
        library("VideoSources", ["MediaIO"]),
        library("FFmpegMedia", ["MediaIO", "CFFmpeg"]),
        .executableTarget(
            name: "vitrail",
            dependencies: [
                "MediaIO", "VideoWall", "GL", "GLRendering", "HeadlessGL", "WindowGL", "TextRaster", "VideoSources",
                "FFmpegMedia", "PNGFile",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),

        example("HelloFrame", ["MediaIO", "VideoWall", "GLRendering", "HeadlessGL", "PNGFile"]),
        example("HelloWindow", ["MediaIO", "VideoWall", "GLRendering", "WindowGL", "VideoSources"]),
        example("CustomSource", ["MediaIO", "VideoWall", "GLRendering", "HeadlessGL", "PNGFile"]),
        example("CustomSink", ["MediaIO", "VideoSources"]),

        .target(name: "CHeapCounter", path: "Tests/CHeapCounter"),
        .target(
            name: "TestSupport", dependencies: ["MediaIO", "CHeapCounter"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .systemLibrary(name: "CVideoDev2", path: "Tests/CVideoDev2"),
        tests("MediaIO", ["MediaIO", "CVideoDev2"]),
        tests("VideoWall", ["MediaIO", "VideoWall"]),
        tests("GL", ["GL", "HeadlessGL"]),
        tests(
            "GLRendering",
            [
                "MediaIO", "VideoWall", "GL", "GLRendering", "HeadlessGL", "TextRaster", "VideoSources", "PNGFile",
                "CEpoxy",
            ],
            pictures: ["References"]),
        tests("VideoSources", ["MediaIO", "VideoSources"]),
        tests("FFmpegMedia", ["MediaIO", "VideoSources", "FFmpegMedia", "CFFmpeg"]),
        tests("TextRaster", ["TextRaster", "PNGFile"]),
        .executableTarget(
            name: "WindowProbe",
            dependencies: ["MediaIO", "VideoWall", "GL", "GLRendering", "TextRaster", "VideoSources", "WindowGL"],
            path: "Tests/WindowProbe", swiftSettings: strict),
        tests(
            "WindowGL",
            [
                "MediaIO", "VideoWall", "GLRendering", "HeadlessGL", "TextRaster", "WindowGL", "VideoSources",
                "WindowProbe",
            ]),
        tests(
            "Program",
            [
                "MediaIO", "GL", "PNGFile", "VideoWall", "HeadlessGL", "VideoSources", "WindowGL", "vitrail",
                "HelloFrame", "HelloWindow", "CustomSource", "CustomSink",
            ]),
    ]
)
