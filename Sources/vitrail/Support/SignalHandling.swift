import Glibc

/// What the program does with signals, from its start.
enum SignalHandling {
    /// Sets the actions of signals whose defaults do not suit the program.
    static func prepare() {
        // Writing to a closed pipe must fail with an error number, not end the program.
        signal(SIGPIPE, SIG_IGN)
        // The same for a file that exceeds the user's size limit.
        signal(SIGXFSZ, SIG_IGN)
        // Swift's runtime would show a crash report, with a menu, when the user presses Ctrl+\.
        if !isIgnored(SIGQUIT) { signal(SIGQUIT, SIG_DFL) }
    }

    /// Whether the signal is ignored, as `nohup` arranges for the programs that it starts.
    static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
