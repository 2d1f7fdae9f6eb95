// SPDX-License-Identifier: MIT
package import GNSS
import Glibc

/// A file of fixes that are waiting to be sent to engines. A fix stays until every target has it.
///
/// `append` returns when the fixes are on disk. Used by one thread at a time.
package final class Spool {
    /// Fixes of one receiver in one run of the bridge.
    package struct Stream: Hashable, Sendable {
        /// The number in the spool.
        package let number: Int64
        /// The receiver's name.
        package let member: MemberName
        /// Whether its fixes are live, recorded or simulated.
        package let origin: DataOrigin
        /// The run of the bridge.
        package let boot: String
    }

    /// A fix with its stream.
    package struct Entry: Sendable {
        /// The stream's number.
        package let stream: Int64
        /// The stored fix.
        package var row: FixRow

        /// Creates an entry.
        package init(stream: Int64, row: FixRow) {
            self.stream = stream
            self.row = row
        }
    }

    /// The path of the database file.
    package let path: String
    /// The limits of size and age.
    package var limits = SpoolLimits()
    /// The streams by their numbers.
    package private(set) var streams: [Int64: Stream] = [:]
    /// The number of fixes in the spool.
    package internal(set) var count = 0
    /// The fixes dropped since the spool was opened.
    package internal(set) var loss = SpoolLoss()

    /// Released after the database is closed.
    private let lock: SpoolLock
    let reserve: SpoolReserve
    let database: SQLiteDatabase
    private let insertion: SQLiteStatement
    private let acknowledgement: SQLiteStatement
    private let removal: SQLiteStatement
    let keeping: SQLiteStatement
    private let forgetting: SQLiteStatement
    private let selections: (newest: SQLiteStatement, oldest: SQLiteStatement)
    /// The sequence numbers up to which each level has been thinned; see `thin`.
    var thinnedTo: [Int64] = []
    private var targets: [String: Int64] = [:]

    private static let version = 3
    private static let names = FixColumn.all.map(\.name)

    /// Opens a spool, or creates one. A damaged file is renamed, which `log` reports.
    ///
    /// Throws if another process uses it or the folder cannot be written.
    package init(path: String, log: (String) -> Void = { _ in }) throws(FleetError) {
        self.path = path
        lock = try SpoolLock(path)
        reserve = SpoolReserve(of: path)
        do throws(SQLiteDatabase.Failure) {
            let database = try Self.open(path, log)
            self.database = database
            let columns = Self.names.map { "\"\($0)\"" }.joined(separator: ",")
            let places = Self.names.map { _ in "?" }.joined(separator: ",")
            insertion = try database.prepare(
                "INSERT INTO fix(stream,pending,received,time,\(columns)) VALUES(?,?,?,?,\(places))"
            )
            acknowledgement = try database.prepare(
                "UPDATE fix SET pending=pending&~?2 WHERE seq=?1")
            removal = try database.prepare("DELETE FROM fix WHERE seq=?1 AND pending&~?2=0")
            keeping = try database.prepare(
                "INSERT INTO kept(target,stream,place,id,destination,body) VALUES(?,?,?,?,?,?)")
            forgetting = try database.prepare("DELETE FROM kept WHERE number=?")
            func selection(_ order: String) throws(SQLiteDatabase.Failure) -> SQLiteStatement {
                try database.prepare(
                    "SELECT seq,stream,received,time,\(columns) FROM fix "
                        + "WHERE seq BETWEEN ?1 AND ?2 AND pending&?3 ORDER BY seq \(order) LIMIT ?4"
                )
            }
            selections = (try selection("DESC"), try selection("ASC"))
            try load()
            reserve.fill()
        } catch {
            throw FleetError("the spool \(path): \(error)")
        }
    }

    private static func open(
        _ path: String, _ log: (String) -> Void
    ) throws(SQLiteDatabase.Failure) -> SQLiteDatabase {
        // Positions are private: other users must not read the file.
        let mask = umask(0o077)
        defer { umask(mask) }
        do throws(SQLiteDatabase.Failure) {
            return try prepared(path)
        } catch  where error.isDamaged {
            let aside = path + ".damaged"
            for ending in ["", "-wal", "-shm"] { rename(path + ending, aside + ending) }
            log("\(path) is damaged, and is \(aside) now: \(error)")
            return try prepared(path)
        }
    }

    private static func prepared(_ path: String) throws(SQLiteDatabase.Failure) -> SQLiteDatabase {
        let database = try SQLiteDatabase(path: path)
        // Fixes survive a power failure once `append` has returned.
        try database.run(
            "PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL;"
                + "PRAGMA synchronous=FULL; PRAGMA journal_size_limit=4194304")
        let columns = names.map { ",\"\($0)\" INTEGER" }.joined()
        try database.transaction { () throws(SQLiteDatabase.Failure) in
            switch try database.integer("PRAGMA user_version") {
            case 0:
                try database.run(
                    """
                    CREATE TABLE stream(number INTEGER PRIMARY KEY, fleet TEXT, bridge TEXT,
                        receiver TEXT, origin TEXT, boot TEXT);
                    CREATE TABLE target(bit INTEGER PRIMARY KEY, name TEXT UNIQUE);
                    CREATE TABLE fix(seq INTEGER PRIMARY KEY AUTOINCREMENT, stream INTEGER NOT NULL,
                        pending INTEGER NOT NULL, received INTEGER NOT NULL, time INTEGER\(columns));
                    PRAGMA user_version=\(version)
                    """)
            case Int64(version): break
            // Columns that earlier versions don't have.
            case 1:
                try database.run(
                    """
                    ALTER TABLE fix ADD COLUMN odometer INTEGER;
                    ALTER TABLE fix ADD COLUMN integrity INTEGER;
                    PRAGMA user_version=\(version)
                    """)
            case 2:
                try database.run(
                    "ALTER TABLE fix ADD COLUMN integrity INTEGER; PRAGMA user_version=\(version)")
            case let other:
                throw SQLiteDatabase.Failure(
                    code: 0, description: "it is of version \(other); this program reads \(version)"
                )
            }
            try database.run(createKept)
        }
        return database
    }

    private func load() throws(SQLiteDatabase.Failure) {
        do throws(SQLiteDatabase.Failure) {
            try database.run(
                "DELETE FROM stream WHERE number NOT IN (SELECT DISTINCT stream FROM fix)")
        } catch  where error.isFull {
            // Retried the next time the spool is opened.
        }
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
    }

    /// Sets the targets that are to have every fix from now on; returns the bit of each, its id in the spool.
    /// The backlog of a removed target goes to the new ones, since an engine may have moved. It is dropped if
    /// none is new.
    package func setTargets(_ names: [String]) throws(FleetError) -> [Int64] {
        try wrapped { () throws(SQLiteDatabase.Failure) in
            try database.transaction { () throws(SQLiteDatabase.Failure) in
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
                // `pending=0` selects fixes that were stored before the first target was set.
                let heirs = "UPDATE fix SET pending=pending&~?1|?2 WHERE pending&?1 OR pending=0"
                try database.prepare(heirs).run(goneBits, newBits)
                try database.run("DELETE FROM fix WHERE pending=0")
                count -= database.changeCount
                loss.dropped += database.changeCount
            }
            return names.map { targets[$0] ?? 0 }
        }
    }

    /// Creates streams for one run of the bridge.
    package func addStreams(
        _ new: [(member: MemberName, origin: DataOrigin)], boot: String
    ) throws(FleetError) -> [Stream] {
        try wrapped { () throws(SQLiteDatabase.Failure) in
            let statement = try database.prepare(
                "INSERT INTO stream(fleet,bridge,receiver,origin,boot) VALUES(?,?,?,?,?)")
            return try database.transaction { () throws(SQLiteDatabase.Failure) in
                var added: [Stream] = []
                for (member, origin) in new {
                    let texts = [
                        member.fleet, member.bridge, member.receiver, origin.rawValue, boot,
                    ]
                    for (index, text) in texts.enumerated() { statement.bind(index + 1, text) }
                    try statement.run()
                    let stream = Stream(
                        number: database.lastRow, member: member, origin: origin, boot: boot)
                    streams[stream.number] = stream
                    added.append(stream)
                }
                return added
            }
        }
    }

    /// Stores fixes and sets their sequence numbers.
    ///
    /// If the disk is full, the oldest fixes are dropped. Throws if that does not make enough room;
    /// then none of the new fixes is stored.
    package func append(_ entries: inout [Entry]) throws(FleetError) {
        let pending = targets.values.reduce(0, |)
        try wrapped { () throws(SQLiteDatabase.Failure) in
            do throws(SQLiteDatabase.Failure) {
                try insert(&entries, pending)
            } catch  where error.isFull {
                try makeRoom()
                try dropOldest(max(1000, count / 10))
                try insert(&entries, pending)
            }
        }
    }

    /// Moves the write-ahead log into the database, using the space of the reserve if the disk is
    /// full.
    private func makeRoom() throws(SQLiteDatabase.Failure) {
        reserve.release()
        try forgetKept()
        try database.run("PRAGMA wal_checkpoint(RESTART)")
    }

    private func insert(
        _ entries: inout [Entry], _ pending: Int64
    ) throws(SQLiteDatabase.Failure) {
        try database.transaction { () throws(SQLiteDatabase.Failure) in
            for index in entries.indices {
                let row = entries[index].row
                insertion.bind(1, entries[index].stream)
                insertion.bind(2, pending)
                insertion.bind(3, row.received)
                insertion.bind(4, row.time)
                for column in row.values.indices {
                    let value = row.values[column]
                    insertion.bind(5 + column, value == FixRow.unknown ? nil : value)
                }
                _ = try insertion.step()
                entries[index].row.sequence = database.lastRow
            }
        }
        count += entries.count
    }

    /// Records that a target has fixes, and removes those that all targets have. Also stores the
    /// messages in `keeping`, whose numbers are returned, and removes those in `forgetting`; if the
    /// disk is full, no message is kept.
    @discardableResult
    package func acknowledge(
        _ sequences: [Int64], keeping kept: [KeptMessage] = [], forgetting numbers: [Int64] = [],
        bit: Int64
    ) throws(FleetError) -> [Int64] {
        guard !sequences.isEmpty || !kept.isEmpty || !numbers.isEmpty else { return [] }
        return try wrapped { () throws(SQLiteDatabase.Failure) in
            let result: (removed: Int, kept: [Int64])
            do throws(SQLiteDatabase.Failure) {
                result = try remove(sequences, kept, numbers, bit)
            } catch  where error.isFull {
                try makeRoom()
                result = try remove(sequences, [], [], bit)
            }
            count -= result.removed
            return result.kept
        }
    }

    private func remove(
        _ sequences: [Int64], _ kept: [KeptMessage], _ numbers: [Int64], _ bit: Int64
    ) throws(SQLiteDatabase.Failure) -> (removed: Int, kept: [Int64]) {
        let isOnly = targets.count == 1
        return try database.transaction { () throws(SQLiteDatabase.Failure) in
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

    /// Returns the range of sequence numbers; `nil` if the spool is empty.
    package func range() throws(FleetError) -> ClosedRange<Int64>? {
        guard count > 0 else { return nil }
        return try wrapped { () throws(SQLiteDatabase.Failure) in
            let first = try database.integer("SELECT min(seq) FROM fix")
            let last = try database.integer("SELECT max(seq) FROM fix")
            return first > 0 && first <= last ? first...last : nil
        }
    }

    /// Returns fixes that a target does not have, from the end or the beginning of a range.
    package func read(
        _ range: ClosedRange<Int64>, newestFirst: Bool, limit: Int, bit: Int64
    ) throws(FleetError) -> [Entry] {
        try wrapped { () throws(SQLiteDatabase.Failure) in
            let selection = newestFirst ? selections.newest : selections.oldest
            let parameters = [range.lowerBound, range.upperBound, bit, Int64(limit)]
            for (index, value) in parameters.enumerated() { selection.bind(index + 1, value) }
            var entries: [Entry] = []
            while try selection.step() {
                var row = FixRow(
                    sequence: selection.integer(0) ?? 0, time: selection.integer(3),
                    received: selection.integer(2) ?? 0)
                for column in row.values.indices {
                    row.values[column] = selection.integer(4 + column) ?? FixRow.unknown
                }
                entries.append(Entry(stream: selection.integer(1) ?? 0, row: row))
            }
            return entries
        }
    }

    /// Runs `body` and adds the file name to an error of SQLite.
    func wrapped<R>(_ body: () throws(SQLiteDatabase.Failure) -> R) throws(FleetError) -> R {
        do throws(SQLiteDatabase.Failure) {
            return try body()
        } catch {
            throw FleetError("the spool \(path): \(error)")
        }
    }
}
