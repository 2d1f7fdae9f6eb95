// SPDX-License-Identifier: MIT
import CMeter
import Glibc

/// `gpsbridge-bench [FILE [YARDSTICK]]`: measures measures how fast a file of sentences is read.
///
/// Without a file, the sentences of a simulated receiver are used. `YARDSTICK` is a C program that
/// decodes the same file completely; both run alternately. `GPSBRIDGE_RUNS` sets the number of
/// runs, and `GPSBRIDGE_ONLY` selects a single measurement.
@main
enum Bench {
    private static let runs = max(1, getenv("GPSBRIDGE_RUNS").flatMap { atoi($0) } ?? 5)
    private static let only = getenv("GPSBRIDGE_ONLY").map { String(cString: $0) }
    private static let works = Work.all.filter { only == nil || $0.name == only }

    static func main() {
        let arguments = CommandLine.arguments
        guard let bytes = arguments.count > 1 ? Mix.file(arguments[1]) : Mix.simulated(20_000_000)
        else {
            print("gpsbridge-bench: cannot read \(arguments[1])")
            exit(1)
        }
        let core = cmeter_pin()
        print("\(bytes.count) bytes, \(core < 0 ? "not pinned" : "pinned to core \(core)")")
        let yardstick =
            arguments.count > 2 ? Yardstick(program: arguments[2], file: arguments[1]) : nil
        measure(bytes, yardstick)
        countAllocations(bytes)
    }

    private static func measure(_ bytes: [UInt8], _ yardstick: Yardstick?) {
        var measurements = works.map { Measurement($0, bytes) }
        measurements.indices.forEach { measurements[$0].seconds = [] }
        var results: [Yardstick.Result] = []
        for _ in 0..<runs {
            if let result = yardstick?.run() { results.append(result) }
            for (index, work) in works.enumerated() {
                measurements[index].repeatRun(work, bytes)
            }
        }
        for measurement in measurements { print(measurement.line) }
        guard !results.isEmpty else { return }
        let median = results.map(\.nanoseconds).sorted()[(results.count - 1) / 2]
        print("C full decode".padded(20) + median.fixed(1, 9) + " ns/sentence", terminator: "")
        print(results.first?.check.map { "  check \($0.fixed(4))" } ?? "")
        for measurement in measurements {
            print("\(measurement.name) / C: \((measurement.median / median).fixed(2))")
        }
        compareChecks(measurements.compactMap(\.check).first, results.first?.check)
    }

    private static func compareChecks(_ ours: Double?, _ theirs: Double?) {
        guard let ours, let theirs, abs(ours - theirs) > 0.001 else { return }
        print("gpsbridge-bench: the checks differ: the two do not do the same work")
        exit(1)
    }

    /// The same count for half of the input and for all of it: nothing is allocated per sentence.
    private static func countAllocations(_ bytes: [UInt8]) {
        let whole = Mix.beginning(bytes, 20_000_000)
        let half = Mix.beginning(whole, whole.count / 2)
        for work in works {
            let counts = [half, whole].map { bytes in
                let before = cmeter_allocations()
                _ = work.run(bytes)
                return cmeter_allocations() - before
            }
            let isConstant = counts[0] == counts[1] ? "" : "  NOT CONSTANT"
            print(
                "\(work.name): \(counts[0]) allocations for \(half.count) bytes, "
                    + "\(counts[1]) for \(whole.count)\(isConstant)")
        }
    }
}

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

extension Double {
    /// Returns a number with some decimals, right-aligned in `width` columns.
    func fixed(_ decimals: Int, _ width: Int = 0) -> String {
        let scale = pow(10, Double(decimals))
        let scaled = (abs(self) * scale).rounded()
        guard scaled < 1e18 else { return String(self) }
        let whole = Int(scaled) / Int(scale)
        let rest = String(Int(scaled) % Int(scale))
        var text = (self < 0 ? "-" : "") + String(whole)
        if decimals > 0 {
            text += "." + String(repeating: "0", count: decimals - rest.count) + rest
        }
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

extension String {
    func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
