// SPDX-License-Identifier: MIT
import CGPSPostgreSQL

/// An error of PostgreSQL or of the connection to it.
package struct PostgreSQLError: Error, CustomStringConvertible {
    /// The server's message, on one line.
    package let description: String

    /// The SQLSTATE; `nil` if the error is not the server's.
    package let code: String?

    /// Whether there is no connection; a later attempt may succeed.
    package let isDisconnected: Bool

    init(_ description: String) {
        self.description = description
        code = nil
        isDisconnected = false
    }

    /// Creates the last error of a connection or of a result.
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

    /// The error as a collector's store error, which determines the reaction.
    var asStoreError: StoreError {
        guard let code else {
            return StoreError(isDisconnected ? .passing : .permanent, description)
        }
        // Connection, rollback, resources, operator intervention: the server is unreachable,
        // starting or full, or two transactions conflicted.
        if ["08", "40", "53", "57"].contains(where: code.hasPrefix) {
            return StoreError(.passing, description)
        }
        // Invalid data and violated constraints.
        if ["22", "23"].contains(where: code.hasPrefix) { return StoreError(.data, description) }
        return StoreError(isDisconnected && code != "28P01" ? .passing : .permanent, description)
    }
}
