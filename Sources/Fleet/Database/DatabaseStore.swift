// SPDX-License-Identifier: MIT
import GNSS

/// Writes batches of fixes to PostgreSQL, each fix once however often it comes.
package final class DatabaseStore: FixStore {
    private let address: DatabaseAddress
    private let today: @Sendable () -> Int
    private let days: FixDays
    private var connection: PostgreSQLConnection?
    private var keys = DeviceKeys()

    /// Names a database, which `open` connects to. `today` counts from 1970.
    package init(_ address: DatabaseAddress, today: @escaping @Sendable () -> Int) {
        self.address = address
        self.today = today
        days = FixDays(today: today)
    }

    package var name: String { address.name }

    /// Connects, and makes tables where there are none.
    package func open() throws(StoreError) {
        try using { _ in }
    }

    /// Stores batches in one transaction; returns after its commit.
    package func store(
        _ batches: [FixBatch], rejected: [RejectedMessage]
    ) throws(StoreError) -> StoredCount {
        try using { connection throws(PostgreSQLError) in
            try store(batches, rejected, connection)
        }
    }

    package func dropDays(olderThan days: Int) throws(StoreError) -> Int {
        try using { connection throws(PostgreSQLError) in
            let result = try connection.execute(
                "SELECT gpsbridge.drop_days('1970-01-01'::date + $1::integer)",
                [String(today() - days)])
            self.days.forget()
            return result.text(0, 0).flatMap { Int($0) } ?? 0
        }
    }

    /// Does something with a connection. An error closes it, and with that ends the transaction.
    private func using<R>(
        _ work: (PostgreSQLConnection) throws(PostgreSQLError) -> R
    ) throws(StoreError) -> R {
        do throws(PostgreSQLError) {
            if let connection { return try work(connection) }
            return try work(try connected())
        } catch {
            connection = nil
            throw error.asStoreError
        }
    }

    private func connected() throws(PostgreSQLError) -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(address)
        try connection.execute("SELECT pg_advisory_lock(7164, 0)")
        // A role that may only write into tables that are there already need not be allowed more.
        let found = try connection.execute("SELECT to_regclass('gpsbridge.latest')")
        if found.text(0, 0) == nil { try connection.execute(FixTable.schema) }
        try connection.execute("SELECT pg_advisory_unlock(7164, 0)")
        try connection.execute(StagedFix.createTable)
        days.forget()
        keys = DeviceKeys()
        self.connection = connection
        return connection
    }

    private func store(
        _ batches: [FixBatch], _ rejected: [RejectedMessage], _ connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> StoredCount {
        try keys.add(batches, connection)
        var rows = StagedFix.Rows()
        for batch in batches where !batch.rows.isEmpty {
            let key = try keys.key(of: batch, connection)
            for row in batch.rows { rows.append(row, (key.device, key.boot), batch.origin) }
        }
        try days.create(rows.days, connection)
        try connection.execute("BEGIN")
        var count = StoredCount()
        if rows.count > 0 {
            try connection.copy(rows.finished(), into: StagedFix.table)
            count.new = try connection.execute(StagedFix.insert).changed
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
}

/// The numbers that stand for devices and their boots in the table.
private struct DeviceKeys {
    struct Key: Sendable {
        let device: Int32
        let boot: Int32
    }

    private struct Name: Hashable {
        let member: MemberName
        let boot: String
    }

    /// A fleet whose bridges start all the time must not fill the memory.
    private static let limit = 1_000_000
    private var keys: [Name: Key] = [:]

    /// Looks up those of batches, or makes them, in one transaction: each commit waits for the disk.
    mutating func add(
        _ batches: [FixBatch], _ connection: PostgreSQLConnection
    ) throws(PostgreSQLError) {
        let unknown = batches.filter {
            !$0.rows.isEmpty && keys[Name(member: $0.member, boot: $0.boot)] == nil
        }
        guard !unknown.isEmpty else { return }
        try connection.execute("BEGIN")
        // In an order that is the same for all collectors, so that none waits for one that waits for it.
        for batch in unknown.sorted(by: { "\($0.member)/\($0.boot)" < "\($1.member)/\($1.boot)" }) {
            _ = try key(of: batch, connection)
        }
        try connection.execute("COMMIT")
    }

    /// Looks up a batch's, or makes them.
    mutating func key(
        of batch: FixBatch, _ connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> Key {
        let name = Name(member: batch.member, boot: batch.boot)
        if let key = keys[name] { return key }
        let member = batch.member
        let device = try Self.id(
            connection, [member.fleet, member.bridge, member.receiver],
            select: """
                SELECT id FROM gpsbridge.device WHERE fleet = $1 AND bridge = $2 AND receiver = $3
                """,
            insert: """
                INSERT INTO gpsbridge.device (fleet, bridge, receiver) VALUES ($1, $2, $3)
                ON CONFLICT DO NOTHING
                """)
        let boot = try Self.id(
            connection, [String(device), batch.boot, batch.software],
            select:
                "SELECT id FROM gpsbridge.boot WHERE device = $1 AND word = $2 AND $3::text IS NOT NULL",
            insert: """
                INSERT INTO gpsbridge.boot (device, word, software) VALUES ($1, $2, $3)
                ON CONFLICT DO NOTHING
                """)
        let key = Key(device: device, boot: boot)
        if keys.count >= Self.limit { keys = [:] }
        keys[name] = key
        return key
    }

    private static func id(
        _ connection: PostgreSQLConnection, _ parameters: [String], select: String, insert: String
    ) throws(PostgreSQLError) -> Int32 {
        for _ in 0..<2 {
            let found = try connection.execute(select, parameters)
            if let id = found.text(0, 0).flatMap({ Int32($0) }) { return id }
            try connection.execute(insert, parameters)
        }
        let found = try connection.execute(select, parameters)
        guard let id = found.text(0, 0).flatMap({ Int32($0) }) else {
            throw PostgreSQLError("a row of gpsbridge.device or gpsbridge.boot is not there")
        }
        return id
    }
}

/// The partitions that are there.
private final class FixDays {
    private let today: @Sendable () -> Int
    private var known: Set<Int> = []

    init(today: @escaping @Sendable () -> Int) {
        self.today = today
    }

    func forget() { known = [] }

    /// Makes those of the days, counted from 1970, that may have one.
    func create(
        _ days: Set<Int>, _ connection: PostgreSQLConnection
    ) throws(PostgreSQLError) {
        let missing = days.subtracting(known)
        guard !missing.isEmpty else { return }
        let today = today()
        for day in missing.sorted() {
            if FixTable.partitionedDays.contains(day - today) {
                try connection.execute(
                    "SELECT gpsbridge.create_day('1970-01-01'::date + $1::integer)", [String(day)])
            } else if known.count > 100_000 {
                known = []
            }
            known.insert(day)
        }
    }
}
