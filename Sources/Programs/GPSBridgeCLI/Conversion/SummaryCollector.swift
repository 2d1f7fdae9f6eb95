// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSIO
import GPSReceivers
import Glibc
import NMEA
import Synchronization

/// The output format of `convert --summary`.
enum SummaryFormat: String, CaseIterable {
    case text, json
}

/// Collects the data of `convert --summary`, and passes it on to the plot, if there is one.
final class SummaryCollector: OriginListener, Sendable {
    private let summary: Mutex<TrackSummary>
    private let plotter: Plotter?

    init(gap: Double, plotter: Plotter?) {
        summary = Mutex(TrackSummary(gap: gap))
        self.plotter = plotter
    }

    /// The number of fixes with a position so far.
    var fixCount: Int { summary.withLock { $0.fixCount } }

    /// Begins another recording.
    func begin() {
        summary.withLock { $0.beginRecording() }
    }

    /// Ends the current segment of the track, so that the next fix begins a new one.
    func endSegment() {
        summary.withLock { $0.endSegment() }
    }

    /// Ends the current segment, because the next fix is from another receiver.
    func didChange(origin: DataOrigin) {
        plotter?.didChange(origin: origin)
        endSegment()
    }

    func didReceive(fix: Fix, satellites view: SatelliteView) {
        plotter?.didReceive(fix: fix, satellites: view)
        summary.withLock { $0.add(fix) }
    }

    func didReceive(satellites view: SatelliteView) {
        plotter?.didReceive(satellites: view)
    }

    /// Returns the summary as text or JSON.
    func text(_ format: SummaryFormat, _ units: Units) -> String {
        let summary = summary.withLock { $0 }
        return switch format {
        case .text: Self.text(summary, units)
        case .json: Self.json(summary)
        }
    }

    /// Returns the summary as JSON. Distances and heights are in metres, durations in seconds,
    /// speeds in metres per second.
    private static func json(_ summary: TrackSummary) -> String {
        var json = JSONObject()
        json.add("fixes", summary.fixCount)
        if summary.repeatedCount > 0 { json.add("repeated", summary.repeatedCount) }
        json.add("start", summary.start?.description)
        json.add("end", summary.end?.description)
        for (name, value) in [
            ("duration", summary.duration), ("moving", summary.movingTime),
            ("distance", summary.distance), ("averageSpeed", summary.averageSpeed),
            ("maximumSpeed", summary.maximumSpeed), ("lowest", summary.lowest),
            ("highest", summary.highest), ("climb", summary.climb), ("descent", summary.descent),
        ] {
            json.add(name, value, decimals: 3)
        }
        json.add("atRest", summary.duration.map { _ in summary.restTime }, decimals: 3)
        json.add("stops", summary.stops)
        return json.description + "\n"
    }

    private static func text(_ summary: TrackSummary, _ units: Units) -> String {
        var lines = [("fixes", "\(summary.fixCount)")]
        if summary.repeatedCount > 0 {
            lines.append(
                (
                    "left out",
                    "\(summary.repeatedCount) fixes in a period that an earlier part covers"
                ))
        }
        func add(_ name: String, _ text: String?) { if let text { lines.append((name, text)) } }
        add("from", summary.start?.description)
        add("to", summary.end?.description)
        lines += summary.rows(units).map { ($0.name, $0.value) }
        return lines.map { $0.trailing(15) + $1 + "\n" }.joined()
    }
}

/// Shows the progress of long work on one line of a terminal.
struct ProgressLine {
    /// How long the work must take before progress is shown.
    private static let timeout = Duration.seconds(1)
    private static let step = Duration.milliseconds(200)

    private let total: Int
    private let isShown: Bool
    private let start = MonotonicInstant.now
    private var next: MonotonicInstant
    private var done = 0
    private var isOnScreen = false

    /// Creates a progress line. `total` is the number of bytes to process; 0 if it is not known.
    init(total: Int, isSilent: Bool) {
        self.total = total
        isShown = !isSilent && isatty(STDERR_FILENO) == 1
        next = .now + Self.timeout
    }

    /// Adds to the number of processed bytes, and updates the line every 200 ms.
    mutating func advance(by count: Int) {
        done += count
        guard isShown else { return }
        let now = MonotonicInstant.now
        guard now >= next else { return }
        next = now + Self.step
        let speed = Double(done) / max(0.001, now.seconds(since: start))
        var text = "\(done / 1_000_000) MB, \(Int(speed / 1e6)) MB/s"
        if total > 0 {
            let percent = min(100, done * 100 / total)
            let rest = Int(Double(max(0, total - done)) / max(1, speed))
            text = "\(percent) %, \(text), \(rest) s to go"
        }
        show("\r\(text)\u{1B}[K")
        isOnScreen = true
    }

    /// Removes the line from the terminal.
    mutating func clear() {
        if isOnScreen { show("\r\u{1B}[K") }
        isOnScreen = false
    }

