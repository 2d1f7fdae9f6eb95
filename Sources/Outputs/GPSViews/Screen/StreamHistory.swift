// SPDX-License-Identifier: MIT
import GNSS
package import NMEA

/// Statistics of the received stream: rate, latency, kinds of sentences and rejections. Also stores
/// the last sentences.
package struct StreamHistory: Sendable {
    /// One sentence as received.
    package struct Line: Hashable, Sendable {
        /// The text of the sentence, truncated to 160 characters.
        package let text: String
        /// When the sentence arrived.
        let moment: ClockReading
        /// Why the sentence was rejected; `nil` for a valid sentence.
        package fileprivate(set) var rejection: Rejection.Reason?
    }

    /// The number of sentences of one kind, or with one reason for rejection.
    package struct Share: Hashable, Comparable, Sendable {
        /// The formatter, the address of a proprietary sentence, or the reason for rejection.
        package let name: String
        package var count: Int

        /// Orders by decreasing count, then by name.
        package static func < (a: Share, b: Share) -> Bool {
            (b.count, a.name) < (a.count, b.name)
        }
    }

    private static let epochLimit = 20
    private static let lineLimit = 500
    private static let kindLimit = 40
    /// The interval between two fixes, in seconds and in periods, above which it does not count for
    /// the rate.
    private static let longestGap = (seconds: 60.0, periods: 10.0)

    private var arrivals: [ClockReading] = []
    /// The receiver's times of the last fixes, in nanoseconds.
    private var instants: [Int64] = []
    private var latencies: [Double] = []
    private var recent = RecentBytes()
    /// The last sentences, from the oldest to the newest.
    package private(set) var lines: [Line] = []
    /// The number of sentences of each kind since the start.
    package private(set) var mix: [Share] = []
    /// The number of valid sentences.
    package private(set) var sentences = 0
    /// The number of rejected sentences by reason.
    package private(set) var rejections: [Share] = []
    /// The number of rejected sentences.
    package private(set) var rejected = 0

    mutating func count(_ fix: Fix, at moment: ClockReading) {
        // After a suspend of the machine, the mean of the last intervals would be many minutes.
        if let last = arrivals.last, let period = arrivalPeriod,
            moment.seconds(since: last)
                > max(Self.longestGap.seconds, Self.longestGap.periods * period)
        {
            arrivals = []
        }
        Self.append(moment, to: &arrivals)
        if let instant = fix.time?.unixNanoseconds ?? fix.timeOfDay?.nanoseconds {
            Self.append(instant, to: &instants)
        }
        guard let time = fix.time else { return }
        Self.append(Double(moment.unix &- time.unixNanoseconds) / 1e9, to: &latencies)
    }

    private static func append<Value>(_ value: Value, to values: inout [Value]) {
        values.append(value)
        if values.count > epochLimit { values.removeFirst() }
    }

    // MARK: Sentences

    /// Stores a chunk of bytes, so that rejected sentences can be shown. Call it before passing the
    /// data that was decoded from the chunk.
    package mutating func note(_ bytes: [UInt8]) { recent.append(bytes) }

    /// Adds a valid sentence, without its line end.
    package mutating func count(sentence: [UInt8], at moment: ClockReading) {
        sentences += 1
        add(Line(text: Self.text(sentence[...]), moment: moment))
        let address = sentence.dropFirst().prefix {
            $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "*")
        }
        let isProprietary = address.first == UInt8(ascii: "P")
        let name = isProprietary ? address.prefix(6) : address.suffix(3)
        Self.count(String(decoding: name, as: UTF8.self), in: &mix)
    }

    /// Counts a rejected sentence, and adds it to the last sentences.
    package mutating func count(_ rejection: Rejection, at moment: ClockReading) {
        rejected += 1
        Self.count(rejection.reason.words, in: &rejections)
        let text = recent.line(at: rejection.offset).map(Self.text) ?? ""
        // A sentence with a valid checksum may already be in the list when its content turns out to
        // be unusable.
        if let last = lines.last, !text.isEmpty, last.text == text {
            lines[lines.count - 1].rejection = rejection.reason
        } else {
            add(Line(text: text, moment: moment, rejection: rejection.reason))
        }
    }

    private mutating func add(_ line: Line) {
        lines.append(line)
        if lines.count > Self.lineLimit { lines.removeFirst() }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix(160), as: UTF8.self)
    }

    private static func count(_ name: String, in shares: inout [Share]) {
        if let index = shares.firstIndex(where: { $0.name == name }) {
            shares[index].count += 1
        } else if shares.count < kindLimit {
            shares.append(Share(name: name, count: 1))
        }
    }

    // MARK: Rate and latency

    /// Removes the times and latencies of the last fixes, because rate and latency are meaningless
    /// across a pause.
    mutating func pause() {
        (arrivals, instants, latencies) = ([], [], [])
    }

    /// The mean time between the arrivals of the last fixes, in seconds; `nil` with fewer than two.
    var arrivalPeriod: Double? {
        guard arrivals.count > 1, let first = arrivals.first, let last = arrivals.last else {
            return nil
        }
        return last.seconds(since: first) / Double(arrivals.count - 1)
    }

    /// The time between the last fixes by the receiver's clock, in seconds; `nil` if unknown. It
    /// does not depend on the replay speed. It is the median, because a recording may have gaps.
    var receiverPeriod: Double? {
        let all: [Double] = zip(instants, instants.dropFirst()).map { Double($1 &- $0) / 1e9 }
        let steps = all.filter { $0 > 0 && $0 < 86_400 }.sorted()
        return steps.isEmpty ? nil : steps[steps.count / 2]
    }

    /// The mean time from a fix to its arrival over the last fixes, in seconds; `nil` if unknown.
    var latency: Double? {
        latencies.isEmpty ? nil : latencies.reduce(0, +) / Double(latencies.count)
    }

    /// The standard deviation of the last latencies in seconds; `nil` with fewer than three.
    var jitter: Double? {
        guard latencies.count > 2, let mean = latency else { return nil }
        let squares = latencies.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(latencies.count - 1)).squareRoot()
    }

    /// The minimum of the last latencies in seconds; `nil` if unknown. It estimates by how much the
    /// system's clock is ahead of the receiver's. It is too large by the shortest true latency.
    var clockOffset: Double? { latencies.min() }
}

