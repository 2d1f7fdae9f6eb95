// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// The file that is recorded to, or one after the other of them; a full disk is waited out.
struct RecordTarget: ~Copyable {
    /// What is kept while the disk is full; more is lost.
    private static let patience = 1 << 20

    private let path: String
    private let rotation: Rotation?
    private let content: any RecordContent
    private let avoided: RegularFile?
    private var file: RecordFile
    private var day: CalendarDate

    /// What waits for room.
    private var pending: [UInt8] = []
    private var lost = 0
    private var isFull = false

    /// How many bytes have been written.
    private(set) var written = 0
    /// How many files.
    private(set) var files = 1

    /// Opens the file, or the first of them. `avoided` is what must not be written to.
    init(
        _ path: String, _ rotation: Rotation?, _ content: any RecordContent,
        avoiding avoided: RegularFile?, at now: UTCTime
    ) throws {
        self.path = path
        self.rotation = rotation
        self.content = content
        self.avoided = avoided
        day = now.date
        var opened = path
        if rotation != nil {
            let name = RecordName(path)
            let last = name.newest()
            opened = last?.path ?? name.path(at: now, number: 1)
            day = last?.day ?? now.date
        }
        file = try Self.open(opened, content, avoided)
    }

    private static func open(
        _ path: String, _ content: any RecordContent, _ avoided: RegularFile?
    ) throws -> RecordFile {
        var isTurned = false
        let file = try RecordFile(path) { head, end in
            isTurned = true
            return content.turn(head: head, end: end)
        }
        if !isTurned { _ = content.turn(head: [], end: []) }
        if avoided != nil, file.file == avoided {
            throw RecordFile.Failure(path, "it is what is read")
        }
        return file
    }

    /// The file that is written to now.
    var name: String { file.path }

    /// Writes what the content has to say.
    mutating func write() throws {
        pending += content.take()
        guard !pending.isEmpty else { return }
        if try file.append(pending, closing: content.closing) {
            written += pending.count
            pending.removeAll(keepingCapacity: true)
            if isFull { tellOfRoom() }
            return
        }
        if !isFull { StandardError.say("the disk is full: \(name) waits for room") }
        isFull = true
        if pending.count > Self.patience { try giveUp() }
    }

    private mutating func tellOfRoom() {
        let loss = lost > 0 ? "; \(lost) bytes were lost" : ", and nothing was lost"
        StandardError.say("there is room again: \(name) goes on\(loss)")
        (isFull, lost) = (false, 0)
    }

    /// Drops what waits. The content begins anew behind what is in the file.
    private mutating func giveUp() throws {
        lost += pending.count
        pending = []
        let path = file.path
        file.close()
        file = try Self.open(path, content, avoided)
    }

    // MARK: Rotation

    /// Goes on in another file where it is time to; comes before the content is told more.
    mutating func rotate(at now: UTCTime) throws {
        guard isOver(now) else { return }
        file.sync()
        let name = RecordName(path)
        var number = 1
        while access(name.path(at: now, number: number), F_OK) == 0 { number += 1 }
        file = try Self.open(name.path(at: now, number: number), content, avoided)
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

    /// Writes the last of it.
    mutating func finish() throws {
        try write()
        file.sync()
        if isFull {
            StandardError.say("the disk is full: \(lost + pending.count) bytes were lost")
        }
    }

    /// Has what was written survive also the machine.
    mutating func sync() {
        file.sync()
    }
}
