// SPDX-License-Identifier: MIT
import CGPSPostgreSQL

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
