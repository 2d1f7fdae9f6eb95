// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import Glibc

/// Sends sentences through a pseudo terminal, for programs that support only serial lines. If the
/// tty's buffer of about 12 KB is full because the reader is slow, sentences are lost.
package final class TerminalWriter: ReportRecipient {
    private let terminal: PseudoTerminal

    /// Creates a pseudo terminal with a symbolic link at `link`. Throws a `DeviceError` if no
    /// terminal is available or a file exists at `link`, and a ``ServerError`` if the link cannot
    /// be created.
    package init(link: String) throws {
        do throws(IOError) {
            terminal = try PseudoTerminal(link: link)
        } catch {
            guard error.operation == .link, error.errno != EEXIST else { throw DeviceError(error) }
            throw ServerError("cannot create the link \(link)", errno: error.errno)
        }
    }

    /// The path of the symbolic link.
    var link: String? { terminal.link }

    package func send(reports: [UInt8]) {
        terminal.writeAtOnce(reports)
    }

    /// Closes the pseudo terminal and removes the link.
    func close() {
        terminal.close()
    }
}
