// SPDX-License-Identifier: MIT
import CGPSPostgreSQL

/// An error of PostgreSQL or of the connection to it.
package struct PostgreSQLError: Error, CustomStringConvertible {
    /// The server's message, on one line.
    package let description: String

    /// The SQLSTATE, five characters; `nil` or empty if the error does not come from the server.
    package let code: String?

    /// Whether the connection was lost or refused. A later attempt may succeed.
    package let isDisconnected: Bool

    init(_ description: String, code: String? = nil) {
        self.description = description
        self.code = code
        isDisconnected = false
    }

    /// Creates an error from the message of `result`, or from the connection's last error if
    /// `result` is `nil`.
    init(_ connection: OpaquePointer, _ result: OpaquePointer?) {
        let words =
            result.flatMap { PQresultErrorMessage($0) }.map { String(cString: $0) }
            ?? PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        let line = words.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }
            .joined(separator: "; ")
        description = line.isEmpty ? "PostgreSQL gives no reason" : line
        // "C" is `PG_DIAG_SQLSTATE`, a macro that Swift cannot import.
        code = PQresultErrorField(result, CInt(UInt8(ascii: "C"))).map { String(cString: $0) }
        isDisconnected = PQstatus(connection) != CONNECTION_OK
    }

    /// The error as a store error, whose kind follows from the SQLSTATE.
    var asStoreError: StoreError {
        StoreError(Self.kind(code, isDisconnected: isDisconnected), description)
    }

    /// Returns the kind of an error with this SQLSTATE; `nil` if it does not come from the server.
    /// `isDisconnected` is whether the connection was lost or refused.
    package static func kind(_ code: String?, isDisconnected: Bool) -> StoreError.Kind {
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
