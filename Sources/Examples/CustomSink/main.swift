// A custom sink: CustomSink measures the brightness of ten frames of a test pattern.
import MediaIO
import VideoSources

let source = PacedSource(name: "clock") {
    try TestPatternReader(pattern: .clock, size: VideoSize(width: 160, height: 90), frameRate: Rational(100))
}
let meter = BrightnessMeter(frameCount: 10)
let stream = VideoStream(source: source, sinks: [meter])
try stream.initialize()
try stream.start()
let levels = meter.waitForLevels()
stream.stop()
stream.dispose()
for (index, level) in levels.enumerated() { print("frame \(index): mean luma \(level)") }
