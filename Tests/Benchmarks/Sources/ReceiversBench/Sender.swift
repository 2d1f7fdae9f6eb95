// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import Glibc
import NMEA

/// Receivers on ttys, in a separate process, so that their cost is not part of the reader's.
struct Sender {
    let count: Int
    let rate: Int
    let epochs: Int

    /// Prints the ttys, sends all epochs to their readers, and prints how many bytes were lost.
    func run() async throws {
        let terminals = try (0..<count).map { _ in try PseudoTerminal() }
        for terminal in terminals { print(terminal.path) }
        print("")
        fflush(nil)
        for terminal in terminals {
            while !terminal.hasReader { try await Task.sleep(for: .milliseconds(20)) }
        }
        // The reader discards pending bytes when it opens the tty.
        try await Task.sleep(for: .seconds(1))
        let start = ContinuousClock.now
        for epoch in 0..<epochs {
            let bytes = Self.epoch(epoch, rate: rate)
            for (index, terminal) in terminals.enumerated() {
                // The epochs are spread over the period, as with independent receivers.
                let share = Double(epoch) + Double(index) / Double(count)
                let due = start + .seconds(share / Double(rate))
                if due > .now { try await Task.sleep(until: due, clock: .continuous) }
                await terminal.write(bytes, whenFull: .drop)
            }
        }
        try await Task.sleep(for: .seconds(1))
        print(terminals.reduce(0) { $0 + $1.droppedByteCount })
    }

    /// RMC, GGA, GSA and GSV, as most receivers send them; some 400 bytes.
    private static func epoch(_ number: Int, rate: Int) -> [UInt8] {
        let nanoseconds = Int64(number) * 1_000_000_000 / Int64(rate)
        let seconds = Int(nanoseconds / 1_000_000_000)
        var rmc = RMC()
        rmc.time = TimeOfDay(
            hour: seconds / 3600 % 24, minute: seconds / 60 % 60, second: seconds % 60,
            nanosecond: Int(nanoseconds % 1_000_000_000))
        rmc.date = CalendarDate(year: 2026, month: 3, day: 21)
        rmc.status = UInt8(ascii: "A")
        rmc.coordinate = Coordinate(latitude: 48.2, longitude: 16.36)
        rmc.speedKnots = 10
        rmc.course = 90
        rmc.mode = .autonomous
        var gga = GGA()
        gga.time = rmc.time
        gga.coordinate = rmc.coordinate
        gga.quality = .autonomous
        gga.satellites = 9
        gga.hdop = 1
        gga.altitude = 171
        gga.geoidSeparation = 43
        var writer = SentenceWriter()
        writer.write(rmc, talker: .gnss)
        writer.write(gga, talker: .gnss)
        return writer.bytes + lists
    }

    private static let lists = Array(
        """
        $GPGSA,A,3,07,02,26,27,09,04,15,,,,,,1.8,1.0,1.5*33\r
        $GPGSV,3,1,11,29,36,029,42,21,46,314,43,26,44,020,43,15,21,321,39*7D\r
        $GPGSV,3,2,11,18,26,314,40,09,57,170,44,06,20,229,37,10,26,084,37*77\r
        $GPGSV,3,3,11,07,,,26,02,30,190,41,04,22,158,40*44\r\n
        """.utf8)
}

/// A receiver that sends noise as fast as it is read, and faster.
struct Noise {
    func run() async throws {
        let terminal = try PseudoTerminal()
        print(terminal.path)
        print("")
        fflush(nil)
        while !terminal.hasReader { try await Task.sleep(for: .milliseconds(20)) }
        let noise = (0..<10_000).map { _ in UInt8.random(in: 0...255) }
        while terminal.hasReader {
            // 10 MB/s: bytes that don't fit into the buffer are lost, as on a wire.
            await terminal.write(noise, whenFull: .drop)
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
