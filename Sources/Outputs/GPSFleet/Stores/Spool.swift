// SPDX-License-Identifier: MIT
package import GNSS
import GPSIO
import Glibc

/// An SQLite file with fixes that wait to be sent to servers (targets). A fix is removed when every
/// target has stored it.
///
/// When `append` returns, the fixes are on disk. The spool is used by one thread at a time.
package final class Spool {
    /// The fixes of one receiver in one run of the bridge, with one origin.
    package struct Stream: Hashable, Sendable {
        /// The stream's number in the spool.
        package let number: Int64
        /// The receiver's name.
        package let member: MemberName
        /// Whether the fixes are live, recorded or simulated.
        package let origin: DataOrigin
        /// The random name of the bridge's run (see `FixBatch.boot`).
        package let boot: String
    }

    /// A fix with the number of its stream.
    package struct Entry: Sendable {
        /// The stream's number.
        package let stream: Int64
        /// The fix, as integers.
        package var row: FixRow

        package init(stream: Int64, row: FixRow) {
            self.stream = stream
            self.row = row
        }
    }

    /// The path of the database file.
    package let path: String
    /// The limits that `keepLimits` enforces.
    package var limits = SpoolLimits()
    package private(set) var streams: [Int64: Stream] = [:]
    /// The number of fixes that wait in the spool.
    package internal(set) var count = 0
    /// How many fixes were dropped since the spool was opened.
    package internal(set) var loss = SpoolLoss()

    /// The lock. It is declared before the database, so that it is released after the database has
    /// been closed.
    private let lock: SpoolLock
    let reserve: SpoolReserve
    private let file: Node.File?
    /// The database. It is visible in the package, so that tests can limit the size of the file.
    package let database: SQLiteDatabase
    private let insertion: SQLiteStatement
    private let acknowledgement: SQLiteStatement
    private let removal: SQLiteStatement
    private let keeping: SQLiteStatement
    private let forgetting: SQLiteStatement
    private let selections: (newest: SQLiteStatement, oldest: SQLiteStatement)
    /// The last sequence number that was used before the spool was opened.
    private(set) var lastBefore: Int64 = 0
    /// For each level of thinning, the sequence number up to which it is complete; empty before the
    /// first thinning (see `thin`).
    var thinnedTo: [Int64] = []
    /// The bit that represents each target in the column `pending`, by the target's name.
    private var targets: [String: Int64] = [:]

    /// The names of the common columns. The values of all other columns are in the text column
    /// `others`.
    static let names = FixColumn.all.prefix(FixColumn.CommonTable<Int64>.count)
        .map(\.name)

    /// Opens a spool, or creates one. If the file is damaged, it is renamed and a new one is
    /// created, which is reported with `log`. If it cannot be opened for another reason, the
    /// reserve is released and it is opened again, because the disk may be full.
    ///
    /// Throws an error if another process uses it, the folder cannot be written, or another program
    /// has created the file.
    package init(path: String, log: (String) -> Void = { _ in }) throws(FleetError) {
        self.path = path
        let lock = try SpoolLock(path)
        self.lock = lock
        let reserve = SpoolReserve(of: path)
        self.reserve = reserve
        do throws(FleetError) {
            let database = try Self.open(path, isNew: lock.isNew, reserve, log)
            self.database = database
            file = Node(path).file
            let columns = Self.names.map { "\"\($0)\"" }.joined(separator: ",")
            let placeholders = Self.names.map { _ in "?" }.joined(separator: ",")
            insertion = try database.prepare(
                "INSERT INTO fix(stream,pending,received,time,others,\(columns)) "
                    + "VALUES(?,?,?,?,?,\(placeholders))")
            acknowledgement = try database.prepare(
                "UPDATE fix SET pending=pending&~?2 WHERE seq=?1")
            removal = try database.prepare("DELETE FROM fix WHERE seq=?1 AND pending&~?2=0")
            keeping = try database.prepare(
                "INSERT INTO kept(target,stream,place,id,destination,body) VALUES(?,?,?,?,?,?)")
            forgetting = try database.prepare("DELETE FROM kept WHERE number=?")
            func selection(_ order: String) throws(FleetError) -> SQLiteStatement {
                try database.prepare(
                    "SELECT seq,stream,received,time,others,\(columns) FROM fix "
                        + "WHERE seq BETWEEN ?1 AND ?2 AND pending&?3 ORDER BY seq \(order) LIMIT ?4"
                )
            }
            selections = (try selection("DESC"), try selection("ASC"))
            try load()
            reserve.fill()
        } catch {
            if lock.isNew { lock.remove() }
            throw error
        }
    }

    /// Throws the error of `init` if the folder of the spool does not exist or the spool cannot be
    /// written. Nothing is created, and a spool in use is no error.
    package static func check(path: String) throws(FleetError) {
        try SpoolLock.check(path)
        let error = Folder.writeError(at: path)
        guard error == 0 else { throw FleetError(spool: path, String(cString: strerror(error))) }
    }

    private static func open(
        _ path: String, isNew: Bool, _ reserve: SpoolReserve, _ log: (String) -> Void
    ) throws(FleetError) -> SQLiteDatabase {
        // Positions are private, so other users must not be able to read the file.
        let mask = umask(0o077)
        defer { umask(mask) }
        do throws(FleetError) {
            return try prepared(path)
        } catch  where error.isPermanent {
            // If the lock file is new, the path may be wrong and name another file of the user,
            // which must not be renamed. So the tables are checked, because the lock file is also
            // new for a spool that was restored from a backup.
            let isSpool = try? Self.isSpool(SQLiteDatabase(path: path))
            guard !isNew || isSpool == true else { throw foreign(path) }
            let aside = path + ".damaged"
            for ending in ["", "-wal", "-shm"] {
                rename(FileName.native(path + ending), FileName.native(aside + ending))
            }
            log("\(path) is damaged, and was renamed to \(aside): \(error.reason)")
            return try prepared(path)
        } catch  where reserve.exists {
            // SQLite needs space even to read the file, for the index of its write-ahead log.
            reserve.release()
            return try prepared(path)
        }
    }

    /// Reads the streams, the targets and the number of fixes.
    private func load() throws(FleetError) {
        let all = try database.prepare(
            "SELECT number,fleet,bridge,receiver,origin,boot FROM stream")
        while try all.step() {
            guard
                let member = MemberName(
                    fleet: all.text(1), bridge: all.text(2), receiver: all.text(3)),
                let origin = DataOrigin(rawValue: all.text(4)), let number = all.integer(0)
            else { continue }
            streams[number] = Stream(
                number: number, member: member, origin: origin, boot: all.text(5))
        }
        let targets = try database.prepare("SELECT name,bit FROM target")
        while try targets.step() { self.targets[targets.text(0)] = targets.integer(1) }
        count = Int(try database.integer("SELECT count(*) FROM fix"))
        lastBefore = try database.integer("SELECT seq FROM sqlite_sequence WHERE name='fix'")
    }

    /// Sets the targets that must receive every fix from now on. Returns the bit of each target,
    /// which identifies it in the spool. The backlog of removed targets is assigned to the new
    /// ones, because a server may have a new address. Without new targets, the backlog is dropped.
    package func setTargets(_ names: [String]) throws(FleetError) -> [Int64] {
        try database.transaction { () throws(FleetError) in
            let gone = targets.filter { !names.contains($0.key) }
            let goneBits = gone.values.reduce(0, |)
            for (name, bit) in gone {
                try database.prepare("DELETE FROM target WHERE bit=?").run(bit)
                try database.prepare("DELETE FROM kept WHERE target=?").run(bit)
                targets[name] = nil
            }
            var newBits: Int64 = 0
            for name in names where targets[name] == nil {
                var bit: Int64 = 1
                while (targets.values.reduce(0, |) | goneBits) & bit != 0 { bit <<= 1 }
                let statement = try database.prepare(
                    "INSERT INTO target(bit,name) VALUES(?,?)")
                statement.bind(2, name)
                try statement.run(bit)
                targets[name] = bit
                newBits |= bit
            }
            guard goneBits != 0 || newBits != 0 else { return }
            // `pending=0` selects fixes that were stored while there were no targets.
            let reassignment = "UPDATE fix SET pending=pending&~?1|?2 WHERE pending&?1 OR pending=0"
            try database.prepare(reassignment).run(goneBits, newBits)
            try database.run("DELETE FROM fix WHERE pending=0")
            count -= database.changeCount
            loss.untargeted += database.changeCount
        }
        return names.map { targets[$0] ?? 0 }
    }

    /// Creates a stream for each receiver and origin, in the bridge's run `boot`. Returns the
    /// streams in the same order.
    ///
    /// If the disk is full, releases the reserve, and removes all kept and refused messages.
    package func addStreams(
        _ new: [(member: MemberName, origin: DataOrigin)], boot: String
    ) throws(FleetError) -> [Stream] {
        let added: [Stream]
        do throws(FleetError) {
            added = try insertStreams(new, boot)
        } catch  where error.isFull {
            try makeRoom()
            added = try insertStreams(new, boot)
        }
        for stream in added { streams[stream.number] = stream }
        return added
    }

    private func insertStreams(
        _ new: [(member: MemberName, origin: DataOrigin)], _ boot: String
    ) throws(FleetError) -> [Stream] {
        let statement = try database.prepare(
            "INSERT INTO stream(fleet,bridge,receiver,origin,boot) VALUES(?,?,?,?,?)")
        return try database.transaction { () throws(FleetError) in
            var added: [Stream] = []
            for (member, origin) in new {
                let texts = [
                    member.fleet, member.bridge, member.receiver, origin.rawValue, boot,
                ]
                for (index, text) in texts.enumerated() { statement.bind(index + 1, text) }
                try statement.run()
                added.append(
                    Stream(number: database.lastRow, member: member, origin: origin, boot: boot))
            }
            return added
        }
    }

    /// Stores fixes, and sets the sequence numbers in `entries`.
    ///
    /// If the disk is full, drops the oldest fixes. If that does not free enough space, throws an
    /// error and stores none of the new fixes.
    package func append(_ entries: inout [Entry]) throws(FleetError) {
        let pending = targets.values.reduce(0, |)
        do throws(FleetError) {
            try insert(&entries, pending)
        } catch  where error.isFull {
            try makeRoom()
            try dropOldest(max(1000, count / 10), counting: \.droppedByDisk)
            try insert(&entries, pending)
        }
    }

    /// Frees space on a full disk: releases the reserve, removes all kept and refused messages, and
    /// moves the write-ahead log into the database.
    private func makeRoom() throws(FleetError) {
        reserve.release()
        try forgetKept()
        try database.run("DELETE FROM refused")
        loss.refusedLost += loss.refused
        loss.refused = 0
        try database.run("PRAGMA wal_checkpoint(RESTART)")
    }

    private func insert(
        _ entries: inout [Entry], _ pending: Int64
    ) throws(FleetError) {
        try database.transaction { () throws(FleetError) in
            for index in entries.indices {
                let row = entries[index].row
                insertion.bind(1, entries[index].stream)
                insertion.bind(2, pending)
                insertion.bind(3, row.received)
                insertion.bind(4, row.time)
                insertion.bind(5, row.othersText)
                for column in Self.names.indices {
                    let value = row[column]
                    insertion.bind(6 + column, value == FixRow.unknown ? nil : value)
                }
                _ = try insertion.step()
                entries[index].row.sequence = database.lastRow
            }
        }
        count += entries.count
    }

    /// Records that the target with this bit has stored fixes, and removes the fixes that all
    /// targets have stored.
    ///
    /// Stores the messages in `keeping` as kept messages and returns their numbers; removes the
    /// kept messages with the numbers in `forgetting`. If the disk is full, removes all kept
    /// messages instead and returns no numbers.
    @discardableResult
    package func acknowledge(
        _ sequences: [Int64], keeping kept: [KeptMessage] = [], forgetting numbers: [Int64] = [],
        bit: Int64
    ) throws(FleetError) -> [Int64] {
        guard !sequences.isEmpty || !kept.isEmpty || !numbers.isEmpty else { return [] }
        let result: (removed: Int, kept: [Int64])
        do throws(FleetError) {
            result = try remove(sequences, kept, numbers, bit)
        } catch  where error.isFull {
            try makeRoom()
            result = try remove(sequences, [], [], bit)
        }
        count -= result.removed
        return result.kept
    }

    private func remove(
        _ sequences: [Int64], _ kept: [KeptMessage], _ numbers: [Int64], _ bit: Int64
    ) throws(FleetError) -> (removed: Int, kept: [Int64]) {
        let isOnly = targets.count == 1
        return try database.transaction { () throws(FleetError) in
            let kept = try keep(kept, bit: bit)
            for number in numbers { try forgetting.run(number) }
            var removed = 0
            for sequence in sequences {
                if !isOnly { try acknowledgement.run(sequence, bit) }
                try removal.run(sequence, bit)
                removed += database.changeCount
            }
            return (removed, kept)
        }
    }

    /// Whether the file was deleted, moved or replaced, so the next start does not find its fixes.
    package var isDeleted: Bool {
        if let present = Node(path).file { return present != file }
        return access(FileName.native(path), F_OK) != 0 && errno == ENOENT
    }

    /// Returns the range of all sequence numbers; `nil` if the spool is empty.
    package func range() throws(FleetError) -> ClosedRange<Int64>? {
        guard count > 0 else { return nil }
        let first = try database.integer("SELECT min(seq) FROM fix")
        let last = try database.integer("SELECT max(seq) FROM fix")
        return first > 0 && first <= last ? first...last : nil
    }

    /// Returns up to `limit` fixes from the end or the beginning of a range of sequence numbers.
    /// Leaves out fixes that the target with this bit has stored, and fixes of the streams in
    /// `omitted`. If `bit` is -1, returns the fixes that at least one target has not stored yet.
    package func read(
        _ range: ClosedRange<Int64>, newestFirst: Bool, limit: Int, bit: Int64,
        without omitted: Set<Int64> = []
    ) throws(FleetError) -> [Entry] {
        let selection = newestFirst ? selections.newest : selections.oldest
        // -1 means no limit in SQLite. It is needed because omitted rows must not count.
        let count = omitted.isEmpty ? Int64(limit) : -1
        let parameters = [range.lowerBound, range.upperBound, bit, count]
        for (index, value) in parameters.enumerated() { selection.bind(index + 1, value) }
        defer { selection.reset() }
        var entries: [Entry] = []
        while entries.count < limit, try selection.step() {
            let stream = selection.integer(1) ?? 0
            guard !omitted.contains(stream) else { continue }
            var row = FixRow(
                sequence: selection.integer(0) ?? 0, time: selection.integer(3),
                received: selection.integer(2) ?? 0)
            row.setOthers(selection.text(4))
            for column in Self.names.indices {
                row[column] = selection.integer(5 + column) ?? FixRow.unknown
            }
            entries.append(Entry(stream: stream, row: row))
        }
        return entries
    }
}