/// The last bytes of a stream. Rejected sentences are looked up in it by their offset.
private struct RecentBytes: Sendable {
    /// The number of old bytes to keep: as many as a decoder may hold back for a binary frame.
    private static let limit = 8192

    private var bytes: [UInt8] = []
    /// The offset of the first stored byte in the stream.
    private var start = 0

    /// Adds a chunk. All of it is stored, even if it is longer than the limit, until the next one
    /// is added.
    mutating func append(_ chunk: [UInt8]) {
        let excess = max(0, bytes.count - Self.limit)
        bytes.removeFirst(excess)
        start += excess
        bytes += chunk
    }

    /// Returns the sentence that begins with `$` or `!` at an offset; `nil` if there is none or it
    /// is no longer stored.
    func line(at offset: Int) -> ArraySlice<UInt8>? {
        let index = offset - start
        guard bytes.indices.contains(index), bytes[index] == 0x24 || bytes[index] == 0x21 else {
            return nil
        }
        return bytes[index...].prefix { $0 != 0x0D && $0 != 0x0A }
    }
}

extension Rejection.Reason {
    /// The reason in at most three words, for the screen.
    var words: String {
        switch self {
        case .noChecksum: "no checksum"
        case .malformedChecksum: "malformed checksum"
        case .badChecksum: "bad checksum"
        case .nonPrintable: "bad character"
        case .truncated: "cut off"
        case .overlong: "too long"
        case .emptyBody: "empty"
        case .badAddress: "bad address"
        case .tooFewFields: "too few fields"
        case .unterminated: "no line end"
        case .gsvIncomplete: "incomplete GSV"
        }
    }
}
