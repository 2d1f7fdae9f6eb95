// SPDX-License-Identifier: MIT
import CGPSPostgreSQL
import GNSS
import GPSIO
import Glibc

/// A destination for collected fixes. It is used by one thread at a time.
package protocol FixStore: AnyObject {
    /// The store's name for messages to the user.
    var name: String { get }

    /// Opens the store.
    ///
    /// The `kind` of a thrown error determines whether the caller retries.
    func open() throws(StoreError)

    /// Stores batches and rejected messages, and returns after they have been written durably.
    ///
    /// Fixes that are already stored are skipped, so a batch may be stored again after an error.
    func store(_ batches: [FixBatch], rejected: [RejectedMessage]) throws(StoreError) -> StoredCount

    /// Removes the fixes of days that are more than `days` days before the current day. Returns the
    /// number of days removed, not of files or tables.
    ///
    /// A clock that is ahead must not remove all days, so the current day is the earliest that
    /// several clocks show. `engineDay` is the current day by the NATS server's clock, as days
    /// since 1970; `nil` while it is unknown. A store that knows only this machine's clock then
    /// removes nothing.
    func dropDays(olderThan days: Int, engineDay: Int?) throws(StoreError) -> Int
}

package struct StoreError: Error, CustomStringConvertible {
    /// How the caller must react to a failure.
    package enum Kind: Sendable {
        /// Retry later, because the store is unreachable.
        case passing
        /// The store cannot accept the data of at least one batch. Store the batches one at a time,
        /// and the refused batches as rejected messages.
        case data
        /// Do not retry, because an administrator must act.
        case permanent
    }

    /// How the caller must react.
    package let kind: Kind
    /// The reason as text.
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

/// The numbers of fixes that were stored, and of fixes that were skipped because they were already
/// stored.
package struct StoredCount: Sendable, Equatable {
    /// The number of fixes stored.
    package var new = 0
    /// The number of fixes skipped.
    package var duplicates = 0

    /// Creates a count of zero.
    package init() {}
}

/// A message that is not a valid batch of fixes, or whose data the store refused.
package struct RejectedMessage: Sendable {
    /// The name of the JetStream stream that contains the message.
    package let stream: String
    /// The message's sequence number in the stream.
    package let sequence: UInt64
    let subject: String
    /// The reason why the message was rejected.
    package let reason: String
    package let bytes: [UInt8]
}

/// Writes batches of fixes to PostgreSQL. A fix that is sent several times is stored once.
package final class DatabaseStore: FixStore {
    private let address: DatabaseAddress
    /// The days (since 1970) that need no new partition, because they have one.
    private var knownDays: Set<Int> = []
    private var connection: PostgreSQLConnection?
    private var keys = DeviceKeys()

    /// Creates a store for a database, without connecting to it.
    package init(_ address: DatabaseAddress) { self.address = address }

    package var name: String { address.name }

    /// Connects, and creates or updates the tables if the current version of the schema does not
    /// exist.
    package func open() throws(StoreError) {
        try using { _ in }
    }

    /// Stores batches in one transaction, and returns after it has been committed.
    package func store(
        _ batches: [FixBatch], rejected: [RejectedMessage]
    ) throws(StoreError) -> StoredCount {
        try using { connection throws(StoreError) in
            try store(batches, rejected, connection)
        }
    }

    /// Deletes the fixes of days that are more than `days` days before the current day, with their
    /// partitions. Returns the number of deleted days.
    ///
    /// The current day is the earliest that the clocks of this machine, of PostgreSQL and of the
    /// NATS server show. `engineDay` is the day by the clock of the NATS server, as days since
    /// 1970; `nil` if it is unknown.
    package func dropDays(olderThan days: Int, engineDay: Int?) throws(StoreError) -> Int {
        try using { connection throws(StoreError) in
            let result = try connection.execute(
                """
                SELECT gpsbridge.drop_days(
                    least('1970-01-01'::date + $1::integer, current_date) - $2::integer)
                """, [String(min(BridgeClock.today, engineDay ?? .max)), String(days)])
            knownDays = []
            return result.integer(0, 0) ?? 0
        }
    }

    /// Calls `work` with a connection, which is opened if necessary. An error closes the
    /// connection, which rolls back the transaction.
    private func using<R>(
        _ work: (PostgreSQLConnection) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        do throws(StoreError) {
            if let connection { return try work(connection) }
            return try work(try connected())
        } catch {
            connection = nil
            throw error
        }
    }

    private func connected() throws(StoreError) -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(address)
        try connection.execute("SELECT pg_advisory_lock(7164, 0)")
        // The schema is only executed if necessary, so that the role needs no permission to create
        // tables if they exist.
        let found = try connection.execute(FixTable.isPresent)
        if found.integer(0, 0) != 1 { try connection.execute(FixTable.schema) }
        try connection.execute("SELECT pg_advisory_unlock(7164, 0)")
        try connection.execute(StagedFix.createTable)
        knownDays = []
        keys = DeviceKeys()
        self.connection = connection
        return connection
    }

    private func store(
        _ batches: [FixBatch], _ rejected: [RejectedMessage], _ connection: PostgreSQLConnection
    ) throws(StoreError) -> StoredCount {
        let batches = batches.filter { !$0.rows.isEmpty }
        let hasOthers = batches.contains { $0.rows.contains(where: \.hasOthers) }
        var rows = StagedFix.Rows(hasOthers: hasOthers)
        for (batch, key) in zip(batches, try keys.keys(of: batches, connection)) {
            for row in batch.rows { rows.append(row, (key.device, key.boot), batch.origin) }
        }
        try createPartitions(of: rows.days, connection)
        try connection.execute("BEGIN")
        var count = StoredCount()
        if rows.count > 0 {
            let layout = rows.layout
            try connection.copy(rows.finished(), into: layout.destination)
            count.new = try connection.execute(layout.insert).changed
            count.duplicates = rows.count - count.new
        }
        for message in rejected {
            try connection.execute(
                """
                INSERT INTO gpsbridge.rejected (stream, sequence, subject, reason, message)
                VALUES ($1, $2, $3, $4, \(connection.literal(message.bytes))) ON CONFLICT DO NOTHING
                """, [message.stream, String(message.sequence), message.subject, message.reason])
        }
        try connection.execute("COMMIT")
        return count
    }

    /// Creates missing partitions for the given days (since 1970), except for days too far from
    /// today, whose partitions are created when they are near.
    private func createPartitions(
        of days: Set<Int>, _ connection: PostgreSQLConnection
    ) throws(StoreError) {
        let missing = days.subtracting(knownDays)
        guard !missing.isEmpty else { return }
        let today = BridgeClock.today
        for day in missing.sorted() where FixTable.partitionedDays.contains(day - today) {
            try connection.execute(
                "SELECT gpsbridge.create_day('1970-01-01'::date + $1::integer)", [String(day)])
            knownDays.insert(day)
        }
    }
}

