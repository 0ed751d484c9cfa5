// Confines itself as a decoder's process does, and tries what its argument names: the exit status says what became of it.
import CVitrailSeccomp
import Foundation

guard CommandLine.arguments.count == 2, vitrail_let_go(3) == 0, vitrail_confine() == 0 else { exit(100) }

switch CommandLine.arguments[1] {
case "open": exit(open("/etc/hostname", O_RDONLY) < 0 ? errno : 101)
case "socket": exit(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) < 0 ? errno : 101)
case "fork":
    var child: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    exit(posix_spawn(&child, "/bin/true", nil, nil, &arguments, nil) != 0 ? errno : 101)
case "exec":
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    exit(execv("/bin/true", &arguments) < 0 ? errno : 101)
case "code":
    exit(
        mmap(nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
            ? errno : 101)
case "kill": exit(kill(getppid(), SIGTERM) < 0 ? errno : 101)
case "trace": exit(Int32(truncatingIfNeeded: vitrail_trace()) < 0 ? errno : 101)
case "thread":
    let isRunning = DispatchSemaphore(value: 0)
    Thread { isRunning.signal() }.start()
    isRunning.wait()
    exit(0)
default: exit(102)
}
