// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import Glibc
import SimulatedDevices
import Synchronization

/// A receiver whose line has a rate: reading at another rate gives the bytes that a UART would.
package final class RatedReceiver: Sendable {
    /// The link to its tty.
    package let path: String
    private let terminal: PseudoTerminal
    private let folder: TemporaryFolder
    private let rate: Mutex<Int>
    /// The bytes that it received during `sendEpochs()`.
    private let commands = Mutex("")
    private let isSending = Atomic(true)

    /// Plugs the receiver in; it sends at that rate.
    package init(_ rate: Int) throws {
        folder = try TemporaryFolder()
        path = folder.path("gps")
        terminal = try PseudoTerminal(link: path)
        self.rate = Mutex(rate)
    }

    /// The bytes that a program has sent to it.
    package var hostBytes: [UInt8] { terminal.takeHostBytes() }

    /// The commands that it received during `sendEpochs()`.
    package var receivedCommands: String { commands.withLock { $0 } }

    /// The rate at which it is read.
    package var hostRate: Int? { terminal.hostRate }

    /// Changes the rate, like the manufacturer's program.
    package func change(to rate: Int) {
        self.rate.withLock { $0 = rate }
    }

    /// Waits until a program reads it.
    package func waitForReader() async {
        await terminal.waitForReader()
    }

    /// Sends bytes as they are received at the reader's rate.
    package func send(_ bytes: [UInt8]) async {
        let sent = rate.withLock { $0 }
        let heard = MisreadLine.read(
            bytes, sentAt: sent, readAt: terminal.hostRate ?? 0)
        await terminal.write(heard, whenFull: .drop)
    }

    /// Sends an epoch ten times a second until `stop()`. It changes its rate on MediaTek's PMTK251 or
    /// SiRF's PSRF100, unless it ignores commands, and answers nothing.
    package func sendEpochs(ignoresCommands: Bool = false) async {
        var second = 0
        var hostHasChanged = false
        while isSending.load(ordering: .relaxed) {
            let all = commands.withLock { commands in
                commands += String(decoding: hostBytes, as: UTF8.self)
                return commands
            }
            let rates = all.split(separator: "$").compactMap(Self.rate)
            if !ignoresCommands, let rate = rates.last { change(to: rate) }
            // Bytes sent while the reader changes its rate would be read undamaged at the new one.
            hostHasChanged = hostHasChanged || hostRate != rate.withLock { $0 }
            if !ignoresCommands || hostHasChanged || rates.isEmpty {
                await send(ScriptedReceiver.epoch(second % 3600))
                second += 1
            }
            guard await Poller.shared.sleep(until: .now + .milliseconds(100)) == .timedOut else {
                return
            }
        }
    }

    /// The rate that a command sets; `nil` for other commands.
    private static func rate(_ command: some StringProtocol) -> Int? {
        for prefix in ["PMTK251,", "PSRF100,1,"] where command.hasPrefix(prefix) {
            return Int(command.dropFirst(prefix.count).prefix { $0.isNumber })
        }
        return nil
    }

    /// Ends `sendEpochs()`.
    package func stop() {
        isSending.store(false, ordering: .relaxed)
    }
}
