// SPDX-License-Identifier: MIT
import GNSS

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
