// SPDX-License-Identifier: MIT
package import GNSS
import GPSIO
package import GPSReceivers
import Glibc
import NMEA
import SimulatedDevices
import Synchronization

/// A receiver on a real tty that sends what a test specifies.
package final class ScriptedReceiver: Sendable {
    /// The link to its tty.
    ///
    /// The tty's own name is reused for another test's receiver as soon as this one is unplugged,
    /// which a program that waits for this one would mistake for it.
    package let path: String
    private let terminal: PseudoTerminal
    private let folder: TemporaryFolder?
    /// The second after the last one sent.
    private let nextSecond = Atomic(0)

    /// Plugs the receiver in with the given link or with a new one.
    package init(link: String? = nil) throws {
        folder = link == nil ? try TemporaryFolder() : nil
        path = link ?? folder?.path("gps") ?? ""
        terminal = try PseudoTerminal(link: path)
    }

    /// The receiver as a source at a fixed rate. A search for the rate drops bytes that arrive while the rate
    /// changes, which on a busy machine may be those of the test.
    package var source: SerialSource { SerialSource(path, baudRate: .default) }

    /// Unplugs the receiver.
    package func unplug() {
        terminal.close()
    }

    /// Whether a program reads it.
    package var hasReader: Bool { terminal.hasReader }

    /// The baud rate that the program has set.
    package var hostRate: Int? { terminal.hostRate }

    /// Waits until a program reads it.
    package func waitForReader() async {
        await terminal.waitForReader()
    }

    /// Waits until no program reads it any more.
    package func waitUntilUnread() async {
        await terminal.waitUntilUnread()
    }

    /// Sends one epoch, a number of seconds after noon: RMC and GGA, with or without a fix.
    package func sendEpoch(
        _ second: Int, latitude: Double = 48.2, longitude: Double? = nil,
        quality: FixQuality = .autonomous, hdop: Double = 1
    ) async {
        nextSecond.store(second + 1, ordering: .relaxed)
        let bytes = Self.epoch(
            second, latitude: latitude, longitude: longitude, quality: quality, hdop: hdop)
        await terminal.write(bytes)
    }

    /// Sends further epochs until `work` is done: for consumers that subscribe at any time. Without a position,
    /// each is a thousandth of a degree further north.
    package func sendEpochs(
        at position: Coordinate? = nil, during work: () async throws -> Void
    ) async rethrows {
        let isDone = Atomic(false)
        async let transmission: Void = {
            while !isDone.load(ordering: .relaxed), !Task.isCancelled {
                let second = nextSecond.load(ordering: .relaxed)
                await sendEpoch(
                    second, latitude: position?.latitude ?? 40 + Double(second) / 1000,
                    longitude: position?.longitude)
                _ = await Poller.shared.sleep(until: .now + .milliseconds(10))
            }
        }()
        try await work()
        isDone.store(true, ordering: .relaxed)
        await transmission
    }

    /// Sends any text.
    package func send(_ text: String) async {
        await send(Array(text.utf8))
    }

    /// Sends bytes as they are.
    package func send(_ bytes: [UInt8]) async {
        await terminal.write(bytes)
    }

    /// The bytes of one epoch.
    package static func epoch(
        _ second: Int, latitude: Double = 48.2, longitude: Double? = nil,
        quality: FixQuality = .autonomous, hdop: Double = 1
    ) -> [UInt8] {
        var writer = SentenceWriter()
        let hasFix = quality != .invalid
        // As fast to the east as the sentences report.
        let east = 10 * 1852 / 3600 / (111_320 * cos(latitude * .pi / 180))
        let position = Coordinate(
            latitude: latitude, longitude: longitude ?? 16.36 + east * Double(second))
        var rmc = RMC()
        rmc.time = TimeOfDay(hour: 12, minute: second / 60 % 60, second: second % 60)
        rmc.date = CalendarDate(year: 2026, month: 3, day: 21)
        rmc.status = hasFix ? UInt8(ascii: "A") : UInt8(ascii: "V")
        rmc.coordinate = hasFix ? position : nil
        rmc.speedKnots = hasFix ? 10 : nil
        rmc.course = hasFix ? 90 : nil
        rmc.mode = quality
        writer.write(rmc, talker: .gnss)
        var gga = GGA()
        gga.time = rmc.time
        gga.coordinate = rmc.coordinate
        gga.quality = quality
        gga.satellites = hasFix ? 9 : 0
        gga.hdop = hasFix ? hdop : nil
        gga.altitude = hasFix ? 171 : nil
        gga.geoidSeparation = hasFix ? 43 : nil
        writer.write(gga, talker: .gnss)
        return writer.bytes
    }
}

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
