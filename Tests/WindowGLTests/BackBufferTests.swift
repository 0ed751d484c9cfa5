import Testing

@testable import WindowGL

/// The trial of what a driver says about the age of its back buffers.
struct BackBufferTests {
    /// A driver with some buffers, of which the oldest is drawn into next.
    private final class Driver {
        var buffers: [(color: [UInt8], number: Int?)]
        var presents = 0

        init(_ count: Int) { buffers = Array(repeating: ([9, 9, 9], nil), count: count) }

        func show(_ color: [UInt8]) {
            presents += 1
            buffers.append((color, presents))
            buffers.removeFirst()
        }

        /// 1 for what was presented last.
        var age: Int { buffers[0].number.map { presents - $0 + 1 } ?? 0 }
    }

    @Test("A driver that tells the truth is believed", arguments: 1...6)
    func truth(_ count: Int) {
        let driver = Driver(count)
        #expect(BackBuffer.isTrue(age: { driver.age }, show: driver.show, content: { driver.buffers[0].color }))
        #expect(driver.presents == 5 && driver.buffers.last?.color == [0, 0, 0])
    }

    @Test(
        "One that lies is not", arguments: [(2, 1), (3, 1), (3, 2), (1, 2), (2, 3), (4, 3), (6, 5)])
    func lie(_ count: Int, _ said: Int) {
        let driver = Driver(count)
        #expect(!BackBuffer.isTrue(age: { said }, show: driver.show, content: { driver.buffers[0].color }))
    }

    @Test("A driver that does not know is believed")
    func unknown() {
        let driver = Driver(2)
        #expect(BackBuffer.isTrue(age: { 0 }, show: driver.show, content: { [7, 7, 7] }))
    }
}
