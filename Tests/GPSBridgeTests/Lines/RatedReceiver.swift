// SPDX-License-Identifier: MIT
import Devices
import Glibc
import SimulatedDevices
import Synchronization
import TestSupport

/// A receiver whose line has a rate: who reads at another one reads what a UART would.
final class RatedReceiver: Sendable {
    let path: String
    private let terminal: PseudoTerminal
    private let folder: TemporaryFolder
    private let rate: Mutex<Int>
    private let isTalking = Atomic(true)

    init(_ rate: Int) throws {
        folder = try TemporaryFolder()
        path = folder.path("gps")
        terminal = try PseudoTerminal(link: path)
        self.rate = Mutex(rate)
    }

    /// What somebody has sent to it.
    var hostBytes: [UInt8] { terminal.takeHostBytes() }

    /// The rate at which it is read.
    var hostRate: Int? { terminal.hostBaudRate?.rawValue }

    func change(to rate: Int) {
        self.rate.withLock { $0 = rate }
    }

    func waitForReader() async {
        await terminal.waitForReader()
    }

    func send(_ bytes: [UInt8]) async {
        let sent = rate.withLock { $0 }
        let heard = MisreadLine.read(
            bytes, sentAt: sent, readAt: terminal.hostBaudRate?.rawValue ?? 0)
        await terminal.write(heard, whenFull: .drop)
    }

    /// Sends an epoch ten times a second until it is told to stop.
    func talk() async {
        var second = 0
        while isTalking.load(ordering: .relaxed) {
            await send(ScriptedReceiver.epoch(second % 3600))
            second += 1
            guard await Poller.shared.sleep(until: .now + .milliseconds(100)) == .timedOut else {
                return
            }
        }
    }

    func stop() {
        isTalking.store(false, ordering: .relaxed)
    }
}
