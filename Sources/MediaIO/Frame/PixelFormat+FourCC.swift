extension PixelFormat {
    /// The format with this number in Linux's graphics drivers (`DRM_FORMAT_…`), or `nil` if there is none.
    ///
    /// Their RGB names are those of little-endian words: `XR24` (XRGB8888) is ``bgrx32``.
    ///
    /// - Parameter fourCC: four characters, the first one in the lowest byte.
    public init?(fourCC: UInt32) {
        guard let known = Self.byFourCC.first(where: { Self.number($0.0) == fourCC }) else { return nil }
        self = known.1
    }

    /// The number of this format in Linux's graphics drivers (`DRM_FORMAT_…`), or `nil` if there is none.
    public var fourCC: UInt32? {
        Self.byFourCC.first { $0.1 == self }.map { Self.number($0.0) }
    }

    private static func number(_ name: String) -> UInt32 { name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) } }

    /// From `drm_fourcc.h` of Linux 6.12.
    private static let byFourCC: [(String, PixelFormat)] = [
        ("YU12", .i420), ("YV12", .yv12), ("YU16", .i422), ("YU24", .i444), ("YUV9", .yuv9),
        ("NV12", .nv12), ("NV21", .nv21), ("NV16", .nv16), ("NV61", .nv61), ("NV24", .nv24), ("NV42", .nv42),
        ("P010", .p010), ("P012", .p012), ("P016", .p016), ("P210", .p210),
        ("YUYV", .yuyv), ("YVYU", .yvyu), ("UYVY", .uyvy), ("VYUY", .vyuy),
        ("R8  ", .gray8), ("R16 ", .gray16), ("RG16", .rgb565), ("XR15", .xrgb1555),
        ("RG24", .bgr24), ("BG24", .rgb24), ("XR24", .bgrx32), ("AR24", .bgra32), ("XB24", .rgbx32),
        ("AB24", .rgba32), ("RX24", .xbgr32), ("RA24", .abgr32), ("BX24", .xrgb32), ("BA24", .argb32),
        ("XR30", .x2rgb10), ("XB30", .x2bgr10),
    ]
}