    private func show(_ text: String) {
        let bytes = Array(text.utf8)
        // A failed write to standard error cannot be reported.
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

extension StandardError {
    /// The maximum size in bytes of a file that is examined for a message.
    private static let maximumExamined = 1 << 22

    /// Prints the name of a recording and a warning about its content, such as omitted records.
    static func printWarning(_ warning: String, in name: String) {
        print("\(FileName.shown(name)) \(warning)", level: .warning)
    }

    /// Reports that a source contains no valid sentence. If known, the message names its binary
    /// protocol, or the reason why most sentences were rejected, or states that a file is empty or
    /// has an unknown format. The message is dropped if standard error is blocked for more than
    /// `limit` milliseconds.
    static func reportNoSentence(
        in name: String, binary: BinaryProtocol? = nil, rejection: String? = nil, limit: CInt? = nil
    ) {
        let shown = name == "-" ? "standard input" : FileName.shown(name)
        let text: String
        if let binary {
            text = "\(binary.error(of: shown, isRecording: true))"
        } else if let rejection {
            text = "\(shown) contains no valid sentence, only rejected ones, mostly \(rejection)"
        } else {
            text = "\(shown) \(otherContent(of: name) ?? "contains no valid sentence")"
        }
        print(text, limit: limit)
    }

    /// Returns a statement about a file that is empty or has an unknown format. Returns `nil` for
    /// other files, and for devices, which must not be opened again.
    private static func otherContent(of path: String) -> String? {
        guard path != "-", let file = RegularFile(path: path) else { return nil }
        guard file.size > 0 else { return "is empty" }
        guard let bytes = try? RegularFile.bytes(of: path, limit: maximumExamined) else {
            return nil
        }
        let frameStart: [UInt8] = [0xB5, 0x62]
        let isKnown =
            CompressedInput.isCompressed(bytes) || bytes.starts(with: "# gpsbridge".utf8)
            || InputDetector.hasSentence(bytes[...]) || bytes.firstRange(of: frameStart) != nil
        return isKnown
            ? nil : "is not in a known format: `gpsbridge convert --help` lists those that are read"
    }
}

/// Formats the statistics of a recording's sentences as text.
struct StatisticsText {
    private static let words = [
        "accepted": "sentences decoded", "raw": "of unknown types",
        "proprietaryRaw": "proprietary, of unknown types", "query": "queries",
        "encapsulated": "encapsulated (AIS)", "glued": "joined to the next one",
        "trailingJunk": "with bytes after the checksum", "fieldErrors": "bad fields",
        "noChecksum": "without a checksum", "malformedChecksum": "with a malformed checksum",
        "badChecksum": "with a wrong checksum", "nonPrintable": "with invalid characters",
        "truncated": "cut off", "overlong": "too long", "emptyBody": "empty",
        "badAddress": "with a bad address", "tooFewFields": "with too few fields",
        "unterminated": "without an end", "gsvIncomplete": "incomplete lists of satellites",
        "junkBytes": "bytes of other data", "ubxFrames": "UBX frames",
        "rtcmFrames": "RTCM frames", "binaryBytes": "bytes in frames", "tagBlocks": "TAG blocks",
        "tagBlockBad": "TAG blocks with a wrong checksum",
    ]

    /// The number of bytes in comments. The decoder counts them as bytes of other data.
    private var commentBytes = 0
    private var comments = 0
    private var isComment = false
    private var isLineStart = true
    private(set) var byteCount = 0

    /// Counts the next bytes of the recording. Lines that begin with `#` are comments.
    mutating func note(_ bytes: ArraySlice<UInt8>) {
        byteCount += bytes.count
        for byte in bytes {
            if isLineStart, byte == UInt8(ascii: "#") {
                isComment = true
                comments += 1
            }
            isLineStart = byte == 0x0A
            if byte == 0x0A || byte == 0x0D { isComment = false }
            if isComment { commentBytes += 1 }
        }
    }

    /// Returns the most frequent reason why sentences were rejected, such as "without a checksum";
    /// `nil` if none was rejected. The text contains no number, because `statistics` does not
    /// include the pieces that other cores converted.
    static func rejection(_ statistics: Statistics) -> String? {
        let reason = Rejection.Reason.allCases.max { statistics[$0] < statistics[$1] }
        return reason.flatMap { statistics[$0] > 0 ? words[$0.rawValue] : nil }
    }

    /// Returns the statistics as one line of text.
    func text(_ statistics: Statistics) -> String {
        guard byteCount > 0 else { return "the file is empty: 0 sentences" }
        let counters = statistics.counters.compactMap { name, count -> String? in
            let real = name == "junkBytes" ? max(0, count - commentBytes) : count
            return real > 0 ? "\(real) \(Self.words[name] ?? name)" : nil
        }
        let all =
            counters
            + (comments > 0 ? ["\(Plural.text(comments, "line")) of comments"] : [])
        return all.isEmpty ? "0 sentences" : all.joined(separator: ", ")
    }
}
