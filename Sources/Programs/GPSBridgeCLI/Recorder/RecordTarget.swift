// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers

/// Writes a recording to one file, or to several in succession. If the disk is full, recording
/// waits for space.
struct RecordTarget: ~Copyable {
    /// The maximum number of bytes that wait while the disk is full. Beyond it, bytes are dropped.
    private static let pendingLimit = 1 << 20
    /// The number of gathered bytes at which they are encoded at once, without waiting for the end
    /// of the gathering time. When a recording is copied, bytes arrive much faster than from a
    /// receiver.
    private static let gatheredLimit = 1 << 17

    private let path: String
    private let rotation: Rotation?
    private let content: any RecordContent
    private let coding: any RecordCoding
    private let avoided: [RegularFile]
    private var file: RecordFile
    /// When the current file began. The rotation compares its hour or day.
    private var begun: UTCTime
    /// Whether another file could not be begun, because the disk has no space for it.
    private var isRotationLate = false
    /// Whether a renamed file is continued, because there could be no new one.
    private var keepsMovedFile = false

    private var waiting = WaitingBytes()
    /// When the first of the gathered bytes arrived.
    private var gatheredSince: MonotonicInstant?
    /// The size of the content that has not been written, in bytes before encoding.
    private var pendingCount = 0
    /// The number of bytes dropped since the disk became full.
    private var lost = 0
    /// Whether the disk is full.
    private(set) var isFull = false

    /// The number of bytes that were not recorded. After `finish`, this includes bytes that were
    /// still waiting.
    private(set) var lostCount = 0
    /// The number of bytes recorded, before encoding.
    private(set) var written = 0
    /// The part of `written` that has been flushed to the disk.
    private var flushed = 0
    /// Whether the last flush failed because the disk was full.
    private var hasLostFlush = false
    /// The number of files written, including the current one.
    private(set) var files = 1

    /// Opens the only or the first file. `avoided` are the input files, which must not be
    /// overwritten.
    static func begin(
        _ path: String, _ rotation: Rotation?, _ content: any RecordContent,
        _ coding: any RecordCoding, avoiding avoided: [RegularFile], at now: UTCTime
    ) throws -> RecordTarget {
        var (begun, waiting) = (now, WaitingBytes())
        let file = try openFirst(path, rotation, content, coding, avoided, &begun, &waiting)
        return RecordTarget(path, rotation, content, coding, avoided, file, begun, waiting)
    }

    // An initializer that throws would crash the compiler of Swift 6.2.3.
    private init(
        _ path: String, _ rotation: Rotation?, _ content: any RecordContent,
        _ coding: any RecordCoding, _ avoided: [RegularFile], _ file: consuming RecordFile,
        _ begun: UTCTime, _ waiting: WaitingBytes
    ) {
        (self.path, self.rotation, self.avoided) = (path, rotation, avoided)
        (self.content, self.coding) = (content, coding)
        self.file = file
        (self.begun, self.waiting) = (begun, waiting)
    }

    /// Opens the only or the first file. `begun` is the present time, and that of the file's beginning
    /// when the function returns.
    private static func openFirst(
        _ path: String, _ rotation: Rotation?, _ content: any RecordContent,
        _ coding: any RecordCoding, _ avoided: [RegularFile], _ begun: inout UTCTime,
        _ waiting: inout WaitingBytes
    ) throws -> RecordFile {
        guard rotation != nil else { return try open(path, content, coding, avoided, &waiting) }
        let name = RecordName(path)
        try name.makeFolder()
        if let last = name.newest() {
            do {
                let file = try open(last.path, content, coding, avoided, &waiting)
                begun = last.begun
                return file
            } catch let failure as RecordFile.Failure where failure.isForeign {
                // The file may be the remains after a power failure. On an unattended machine, no
                // user could move it away, so another file is used.
                StandardError.print("\(failure); recording to another file", level: .warning)
            }
        }
        return try open(name.unusedPath(at: begun), content, coding, avoided, &waiting)
    }

    /// Content that has not been written yet.
    private struct WaitingBytes {
        /// The encoded bytes, which wait for space on the disk.
        var encoded: [UInt8] = []
        /// The bytes that are gathered before they are encoded.
        var gathered: [UInt8] = []
    }

    /// Opens a file. `waiting` receives the content that must be written first.
    ///
    /// A truncated file is repaired immediately, because the next data may arrive late. If the disk
    /// is full, the repair is postponed.
    private static func open(
        _ path: String, _ content: any RecordContent, _ coding: any RecordCoding,
        _ avoided: [RegularFile], _ waiting: inout WaitingBytes
    ) throws -> RecordFile {
        var rest: [UInt8]?
        var tail: [UInt8] = []
        var file = try RecordFile(path) { bytes in
            var obstacle: String?
            let ending = try coding.resume(bytes) { head, end in
                tail = end
                let kept = content.prepare(head: head, end: end)
                if kept == nil { obstacle = content.obstacle(to: head) }
                return kept
            }
            if ending == nil, let obstacle {
                throw RecordFile.Failure.foreign(path, obstacle)
            }
            rest = ending?.rest
            return ending
        }
        if rest != nil {
            file.continued = Self.lastTime(in: tail).map { ", which ends \($0) UTC" } ?? ""
        }
        if let opened = file.file, avoided.contains(opened) {
            throw RecordFile.Failure(path, "it is also the input: give another name")
        }
        guard let rest else {
            try coding.begin()
            _ = content.prepare(head: [], end: [])
            return file
        }
        let new = content.take()
        guard file.isTorn || rest != new + content.closing else {
            waiting.gathered = new
            return file
        }
        let encoded = try coding.encoded(new)
        if try !file.append(encoded, closing: coding.closing(content.closing)) {
            waiting.encoded = encoded
        }
        return file
    }

