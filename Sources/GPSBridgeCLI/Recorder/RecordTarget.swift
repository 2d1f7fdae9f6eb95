// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import Glibc

/// Writes a recording to one file, or to one after another; while the disk is full, it waits.
struct RecordTarget: ~Copyable {
    /// The maximum number of bytes kept while the disk is full; beyond it they are dropped.
    private static let pendingLimit = 1 << 20
    /// The maximum number of bytes gathered, since a recording is read as fast as possible.
    private static let gatheredLimit = 1 << 17

    private let path: String
    private let rotation: Rotation?
    private let content: any RecordContent
    private let coding: any RecordCoding
    private let avoided: RegularFile?
    private var file: RecordFile
    private var day: CalendarDate

    /// The bytes gathered before they are encoded, and the time of the first.
    private var gathered: [UInt8] = []
    private var gatheredSince: MonotonicInstant?
    /// The encoded bytes that wait for room, and the number of bytes they contain before encoding.
    private var pending: [UInt8] = []
    private var pendingCount = 0
    /// The number of bytes dropped since the disk became full.
    private var lost = 0
    /// Whether the disk is full.
    private(set) var isFull = false

    /// The number of bytes that were not recorded; after `finish`, including those that still waited.
    private(set) var lostCount = 0
    /// The number of bytes recorded.
    private(set) var written = 0
    /// The number of files.
    private(set) var files = 1

    /// Opens the file, or the first one. `avoided` is the input file, which must not be written to.
    init(
        _ path: String, _ rotation: Rotation?, _ content: any RecordContent,
        _ coding: any RecordCoding, avoiding avoided: RegularFile?, at now: UTCTime
    ) throws {
        self.path = path
        self.rotation = rotation
        self.content = content
        self.coding = coding
        self.avoided = avoided
        day = now.date
        var unwritten = UnwrittenBytes()
        guard rotation != nil else {
            file = try Self.open(path, content, coding, avoided, &unwritten)
            (pending, gathered) = (unwritten.encoded, unwritten.plain)
            return
        }
        let name = RecordName(path)
        try name.makeFolder()
        if let last = name.newest() {
            do {
                file = try Self.open(last.path, content, coding, avoided, &unwritten)
                day = last.day
                (pending, gathered) = (unwritten.encoded, unwritten.plain)
                return
            } catch let failure as RecordFile.Failure where failure.isForeign {
                // For example the remains of a file after a loss of power: on an unattended machine, no user can
                // move it away.
                StandardError.print("\(failure); recording to another file")
            }
        }
        file = try Self.open(name.free(at: now), content, coding, avoided, &unwritten)
        (pending, gathered) = (unwritten.encoded, unwritten.plain)
    }

    /// The beginning of the content, which has not been written yet.
    private struct UnwrittenBytes {
        var encoded: [UInt8] = []
        var plain: [UInt8] = []
    }

    /// Opens a file; `said` receives the bytes to be written to it.
    ///
    /// Repairs a cut-off file now, since the next data may be late. If the disk is full, the repair waits.
    private static func open(
        _ path: String, _ content: any RecordContent, _ coding: any RecordCoding,
        _ avoided: RegularFile?, _ unwritten: inout UnwrittenBytes
    ) throws -> RecordFile {
        var rest: [UInt8]?
        var file = try RecordFile(path) { bytes in
            let ending = try coding.resume(bytes, content.turn)
            rest = ending?.rest
            return ending
        }
        if avoided != nil, file.file == avoided {
            throw RecordFile.Failure(path, "it is also the input")
        }
        guard let rest else {
            try coding.begin()
            _ = content.turn(head: [], end: [])
            return file
        }
        unwritten.plain = content.take()
        guard file.isTorn || rest != unwritten.plain + content.closing else { return file }
        let encoded = try coding.encoded(unwritten.plain)
        let isRepaired = try file.append(encoded, closing: coding.closing(content.closing))
        unwritten = UnwrittenBytes(encoded: isRepaired ? [] : encoded)
        return file
    }

    /// Whether the file is empty.
    var isEmpty: Bool { file.size == 0 }

    /// The path of the current file.
    var name: String { file.path }

    /// The time at which gathered bytes are due to be written; `nil` if there are none.
    var deadline: MonotonicInstant? { gatheredSince.map { $0 + coding.gatheringTime } }

    /// Writes the new content once enough is gathered, or at once.
    mutating func write(atOnce: Bool = false) throws {
        let new = content.take()
        gathered += new
        pendingCount += new.count
        // A file is begun with the first fix or byte: without one there is no file.
        guard content.hasContent else { return }
        if !gathered.isEmpty {
            let since = gatheredSince ?? .now
            gatheredSince = since
            if atOnce || gathered.count >= Self.gatheredLimit
                || since + coding.gatheringTime <= .now
            {
                pending += try coding.encoded(gathered)
                gathered.removeAll(keepingCapacity: true)
                gatheredSince = nil
            }
        }
        guard !pending.isEmpty, gathered.isEmpty else { return }
        if try file.append(pending, closing: coding.closing(content.closing)) {
            written += pendingCount
            pendingCount = 0
            pending.removeAll(keepingCapacity: true)
            if isFull { reportRoom() }
            return
        }
        if !isFull { StandardError.print("the disk is full: \(name) waits for space") }
        isFull = true
        if pending.count > Self.pendingLimit { try giveUp() }
    }

    private mutating func reportRoom() {
        let loss = lost > 0 ? "; \(lost) bytes were lost" : ", and nothing was lost"
        StandardError.print("there is space again: \(name) continues\(loss)")
        (isFull, lost) = (false, 0)
    }

    /// Drops the bytes that wait. The content begins again at the end of the file.
    private mutating func giveUp() throws {
        lost += pendingCount
        lostCount += pendingCount
        pendingCount = 0
        let path = file.path
        file.close()
        var unwritten = UnwrittenBytes()
        file = try Self.open(path, content, coding, avoided, &unwritten)
        (pending, gathered) = (unwritten.encoded, unwritten.plain)
    }

    // MARK: Rotation

    /// Continues in another file when that is due; call it before the content receives more.
    mutating func rotate(at now: UTCTime) throws {
        guard isOver(now) else { return }
        try write(atOnce: true)
        guard !isFull else { return }
        file.sync()
        var unwritten = UnwrittenBytes()
        file = try Self.open(
            RecordName(path).free(at: now), content, coding, avoided, &unwritten)
        files += 1
        day = now.date
    }

    private func isOver(_ now: UTCTime) -> Bool {
        guard file.size > 0, !isFull else { return false }
        switch rotation {
        case nil: return false
        case .daily: return now.date != day
        case .size(let limit): return file.size >= limit
        }
    }

    /// Writes the remaining content; bytes that still have no room are lost.
    mutating func finish() throws {
        try write(atOnce: true)
        file.sync()
        if isFull { lostCount += pendingCount }
    }

    /// Flushes the file to the disk.
    mutating func sync() {
        file.sync()
    }
}
