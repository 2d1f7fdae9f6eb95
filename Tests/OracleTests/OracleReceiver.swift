// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import GNSS
import Glibc
import SimulatedDevices
import GPSTestSupport

/// The receiver of a scenario, on a pseudo terminal behind a link.
final class OracleReceiver {
    private let link: String
    private var terminal: PseudoTerminal?
    private var rate = 9600
    private var hasSevenBits = false
    private var isPermitted = true
    private var other: Descriptor?
    private var random: UInt64 = 1

    /// A receiver that is not plugged in.
    init(link: String) { self.link = link }

    /// Handles a step.
    func handle(_ input: Input, at milliseconds: Int) async throws {
        switch input {
        case .plug:
            let terminal = try PseudoTerminal()
            self.terminal = terminal
            setPermission()
            symlink(terminal.path, link)
        case .unplug:
            other = nil
            unlink(link)
            guard let terminal else { return }
            terminal.close()
            // A process forked by another test has it open until it runs its program.
            while access(terminal.path, F_OK) == 0 { sched_yield() }
        case .epoch(let quality):
            await send(ScriptedReceiver.epoch(milliseconds / 1000, quality: quality))
        case .half: await send(Array(ScriptedReceiver.epoch(milliseconds / 1000).prefix(90)))
        case .binary:
            let payload = [UInt8](repeating: 0, count: 16)
            await send([0xB5, 0x62, 1, 3, 16, 0] + payload + [0x14, 0x6D])
        case .noise(let count): await send((0..<count).map { _ in randomByte() })
        case .rate(let rate): self.rate = rate
        case .sevenBits: hasSevenBits = true
        case .share:
            other = Descriptor(open(link, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC))
        case .allow(let isPermitted):
            self.isPermitted = isPermitted
            setPermission()
        case .signal, .wait: break
        }
    }

    /// Sends bytes as the reader of the line receives them.
    private func send(_ bytes: [UInt8]) async {
        let bytes = hasSevenBits ? bytes.map { $0 | 0x80 } : bytes
        await terminal?.write(
            MisreadLine.read(bytes, sentAt: rate, readAt: terminal?.hostRate ?? rate),
            whenFull: .drop)
    }

    /// The next pseudo-random byte, the same in each run.
    private func randomByte() -> UInt8 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(random >> 56)
    }

    private func setPermission() {
        guard let terminal else { return }
        chmod(terminal.path, isPermitted ? 0o600 : 0)
    }
}
