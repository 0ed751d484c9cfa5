/// The text of the GLSL files in this folder, by name.
///
/// They are embedded in the program.
public enum ShaderLibrary {
    /// Computes the corners of a rectangle.
    public static let pictureVertex = File("picture.vert.glsl", PackageResources.picture_vert_glsl)
    /// Computes the source position of a pixel.
    public static let position = File("position.glsl", PackageResources.position_glsl)
    /// Samples components in planes of their own.
    public static let planesPlanar = File("planes.planar.glsl", PackageResources.planes_planar_glsl)
    /// Samples Y from one texture and chroma from another.
    public static let planesSemiplanar = File("planes.semiplanar.glsl", PackageResources.planes_semiplanar_glsl)
    /// Samples all components from one texel.
    public static let planesPacked = File("planes.packed.glsl", PackageResources.planes_packed_glsl)
    /// Samples v210.
    public static let planesV210 = File("planes.v210.glsl", PackageResources.planes_v210_glsl)
    /// Samples Bayer formats.
    public static let planesBayer = File("planes.bayer.glsl", PackageResources.planes_bayer_glsl)
    /// Reads the pixels that scaling averages.
    public static let pixel = File("pixel.glsl", PackageResources.pixel_glsl)
    /// Scaling kernels.
    public static let kernels = File("kernels.glsl", PackageResources.kernels_glsl)
    /// Scaling by the texture unit.
    public static let scaleDirect = File("scale.direct.glsl", PackageResources.scale_direct_glsl)
    /// Scaling rows with a kernel.
    public static let scaleAcrossFragment = File("scale.across.frag.glsl", PackageResources.scale_across_frag_glsl)
    /// Scaling columns with a kernel.
    public static let scaleDown = File("scale.down.glsl", PackageResources.scale_down_glsl)
    /// Converts samples to the target's R'G'B'.
    public static let videoFragment = File("video.frag.glsl", PackageResources.video_frag_glsl)
    /// Dithers.
    public static let dither = File("dither.glsl", PackageResources.dither_glsl)
    /// Draws text.
    public static let textFragment = File("text.frag.glsl", PackageResources.text_frag_glsl)
    /// Computes the corners of the whole target.
    public static let coverVertex = File("cover.vert.glsl", PackageResources.cover_vert_glsl)
    /// Reads texels of one plane.
    public static let texelsFragment = File("texels.frag.glsl", PackageResources.texels_frag_glsl)
    /// Converts R'G'B' to one plane of YCbCr.
    public static let encodeFragment = File("encode.frag.glsl", PackageResources.encode_frag_glsl)
    /// Converts code values to light and back, for every transfer function.
    public static let transfer = File("transfer.glsl", PackageResources.transfer_glsl)
    /// Tone maps HDR to SDR.
    public static let convertTone = File("convert.tone.glsl", PackageResources.convert_tone_glsl)
    /// Converts R'G'B' to linear light, and linear light to the target's R'G'B'.
    public static let convert = File("convert.glsl", PackageResources.convert_glsl)

    /// Declares what every effect can use.
    public static let effectPrelude = File("effect.prelude.glsl", PackageResources.effect_prelude_glsl)
    /// Ends the loops of an effect.
    public static let effectGuard = File("effect.guard.glsl", PackageResources.effect_guard_glsl)
    /// Computes the corners of an effect's rectangle.
    public static let effectVertex = File("effect.vert.glsl", PackageResources.effect_vert_glsl)
    /// Draws an effect or one of its passes.
    public static let effectFragment = File("effect.frag.glsl", PackageResources.effect_frag_glsl)
    /// Places the points of a pass.
    public static let effectPointsVertex = File("effect.points.vert.glsl", PackageResources.effect_points_vert_glsl)
    /// Draws the points of a pass.
    public static let effectPointsFragment = File("effect.points.frag.glsl", PackageResources.effect_points_frag_glsl)
    /// Looks colours up in tables.
    public static let effectTables = File("effect.lut.glsl", PackageResources.effect_lut_glsl)
    /// Converts samples and applies the effects that are folded into that.
    public static let videoEffectsFragment = File(
        "video.effects.frag.glsl", PackageResources.video_effects_frag_glsl)
    /// Declares what a Shadertoy image shader can use.
    public static let shadertoyPrelude = File("shadertoy.prelude.glsl", PackageResources.shadertoy_prelude_glsl)
    /// Makes a Shadertoy image shader an effect.
    public static let shadertoyEnd = File("shadertoy.end.glsl", PackageResources.shadertoy_end_glsl)
    /// The built-in effects.
    public static let effects = [
        File("adjust.effect.glsl", PackageResources.adjust_effect_glsl),
        File("blur.effect.glsl", PackageResources.blur_effect_glsl),
        File("chroma-key.effect.glsl", PackageResources.chroma_key_effect_glsl),
        File("crt.effect.glsl", PackageResources.crt_effect_glsl),
        File("denoise.effect.glsl", PackageResources.denoise_effect_glsl),
        File("difference.effect.glsl", PackageResources.difference_effect_glsl),
        File("edge.effect.glsl", PackageResources.edge_effect_glsl),
        File("exposure.effect.glsl", PackageResources.exposure_effect_glsl),
        File("false-color.effect.glsl", PackageResources.false_color_effect_glsl),
        File("focus-peaking.effect.glsl", PackageResources.focus_peaking_effect_glsl),
        File("grayscale.effect.glsl", PackageResources.grayscale_effect_glsl),
        File("histogram.effect.glsl", PackageResources.histogram_effect_glsl),
        File("invert.effect.glsl", PackageResources.invert_effect_glsl),
        File("kaleidoscope.effect.glsl", PackageResources.kaleidoscope_effect_glsl),
        File("lut.effect.glsl", PackageResources.lut_effect_glsl),
        File("mirror.effect.glsl", PackageResources.mirror_effect_glsl),
        File("pixelate.effect.glsl", PackageResources.pixelate_effect_glsl),
        File("plain-luma.effect.glsl", PackageResources.plain_luma_effect_glsl),
        File("posterize.effect.glsl", PackageResources.posterize_effect_glsl),
        File("privacy-mask.effect.glsl", PackageResources.privacy_mask_effect_glsl),
        File("sepia.effect.glsl", PackageResources.sepia_effect_glsl),
        File("sharpen.effect.glsl", PackageResources.sharpen_effect_glsl),
        File("vectorscope.effect.glsl", PackageResources.vectorscope_effect_glsl),
        File("vignette.effect.glsl", PackageResources.vignette_effect_glsl),
        File("waveform.effect.glsl", PackageResources.waveform_effect_glsl),
        File("wipe.effect.glsl", PackageResources.wipe_effect_glsl),
        File("zebra.effect.glsl", PackageResources.zebra_effect_glsl),
    ]

    /// A file: its name, for error messages, and its text.
    public struct File: Sendable {
        /// The file's name.
        public let name: String
        /// GLSL without a `#version` line.
        public let text: String

        init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            self.text = String(decoding: bytes, as: UTF8.self)
        }
    }
}
