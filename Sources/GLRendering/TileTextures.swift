import MediaIO
import VideoWall
import VitrailGL

/// The renderer's resources for one tile: the planes of its newest frame on the GPU, and the program that draws them.
final class TileTextures {
    /// The tile; retaining its identity keeps it unique.
    let id: WallTile.ID
    private(set) var report = TileReport()
    /// The number of the last frame that was uploaded, or failed to.
    private var frameNumber = -1
    private var planes: FrameTextures?
    private var program: VideoProgram?
    /// The kind of program that was missing when a frame should have been uploaded.
    private var refusedKind: VideoProgram.Kind?

    init(_ id: WallTile.ID) { self.id = id }

    /// Uploads the tile's frame, unless it is uploaded already or no program can draw it.
    func update(
        _ tile: WallScene.Tile, _ context: GLContext, _ view: TargetView, _ shared: borrowing SharedResources
    ) {
        guard frameNumber != tile.frameNumber || isWorthAnotherTry(tile, view) else { return }
        frameNumber = tile.frameNumber
        refusedKind = nil
        report.failure = nil
        guard let frame = tile.frame else {
            planes = nil
            return
        }
        do {
            let buffer = try frame.pixelBuffer
            let kind = VideoProgram.Kind(frame, buffer.format, tile, view)
            refusedKind = kind
            try findProgram(kind, shared)
            refusedKind = nil
            try upload(buffer, context)
            report.uploaded += 1
        } catch {
            planes = nil
            fail("\(error)")
        }
    }

    /// Whether there was no program for the frame, and now another one would draw it.
    private func isWorthAnotherTry(_ tile: WallScene.Tile, _ view: TargetView) -> Bool {
        guard let refusedKind, let frame = tile.frame else { return false }
        return refusedKind != VideoProgram.Kind(frame, refusedKind.format, tile, view)
    }

    private func findProgram(_ kind: VideoProgram.Kind, _ shared: borrowing SharedResources) throws(GLError) {
        if program?.kind != kind { program = try shared.programs.program(kind) }
    }

    private func upload(_ buffer: PixelBuffer, _ context: GLContext) throws(GLError) {
        if planes?.format != buffer.format || planes?.size != buffer.size {
            planes = try FrameTextures(context, format: buffer.format, size: buffer.size)
        }
        planes?.upload(buffer)
        #if DEBUG
            try context.check("Uploading a frame")
        #endif
    }

    /// Draws the tile's frame; `drawsSamples` draws its code values instead of colours.
    ///
    /// - Returns: false if there is nothing to draw.
    func draw(
        _ tile: WallScene.Tile, _ view: TargetView, _ shared: borrowing SharedResources,
        drawsSamples: Bool = false
    ) -> Bool {
        guard let frame = tile.frame, let format = planes?.format else { return false }
        do throws(GLError) {
            try draw(frame, format, tile, view, shared, drawsSamples)
        } catch {
            fail(error.description)
        }
        return true
    }

    /// Counts a draw of the tile, with or without a frame.
    func wasDrawn() { report.drawn += 1 }

    private func fail(_ reason: String) {
        report.failed += 1
        report.failure = reason
    }

    private func draw(
        _ frame: VideoFrame, _ format: PixelFormat, _ tile: WallScene.Tile, _ view: TargetView,
        _ shared: borrowing SharedResources, _ drawsSamples: Bool
    ) throws(GLError) {
        let visible = frame.visibleRectangle
        let placement = FramePlacement(tile, visible: visible, view)
        let isExact = tile.isExact(visible)
        let kind = VideoProgram.Kind(frame, format, tile, view, drawsSamples: drawsSamples)
        try findProgram(kind, shared)
        let layout = format.layout
        // With the nearest sample nothing is interpolated, so the siting does not matter.
        let place = (tile.colorOverride.chromaLocation ?? frame.chromaLocation).place
        let width = SIMD2(Double((1 << layout.horizontalShift) - 1), Double((1 << layout.verticalShift) - 1))
        let shift = kind.scaling == .nearest ? .zero : SIMD2<Float>((0.5 - place) * width)
        program?.use(
            placement,
            VideoProgram.Parameters(
                size: frame.image.size, chromaShift: shift, visible: visible,
                hdrMetadata: frame.attributes.hdrMetadata))
        switch kind.scaling {
        case .nearest: planes?.bind(luma: shared.nearest, chroma: shared.nearest)
        case .direct where isExact: planes?.bind(luma: shared.nearest, chroma: shared.precise)
        case .direct: planes?.bind(luma: shared.precise, chroma: shared.precise)
        case .kernel: planes?.bind(luma: shared.nearest, chroma: shared.linear)
        case .reduction: planes?.bind(luma: shared.linear, chroma: shared.linear)
        }
        shared.vertices.drawRectangle()
    }
}

extension WallScene.Tile {
    /// Whether source and target pixels coincide, so that luma needs no weighting.
    fileprivate func isExact(_ visible: Rectangle) -> Bool {
        let size = VideoSize(width: visible.width, height: visible.height)
        let shown = orientation.rotation.isQuarterTurn ? size.transposed : size
        return shown.width == placement.destination.width && shown.height == placement.destination.height
            && placement.visibleWidth == 1 && placement.visibleHeight == 1
    }
}

extension VideoProgram.Kind {
    /// The kind of program for a tile.
    fileprivate init(
        _ frame: VideoFrame, _ format: PixelFormat, _ tile: WallScene.Tile, _ view: TargetView,
        drawsSamples: Bool = false
    ) {
        let (space, override, layout) = (frame.colorSpace, tile.colorOverride, format.layout)
        let (size, visible) = (frame.image.size, frame.visibleRectangle)
        let scaling = ScalingMethod(
            drawsSamples ? .nearest : tile.filter,
            reduction: FramePlacement(tile, visible: visible, view).reduction, isExact: tile.isExact(visible),
            isLinearLight: tile.scalesInLinearLight)
        let isLinearLight = tile.scalesInLinearLight && scaling.walks
        var conversion: ColorConversion?
        if !drawsSamples {
            conversion = .needed(from: space, to: view.colors, mode: view.conversion)
            if conversion == nil, isLinearLight {
                // To linear light and back.
                let own = ColorTarget(primaries: space.primaries, transfer: space.transfer)
                conversion = ColorConversion(primaries: own.primaries, transfer: own.transfer, target: own)
            }
        }
        self.init(
            format: format, matrix: override.matrix ?? space.matrix,
            range: override.range ?? space.range, swapsChroma: override.swapsChroma, scaling: scaling,
            isLinearLight: isLinearLight, conversion: conversion,
            isCropped: visible.width != size.width || visible.height != size.height,
            ditherDepth: layout.depth > view.depth && !drawsSamples ? view.depth : 0, drawsSamples: drawsSamples)
    }
}
