// SPDX-License-Identifier: MIT
import Devices

/// Sends sentences out of a pseudo terminal, for programs that only know serial lines.
final class TerminalWriter: ReportRecipient {
    private let terminal: PseudoTerminal
    private let lines: AsyncStream<[UInt8]>
    private let queue: AsyncStream<[UInt8]>.Continuation

    /// Makes the terminal. Throws a `DeviceError` where there is none, or the link's name is taken.
    init(link: String) throws(DeviceError) {
        terminal = try PseudoTerminal(link: link)
        (lines, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
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
