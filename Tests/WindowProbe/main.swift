// A program for the tests of WindowGL, which need a process of their own: GLFW wants the main thread and reads DISPLAY
// from the environment. It does what each line of standard input says and prints what happens, a line each.
import Glibc

do {
    try Probe(wayOfOpening: CommandLine.arguments.dropFirst().first ?? "plain").run()
} catch {
    say("error \(error)")
    exit(69)
}
