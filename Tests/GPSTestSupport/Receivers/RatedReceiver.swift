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
    /// The bytes that it received during `talk()`.
    private let commands = Mutex("")
    private let isTalking = Atomic(true)

    /// Plugs the receiver in; it sends at that rate.
    package init(_ rate: Int) throws {
        folder = try TemporaryFolder()
        path = folder.path("gps")
        terminal = try PseudoTerminal(link: path)
        self.rate = Mutex(rate)
    }

    /// The bytes that a program has sent to it.
    package var hostBytes: [UInt8] { terminal.takeHostBytes() }

    /// The commands that it received during `talk()`.
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

    /// Sends an epoch ten times a second until `stop()`. Like a MediaTek receiver it changes its rate
    /// on PMTK251, unless it ignores commands.
    package func talk(isDeaf: Bool = false) async {
        var second = 0
        var hostHasChanged = false
        while isTalking.load(ordering: .relaxed) {
            let all = commands.withLock { commands in
                commands += String(decoding: hostBytes, as: UTF8.self)
                return commands
            }
            if !isDeaf, let command = all.split(separator: "$").last,
                command.hasPrefix("PMTK251,"),
                let rate = Int(command.dropFirst(8).prefix { $0.isNumber })
            {
                change(to: rate)
            }
            // Bytes sent while the reader changes its rate would be read undamaged at the new one.
            hostHasChanged = hostHasChanged || hostRate != rate.withLock { $0 }
            if !isDeaf || hostHasChanged || !all.contains("$PMTK251,") {
                await send(ScriptedReceiver.epoch(second % 3600))
                second += 1
            }
            guard await Poller.shared.sleep(until: .now + .milliseconds(100)) == .timedOut else {
                return
            }
        }
    }

    /// Ends `talk()`.
    package func stop() {
        isTalking.store(false, ordering: .relaxed)
    }
}
