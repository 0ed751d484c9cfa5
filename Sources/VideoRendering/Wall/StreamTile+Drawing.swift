import GL
import MediaIO

/// The picture that tiles are drawn into.
struct TileTarget {
    var size: VideoSize
    /// Whether row 0 is the top one, as in a picture that is read back, or the lowest, as in a window.
    var topIsFirstRow: Bool
    /// Bits of a component: 8 or 10, or 16 for floating-point numbers, to which no pattern has to be added.
    var depth = 8
    /// What code values mean there.
    var colors = ColorTarget.sRGB
    /// When colours are converted to that.
    var conversion = ColorConversionMode.auto
}

extension StreamTile {
    /// Draws the picture with its label and notice, or what is awaited.
    func draw(in rectangle: Rectangle, _ target: TileTarget, _ tools: borrowing DrawingTools, _ text: TextDrawer) {
        if let picture {
            do throws(GLError) {
                try draw(picture, in: rectangle, target, tools)
            } catch {
                wasNotDrawn(error)
            }
        } else {
            fill(rectangle, target)
        }
        drawTexts(in: rectangle, target, text)
        wasDrawn()
    }

    /// Draws the picture alone; `drawsSamples` draws its code values in the place of colours.
    func draw(
        _ picture: TilePicture, in rectangle: Rectangle, _ target: TileTarget, _ tools: borrowing DrawingTools,
        drawsSamples: Bool = false
    ) throws(GLError) {
        let placed = contentMode.place(aspectRatio: aspectRatio, in: rectangle)
        let placement = placement(of: picture, placed, target)
        let size = VideoSize(width: picture.visible.width, height: picture.visible.height)
        let shown = orientation.rotation.isQuarterTurn ? size.transposed : size
        let isExact =
            shown.width == placed.destination.width && shown.height == placed.destination.height
            && placed.visibleWidth == 1 && placed.visibleHeight == 1
        let style = TilePicture.Style(
            filter: drawsSamples ? .nearest : filter, scalesInLinearLight: scalesInLinearLight,
            override: colorOverride, target: target, drawsSamples: drawsSamples)
        try picture.draw(placement, style, isExact: isExact, tools)
    }

    /// Which part of the picture is shown where.
    func placement(
        of picture: TilePicture, _ placed: ContentMode.Placement, _ target: TileTarget
    ) -> PicturePlacement {
        let orientation = orientation
        return PicturePlacement(
            rectangle: placed.destination, target: target.size,
            visible: (placed.visibleWidth, placed.visibleHeight), source: picture.visible,
            rotation: orientation.rotation, mirror: orientation.mirror, topIsFirstRow: target.topIsFirstRow)
    }

    /// A dark grey, so that a tile without a picture is seen to be one.
    private func fill(_ rectangle: Rectangle, _ target: TileTarget) {
        let y = target.topIsFirstRow ? rectangle.y : target.size.height - rectangle.y - rectangle.height
        DrawTarget.clear(
            red: 0.09, green: 0.1, blue: 0.12, in: (rectangle.x, y, rectangle.width, rectangle.height))
    }

    private func drawTexts(in rectangle: Rectangle, _ target: TileTarget, _ text: TextDrawer) {
        let fontSize = min(28, max(11, rectangle.height / 22))
        let margin = fontSize / 2
        let room = VideoSize(width: rectangle.width - 4 * margin, height: rectangle.height - 4 * margin)
        guard room.width > fontSize, room.height > fontSize else { return }
        // What cannot be written is left out: a text is no reason to lose the picture.
        let isPlaceholder = picture == nil
        if let notice {
            let style = TextDrawer.Style(
                fontSize: fontSize, isCentered: isPlaceholder, paper: isPlaceholder ? .zero : SIMD4(0.35, 0, 0, 0.75))
            let words = isPlaceholder ? "\(name)\n\(notice)" : notice
            if (try? text.prepare(&noticeText, words, style, room: room)) != nil, let size = noticeText?.size {
                let x = rectangle.x + (rectangle.width - size.width) / 2 - margin
                let y =
                    isPlaceholder
                    ? rectangle.y + (rectangle.height - size.height) / 2 - margin
                    : rectangle.y + rectangle.height - size.height - 3 * margin
                text.draw(&noticeText, x: x, y: y, margin: margin, target)
            }
        } else {
            noticeText = nil
        }
        if let label, !isPlaceholder {
            let style = TextDrawer.Style(fontSize: fontSize, paper: SIMD4(0, 0, 0, 0.55))
            if (try? text.prepare(&labelText, label, style, room: room)) != nil {
                text.draw(&labelText, x: rectangle.x + margin, y: rectangle.y + margin, margin: margin, target)
            }
        } else {
            labelText = nil
        }
    }
}
