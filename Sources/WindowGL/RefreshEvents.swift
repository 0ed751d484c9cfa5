package import MediaIO

/// Reports when the screen that a window is on is refreshed.
///
/// **Thread:** main.
package protocol RefreshEvents: AnyObject {
    /// Asks for the next refresh; called before each present, which on Wayland sends the request.
    func request()

    /// Takes a report; `nil` if there is none. The time may be off by a millisecond.
    func take() -> MonotonicTime?
}
