import CVitrailFFmpeg
internal import CVitrailSeccomp
import Glibc
import MediaIO

/// Decoders in processes of their own, which can do nothing but decode.
///
/// They have no files, no network and no other process, whatever a stream makes of them. Their pictures come through
/// shared memory.
///
/// A program that asks for it (``MediaPacketDecoder/Options/isSandboxed``) calls ``serveIfAsked()`` before anything else:
/// the processes run the same program again.
///
/// **Cost:** a process for each decoder, which takes 60 ms of processor time to start; then a message for each packet and
/// back, 0.1 to 0.15 ms.
public enum DecoderSandbox {
    static let mark = "--vitrail-decodes-in-a-sandbox"
    /// The descriptors of such a process.
    static let (channel, memory): (Int32, Int32) = (3, 4)

    /// More bytes than a packet has.
    private static let largestPacket = 1 << 29

    /// Whether a process that runs this program again would decode, and not do what the program does.
    static let isPrepared = Monitor(false)

    /// Decodes, if this process is one that must, and then ends it; otherwise returns.
    ///
    /// Call it before anything else, also before another thread is started.
    public static func serveIfAsked() {
        isPrepared.withLock { $0 = true }
        guard CommandLine.argc == 2, CommandLine.arguments[1] == mark else { return }
        // What must be read from the system is read before.
        MediaInput.silenceLog()
        _ = av_cpu_count()
        var status = stat()
        guard vitrail_let_go(UInt32(memory) + 1) == 0, fstat(memory, &status) == 0, status.st_size > 0,
            let start = mmap(nil, Int(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0),
            start != MAP_FAILED, vitrail_confine() == 0
        else { _exit(71) }
        let bytes = UnsafeMutableRawBufferPointer(start: start, count: Int(status.st_size))
        SandboxServer(SandboxChannel(channel, limit: largestPacket), SharedFrameMemory(bytes)).run()
        _exit(0)
    }
}

/// What is asked of a decoder's process; each message begins with one, and has an answer.
enum SandboxRequest: UInt8 {
    case open = 1
    case decode
    case end
}
