import Glibc
import Testing

/// Another program that has begun to capture with a camera.
struct DeviceHolder {
    let process: pid_t

    /// Starts it, and waits until it has the camera.
    init(_ path: String) throws {
        // It allocates one buffer (VIDIOC_REQBUFS, capture, mapped), which makes the camera its own, and says so.
        let program = """
            my $request = pack('L5', 1, 1, 1, 0, 0);
            open(C, '+<', $ARGV[0]) && ioctl(C, 0xc0145608, $request) or die $!;
            syswrite(STDOUT, 'x'); sleep 600;
            """
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, writing, 1)
        let words: [String] = ["perl", "-e", program, path]
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let error = posix_spawnp(&child, "perl", &actions, nil, arguments, environ)
        close(writing)
        try #require(error == 0)
        process = child
        // It ends without a word if it does not get the camera.
        var answer: UInt8 = 0
        try #require(read(reading, &answer, 1) == 1)
    }

    /// Ends it.
    func end() {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }
}
