// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSBridge
import GPSIO
import GPSReceivers
import Glibc
import NMEA
import Synchronization

/// Measures the time from the read that completed an epoch to the user's code. Each kind of
/// delivery has its own receiver. All run at the same time, so that the conditions are the same.
struct Latency {
    let rate: Int
    let seconds: Int

    private final class Ages: LocationManagerDelegate, Sendable {
        private let ages = Mutex<[Double]>([])

        func add(_ locations: [Location]) {
            guard let age = locations.last?.age else { return }
            ages.withLock { $0.append(age / .microseconds(1)) }
        }

        func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
            add(locations)
        }

        func report(_ way: String) {
            let sorted = ages.withLock { $0.sorted() }
            guard let last = sorted.last else { return print("\(way): nothing came") }
            for (name, value) in [
                ("median", sorted[sorted.count / 2]), ("p99", sorted[sorted.count * 99 / 100]),
                ("max", last),
            ] {
                let text = String(Int(value.rounded()))
                let what = "from the read to \(way), \(name)"
                print(
                    what + String(repeating: " ", count: max(1, 56 - what.count - text.count))
                        + text + " µs")
            }
        }
    }

    func run() async throws {
        let sender = Child(["send", "4", "\(rate)", "\(rate * seconds)"])
        let sources = sender.paths().map { SerialSource($0) }
        guard sources.count == 4 else { return }
        let ages = (0..<4).map { _ in Ages() }
        let managers = [
            LocationManager(source: sources[0]),
            LocationManager(sources: [sources[1]], executor: .immediate),
            LocationManager(source: sources[2]), LocationManager(source: sources[3]),
        ]
        let observation = managers[0].events.didUpdateLocations.observe { ages[0].add($0) }
        managers[1].delegate = ages[1]
        managers[2].delegate = ages[2]
        let stream = managers[3].didUpdateLocations
        let reading = Task { for await locations in stream { ages[3].add(locations) } }
        for manager in managers { manager.startUpdatingLocation() }
        _ = sender.line()
        for manager in managers { manager.stopUpdatingLocation() }
        reading.cancel()
        observation.dispose()
        let ways = [
            "an observer", "a delegate on the reading thread", "a delegate on its queue",
            "a stream",
        ]
        for (ages, way) in zip(ages, ways) { ages.report(way) }
    }
}

/// A receiver that is unplugged in the middle of a sentence, and plugged in again as another tty.
struct Cycles {
    let count: Int

    func run() async throws {
        let link = "/tmp/gpsbridge-cycles.\(getpid())"
        let manager = LocationManager(source: SerialSource(link))
        manager.startUpdatingLocation()
        let start = ContinuousClock.now
        print("cycles  descriptors  memory (kB)")
        for number in 1...count {
            let (paused, changes) = (manager.didPauseLocationUpdates, manager.didUpdateLocations)
            let terminal = try PseudoTerminal(link: link)
            await terminal.waitForReader()
            for second in 0..<3 { await terminal.write(Self.epoch(3 * number + second)) }
            for await _ in changes { break }
            await terminal.write(Array("$GNRMC,1200".utf8))
            terminal.close()
            for await _ in paused { break }
            if number == 100 || number.isMultiple(of: max(1, count / 10)) {
                print("\(number)  \(Usage.descriptorCount)  \(Usage.residentKilobytes)")
            }
        }
        let each = start.duration(to: .now) / .seconds(1) / Double(count) * 1000
        print("\(Int(each * 10) / 10) ms each, from the plug over three epochs to the hang-up")
    }

    private static func epoch(_ second: Int) -> [UInt8] {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = two(second / 3600 % 24) + two(second / 60 % 60) + two(second % 60)
        return [
            "GPRMC,\(time),A,4812.0000,N,01621.6000,E,10.0,90.0,210326,,,A",
            "GPGGA,\(time),4812.0000,N,01621.6000,E,1,09,1.0,171.0,M,43.0,M,,",
        ]
        .flatMap { body in
            let sum = body.utf8.reduce(UInt8(0), ^)
            let digits = String(sum, radix: 16, uppercase: true)
            let checksum = digits.count == 1 ? "0" + digits : digits
            return Array("$\(body)*\(checksum)\r\n".utf8)
        }
    }
}

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
