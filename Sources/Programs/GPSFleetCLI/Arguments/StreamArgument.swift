// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet

/// Parses the name of a NATS stream.
enum StreamArgument {
    /// Returns the name. Throws a `UsageError` if NATS does not accept it, because the server would
    /// not answer, or would close the connection.
    static func name(_ text: String) throws -> String {
        guard NATSStream.isName(text) else {
            throw UsageError(
                "not a name of a stream: '\(text)' (expected 1 to 255 characters, such as letters, "
                    + "digits, - and _, but no blanks and none of . * > / \\)")
        }
        return text
    }
}
