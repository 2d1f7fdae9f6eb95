// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import Glibc

/// Sends sentences through a pseudo terminal, for programs that only support serial lines.
/// Sentences for which a slow reader leaves no room are lost; a tty holds about 12 KB.
package final class TerminalWriter: ReportRecipient {
    private let terminal: PseudoTerminal

    /// Creates the terminal. Throws a `DeviceError` if there is none or the link's name is taken,
    /// and a ``ServerError`` if the link cannot be created.
    package init(link: String) throws {
        do throws(IOError) {
            terminal = try PseudoTerminal(link: link)
        } catch {
            guard error.operation == .link, error.errno != EEXIST else { throw DeviceError(error) }
            throw ServerError("cannot make the link \(link)", errno: error.errno)
        }
    }

    /// The path of the link.
    var link: String? { terminal.link }

    package func send(reports: [UInt8]) {
        terminal.writeAtOnce(reports)
    }

    /// Removes the link.
    func close() {
        terminal.close()
    }
}
