/// What takes pictures at a constant rate, and tries again what it loses: an encoder with its receiver, a pipeline, a camera.
package protocol PictureSender: AnyObject {
    /// The format that pictures must have.
    var format: PixelFormat { get }
    /// The colour space that pictures must have.
    var colorSpace: ColorSpace { get }
    /// How what it sends to is.
    var condition: SenderCondition { get }
    /// How many pictures, or packets, were sent, and left out.
    var counts: SenderCounts { get }

    /// Takes the next picture; `number` counts at the frame rate.
    func send(_ picture: PixelBuffer, at number: Int64?) throws(StreamError)

    /// Lets what it sends to finish what it has got; nothing may be sent afterwards.
    func finish()
}

extension PictureSender {
    /// I420, which everything takes.
    package var format: PixelFormat { .i420 }
}
