/// Which servers are trusted if a connection is encrypted with TLS (`https`, `rtmps`, `rtsps`, `tls`).
///
/// A server that is not trusted gets neither a password nor a request.
public enum TLSTrust: Hashable, Sendable {
    /// Servers with a certificate for their name, signed by an authority that the system trusts.
    case system
    /// Servers with a certificate for their name, signed by an authority in a PEM file, such as a self-signed one.
    case authority(path: String)
    /// All servers, unverified: anybody on the network path can read and change everything.
    case insecure
}