/// A message that a server has acknowledged but may still lose.
package struct KeptMessage: Sendable, Equatable {
    /// The message as it was sent.
    package let message: EngineMessage
    /// The position at which the server stored the message.
    package let position: StreamPosition
}

/// Kept messages: messages that servers have acknowledged but may still lose. Their fixes have
/// already been removed from the waiting fixes.
extension Spool {
    /// A kept message without its content.
    package struct Kept: Sendable, Equatable {
        /// The message's number in the table `kept`.
        package let number: Int64
        /// The position at which the server stored the message.
        package let position: StreamPosition
        /// The size of the message's content in bytes.
        package let size: Int
    }

    private static let createKept = """
        CREATE TABLE IF NOT EXISTS kept(number INTEGER PRIMARY KEY AUTOINCREMENT, target INTEGER NOT NULL,
            stream TEXT, place INTEGER NOT NULL, id TEXT, destination TEXT, body BLOB)
        """

    /// Returns the kept messages of the target with this bit, in the order of acknowledgement.
    package func kept(bit: Int64) throws(FleetError) -> [Kept] {
        let statement = try database.prepare(
            "SELECT number,stream,place,length(body) FROM kept WHERE target=? ORDER BY number")
        statement.bind(1, bit)
        var all: [Kept] = []
        while try statement.step() {
            all.append(
                Kept(
                    number: statement.integer(0) ?? 0,
                    position: StreamPosition(
                        stream: statement.text(1),
                        number: UInt64(bitPattern: statement.integer(2) ?? 0)),
                    size: Int(statement.integer(3) ?? 0)))
        }
        return all
    }

