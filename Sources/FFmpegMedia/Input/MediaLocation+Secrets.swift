import VitrailSupport

extension MediaLocation {
    /// Returns a URL for display: without user information, and with `***` for the value of each secret parameter.
    ///
    /// When in doubt, too much is hidden: the result is for people, not for opening.
    ///
    /// **Cost:** in proportion to the length of the text, which may come from a stranger.
    /// - Parameter text: a URL, whether it is valid or not; also a GStreamer pipeline after `gst:`.
    /// - Returns: `text` itself if there is nothing to hide.
    public static func hidingSecrets(in text: String) -> String { Secrets.hidden(in: text) }
}
