package import CVitrailKernels
package import MediaIO
import VideoWall

/// The tables of a drawing, which tiles that are drawn alike share.
package final class TilePlan: @unchecked Sendable {
    // Unchecked because of the pointers: what they point to is written before the object is shared.
    package let drawing: TileDrawing
    private let memory = PlanMemory()
    private let fast: UnsafeMutablePointer<VitrailFastPlan>?
    private let exact: UnsafeMutablePointer<VitrailExactPlan>?
    /// The component of the format for each of the painter's; the fourth is opacity.
    private let order: InlineArray<4, Int>

    /// Makes the tables.
    ///
    /// **Cost:** when a frame's format or its place changes.
    package init(_ drawing: TileDrawing) {
        self.drawing = drawing
        if let made = FastPlan(drawing, memory) {
            let plan = UnsafeMutablePointer<VitrailFastPlan>.allocate(capacity: 1)
            plan.initialize(to: made.plan)
            (fast, exact) = (plan, nil)
            order = [made.order[0], made.order[1], made.order[2], 3]
        } else {
            let plan = UnsafeMutablePointer<VitrailExactPlan>.allocate(capacity: 1)
            plan.initialize(to: ExactPlan.make(drawing, memory))
            (fast, exact) = (nil, plan)
            order = [drawing.order[0], drawing.order[1], drawing.order[2], 3]
        }
    }

    deinit {
        fast?.deallocate()
        exact?.deallocate()
    }

    /// Locates the samples of a frame of the drawing's format and size.
    ///
    /// **Cost:** every frame.
    package func locate(_ planes: FramePlanes, _ samples: UnsafeMutablePointer<VitrailSamples>) {
        let layout = drawing.format.layout
        for index in 0..<4 {
            guard layout.packing == .regular else {
                samples[index] = VitrailSamples(first: planes.first[0], right: 1, down: planes.bytesPerRow[0])
                continue
            }
            // Grey has one component.
            guard let component = layout.components[order[index]] ?? layout.components[0] else { continue }
            let (first, row) = (planes.first[component.plane], planes.bytesPerRow[component.plane])
            samples[index] = VitrailSamples(
                first: first.map { $0 + component.offset }, right: drawing.isTurned ? row : component.step,
                down: drawing.isTurned ? component.step : row)
        }
    }

    /// Draws a part of a frame, with effects; false if there is no memory.
    ///
    /// **Thread:** any. **Cost:** every frame.
    package func paint(
        _ samples: UnsafePointer<VitrailSamples>, _ scratch: OpaquePointer, _ effects: PixelEffects?,
        _ part: VitrailPart
    ) -> Bool {
        if let fast {
            return vitrail_paint_fast(scratch, fast, samples, drawing.isGrayscale ? nil : effects?.plan, part)
        }
        guard let exact else { return false }
        return vitrail_paint_exact(scratch, exact, samples, effects?.plan, part)
    }

    /// Measures a row of blocks of an effect; false if there is no memory.
    ///
    /// **Thread:** any. **Cost:** every frame.
    package func measure(
        _ samples: UnsafePointer<VitrailSamples>, _ scratch: OpaquePointer, _ effects: PixelEffects,
        _ blocks: PixelEffects.Blocks, row: Int
    ) -> Bool {
        let (number, row) = (Int32(blocks.number), Int32(row))
        if let fast { return vitrail_measure_fast(scratch, fast, samples, effects.plan, number, row) }
        guard let exact else { return false }
        return vitrail_measure_exact(scratch, exact, samples, effects.plan, number, row)
    }
}

/// The planes of a frame: each plane's first row, and its stride.
package struct FramePlanes {
    private(set) var first = InlineArray<4, UnsafePointer<UInt8>?>(repeating: nil)
    private(set) var bytesPerRow = InlineArray<4, Int>(repeating: 0)

    /// Locates the planes of a buffer, whose owner keeps it until ``PixelBuffer/noteReads()``.
    package init(_ buffer: PixelBuffer) {
        for index in 0..<buffer.planeCount {
            let plane = buffer.withPlane(index) { $0 }
            let height = buffer.format.planes[index].height(buffer.size)
            // With a negative stride, the first row is the last one in memory.
            let offset = plane.bytesPerRow < 0 ? -plane.bytesPerRow * (height - 1) : 0
            first[index] = plane.bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: UInt8.self) }
            bytesPerRow[index] = plane.bytesPerRow
        }
    }
}

extension PixelBuffer {
    /// Orders all reads so far, on threads that were waited for, before the memory is written again.
    package func noteReads() { withPlane(0) { _ in } }
}