    /// Returns a kept message; `nil` if it has been removed.
    func keptMessage(_ number: Int64) throws(FleetError) -> EngineMessage? {
        let statement = try database.prepare(
            "SELECT id,destination,body FROM kept WHERE number=?")
        statement.bind(1, number)
        guard try statement.step() else { return nil }
        return EngineMessage(
            destination: statement.text(1), id: statement.text(0), bytes: statement.bytes(2))
    }

    /// Stores kept messages of the target with this bit, and returns their numbers.
    func keep(_ messages: [KeptMessage], bit: Int64) throws(FleetError) -> [Int64] {
        var numbers: [Int64] = []
        for each in messages {
            keeping.bind(1, bit)
            keeping.bind(2, each.position.stream)
            keeping.bind(3, Int64(bitPattern: each.position.number))
            keeping.bind(4, each.message.id)
            keeping.bind(5, each.message.destination)
            keeping.bind(6, each.message.bytes)
            _ = try keeping.step()
            numbers.append(database.lastRow)
        }
        return numbers
    }

    /// Removes all kept messages of all targets, to make room for waiting fixes, which are more
    /// important.
    func forgetKept() throws(FleetError) { try database.run("DELETE FROM kept") }
}

/// A message that a server has finally refused.
package struct RefusedMessage: Sendable, Equatable {
    /// The message as it was sent.
    package let message: EngineMessage
    /// The server's reason in words.
    package let reason: String
    /// The sequence numbers of the message's fixes.
    let sequences: [Int64]

    package init(message: EngineMessage, reason: String, sequences: [Int64]) {
        self.message = message
        self.reason = reason
        self.sequences = sequences
    }
}

