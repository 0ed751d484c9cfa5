import FFmpegMedia

/// Decoding a file in this process and in one that can do nothing else.
struct SandboxCost {
    /// The processor time, in seconds, for all processes.
    struct Result {
        /// Per picture.
        var own = 0.0
        var sandboxed = 0.0
        /// The median of the ratios, round by round.
        var ratio = 0.0
        /// To start the process and open the decoder.
        var start = 0.0
    }

    private let path: String
    private let count: Int

    /// Measures with the first `count` pictures of a file.
    init(_ path: String, _ count: Int) { (self.path, self.count) = (path, count) }

    /// Measures `rounds` times.
    ///
    /// - Throws: `StreamError`.
    func measure(_ rounds: Int) throws -> Result {
        var (result, ratios) = (Result(), [Double]())
        for _ in 0..<rounds {
            let (ownFirst, own) = try decode(isSandboxed: false)
            let (first, sandboxed) = try decode(isSandboxed: true)
            result.own += own / Double(rounds)
            result.sandboxed += sandboxed / Double(rounds)
            result.start += (first - ownFirst) / Double(rounds)
            ratios.append(sandboxed / own)
        }
        result.ratio = ratios.sorted()[rounds / 2]
        return result
    }

    /// The time until the first picture, and of each further one.
    private func decode(isSandboxed: Bool) throws -> (first: Double, each: Double) {
        func time(_ pictures: Int) throws -> Double {
            let start = ProcessorTime.now + ProcessorTime.ofChildren
            do {
                var options = MediaReader.Options()
                options.isSandboxed = isSandboxed
                let reader = try MediaReader(.file(path: path), options: options)
                for _ in 0..<pictures { guard try reader.next() != nil else { break } }
            }
            return ProcessorTime.now + ProcessorTime.ofChildren - start
        }
        let first = try time(1)
        return (first, (try time(count) - first) / Double(count - 1))
    }
}