/// The address of a PostgreSQL database: `postgresql://[USER@]HOST[:PORT]/DATABASE[?NAME=VALUE…]`.
///
/// Missing parts are taken from the environment (`PGHOST`, `PGSERVICE`…) or from libpq's defaults.
/// The address never contains a password. libpq reads it from `~/.pgpass`, `PGPASSFILE` or a
/// service file.
package struct DatabaseAddress: Sendable {
    /// The address as passed to libpq.
    package let text: String

    /// Parses an address.
    ///
    /// Throws a ``FleetError`` if it is malformed or contains a password. The corresponding C
    /// function is `PQconninfoParse`.
    package init(_ text: String) throws(FleetError) {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            let reason = message.map { String(cString: $0) } ?? "it is malformed"
            PQfreemem(message)
            let line = reason.split(whereSeparator: \.isNewline).joined(separator: " ")
            throw FleetError(
                "not the address of a database: \(line) (expected "
                    + "postgresql://[USER@]HOST/DATABASE)")
        }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            let name = String(cString: keyword)
            if ["password", "sslpassword"].contains(name), option.pointee.val != nil {
                throw FleetError(
                    "a password on the command line can be read by every user of this machine: put it "
                        + "into ~/.pgpass or into a file that PGPASSFILE names")
            }
            if name == "passfile", let path = option.pointee.val {
                _ = try SecretFile(String(cString: path))
            }
            option += 1
        }
        self.text = text
    }

    /// The address without its parameters, for messages.
    package var name: String { String(text.prefix { $0 != "?" }) }

    /// Checks that other users cannot read the files in which libpq looks for passwords, and that
    /// `PGPASSWORD` is not set.
    ///
    /// The check is needed because libpq ignores a password file that others can read, and connects
    /// without a password.
    ///
    /// Throws a ``FleetError`` if the check fails.
    package static func checkPasswordFiles(
        environment: (String) -> String?
    ) throws(FleetError) {
        if let path = environment("PGPASSFILE") {
            _ = try SecretFile(path)
        } else if let home = environment("HOME"), access("\(home)/.pgpass", F_OK) == 0 {
            _ = try SecretFile("\(home)/.pgpass")
        }
        let services =
            environment("PGSERVICEFILE") ?? environment("HOME").map { "\($0)/.pg_service.conf" }
        if let services, hasPassword(services) { _ = try SecretFile(services) }
        guard environment("PGPASSWORD") == nil else {
            throw FleetError(
                "PGPASSWORD can be read by every process of this user: put the password into ~/.pgpass, or "
                    + "into a file that PGPASSFILE names")
        }
    }

    /// Returns whether a libpq service file, such as `~/.pg_service.conf`, contains a password.
    /// Without a password, other users may read the file.
    private static func hasPassword(_ path: String) -> Bool {
        guard let bytes = RegularFile.contents(path) else { return false }
        return bytes.split(separator: UInt8(ascii: "\n")).contains { line in
            let setting = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            return ["password=", "sslpassword="].contains { setting.starts(with: $0.utf8) }
        }
    }
}