/// Refused messages, which are stored so that a user can find out why they were refused. The oldest
/// ones are dropped above a size limit, and all of them if the disk is full.
extension Spool {
    private static let createRefused = """
        CREATE TABLE IF NOT EXISTS refused(number INTEGER PRIMARY KEY AUTOINCREMENT, target TEXT,
            time INTEGER, reason TEXT, id TEXT, body BLOB)
        """

    /// Stores messages that a target refused, without removing their fixes from the waiting fixes.
    /// If the disk is full, the messages are only counted.
    package func setAside(_ messages: [RefusedMessage], by target: String) throws(FleetError) {
        guard !messages.isEmpty else { return }
        let count = messages.reduce(0) { $0 + $1.sequences.count }
        do throws(FleetError) {
            try store(messages, target)
            loss.refused += count
        } catch  where error.isFull {
            // The messages are lost, but the log contains their number.
            loss.refusedLost += count
        }
    }

    private func store(
        _ messages: [RefusedMessage], _ target: String
    ) throws(FleetError) {
        try database.transaction { () throws(FleetError) in
            let insertion = try database.prepare(
                "INSERT INTO refused(time,target,reason,id,body) VALUES(?,?,?,?,?)")
            for each in messages {
                insertion.bind(1, BridgeClock.now)
                insertion.bind(2, target)
                insertion.bind(3, each.reason)
                insertion.bind(4, each.message.id)
                insertion.bind(5, each.message.bytes)
                _ = try insertion.step()
            }
            try database.prepare(
                """
                DELETE FROM refused WHERE number IN (SELECT number FROM (SELECT number,
                    sum(length(body)+200) OVER (ORDER BY number DESC) AS size FROM refused) WHERE size>?)
                """
            ).run(limits.refusedSize)
        }
    }
}

