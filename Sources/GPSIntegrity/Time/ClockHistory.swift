// SPDX-License-Identifier: MIT
import GNSS

/// How late the receiver's fixes arrive, by this machine's monotonic clock, in the last two half minutes.
///
/// Single delays say little, since sentences arrive up to a second late. The least delay of half a minute
/// is steady, and no fix arrives before it.
struct ClockHistory: Sendable {
    /// The delays of a period of five seconds.
    private struct Bucket {
        var count = 0.0
        var least = Double.infinity
        var sum = 0.0
        var squares = 0.0

        mutating func add(_ delay: Double) {
            count += 1
            least = min(least, delay)
            sum += delay
            squares += delay * delay
        }

        mutating func add(_ other: Bucket) {
            count += other.count
            least = min(least, other.least)
            sum += other.sum
            squares += other.squares
        }
    }

    /// The delays of half a minute, in seconds.
    struct Half {
        /// The least one.
        var least: Double
        /// Their standard deviation.
        var spread: Double
    }

    /// The number of buckets, and their length in seconds.
    private static let (count, length) = (12, 5.0)
    /// The least number of periods with a fix in half a minute: false signals often begin with a loss.
    private static let fewest = 3
    /// Seconds after which delays can be compared.
    private static let least = 25.0

    private var origin: (instant: MonotonicInstant, time: Int64)?
    /// A ring.
    private var buckets: [Bucket]
    private var current = 0
    private var end = 0.0
    /// Seconds since the first delay.
    private var elapsed = 0.0

    init() {
        buckets = Array(repeating: Bucket(), count: Self.count)
    }

    /// The last delay, in seconds relative to the first one.
    private(set) var delay = 0.0

    /// Drops all delays.
    mutating func forget() {
        origin = nil
        for index in buckets.indices { buckets[index] = Bucket() }
        (delay, elapsed) = (0, 0)
    }

    /// Takes the delay of a fix; returns `false` if it has no time, no position or no arrival.
    mutating func take(_ epoch: EpochEvidence) -> Bool {
        guard let instant = epoch.moment.instant, let time = epoch.fix.time, epoch.hasPosition
        else { return false }
        let nanoseconds = time.unixNanoseconds
        guard let origin else {
            origin = (instant, nanoseconds)
            end = Self.length
            return true
        }
        elapsed = instant.seconds(since: origin.instant)
        let (own, _) = nanoseconds.subtractingReportingOverflow(origin.time)
        delay = elapsed - Double(own) / 1e9
        // After a long gap, all buckets are emptied at once.
        end = max(end, elapsed - Self.length * Double(Self.count))
        while elapsed >= end {
            end += Self.length
            current = (current + 1) % Self.count
            buckets[current] = Bucket()
        }
        return true
    }

    /// Includes the last delay, after it has been compared with the others.
    mutating func record() { buckets[current].add(delay) }

    /// The last half minute; `nil` until it is known.
    var newer: Half? { half(0) }

    /// The half minute before; `nil` until it is known.
    var older: Half? { half(Self.count / 2) }

    /// The last half minute in which there were fixes.
    var recent: Half? { newer ?? older }

    private func half(_ age: Int) -> Half? {
        guard elapsed >= Self.least else { return nil }
        var (sum, known) = (Bucket(), 0)
        for age in age..<(age + Self.count / 2) {
            let bucket = buckets[(current + Self.count - age) % Self.count]
            if bucket.count > 0 { known += 1 }
            sum.add(bucket)
        }
        guard known >= Self.fewest else { return nil }
        let mean = sum.sum / sum.count
        return Half(
            least: sum.least, spread: max(0, sum.squares / sum.count - mean * mean).squareRoot())
    }
}
