// SPDX-License-Identifier: MIT
import GNSS
import NMEA

/// What comes over the line: how often, how late, what, and what was no sentence.
package struct StreamHistory: Sendable {
    /// One line as it came.
    package struct Line: Hashable, Sendable {
        package let text: String
        package let moment: ClockReading
    }

    /// Of one kind of sentence, how many came.
    package struct Share: Hashable, Sendable {
        package let formatter: String
        package var count: Int
    }

    private static let epochLimit = 20
    private static let lineLimit = 500
    private static let kindLimit = 40

    private var arrivals: [ClockReading] = []
    private var latencies: [Double] = []
    /// The last sentences, the newest last.
    package private(set) var lines: [Line] = []
    /// Kinds of sentences, each since the start.
    package private(set) var mix: [Share] = []
    /// How many sentences there were.
    package private(set) var sentences = 0
    /// Why sentences were rejected, and how many.
    package private(set) var rejections: [Share] = []
    /// How many were rejected.
    package private(set) var rejected = 0

    mutating func count(_ fix: Fix, at moment: ClockReading) {
        arrivals.append(moment)
        if arrivals.count > Self.epochLimit { arrivals.removeFirst() }
        guard let time = fix.time else { return }
        latencies.append(Double(moment.unix &- time.unixNanoseconds) / 1e9)
        if latencies.count > Self.epochLimit { latencies.removeFirst() }
    }

    mutating func count(sentence: [UInt8], at moment: ClockReading) {
        sentences += 1
        lines.append(
            Line(text: String(decoding: sentence.prefix(160), as: UTF8.self), moment: moment))
        if lines.count > Self.lineLimit { lines.removeFirst() }
        let address = sentence.dropFirst().prefix {
            $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "*")
        }
        let isProprietary = address.first == UInt8(ascii: "P")
        let name = isProprietary ? address.prefix(6) : address.suffix(3)
        Self.count(String(decoding: name, as: UTF8.self), in: &mix)
    }

    mutating func count(_ rejection: Rejection) {
        rejected += 1
        Self.count(rejection.reason.rawValue, in: &rejections)
    }

    private static func count(_ name: String, in shares: inout [Share]) {
        if let index = shares.firstIndex(where: { $0.formatter == name }) {
            shares[index].count += 1
        } else if shares.count < kindLimit {
            shares.append(Share(formatter: name, count: 1))
        }
    }

    /// What was before says nothing about the pace of what comes.
    mutating func pause() {
        arrivals = []
        latencies = []
    }

    /// Seconds between fixes, over the last ones.
    var period: Double? {
        guard arrivals.count > 1, let first = arrivals.first, let last = arrivals.last else {
            return nil
        }
        return last.seconds(since: first) / Double(arrivals.count - 1)
    }

    /// Seconds from the instant a fix is of to its arrival, over the last ones.
    var latency: Double? {
        latencies.isEmpty ? nil : latencies.reduce(0, +) / Double(latencies.count)
    }

    /// The standard deviation of the latencies in seconds.
    var jitter: Double? {
        guard latencies.count > 2, let mean = latency else { return nil }
        let squares = latencies.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(latencies.count - 1)).squareRoot()
    }

    /// Seconds by which the system's clock is ahead of the receiver's, as far as its fastest fix
    /// shows: the latency is in it.
    var clockOffset: Double? { latencies.min() }
}
