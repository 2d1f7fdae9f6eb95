// SPDX-License-Identifier: MIT
public import GNSS

/// A receiver's bytes as they arrived, with lines that contain the time. Programs that read NMEA ignore these
/// lines.
///
///     # gpsbridge recording 1
///     # source: /dev/ttyUSB0
///     # origin: live
///     # 2026-03-21T12:00:00.123456Z
///     $GNRMC,120000.00,A,…
///     $GNGGA,120000.00,…
///     # 2026-03-21T12:00:01.121890Z
///
/// The origin is written when it is known: for a pipe or a server, with the first position. A line of `# ` and an
/// instant is the time at which the following bytes arrived. It is inserted only at the start of a line that
/// begins a sentence, so it splits nothing; without the lines that begin with `# `, the file contains exactly
/// the receiver's bytes. Bytes are held back until their line ends.
public struct RawRecording {
    /// The maximum number of bytes held back for a line end.
    private static let longestLine = 4096
    private static let starts: [UInt8] = [0x24, 0x21, 0x5C, 0xB5]
    private static let head = "# gpsbridge recording 1\r\n"

    private var written: [UInt8] = []
    private var pending: [UInt8] = []
    private var last: UInt8 = 0x0A
    private var boundary = MessageBoundary()
    /// The origin, if it is known and not written yet.
    private var origin: DataOrigin?

    /// Creates a recording.
    public init() {}

    /// Writes the header with the source of the following bytes.
    public mutating func begin(_ source: OutputSource) {
        endLine()
        beginFile(source)
    }

    /// Begins another file, in which an incomplete line continues.
    public mutating func beginFile(_ source: OutputSource) {
        let name = source.name.map { $0.isNewline ? " " : String($0) }.joined()
        written += Array("\(Self.head)# source: \(name)\r\n".utf8)
        if source.origin != .unknown { written += Array(source.origin.recordingLine.utf8) }
        origin = nil
    }

    /// Writes the origin of the bytes before the next line; call it when it is known or has changed.
    public mutating func found(_ origin: DataOrigin) {
        self.origin = origin
        guard pending.isEmpty, last == 0x0A, boundary.isBetweenMessages else { return }
        written += takeOrigin()
    }

    private mutating func takeOrigin() -> [UInt8] {
        defer { origin = nil }
        return origin.map { Array($0.recordingLine.utf8) } ?? []
    }

    /// Adds bytes that arrived at an instant.
    public mutating func push(_ bytes: [UInt8], at time: UTCTime) {
        var needsTime = true
        var whole = 0
        for byte in bytes {
            if needsTime, boundary.isBetweenMessages, Self.starts.contains(byte) {
                needsTime = false
                if last != 0x0A { pending += [0x0D, 0x0A] }
                if origin != nil { pending += takeOrigin() }
                pending += Self.line(time)
            }
            pending.append(byte)
            last = byte
            boundary.push(byte)
            if boundary.isBetweenMessages { whole = pending.count }
        }
        if !boundary.isInFrame, pending.count - whole > Self.longestLine { whole = pending.count }
        written += pending[..<whole]
        pending.removeFirst(whole)
    }

    private static func line(_ time: UTCTime) -> [UInt8] {
        var text = TextBuffer()
        text.append("# ")
        text.append(iso8601: time, decimals: 6)
        text.append("\r\n")
        return text.array
    }

    /// Whether bytes wait for the end of their line.
    public var isHolding: Bool { !pending.isEmpty }

    /// Writes the incomplete line, too.
    public mutating func flush() {
        written += pending
        pending.removeAll(keepingCapacity: true)
    }

    /// Marks a gap: later bytes do not continue earlier ones.
    public mutating func addGap() {
        endLine()
        written += Array("# lost\r\n".utf8)
    }

    private mutating func endLine() {
        flush()
        if last != 0x0A { written += [0x0D, 0x0A] }
        last = 0x0A
        boundary = MessageBoundary()
    }

    /// Returns the number of last bytes to keep when such a file is continued; see `OutputFormat.resume`.
    public static func resume(head: [UInt8], end: [UInt8]) -> Int? {
        guard let lines = FileEnd.resume(head, end, start: Self.head) else { return nil }
        // A binary message may contain the byte of a line end: messages are followed from the last
        // line of ours.
        guard let start = Self.lastTimeLine(end[..<lines]) else { return lines }
        var (boundary, kept) = (MessageBoundary(), start)
        for index in start..<end.count {
            boundary.push(end[index])
            if boundary.isBetweenMessages { kept = index + 1 }
        }
        return kept
    }

    /// The index of the last line with a time.
    private static func lastTimeLine(_ bytes: ArraySlice<UInt8>) -> Int? {
        let start = Array("\n# 2".utf8)
        var index = bytes.endIndex - start.count
        while index >= bytes.startIndex {
            if bytes[index..<index + start.count].elementsEqual(start) { return index + 1 }
            index -= 1
        }
        return nil
    }

    /// Returns the bytes written since the last call.
    public mutating func take() -> [UInt8] {
        defer { written = [] }
        return written
    }
}
