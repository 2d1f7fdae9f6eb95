// SPDX-License-Identifier: MIT
import CGPSPostgreSQL

/// Why PostgreSQL has not done what it was asked for.
package struct PostgreSQLError: Error, CustomStringConvertible {
    /// The server's words, on one line.
    package let description: String

    /// The SQLSTATE; `nil` where the error is not the server's.
    package let code: String?

    /// Whether the connection is lost, or there was none: another try later may succeed.
    package let isDisconnected: Bool

    init(_ description: String) {
        self.description = description
        code = nil
        isDisconnected = false
    }

    /// The last error of a connection, or of a result.
    init(_ connection: OpaquePointer, _ result: OpaquePointer?) {
        let words =
            result.flatMap { PQresultErrorMessage($0) }.map { String(cString: $0) }
            ?? PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        let line = words.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }
            .joined(separator: "; ")
        description = line.isEmpty ? "PostgreSQL does not say why" : line
        // PG_DIAG_SQLSTATE
        code = PQresultErrorField(result, CInt(UInt8(ascii: "C"))).map { String(cString: $0) }
        isDisconnected = PQstatus(connection) != CONNECTION_OK
    }

    /// The error as a collector treats it.
    var asStoreError: StoreError {
        guard let code else {
            return StoreError(isDisconnected ? .passing : .permanent, description)
        }
        // Connection, rollback, resources, an operator's intervention: the server is away, starts, is full, or two
        // transactions stood in each other's way.
        if ["08", "40", "53", "57"].contains(where: code.hasPrefix) {
            return StoreError(.passing, description)
        }
        // Data, constraints.
        if ["22", "23"].contains(where: code.hasPrefix) { return StoreError(.data, description) }
        return StoreError(isDisconnected && code != "28P01" ? .passing : .permanent, description)
    }
}
