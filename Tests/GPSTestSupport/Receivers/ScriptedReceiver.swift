// SPDX-License-Identifier: MIT
package import GNSS
import GPSIO
package import GPSReceivers
import NMEA
import Synchronization

/// A receiver on a real tty that says what a test has it say.
package final class ScriptedReceiver: Sendable {
    /// The link that leads to its tty.
    ///
    /// The tty's own name is given to another test's receiver as soon as this one is unplugged, and
    /// who waits for this one to come back would take it for that.
    package let path: String
    private let terminal: PseudoTerminal
    private let folder: TemporaryFolder?
    /// The second that comes after those that were said.
    private let nextSecond = Atomic(0)

    /// Plugs it in, below a name that is given or below one of its own.
    package init(link: String? = nil) throws {
        folder = link == nil ? try TemporaryFolder() : nil
        path = link ?? folder?.path("gps") ?? ""
        terminal = try PseudoTerminal(link: path)
    }

    /// The receiver as a source at a fixed rate: a search for the rate drops what comes while it changes it, which on a
    /// busy machine may be what the test says.
    package var source: SerialSource { SerialSource(path, baudRate: .default) }

    /// Unplugs it.
    package func unplug() {
        terminal.close()
    }

    /// Whether somebody reads it.
    package var hasReader: Bool { terminal.hasReader }

    /// Waits until somebody reads it.
    package func waitForReader() async {
        await terminal.waitForReader()
    }

    /// Waits until nobody reads it any more.
    package func waitUntilUnread() async {
        await terminal.waitUntilUnread()
    }

    /// Says one epoch, so many seconds after noon: RMC and GGA, with a fix or without one.
    package func say(
        _ second: Int, latitude: Double = 48.2, longitude: Double = 16.36,
        quality: FixQuality = .autonomous, hdop: Double = 1
    ) async {
        nextSecond.store(second + 1, ordering: .relaxed)
        let bytes = Self.epoch(
            second, latitude: latitude, longitude: longitude, quality: quality, hdop: hdop)
        await terminal.write(bytes)
    }

    /// Goes on to say epochs, each a thousandth of a degree further north, until `work` is done: for consumers that
    /// come when they come.
    package func talk(during work: () async throws -> Void) async rethrows {
        let isDone = Atomic(false)
        async let talking: Void = {
            while !isDone.load(ordering: .relaxed), !Task.isCancelled {
                let second = nextSecond.load(ordering: .relaxed)
                await say(second, latitude: 40 + Double(second) / 1000)
                _ = await Poller.shared.sleep(until: .now + .milliseconds(10))
            }
        }()
        try await work()
        isDone.store(true, ordering: .relaxed)
        await talking
    }

    /// Says anything.
    package func say(_ text: String) async {
        await terminal.write(Array(text.utf8))
    }

    /// The bytes of one epoch.
    package static func epoch(
        _ second: Int, latitude: Double = 48.2, longitude: Double = 16.36,
        quality: FixQuality = .autonomous, hdop: Double = 1
    ) -> [UInt8] {
        var writer = SentenceWriter()
        let hasFix = quality != .invalid
        let position = Coordinate(latitude: latitude, longitude: longitude)
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
