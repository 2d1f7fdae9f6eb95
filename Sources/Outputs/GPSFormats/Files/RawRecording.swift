// SPDX-License-Identifier: MIT
package import GNSS
import NMEA
import UBX

/// Writes a receiver's bytes as they arrived, and inserts comment lines with the time of arrival.
/// Programs that read NMEA ignore these lines.
///
///     # gpsbridge recording 1
///     # source: /dev/ttyUSB0
///     # origin: live
///     # 2026-03-21T12:00:00.123456Z
///     $GNRMC,120000.00,A,…
///     $GNGGA,120000.00,…
///     # 2026-03-21T12:00:01.121890Z
///
/// The origin is written when it is known: for a pipe or a server, with the first position. If the
/// source is a vote of several receivers, lines such as `# vote: winner bow, witnesses aft` state
/// its result. A line with an instant is the time at which the following bytes arrived.
///
/// Comment lines are inserted only before a sentence or a frame of UBX or RTCM 3, never inside one.
/// If the previous byte is not a line end, as after a frame or a datagram, CR LF is inserted first.
/// All other bytes are exactly those of the receiver. The bytes of an incomplete line are kept until
/// its end, or the end of a sentence with a correct checksum.
package struct RawRecording {
    /// The maximum number of bytes of an incomplete line to keep.
    private static let maximumLineLength = 4096
    private static let starts: [UInt8] = [0x24, 0x21, 0x5C, 0xB5, 0xD3]
    /// The beginning of the line that begins a recording.
    static let mark = "# gpsbridge recording "
    private static let head = "\(mark)1\r\n"

    private var written: [UInt8] = []
    private var pending: [UInt8] = []
    private var last: UInt8 = 0x0A
    private var boundary = MessageBoundary()
    /// Comment lines to be written before the next sentence.
    private var notes: [UInt8] = []

    /// Creates a recording. `last` is the last byte of the file that it continues; if that is not a
    /// line end, one is written first.
    package init(after last: UInt8 = 0x0A) {
        self.last = last
    }

    /// Begins a recording: writes the header with the source of the next bytes.
    package mutating func begin(_ source: OutputSource) {
        endLine()
        beginFile(source)
    }

    /// Writes the header of another file, without ending an incomplete line, which continues in
    /// that file. `last` is the last byte of that file; if that is not a line end, one is written
    /// first.
    package mutating func beginFile(_ source: OutputSource, after last: UInt8 = 0x0A) {
        written += Self.lineEnd(after: last)
        let name = TerminalText.safe(source.name)
        written += Array("\(Self.head)# source: \(name)\r\n".utf8)
        if source.origin != .unknown { written += Array(source.origin.recordingLine.utf8) }
        notes = []
    }

    /// Inserts a line with the origin before the next sentence. Call this when the origin becomes
    /// known or changes.
    package mutating func found(_ origin: DataOrigin) { add(note: origin.recordingLine) }

    /// Inserts a line with the result of a vote before the next sentence. Call this when the result
    /// has changed.
    package mutating func found(_ vote: Vote) { add(note: vote.recordingLine) }

    private mutating func add(note: String) {
        notes += Array(note.utf8)
        guard pending.isEmpty, last == 0x0A, boundary.isBetweenMessages else { return }
        written += takeNotes()
    }

    private mutating func takeNotes() -> [UInt8] { exchange(&notes, with: []) }

    /// Adds bytes that arrived at the given time. `nil` means that the bytes are those of another
    /// recording: no line with a time is inserted, because it would change the pace of a replay.
    package mutating func push(_ bytes: [UInt8], at time: UTCTime?) {
        var needsLines = time != nil || !notes.isEmpty
        var whole = 0
        for byte in bytes {
            if needsLines, boundary.isBetweenMessages, Self.starts.contains(byte) {
                needsLines = false
                if last != 0x0A { pending += [0x0D, 0x0A] }
                if !notes.isEmpty { pending += takeNotes() }
                if let time { pending += Self.line(time) }
            }
            pending.append(byte)
            last = byte
            boundary.push(byte)
            if boundary.isBetweenMessages { whole = pending.count }
        }
        if !boundary.isInFrame, pending.count - whole > Self.maximumLineLength {
            whole = pending.count
        }
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

    /// Whether bytes of an incomplete line are kept.
    package var isHolding: Bool { !pending.isEmpty }

    /// Writes all kept bytes, including an incomplete line.
    package mutating func flush() {
        written += pending
        pending.removeAll(keepingCapacity: true)
    }

    /// Writes a line that marks a loss of data, so that later bytes do not continue earlier ones.
    package mutating func addGap() {
        endLine()
        written += Array("# lost\r\n".utf8)
    }

    /// Writes all kept bytes and, after a complete message without a line end, a line end.
    package mutating func endMessage() {
        if boundary.isBetweenMessages { endLine() } else { flush() }
    }

    private mutating func endLine() {
        flush()
        written += Self.lineEnd(after: last)
        last = 0x0A
        boundary = MessageBoundary()
    }

    /// Returns the bytes that end a line whose last byte is `last`.
    private static func lineEnd(after last: UInt8) -> [UInt8] {
        switch last {
        case 0x0A: []
        case 0x0D: [0x0A]
        default: [0x0D, 0x0A]
        }
    }

    /// Returns the number of bytes of `end`, the last bytes of a recording, to keep when the
    /// recording is continued; `nil` if the file is not a recording. See `OutputFormat.resume`.
    ///
    /// Only an incomplete message at the end is not kept. Therefore, the last byte that is kept may
    /// be other than a line end.
    package static func resume(head: [UInt8], end: [UInt8]) -> Int? {
        guard let lines = FileEnd.resume(head, end, start: Self.head) else { return nil }
        guard head.starts(with: Self.head.utf8) else { return lines }
        // A binary message may contain the byte of a line end. Therefore, message boundaries are
        // determined from the last line with a time on.
        let start = lastTimeLine(end[..<lines]) ?? lines
        let whole = start + wholeCount(of: end[start...])
        return end.count - incompleteCount(of: end[whole...])
    }

    /// Returns the number of last bytes that are the beginning of a message. `bytes` must contain
    /// neither a complete message nor the end of a line.
    private static func incompleteCount(of bytes: ArraySlice<UInt8>) -> Int {
        if MessageBoundary.isFrame(bytes) {
            return bytes.count <= maximumLineLength ? bytes.count : 0
        }
        // Some receivers end their lines with CR alone.
        let line = bytes.lastIndex(of: 0x0D).map { bytes[($0 + 1)...] } ?? bytes
        let isWhole = line.first == UInt8(ascii: "#") || line.first == UInt8(ascii: "\\")
        guard
            let start = isWhole
                ? line.startIndex
                : line.lastIndex(where: { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "!") })
        else { return 0 }
        // An unknown binary protocol may contain any byte.
        let isText = line.allSatisfy { 0x20...0x7E ~= $0 }
        let count = line.endIndex - start
        return isText && count <= maximumLineLength ? count : 0
    }

    /// Returns the number of leading bytes that are complete messages. `bytes` must begin at the
    /// start of a message.
    package static func wholeCount(of bytes: ArraySlice<UInt8>) -> Int {
        var (boundary, count) = (MessageBoundary(), 0)
        for (index, byte) in bytes.enumerated() {
            boundary.push(byte)
            if boundary.isBetweenMessages { count = index + 1 }
        }
        return count
    }

    /// Returns the index of the start of the last line with a time; `nil` if there is none.
    private static func lastTimeLine(_ bytes: ArraySlice<UInt8>) -> Int? {
        let start = Array("\n# 2".utf8)
        var index = bytes.endIndex - start.count
        while index >= bytes.startIndex {
            if bytes[index..<index + start.count].elementsEqual(start) { return index + 1 }
            index -= 1
        }
        return nil
    }

    /// Appends bytes that `take` has returned for another file, which lost them.
    package mutating func append(written bytes: [UInt8]) { written += bytes }

    /// Returns the bytes written since the last call.
    package mutating func take() -> [UInt8] { exchange(&written, with: []) }
}

