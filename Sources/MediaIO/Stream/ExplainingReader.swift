/// A reader of a live stream that knows why it has no frames while it waits for them.
package protocol ExplainingReader: FrameReader {
    /// Told during ``FrameReader/next()`` why no frames come, about once a second for as long as none do.
    ///
    /// The next frame says that it is over. While this is `nil`, the reader delivers whatever it gets.
    var explain: ((StreamError) -> Void)? { get set }
}
