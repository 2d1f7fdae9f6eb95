// SPDX-License-Identifier: MIT
import CMeter
import GNSS
import GPSIntegrity
import Glibc

/// `vote-bench`: measures the processor time that a vote of several receivers takes for each
/// instant.
///
/// Fails above 30 µs for three receivers.
@main
enum Bench {
    private static let limit = 30.0
    private static let instants = 20_000

    static func main() {
        _ = cmeter_pin()
        for count in [2, 3, 8] {
            let times = (0..<5).map { _ in microseconds(count) }.sorted()
            let text = Double(Int(times[2] * 100)) / 100
            print("vote of \(count) receivers  \(text) µs/instant, limit \(Int(limit))")
            guard count <= 3, times[2] > limit else { continue }
            print("vote-bench: too slow")
            exit(1)
        }
    }

    /// Runs a vote of receivers with independent errors. Returns the time for each instant.
    private static func microseconds(_ count: Int) -> Double {
        let levers = (0..<count).map { LeverArm(forward: Double($0), right: 0) }
        var vote = ReceiverVote(antennas: levers)
        let start = MonotonicInstant.now
        let fixes = (0..<count).map(fix)
        var decided = 0
        let begin = processorSeconds
        for second in 0..<instants {
            let now = start.advanced(by: .seconds(second))
            for (index, var fix) in fixes.enumerated() {
                fix.time = UTCTime(
                    unixNanoseconds: 1_774_094_400_000_000_000 + Int64(second) * 1_000_000_000)
                // Ten metres per second to the east, so that the position is always a new one.
                fix.coordinate?.longitude += Double(second) * 1.345e-4
                vote.receive(fix, from: index, arrival: now, at: now)
                while vote.next() != nil { decided += 1 }
            }
        }
        let seconds = processorSeconds - begin
        guard decided > instants - 5 else {
            print("vote-bench: \(decided) results for \(instants) instants")
            exit(1)
        }
        return seconds / Double(instants) * 1e6
    }

    /// The processor time of this process, which does not depend on other processes.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func fix(of index: Int) -> Fix {
        var fix = Fix()
        (fix.mode, fix.quality) = (.threeD, .autonomous)
        (fix.speed, fix.course) = (10, 90)
        fix.accuracy.horizontal = 2.5 + Double(index) / 10
        fix.coordinate = Coordinate(latitude: 48.2 + Double(index) * 1e-6, longitude: 16.36)
        return fix
    }
}
