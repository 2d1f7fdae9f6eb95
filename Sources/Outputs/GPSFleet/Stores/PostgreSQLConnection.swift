// SPDX-License-Identifier: MIT
import CGPSPostgreSQL
import GNSS
import Glibc

/// A connection to PostgreSQL, used by one thread at a time. It is closed when its last reference
/// is released.
final class PostgreSQLConnection {
    private let connection: OpaquePointer

    /// Connects. Waits at most 10 s for a server to answer. A broken connection is detected within
    /// half a minute.
    ///
    /// Throws a ``StoreError``. The corresponding C function is `PQconnectdbParams`.
    init(_ database: DatabaseAddress) throws(StoreError) {
        // Later parameters take precedence, so the address (`dbname`) can override the earlier
        // ones.
        let parameters: [(String, String)] = [
            ("connect_timeout", "10"), ("tcp_user_timeout", "30000"), ("keepalives_idle", "15"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("fallback_application_name", "gpsbridge"), ("dbname", database.text),
        ]
        func call<R>(
            _ function: (
                UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<UnsafePointer<CChar>?>?, CInt
            ) -> R
        ) -> R {
            withCStrings(parameters.map(\.0) + parameters.map(\.1)) { strings in
                function(
                    Array(strings[..<parameters.count]) + [nil],
                    Array(strings[parameters.count...]) + [nil], 1)
            }
        }
        var connection = call(PQconnectdbParams)
        // If the server answers a ping, it may have started after the failed attempt, so the
        // attempt is repeated.
        var isRefused = false
        for _ in 0..<3 where PQstatus(connection) != CONNECTION_OK {
            isRefused = call(PQpingParams) == PQPING_OK
            guard isRefused else { break }
            PQfinish(connection)
            connection = call(PQconnectdbParams)
        }
        guard let connection else { throw StoreError(.permanent, "out of memory") }
        guard PQstatus(connection) == CONNECTION_OK else {
            defer { PQfinish(connection) }
            let error = StoreError(connection, nil)
            // The server is running but refuses the connection, so the SQLSTATE shows whether a later
            // attempt may succeed.
            guard isRefused, let code = call(Self.refusal) else { throw error }
            throw StoreError(StoreError.kind(code, isDisconnected: false), error.description)
        }
        self.connection = connection
        // Notices are ignored, because they only report that an object already exists.
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
        try execute("SET jit = off; SET timezone = 'UTC'; SET client_encoding = 'UTF8'")
    }

    deinit { PQfinish(connection) }

    /// Connects once more to find out why the server refuses the connection, and returns the
    /// SQLSTATE of the refusal. The result is empty if libpq itself refuses the connection, for
    /// example because a password is missing. It is `nil` if the server now accepts the connection,
    /// or does not answer for 10 s.
    ///
    /// libpq reports the SQLSTATE only in the text of the error message, and only if the program
    /// requests this after the connection attempt has started. The rest of the message is in the
    /// server's language. The corresponding C functions are `PQconnectStartParams` and
    /// `PQconnectPoll`.
    private static func refusal(
        _ names: UnsafePointer<UnsafePointer<CChar>?>?,
        _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ expandsName: CInt
    ) -> String? {
        guard let connection = PQconnectStartParams(names, values, expandsName) else { return nil }
        defer { PQfinish(connection) }
        PQsetErrorVerbosity(connection, PQERRORS_SQLSTATE)
        var status = PGRES_POLLING_WRITING
        while status != PGRES_POLLING_FAILED {
            guard status != PGRES_POLLING_OK else { return nil }
            let events = status == PGRES_POLLING_READING ? POLLIN : POLLOUT
            var ready = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
            guard ready.fd >= 0, poll(&ready, 1, 10_000) == 1 else { return nil }
            status = PQconnectPoll(connection)
        }
        // The message ends with `FATAL:  53300`.
        let words = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        let code = words.split(whereSeparator: \.isWhitespace).last ?? ""
        let isCode = code.count == 5 && code.allSatisfy { $0.isNumber || $0.isUppercase }
        return isCode ? String(code) : ""
    }

    /// Executes statements and returns the result of the last one.
    ///
    /// Throws a ``StoreError``. The corresponding C function is `PQexec`.
    @discardableResult
    func execute(_ statements: String) throws(StoreError) -> PostgreSQLResult {
        try check(PQexec(connection, statements))
    }

    /// Executes one statement. `parameters` are the values of `$1`, `$2`…, which are never
    /// interpreted as SQL.
    ///
    /// Throws a ``StoreError``. The corresponding C function is `PQexecParams`.
    @discardableResult
    func execute(
        _ statement: String, _ parameters: [String]
    ) throws(StoreError) -> PostgreSQLResult {
        let result = withCStrings(parameters) { values in
            PQexecParams(
                connection, statement, CInt(parameters.count), nil, values, nil, nil, 0)
        }
        return try check(result)
    }

    /// Copies rows into a table with `COPY`. `rows` contains PostgreSQL's binary format.
    ///
    /// Throws a ``StoreError``. The corresponding C functions are `PQputCopyData` and
    /// `PQputCopyEnd`.
    func copy(_ rows: [UInt8], into table: String) throws(StoreError) {
        let result = PQexec(connection, "COPY \(table) FROM STDIN (FORMAT binary)")
        let status = PQresultStatus(result)
        guard status == PGRES_COPY_IN else {
            try check(result)
            throw StoreError(.permanent, "the server does not accept rows for \(table)")
        }
        PQclear(result)
        let sent = rows.withUnsafeBytes { rows in
            PQputCopyData(
                connection, rows.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(rows.count))
        }
        guard sent == 1, PQputCopyEnd(connection, nil) == 1 else {
            throw StoreError(connection, nil)
        }
        try check(PQgetResult(connection))
        while let more = PQgetResult(connection) { PQclear(more) }
    }

    /// Returns the `bytea` literal of bytes: `'\x48656c6c6f'`.
    func literal(_ bytes: [UInt8]) -> String {
        "'\\x" + Hexadecimal.text(bytes) + "'"
    }

    @discardableResult
    private func check(_ result: OpaquePointer?) throws(StoreError) -> PostgreSQLResult {
        let status = PQresultStatus(result)
        guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK, let result else {
            defer { PQclear(result) }
            throw StoreError(connection, result)
        }
        return PostgreSQLResult(result)
    }
}

/// The result of a statement.
final class PostgreSQLResult {
    private let result: OpaquePointer

