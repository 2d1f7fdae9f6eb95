// SPDX-License-Identifier: MIT
import GNSS
package import NMEA

/// The received stream: its rate, latency, kinds of sentences, and rejections.
package struct StreamHistory: Sendable {
    /// One sentence as received.
    package struct Line: Hashable, Sendable {
        /// At most 160 characters.
        package let text: String
        /// The time of arrival.
        package let moment: ClockReading
        /// The reason for its rejection; `nil` for a valid sentence.
        package fileprivate(set) var rejection: Rejection.Reason?
    }

    /// The number of sentences of one kind.
    package struct Share: Hashable, Comparable, Sendable {
        /// The formatter, or the reason of a rejection.
        package let name: String
        package var count: Int

        /// Orders the most frequent first.
        package static func < (a: Share, b: Share) -> Bool {
            (b.count, a.name) < (a.count, b.name)
        }
    }

    private static let epochLimit = 20
    private static let lineLimit = 500
    private static let kindLimit = 40

    private var arrivals: [ClockReading] = []
    /// The times of the last fixes by the receiver's clock, in nanoseconds.
    private var instants: [Int64] = []
    private var latencies: [Double] = []
    private var recent = RecentBytes()
    /// The last sentences, the newest last.
    package private(set) var lines: [Line] = []
    /// The numbers of sentences of each kind since the start.
    package private(set) var mix: [Share] = []
    /// The number of valid sentences.
    package private(set) var sentences = 0
    /// The numbers of rejected sentences for each reason.
    package private(set) var rejections: [Share] = []
    /// The number of rejected sentences.
    package private(set) var rejected = 0

    mutating func count(_ fix: Fix, at moment: ClockReading) {
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

    mutating func note(_ bytes: [UInt8]) { recent.append(bytes) }

    mutating func count(sentence: [UInt8], at moment: ClockReading) {
        sentences += 1
        add(Line(text: Self.text(sentence[...]), moment: moment))
        let address = sentence.dropFirst().prefix {
            $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "*")
        }
        let isProprietary = address.first == UInt8(ascii: "P")
        let name = isProprietary ? address.prefix(6) : address.suffix(3)
        Self.count(String(decoding: name, as: UTF8.self), in: &mix)
    }

    mutating func count(_ rejection: Rejection, at moment: ClockReading) {
        rejected += 1
        Self.count(rejection.reason.words, in: &rejections)
        let text = recent.line(at: rejection.offset).map(Self.text) ?? ""
        // A sentence with a valid checksum was already added, before it was found to be unusable.
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

    /// Forgets the times of arrival, which are meaningless across a pause.
    mutating func pause() {
        (arrivals, instants, latencies) = ([], [], [])
    }

    /// Seconds between the last fixes by the computer's clock.
    var arrivalPeriod: Double? {
        guard arrivals.count > 1, let first = arrivals.first, let last = arrivals.last else {
            return nil
        }
        return last.seconds(since: first) / Double(arrivals.count - 1)
    }

    /// Seconds between the last fixes by the receiver's clock, which does not depend on how fast a
    /// recording is read. It is the median, since a recording may have gaps.
    var receiverPeriod: Double? {
        let steps = zip(instants, instants.dropFirst())
            .map { Double($1 &- $0) / 1e9 }.filter { $0 > 0 && $0 < 86_400 }.sorted()
        return steps.isEmpty ? nil : steps[steps.count / 2]
    }

    /// The mean time from the instant of a fix to its arrival, in seconds, over the last fixes.
    var latency: Double? {
        latencies.isEmpty ? nil : latencies.reduce(0, +) / Double(latencies.count)
    }

    /// The standard deviation of the latencies in seconds.
    var jitter: Double? {
        guard latencies.count > 2, let mean = latency else { return nil }
        let squares = latencies.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(latencies.count - 1)).squareRoot()
    }

    /// Seconds by which the system's clock is ahead of the receiver's, from the fix with the
    /// shortest latency, which is included.
    var clockOffset: Double? { latencies.min() }
}

/// The last bytes of a stream, for looking up rejected sentences by their offset.
private struct RecentBytes: Sendable {
    /// The number of bytes that a decoder may hold back after the header of a binary frame.
    private static let limit = 8192

    private var bytes: [UInt8] = []
    /// The offset of the first byte.
    private var start = 0

    /// Adds a chunk; all of it is kept until the next one.
    mutating func append(_ chunk: [UInt8]) {
        let excess = max(0, bytes.count - Self.limit)
        bytes.removeFirst(excess)
        start += excess
        bytes += chunk
    }

    /// Returns the line at an offset, which starts with `$` or `!`; `nil` if it is not stored any
    /// more.
    func line(at offset: Int) -> ArraySlice<UInt8>? {
        let index = offset - start
        guard bytes.indices.contains(index), bytes[index] == 0x24 || bytes[index] == 0x21 else {
            return nil
        }
        return bytes[index...].prefix { $0 != 0x0D && $0 != 0x0A }
    }
}

extension Rejection.Reason {
    /// The reason in two or three words, for the screen.
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
