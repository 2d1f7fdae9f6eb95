// SPDX-License-Identifier: MIT
import CMeter

/// The time of each run of a measurement.
struct Measurement {
    let name: String
    let sentences: Int
    let bytes: Int
    var check: Double?
    var seconds: [Double] = []

    /// The median of the runs, in nanoseconds per sentence.
    var median: Double { nanoseconds(seconds.sorted()[(seconds.count - 1) / 2]) }

    /// The result on one line: the median, and the spread of the runs.
    var line: String {
        let slowest = nanoseconds(seconds.max() ?? 0)
        let fastest = nanoseconds(seconds.min() ?? 0)
        let speed = Double(bytes) / Double(max(1, sentences)) / median * 1000
        var line = name.padded(20) + median.fixed(1, 9) + " ns/sentence" + speed.fixed(1, 9)
        line += " MB/s  [\(fastest.fixed(1)) to \(slowest.fixed(1)) ns, \(seconds.count) runs]"
        if let check { line += " check \(check.fixed(4))" }
        return line
    }

    private func nanoseconds(_ seconds: Double) -> Double {
        seconds * 1e9 / Double(max(1, sentences))
    }
}

extension Measurement {
    /// Runs the work once and begins a measurement with it.
    init(_ work: Work, _ bytes: [UInt8]) {
        let start = cmeter_now()
        let tally = work.run(bytes)
        let seconds = cmeter_now() - start
        self.init(
            name: work.name, sentences: tally.sentences, bytes: bytes.count, check: tally.check,
            seconds: [seconds])
    }

    /// Runs the work once more.
    mutating func repeatRun(_ work: Work, _ bytes: [UInt8]) {
        seconds += Measurement(work, bytes).seconds
    }
}
