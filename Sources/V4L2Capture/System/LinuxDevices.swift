import CVitrailV4L2
import Glibc

/// The system's own cameras: `/dev/video…`, and `/sys/class/video4linux` with their descriptions.
struct LinuxDevices: DeviceSystem {
    private static let classFolder = "/sys/class/video4linux"

    func nodes() -> [DeviceNode] {
        let numbers = Self.entries(of: "/dev").compactMap { name in
            name.hasPrefix("video") ? UInt32(name.dropFirst("video".count)) : nil
        }
        return numbers.sorted().map { number in
            let description = "\(Self.classFolder)/video\(number)"
            var node = DeviceNode(path: "/dev/video\(number)")
            node.name = Self.line(of: "\(description)/name") ?? ""
            node.index = Self.line(of: "\(description)/index").flatMap { Int($0) } ?? 0
            if let device = Self.usbDevice(above: "\(description)/device") {
                node.bus = Self.usbPath(of: device)
                let vendor = Self.line(of: "\(device)/idVendor") ?? ""
                node.usbID = "\(vendor):\(Self.line(of: "\(device)/idProduct") ?? "")"
                node.serial = Self.line(of: "\(device)/serial")
            }
            return node
        }
    }

    func open(_ path: String) -> (descriptor: Int32, error: Int32) {
        while true {
            let descriptor = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            if descriptor >= 0 { return (descriptor, 0) }
            if errno != EINTR { return (-1, errno) }
        }
    }

    func close(_ descriptor: Int32) { Glibc.close(descriptor) }

    func control(_ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        while ioctl(descriptor, request, argument) != 0 {
            if errno != EINTR { return errno }
        }
        return 0
    }

    func map(_ descriptor: Int32, length: Int, offset: Int) -> UnsafeMutableRawBufferPointer? {
        guard length > 0 else {
            errno = EINVAL
            return nil
        }
        let address = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, offset)
        guard let address, address != MAP_FAILED else { return nil }
        return UnsafeMutableRawBufferPointer(start: address, count: length)
    }

    func unmap(_ memory: UnsafeMutableRawBufferPointer) { munmap(memory.baseAddress, memory.count) }

    func users(of path: String) -> [String] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        return Self.entries(of: "/proc").compactMap { entry in
            guard let process = pid_t(entry), process != getpid() else { return nil }
            let isUser = Self.uses(of: status, by: entry) > 0
            return isUser ? "\(Self.line(of: "/proc/\(entry)/comm") ?? "a program") (process \(process))" : nil
        }
    }

    func isOpenTwice(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && Self.uses(of: status, by: "self") > 1
    }

    /// The number of a process's descriptors that refer to a device.
    private static func uses(of device: stat, by process: String) -> Int {
        entries(of: "/proc/\(process)/fd").count { descriptor in
            var other = stat()
            return stat("/proc/\(process)/fd/\(descriptor)", &other) == 0 && other.st_rdev == device.st_rdev
                && other.st_mode & S_IFMT == S_IFCHR
        }
    }

    func group(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IRGRP != 0 else { return nil }
        // `getgrgid` is not thread-safe, and cameras are opened on several threads.
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { names in
            var (entry, found) = (Glibc.group(), UnsafeMutablePointer<Glibc.group>?.none)
            guard getgrgid_r(status.st_gid, &entry, names.baseAddress, names.count, &found) == 0, found != nil else {
                return nil
            }
            return String(cString: entry.gr_name)
        }
    }

    func watchNodes() -> DeviceWatch? { DeviceWatch() }

    private static func entries(of folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: Int(entry.pointee.d_reclen)) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// The first line of a small file.
    private static func line(of path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = fread(&bytes, 1, bytes.count, file)
        let line = bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// Where a USB device is connected, in the driver's notation (the kernel's `usb_make_path`): the controller, and
    /// the ports on the way.
    private static func usbPath(of folder: String) -> String? {
        // /sys/devices/pci0000:00/0000:00:14.0/usb1/1-2/1-2.4
        let parts = folder.split(separator: "/")
        guard let root = parts.firstIndex(where: { $0.hasPrefix("usb") && Int($0.dropFirst(3)) != nil }), root > 0,
            let ports = line(of: "\(folder)/devpath")
        else { return nil }
        return "usb-\(parts[root - 1])-\(ports)"
    }

    /// The folder of the USB device that a video device is a part of; `nil` if there is none.
    private static func usbDevice(above path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        var folder = String(cString: real)
        while folder.hasPrefix("/sys/devices/") {
            if access("\(folder)/idVendor", R_OK) == 0 { return folder }
            guard let slash = folder.lastIndex(of: "/") else { return nil }
            folder = String(folder[..<slash])
        }
        return nil
    }
}
