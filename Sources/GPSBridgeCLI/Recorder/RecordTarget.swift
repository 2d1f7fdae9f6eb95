// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import Glibc

/// The file that is recorded to, or one after the other of them; a full disk is waited out.
struct RecordTarget: ~Copyable {
    /// The most bytes kept while the disk is full; more are lost.
    private static let pendingLimit = 1 << 20
    /// More than that is not gathered: a recording comes as fast as it can be read.
    private static let mostGathered = 1 << 17

    private let path: String
    private let rotation: Rotation?
    private let content: any RecordContent
    private let coding: any RecordCoding
    private let avoided: RegularFile?
    private var file: RecordFile
    private var day: CalendarDate

    /// The bytes gathered before they are encoded, and since when.
    private var gathered: [UInt8] = []
    private var gatheredSince: MonotonicInstant?
    /// The bytes that wait for room, and how many were recorded there.
    private var pending: [UInt8] = []
    private var pendingCount = 0
    /// The number of bytes dropped since the disk is full.
    private var lost = 0
    /// Whether the disk is full.
    private(set) var isFull = false

    /// The number of bytes that were not recorded, at the end including those that still wait.
    private(set) var lostCount = 0
    /// The number of recorded bytes.
    private(set) var written = 0
    /// The number of files.
    private(set) var files = 1

    /// Opens the file, or the first of them. `avoided` is what must not be written to.
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
        var said = Said()
        guard rotation != nil else {
            file = try Self.open(path, content, coding, avoided, &said)
            (pending, gathered) = (said.encoded, said.plain)
            return
        }
        let name = RecordName(path)
        try name.makeFolder()
        if let last = name.newest() {
            do {
                file = try Self.open(last.path, content, coding, avoided, &said)
                day = last.day
                (pending, gathered) = (said.encoded, said.plain)
                return
            } catch let failure as RecordFile.Failure where failure.isForeign {
                // For example the remains of a file after a loss of power: there may be no user who could move it
                // away.
                StandardError.say("\(failure); another file is begun")
            }
        }
        file = try Self.open(name.free(at: now), content, coding, avoided, &said)
        (pending, gathered) = (said.encoded, said.plain)
    }

    /// The beginning of the content, which waits to be written.
    private struct Said {
        var encoded: [UInt8] = []
        var plain: [UInt8] = []
    }

    /// Opens a file, which `said` is to be written to.
    ///
    /// A cut-off file is repaired now, since the next data may be late; where the disk is full, this
    /// waits.
    /// it waits.
    private static func open(
        _ path: String, _ content: any RecordContent, _ coding: any RecordCoding,
        _ avoided: RegularFile?, _ said: inout Said
    ) throws -> RecordFile {
        var rest: [UInt8]?
        var file = try RecordFile(path) { bytes in
            let ending = try coding.resume(bytes, content.turn)
            rest = ending?.rest
            return ending
        }
        if avoided != nil, file.file == avoided {
            throw RecordFile.Failure(path, "it is what is read")
        }
        guard let rest else {
            try coding.begin()
            _ = content.turn(head: [], end: [])
            return file
        }
        said.plain = content.take()
        guard file.isTorn || rest != said.plain + content.closing else { return file }
        let encoded = try coding.encoded(said.plain)
        let isMended = try file.append(encoded, closing: coding.closing(content.closing))
        said = Said(encoded: isMended ? [] : encoded)
        return file
    }

    /// Whether there is nothing in it.
    var isEmpty: Bool { file.size == 0 }

    /// The file that is written to now.
    var name: String { file.path }

    /// When there is something to write although nothing has come.
    var deadline: MonotonicInstant? { gatheredSince.map { $0 + coding.gatheringTime } }

    /// Writes what the content has to say, once enough is gathered, or at once.
    mutating func write(atOnce: Bool = false) throws {
        let new = content.take()
        gathered += new
        pendingCount += new.count
        // The beginning of a file waits for the first fix, or byte: without one there is no file.
        guard content.hasContent else { return }
        if !gathered.isEmpty {
            let since = gatheredSince ?? .now
            gatheredSince = since
            if atOnce || gathered.count >= Self.mostGathered || since + coding.gatheringTime <= .now
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
            if isFull { tellOfRoom() }
            return
        }
        if !isFull { StandardError.say("the disk is full: \(name) waits for room") }
        isFull = true
        if pending.count > Self.pendingLimit { try giveUp() }
    }

    private mutating func tellOfRoom() {
        let loss = lost > 0 ? "; \(lost) bytes were lost" : ", and nothing was lost"
        StandardError.say("there is room again: \(name) continues\(loss)")
        (isFull, lost) = (false, 0)
    }

    /// Drops what waits. The content begins anew behind what is in the file.
    private mutating func giveUp() throws {
        lost += pendingCount
        lostCount += pendingCount
        pendingCount = 0
        let path = file.path
        file.close()
        var said = Said()
        file = try Self.open(path, content, coding, avoided, &said)
        (pending, gathered) = (said.encoded, said.plain)
    }

    // MARK: Rotation

    /// Continues in another file when it is time; called before the content receives more.
    mutating func rotate(at now: UTCTime) throws {
        guard isOver(now) else { return }
        try write(atOnce: true)
        guard !isFull else { return }
        file.sync()
        var said = Said()
        file = try Self.open(
            RecordName(path).free(at: now), content, coding, avoided, &said)
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

    /// Writes the last of it; what still has no room is lost.
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