/// The tables of the spool, and their conversion from earlier versions.
extension Spool {
    private static let version: Int64 = 4
    /// The columns that were added after the first version, with the version that added them.
    private static let additions: [(version: Int64, column: String)] = [
        (2, "odometer INTEGER"), (3, "integrity INTEGER"), (4, "others TEXT"),
    ]

    /// Opens the database file, and creates its tables or converts them from an earlier version.
    private static func prepared(_ path: String) throws(FleetError) -> SQLiteDatabase {
        let database = try SQLiteDatabase(path: path)
        if try database.integer("SELECT count(*) FROM sqlite_master") > 0, try !isSpool(database) {
            throw foreign(path)
        }
        // `synchronous=FULL` makes fixes survive a power failure after `append` has returned.
        try database.run(
            "PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL;"
                + "PRAGMA synchronous=FULL; PRAGMA journal_size_limit=4194304")
        let columns = names.map { ",\"\($0)\" INTEGER" }.joined()
        try database.transaction { () throws(FleetError) in
            switch try database.integer("PRAGMA user_version") {
            case 0:
                try database.run(
                    """
                    CREATE TABLE stream(number INTEGER PRIMARY KEY, fleet TEXT, bridge TEXT,
                        receiver TEXT, origin TEXT, boot TEXT);
                    CREATE TABLE target(bit INTEGER PRIMARY KEY, name TEXT UNIQUE);
                    CREATE TABLE fix(seq INTEGER PRIMARY KEY AUTOINCREMENT, stream INTEGER NOT NULL,
                        pending INTEGER NOT NULL, received INTEGER NOT NULL, time INTEGER\(columns),
                        others TEXT);
                    PRAGMA user_version=\(version)
                    """)
            case version: break
            case let earlier where (1..<version).contains(earlier):
                for addition in additions where addition.version > earlier {
                    try database.run("ALTER TABLE fix ADD COLUMN \(addition.column)")
                }
                try database.run("PRAGMA user_version=\(version)")
            case let other:
                throw FleetError(
                    spool: path,
                    "it has version \(other), but this program reads version \(version)")
            }
            try database.run(createKept)
            try database.run(createRefused)
        }
        try removeUnusedStreams(database)
        return database
    }

    /// Returns the error for a file that is not a spool.
    private static func foreign(_ path: String) -> FleetError {
        FleetError(
            spool: path,
            "another program has created this file, or it is damaged: "
                + "choose another --spool FILE, or rename this file")
    }

    /// Returns whether a database has the tables of a spool. Their content may be damaged.
    private static func isSpool(_ database: SQLiteDatabase) throws(FleetError) -> Bool {
        // The version alone is not enough: other programs also use `user_version`.
        let tables = "SELECT count(*) FROM sqlite_master WHERE name IN ('stream','target','fix')"
        return try database.integer(tables) == 3
    }

    /// Removes unused streams. This reads the whole table of fixes, so damage is detected before
    /// the file is used.
    private static func removeUnusedStreams(
        _ database: SQLiteDatabase
    ) throws(FleetError) {
        do throws(FleetError) {
            try database.run(
                "DELETE FROM stream WHERE number NOT IN (SELECT DISTINCT stream FROM fix)")
        } catch  where error.isFull {
            // Unused streams are removed the next time the spool is opened.
        }
    }
}
