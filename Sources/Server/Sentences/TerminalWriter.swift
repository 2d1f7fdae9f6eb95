// SPDX-License-Identifier: MIT
import Devices
import Glibc

/// Sends sentences out of a pseudo terminal, for programs that only know serial lines.
final class TerminalWriter: ReportRecipient {
    private let terminal: PseudoTerminal
    private let lines: AsyncStream<[UInt8]>
    private let queue: AsyncStream<[UInt8]>.Continuation

    /// Makes the terminal. Throws a `DeviceError` where there is none, or the link's name is taken, and a ``ServerError``
    /// where there can be no link.
    init(link: String) throws {
        terminal = try Self.terminal(link: link)
        (lines, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    private static func terminal(link: String) throws -> PseudoTerminal {
        do throws(DeviceError) {
            return try PseudoTerminal(link: link)
        } catch {
            guard error.device == link, error.code != .nameTaken else { throw error }
            throw ServerError("cannot make the link \(link)", errno: error.errno ?? EIO)
        }
    }

    /// The path of the link.
    var link: String? { terminal.link }

    func send(reports: [UInt8]) {
        queue.yield(reports)
    }

    /// Writes until the task is cancelled. What a slow reader leaves no room for is lost.
    func run(from hub: ReportHub) async {
        for await bytes in lines { await terminal.write(bytes, whenFull: .drop) }
        hub.remove(self)
        terminal.close()
    }
}