/// A cache of the database keys of devices, and of the runs of their bridges. A run lasts from a
/// start of the bridge's program to its end.
private struct DeviceKeys {
    /// The key of a device (table `gpsbridge.device`) and of a run of its bridge (table
    /// `gpsbridge.boot`).
    struct Key: Sendable {
        let device: Int32
        let boot: Int32
    }

    private struct Name: Hashable {
        let member: MemberName
        let boot: String
    }

    /// The maximum number of cached keys. Each restart of a bridge adds a key for each of its
    /// receivers, so a full cache is emptied.
    private static let limit = 1_000_000
    private var keys: [Name: Key] = [:]

    /// Returns the keys of batches, in the order of the batches.
    ///
    /// All new keys are created with three statements in total, because one round trip for each key
    /// would take minutes for ten thousand devices.
    mutating func keys(
        of batches: [FixBatch], _ connection: PostgreSQLConnection
    ) throws(StoreError) -> [Key] {
        if keys.count + batches.count > Self.limit { keys = [:] }
        var unknown: [Name: String] = [:]
        for batch in batches {
            let name = Name(member: batch.member, boot: batch.boot)
            if keys[name] == nil { unknown[name] = batch.software }
        }
        if !unknown.isEmpty { try add(unknown, connection) }
        return try batches.map { batch throws(StoreError) in
            guard let key = keys[Name(member: batch.member, boot: batch.boot)] else {
                throw StoreError(
                    .permanent, "a row of gpsbridge.device or gpsbridge.boot is missing")
            }
            return key
        }
    }

    private mutating func add(
        _ software: [Name: String], _ connection: PostgreSQLConnection
    ) throws(StoreError) {
        let names = Array(software.keys)
        let members = [
            names.map(\.member.fleet), names.map(\.member.bridge), names.map(\.member.receiver),
        ].map(Self.array)
        let boots = members + [Self.array(names.map(\.boot))]
        // All statements are in one transaction, because each commit waits for the disk.
        try connection.execute("BEGIN")
        try connection.execute(Self.insertDevices, members)
        try connection.execute(
            Self.insertBoots, boots + [Self.array(names.map { software[$0] ?? "" })])
        let found = try connection.execute(Self.select, boots)
        for row in 0..<found.count {
            guard let number = found.integer(row, 0), names.indices.contains(number - 1),
                let device = found.integer(row, 1), let boot = found.integer(row, 2)
            else { continue }
            keys[names[number - 1]] = Key(
                device: Int32(clamping: device), boot: Int32(clamping: boot))
        }
        try connection.execute("COMMIT")
    }

    /// Returns the literal of a text array: `{"a","b"}`. NUL characters, which PostgreSQL cannot
    /// store, are omitted.
    private static func array(_ elements: [String]) -> String {
        var literal = "{"
        for element in elements {
            if literal.utf8.count > 1 { literal += "," }
            literal += "\""
            for scalar in element.unicodeScalars where scalar != "\0" {
                if scalar == "\"" || scalar == "\\" { literal += "\\" }
                literal.unicodeScalars.append(scalar)
            }
            literal += "\""
        }
        return literal + "}"
    }

    // `ORDER BY` makes all collectors insert in the same order, which prevents deadlocks. `WHERE
    // NOT EXISTS` is needed because even an insert that conflicts uses up an identity number.

    private static let insertDevices = """
        INSERT INTO gpsbridge.device (fleet, bridge, receiver)
        SELECT DISTINCT fleet, bridge, receiver
        FROM unnest($1::text[], $2::text[], $3::text[]) AS new (fleet, bridge, receiver)
        WHERE NOT EXISTS (SELECT FROM gpsbridge.device AS old
            WHERE old.name = new.fleet || '/' || new.bridge || '/' || new.receiver)
        ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING
        """

    private static let insertBoots = """
        INSERT INTO gpsbridge.boot (device, word, software)
        SELECT device.id, word, software
        FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
            AS new (fleet, bridge, receiver, word, software)
        JOIN gpsbridge.device ON name = new.fleet || '/' || new.bridge || '/' || new.receiver
        WHERE NOT EXISTS (SELECT FROM gpsbridge.boot AS old
            WHERE old.device = device.id AND old.word = new.word)
        ORDER BY 1, 2 ON CONFLICT DO NOTHING
        """

    private static let select = """
        SELECT number, device.id, boot.id
        FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
            WITH ORDINALITY AS new (fleet, bridge, receiver, word, number)
        JOIN gpsbridge.device ON name = new.fleet || '/' || new.bridge || '/' || new.receiver
        JOIN gpsbridge.boot ON boot.device = device.id AND boot.word = new.word
        """
}