/// Finds the boundaries between messages: the ends of lines, of sentences with a correct checksum,
/// UBX frames and RTCM 3 frames.
///
/// Datagrams often contain a sentence without a line end. A line end after a sentence belongs to it.
/// Other text after its checksum continues its line.
private struct MessageBoundary: Equatable {
    /// The size of a UBX header in bytes: sync characters, class, id and length.
    private static let ubxHeaderLength = 6
    /// The size of an RTCM 3 header in bytes: preamble, six zero bits and length.
    private static let rtcmHeaderLength = 3

    /// The part of a text to which the last byte belongs.
    private enum Text: Equatable {
        case other
        /// A line that begins with `#`. Sentences in it are not messages.
        case comment
        /// A sentence before its `*`, with the checksum of its bytes.
        case body(UInt8)
        /// The `*` of a sentence, with the expected checksum.
        case star(UInt8)
        /// The first digit of a checksum, with the expected second one.
        case digit(UInt8)
        /// The end of a sentence with a correct checksum.
        case end
    }

    /// Whether the last message is complete, and the next one has not begun.
    private(set) var isBetweenMessages = true
    /// The protocol of the current frame.
    private var kind = BinaryFrame.ubx
    /// The number of bytes of a frame header received so far; 0 outside a header.
    private var headerCount = 0
    /// The last two bytes of a frame header, which contain the length of the payload.
    private var lengthBytes: UInt16 = 0
    /// The number of bytes of the current frame that are still to be received; 0 outside a frame.
    private var rest = 0
    private var text = Text.other