    /// Returns the last time in the text of a recording, such as `2026-03-21 14:02`; `nil` if there
    /// is none.
    private static func lastTime(in text: [UInt8]) -> String? {
        let pattern = Array("0000-00-00T00:00:00".utf8)
        guard text.count >= pattern.count else { return nil }
        let start = (0...text.count - pattern.count).last { start in
            zip(text[start...], pattern).allSatisfy { byte, expected in
                expected == UInt8(ascii: "0")
                    ? UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte : byte == expected
            }
        }
        guard let start else { return nil }
        let time = String(decoding: text[start..<start + 16], as: UTF8.self)
        return time.replacing("T", with: " ")
    }

    /// What is recorded to, after the name of the receiver: ` to trip.gpx`, or `, continuing
    /// trip.gpx, which ends 2026-03-21 14:02 UTC`.
    var purpose: String { file.continued.map { ", continuing \(name)\($0)" } ?? " to \(name)" }

    /// Whether the file is empty.
    var isEmpty: Bool { file.size == 0 }

    /// Whether the current file was changed, as by the repair of its end.
    var isChanged: Bool { file.isChanged }

    /// The path of the current file.
    var name: String { file.path }

    /// When the gathered bytes must be written; `nil` if there are none.
    var deadline: MonotonicInstant? { gatheredSince.map { $0 + coding.gatheringTime } }

    /// Writes the new content if enough has been gathered, or immediately if `atOnce` is `true`.
    mutating func write(atOnce: Bool = false) throws {
        let new = content.take()
        waiting.gathered += new
        pendingCount += new.count
        // The file stays empty until the first fix or byte.
        guard content.hasContent else { return }
        if !waiting.gathered.isEmpty {
            let since = gatheredSince ?? .now
            gatheredSince = since
            if atOnce || waiting.gathered.count >= Self.gatheredLimit
                || since + coding.gatheringTime <= .now
            {
                waiting.encoded += try coding.encoded(waiting.gathered)
                waiting.gathered.removeAll(keepingCapacity: true)
                gatheredSince = nil
            }
        }
        guard !waiting.encoded.isEmpty, waiting.gathered.isEmpty else { return }
        if let change = file.change, try follow(change) { return try write(atOnce: true) }
        if try file.append(waiting.encoded, closing: coding.closing(content.closing)) {
            if file.emptyIfTruncated(), try follow(.resized) { return try write(atOnce: true) }
            content.confirm()
            written += pendingCount
            pendingCount = 0
            waiting.encoded.removeAll(keepingCapacity: true)
            if isFull { reportRoom() }
            return
        }
        if !isFull {
            StandardError.print(
                "the disk is full: recording to \(name) waits for space, so free some",
                level: .warning)
        }
        isFull = true
        try writeLines()
        if waiting.encoded.count > Self.pendingLimit { try giveUp() }
    }

    /// Writes the waiting lines and binary messages that fit on the full disk. Does nothing for a
    /// compressed file or one with a closing text, because it is not complete after every line.
    private mutating func writeLines() throws {
        guard coding is PlainCoding, content.closing.isEmpty else { return }
        let fitting = waiting.encoded.prefix(max(0, file.room ?? 0))
        let lines = Array(fitting.prefix(content.wholeCount(of: fitting)))
        guard !lines.isEmpty else { return }
        // Plain bytes are encoded as they are. A header at their start is not counted.
        let header = max(0, waiting.encoded.count - pendingCount)
        guard try file.append(lines, closing: []) else { return }
        waiting.encoded.removeFirst(lines.count)
        let count = max(0, lines.count - header)
        pendingCount -= count
        written += count
    }

    private mutating func reportRoom() {
        let loss = lost > 0 ? "; \(lost) bytes were lost" : ", and nothing was lost"
        StandardError.print("the disk has space again: recording to \(name) continues\(loss)")
        (isFull, lost) = (false, 0)
    }

    /// Drops the waiting bytes, and reopens the file, so that the content continues at its end.
    private mutating func giveUp() throws {
        lost += pendingCount
        lostCount += pendingCount
        pendingCount = 0
        let path = file.path
        file.close()
        waiting = WaitingBytes()
        content.confirm()
        file = try Self.open(path, content, coding, avoided, &waiting)
    }

