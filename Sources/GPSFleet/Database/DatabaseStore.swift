// SPDX-License-Identifier: MIT
import GNSS

/// Writes batches of fixes to PostgreSQL. A fix that is sent several times is stored once.
package final class DatabaseStore: FixStore {
    private let address: DatabaseAddress
    private let today: @Sendable () -> Int
    /// Days that have a partition or do not get one.
    private var knownDays: Set<Int> = []
    private var connection: PostgreSQLConnection?
    private var keys = DeviceKeys()

    /// Creates a store for a database; `open` connects to it. `today` returns days since 1970.
    package init(_ address: DatabaseAddress, today: @escaping @Sendable () -> Int) {
        self.address = address
        self.today = today
    }

    package var name: String { address.name }

    /// Connects, and creates the tables if they do not exist.
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
            knownDays = []
            return result.integer(0, 0) ?? 0
        }
    }

    /// Runs `body` with a connection. An error closes the connection, which ends the transaction.
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
        // If the tables exist, the role does not need the right to create them.
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
    ) throws(PostgreSQLError) -> StoredCount {
        var rows = StagedFix.Rows()
        let batches = batches.filter { !$0.rows.isEmpty }
        for (batch, key) in zip(batches, try keys.keys(of: batches, connection)) {
            for row in batch.rows { rows.append(row, (key.device, key.boot), batch.origin) }
        }
        try createPartitions(of: rows.days, connection)
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

    /// Creates the partitions of those days (since 1970) that may have one.
    private func createPartitions(
        of days: Set<Int>, _ connection: PostgreSQLConnection
    ) throws(PostgreSQLError) {
        let missing = days.subtracting(knownDays)
        guard !missing.isEmpty else { return }
        let today = today()
        for day in missing.sorted() {
            if FixTable.partitionedDays.contains(day - today) {
                try connection.execute(
                    "SELECT gpsbridge.create_day('1970-01-01'::date + $1::integer)", [String(day)])
            } else if knownDays.count > 100_000 {
                knownDays = []
            }
            knownDays.insert(day)
        }
    }
}