    /// Whether the header of a frame was received, but not all of its payload and checksum.
    var isInFrame: Bool { rest > 0 }

    /// Returns the protocol whose frames begin with a byte; `nil` if there is none.
    private static func frame(beginningWith byte: UInt8) -> BinaryFrame? {
        switch byte {
        case 0xB5: .ubx
        case 0xD3: .rtcm3
        default: nil
        }
    }

    /// Processes the next byte.
    mutating func push(_ byte: UInt8) {
        if rest > 0 {
            rest -= 1
            isBetweenMessages = rest == 0
        } else if headerCount > 0, headerCount > 1 || isSecondOfHeader(byte) {
            pushHeader(byte)
        } else if isBetweenMessages, let kind = Self.frame(beginningWith: byte) {
            self.kind = kind
            headerCount = 1
            isBetweenMessages = false
            text = .other
        } else {
            headerCount = 0
            text = text(with: byte)
            isBetweenMessages = byte == 0x0A || text == .end
        }
    }

    /// Returns the part of the text to which the next byte belongs.
    private func text(with byte: UInt8) -> Text {
        switch (text, byte) {
        case (_, 0x0A): .other
        case (.comment, _): .comment
        case (_, UInt8(ascii: "#")) where isBetweenMessages: .comment
        // `$` is not allowed in a sentence, so the beginning of another one was lost.
        case (_, UInt8(ascii: "$")): .body(0)
        case (.other, UInt8(ascii: "!")), (.end, UInt8(ascii: "!")): .body(0)
        case (.end, 0x0D): .end
        case (.body(let sum), UInt8(ascii: "*")): .star(sum)
        case (.body(let sum), 0x20...0x7E): .body(sum ^ byte)
        case (.star(let sum), _) where Hexadecimal.value(byte) == sum >> 4: .digit(sum & 0x0F)
        case (.digit(let low), _) where Hexadecimal.value(byte) == low: .end
        default: .other
        }
    }

    /// Returns whether bytes that begin after a message are the beginning of a frame.
    static func isFrame(_ bytes: ArraySlice<UInt8>) -> Bool {
        var boundary = MessageBoundary()
        for byte in bytes.prefix(ubxHeaderLength) { boundary.push(byte) }
        return boundary.headerCount > 0 || boundary.isInFrame
    }

    private func isSecondOfHeader(_ byte: UInt8) -> Bool {
        switch kind {
        case .ubx: byte == 0x62
        case .rtcm3: byte & 0xFC == 0
        case .log: false
        }
    }

    private mutating func pushHeader(_ byte: UInt8) {
        headerCount += 1
        lengthBytes = lengthBytes << 8 | UInt16(byte)
        switch kind {
        case .ubx where headerCount == Self.ubxHeaderLength:
            headerCount = 0
            let length = Int(lengthBytes.byteSwapped)
            // The payload is followed by two bytes of checksum.
            if length <= UBXFrame.maximumPayload { rest = length + 2 }
        case .rtcm3 where headerCount == Self.rtcmHeaderLength:
            headerCount = 0
            // The payload is followed by three bytes of CRC.
            rest = Int(lengthBytes) + 3
        case .ubx, .rtcm3, .log: break
        }
    }
}