    /// Flushes the file to the disk. If the disk was full, reports that once, and counts the bytes
    /// written since the last flush as lost.
    private mutating func flush() throws {
        guard try !file.sync() else {
            (flushed, hasLostFlush) = (written, false)
            return
        }
        let loss = written - flushed
        guard loss > 0 else { return }
        if !hasLostFlush {
            StandardError.print(
                "the disk is full: \(loss) bytes of \(name) may be lost, so free some space",
                level: .warning)
        }
        hasLostFlush = true
        lostCount += loss
        written = flushed
    }

    // MARK: Rotation

    /// Begins another file if the rotation is due. Call it before adding more data to the
    /// `RecordContent` that was passed to `init`.
    mutating func rotate(at now: UTCTime) throws {
        guard isOver(now) else { return }
        try write(atOnce: true)
        guard !isFull else { return }
        try flush()
        // The current file is deleted when it is closed if it is empty.
        let isAnother = !isEmpty
        // What still waits belongs to the current file, and contains no data.
        var waiting = WaitingBytes()
        do {
            file = try Self.open(
                RecordName(path).unusedPath(at: now), content, coding, avoided, &waiting)
        } catch let failure as RecordFile.Failure where failure.isFull {
            if !isRotationLate {
                StandardError.print("\(failure); recording continues in \(name)", level: .warning)
            }
            isRotationLate = true
            return
        }
        if isAnother { files += 1 }
        (self.waiting, pendingCount) = (waiting, 0)
        (begun, isRotationLate) = (now, false)
    }

    private func isOver(_ now: UTCTime) -> Bool {
        guard let rotation, !isFull else { return false }
        return rotation.isOver(begun: begun, size: file.size, at: now)
    }

    /// Writes the remaining content. Bytes that still do not fit on the disk are lost.
    mutating func finish() throws {
        try write(atOnce: true)
        try flush()
        if isFull { lostCount += pendingCount }
        if file.change == .deleted {
            StandardError.print("\(name) \(RecordFile.Change.deleted.text)", level: .error)
        }
    }

    /// Flushes the file to the disk. If another program deleted, renamed, replaced or truncated it,
    /// reports that and begins a new one.
    mutating func sync() throws {
        try flush()
        if let change = file.change, try follow(change) { try write(atOnce: true) }
    }

    /// Continues in another file after a change by another program: in a new one, or in the one
    /// that is now at the path. It begins with the content that the old file does not contain.
    /// Returns `false` if the renamed file is continued because there can't be another one.
    private mutating func follow(_ change: RecordFile.Change) throws -> Bool {
        guard change != .moved || !keepsMovedFile else { return false }
        let old = name
        // The lock of a file that is still at the path must be released before it is opened again.
        if change == .resized { file.close() }
        content.recall()
        var waiting = WaitingBytes()
        do {
            file = try reopened(&waiting)
        } catch let failure as RecordFile.Failure where change == .moved {
            StandardError.print(
                "\(old) \(change.text): recording continues in the renamed file, because of this "
                    + "error: \(failure)", level: .warning)
            keepsMovedFile = true
            return false
        }
        let new = name == old ? "a new file" : name
        StandardError.print("\(old) \(change.text): recording to \(new)", level: .warning)
        if change == .moved { files += 1 }
        self.waiting = waiting
        return true
    }

    /// Opens the file at the path again, or another file if that one is no recording.
    private func reopened(_ waiting: inout WaitingBytes) throws -> RecordFile {
        do {
            return try Self.open(name, content, coding, avoided, &waiting)
        } catch let failure as RecordFile.Failure where failure.isForeign {
            guard let now = SystemClock.now else { throw failure }
            return try Self.open(
                RecordName(path).unusedPath(at: now), content, coding, avoided, &waiting)
        }
    }
}

/// When a recording continues in another file.
enum Rotation {
    /// A new file begins each day, in UTC.
    case daily
    /// A new file begins each hour, in UTC.
    case hourly
    /// A new file begins when a file has reached this number of bytes.
    case size(Int)

    /// Parses `day`, `hour` or a size such as `10M`. Throws a `UsageError` for other text.
    init(_ text: String) throws {
        if text == "day" || text == "hour" {
            self = text == "day" ? .daily : .hourly
            return
        }
        let units: [Character: Double] = ["k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9]
        let unit = text.last.flatMap { units[$0] }
        let number = Double(unit == nil ? text[...] : text.dropLast())
        guard let number, let size = Int(exactly: (number * (unit ?? 1)).rounded()),
            size >= 1000
        else {
            throw UsageError(
                "not a value for --rotate: '\(text)'"
                    + UsageError.suggestion(text, of: ["day", "hour"])
                    + " (expected day, hour, or a size of at least "
                    + "1000 bytes, such as 500k, 10M or 1G)"
            )
        }
        self = .size(size)
    }

    /// Returns whether to begin a new file after a file with `size` bytes that was begun at
    /// `begun`.
    func isOver(begun: UTCTime, size: Int, at now: UTCTime) -> Bool {
        switch self {
        case .daily: now.date != begun.date
        case .hourly: now.date != begun.date || now.time.hour != begun.time.hour
        case .size(let limit): size >= limit
        }
    }
}
