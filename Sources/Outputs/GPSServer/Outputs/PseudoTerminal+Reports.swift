// SPDX-License-Identifier: MIT
package import GPSIO
import GPSReceivers
import Glibc

/// Sends sentences through a pseudo terminal, for programs that support only serial lines. If the
/// tty's buffer of about 12 KB is full because the reader is slow, sentences are lost.
extension PseudoTerminal: ReportRecipient {
    /// Creates a pseudo terminal with a symbolic link at `link`. Throws a `DeviceError` if no
    /// terminal is available or a file exists at `link`, and a ``ServerError`` if the link cannot
    /// be created.
    static func output(link: String) throws -> PseudoTerminal {
        do throws(IOError) {
            return try PseudoTerminal(link: link)
        } catch {
            guard error.operation == .link, error.errno != EEXIST else { throw DeviceError(error) }
            throw ServerError(cannot: "create the link \(link)", errno: error.errno)
        }
    }

    package func send(reports: [UInt8]) { writeAtOnce(reports) }
}
