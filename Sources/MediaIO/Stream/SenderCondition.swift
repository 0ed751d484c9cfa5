/// How a sender is: what gives a stream to a receiver, a server or a pipeline, and tries again what it loses.
public enum SenderCondition: Hashable, Sendable {
    /// Nothing was sent yet.
    case connecting
    /// What it sends is taken.
    case sending
    /// What it sends to cannot be reached, and is tried again; the reason is for people.
    case waiting(_ reason: String)
    /// What it sends to cannot take this stream, and is not tried again; the reason is for people.
    case failed(_ reason: String)
}
