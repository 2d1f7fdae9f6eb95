// SPDX-License-Identifier: MIT
import CGPSSQLite
import GNSS

extension FleetError {
    /// Creates the error of a spool's file. It is permanent if SQLite's code shows that the file is
    /// damaged or is not a database.
    init(spool path: String, _ reason: String, code: CInt = SQLITE_OK) {
        self.init(
            reason, of: "the spool \(path)",
            isPermanent: [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF))
        isFull = code & 0xFF == SQLITE_FULL
    }
}

/// The database file of a spool, which only this process writes.
///
/// It is used by one thread at a time. The corresponding C type is `sqlite3`.
package final class SQLiteDatabase {
    private let path: String
    private let database: OpaquePointer

    /// Opens a database file, or creates it.
    ///
    /// The corresponding C function is `sqlite3_open_v2`.
    package init(path: String) throws(FleetError) {
        var database: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let status = sqlite3_open_v2(FileName.native(path), &database, flags, nil)
        guard status == SQLITE_OK, let database else {
            let error = FleetError(spool: path, Self.text(status, database), code: status)
            sqlite3_close(database)
            throw error
        }
        self.path = path
        self.database = database
        // Other processes may be reading the file, so statements wait up to 5 s for their locks.
        sqlite3_busy_timeout(database, 5000)
    }

    deinit { sqlite3_close_v2(database) }

    private static func text(_ status: CInt, _ database: OpaquePointer?) -> String {
        let text = database.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(status)
        return text.map { String(cString: $0) } ?? "error \(status)"
    }

    /// Throws the last error unless `status` is a successful status.
    func check(_ status: CInt) throws(FleetError) {
        guard status != SQLITE_OK, status != SQLITE_DONE, status != SQLITE_ROW else { return }
        throw FleetError(
            spool: path, Self.text(status, database), code: sqlite3_extended_errcode(database))
    }

    /// Executes statements without results.
    ///
    /// The corresponding C function is `sqlite3_exec`.
    package func run(_ text: String) throws(FleetError) {
        try check(sqlite3_exec(database, text, nil, nil, nil))
    }

    /// Prepares a statement.
    ///
    /// The corresponding C function is `sqlite3_prepare_v3`.
    func prepare(_ text: String) throws(FleetError) -> SQLiteStatement {
        var statement: OpaquePointer?
        let flags = CUnsignedInt(SQLITE_PREPARE_PERSISTENT)
        try check(sqlite3_prepare_v3(database, text, -1, flags, &statement, nil))
        guard let statement else { throw FleetError(spool: path, text) }
        return SQLiteStatement(statement, self)
    }

    /// Executes a query and returns the first column of its first row, or 0 if there are no rows or
    /// the value is null.
    package func integer(_ text: String) throws(FleetError) -> Int64 {
        let statement = try prepare(text)
        return try statement.step() ? statement.integer(0) ?? 0 : 0
    }

    /// Runs `body` in a transaction, which is rolled back if `body` throws.
    func transaction<R>(_ body: () throws(FleetError) -> R) throws(FleetError) -> R {
        try run("BEGIN IMMEDIATE")
        do throws(FleetError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // The failure may already have ended the transaction, so an error of the rollback is
            // ignored.
            _ = sqlite3_exec(database, "ROLLBACK", nil, nil, nil)
            throw error
        }
    }

    /// The rowid of the last row inserted.
    var lastRow: Int64 { sqlite3_last_insert_rowid(database) }

    /// The number of rows that the last statement changed.
    var changeCount: Int { Int(sqlite3_changes(database)) }
}

/// A prepared statement that is executed repeatedly.
///
/// The corresponding C type is `sqlite3_stmt`.
final class SQLiteStatement {
    private let statement: OpaquePointer
    private let database: SQLiteDatabase

    init(_ statement: OpaquePointer, _ database: SQLiteDatabase) {
        self.statement = statement
        self.database = database
    }

    deinit { sqlite3_finalize(statement) }

    /// Makes SQLite copy a value that is passed to it.
    private static var transient: sqlite3_destructor_type {
        // Safety: SQLITE_TRANSIENT, a macro that Swift does not import. SQLite does not call it.
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    /// Sets the parameter with this index. Numbering begins at 1. `nil` means null.
    func bind(_ index: Int, _ value: Int64?) {
        // An error is ignored here, because `step` then fails too.
        _ =
            value.map { sqlite3_bind_int64(statement, CInt(index), $0) }
            ?? sqlite3_bind_null(statement, CInt(index))
    }

    /// Sets a parameter to text. `nil` means null.
    func bind(_ index: Int, _ value: String?) {
        guard let value else { return bind(index, nil as Int64?) }
        _ = sqlite3_bind_text(statement, CInt(index), value, -1, Self.transient)
    }

    /// Sets a parameter to bytes.
    func bind(_ index: Int, _ value: [UInt8]) {
        _ = value.withUnsafeBytes {
            sqlite3_bind_blob64(
                statement, CInt(index), $0.baseAddress, sqlite3_uint64($0.count),
                Self.transient)
        }
    }

    /// Advances to the next row and returns `true`. After the last row, returns `false` and resets
    /// the statement.
    ///
    /// The corresponding C function is `sqlite3_step`.
    func step() throws(FleetError) -> Bool {
        let status = sqlite3_step(statement)
        if status == SQLITE_ROW { return true }
        sqlite3_reset(statement)
        try database.check(status)
        return false
    }

    /// Ends the execution early, without reading the remaining rows.
    ///
    /// The corresponding C function is `sqlite3_reset`.
    func reset() { sqlite3_reset(statement) }

    /// Executes the statement with these parameters and ignores its rows.
    func run(_ values: Int64?...) throws(FleetError) {
        for (index, value) in values.enumerated() { bind(index + 1, value) }
        while try step() {}
    }

    /// Returns an integer from the current row; `nil` for null. Numbering of columns begins at 0.
    func integer(_ column: Int) -> Int64? {
        sqlite3_column_type(statement, CInt(column)) == SQLITE_NULL
            ? nil : sqlite3_column_int64(statement, CInt(column))
    }

    /// Returns bytes from the current row; empty for null.
    func bytes(_ column: Int) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, CInt(column)) else { return [] }
        let count = Int(sqlite3_column_bytes(statement, CInt(column)))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Returns text from the current row; empty for null.
    func text(_ column: Int) -> String {
        sqlite3_column_text(statement, CInt(column)).map { String(cString: $0) } ?? ""
    }
}