    fileprivate init(_ result: OpaquePointer) {
        self.result = result
    }

    deinit { PQclear(result) }

    /// The number of rows.
    var count: Int { Int(PQntuples(result)) }

    /// The number of rows that the statement changed.
    var changed: Int { PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// Returns a value as an integer; `nil` if it is null or not an integer.
    func integer(_ row: Int, _ column: Int) -> Int? {
        guard row < count, column < Int(PQnfields(result)),
            PQgetisnull(result, CInt(row), CInt(column)) == 0
        else { return nil }
        return PQgetvalue(result, CInt(row), CInt(column)).flatMap { Int(String(cString: $0)) }
    }
}

extension StoreError {
    /// Creates an error from the message of `result`, or from the connection's last error if
    /// `result` is `nil`. The message is on one line.
    init(_ connection: OpaquePointer, _ result: OpaquePointer?) {
        let words =
            result.flatMap { PQresultErrorMessage($0) }.map { String(cString: $0) }
            ?? PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        let line = words.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }
            .joined(separator: "; ")
        // "C" is `PG_DIAG_SQLSTATE`, a macro that Swift cannot import.
        let code = PQresultErrorField(result, CInt(UInt8(ascii: "C"))).map { String(cString: $0) }
        self.init(
            Self.kind(code, isDisconnected: PQstatus(connection) != CONNECTION_OK),
            line.isEmpty ? "PostgreSQL gives no reason: see its log" : line)
    }

    /// Returns the kind of an error. `code` is the SQLSTATE of the error; `nil` if the error does
    /// not come from the server. `isDisconnected` is `true` if the connection was lost or refused.
    package static func kind(_ code: String?, isDisconnected: Bool) -> Kind {
        guard let code else { return isDisconnected ? .passing : .permanent }
        // Classes 08 (connection), 40 (rollback), 53 (resources) and 57 (operator intervention):
        // the server is unreachable, starting or full, or two transactions conflicted. A server is
        // read-only (25006) before it takes over from another one, and some providers make it
        // read-only while its disk is full. 58030 is an error of the disk.
        let mayPass = ["08", "40", "53", "57", "25006", "58030"].contains(where: code.hasPrefix)
        // Classes 22 (invalid data), 23 (violated constraint) and 54 (too large, for example for an
        // index).
        let isOfData = ["22", "23", "54"].contains(where: code.hasPrefix)
        if mayPass || isDisconnected && code != "28P01" && !isOfData { return .passing }
        return isOfData ? .data : .permanent
    }
}
