/// What happens to a wall in months.
enum SoakFault: String, CaseIterable {
    case serverEnds = "a server ends and is started again"
    case serverKilled = "a server is killed and started again"
    case serverHangs = "a server sends nothing for seconds, then goes on"
    case serverSlow = "a server is slow"
    case receiver = "a receiver ends or hangs, then is there again"
    case keys = "keys"
    case mouse = "wheel, drags and clicks"
    case resize = "the window has another size"
    case layout = "another layout"
    case effect = "an effect is saved broken, then whole"
    case fullDisk = "the disk is full, then not"
}
