// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSServer
import GPSTestTraits
import Glibc
import Testing
import UBX

/// The receiver's time as sent to chronyd and ntpd.
@Suite(.timeLimit(.generous))
struct TimeTests {
    @Test func `a burst begins with the first byte after a silence`() {
        var timer = BurstTimer()
        let ms: Int64 = 1_000_000
        timer.receive(byteCount: 10, baudRate: nil, now: 0, clock: 5000 * ms)
        #expect(timer.takeStart() == nil, "how long the line was silent is not known")
        timer.receive(byteCount: 96, baudRate: 9600, now: 900 * ms, clock: 5900 * ms)
        timer.receive(byteCount: 96, baudRate: 9600, now: 920 * ms, clock: 5920 * ms)
        #expect(timer.takeStart() == 5800 * ms, "96 bytes take 100 ms at 9600 baud")
        #expect(timer.takeStart() == nil)
    }

    @Test func `bytes of built-in USB take no time at any baud rate`() {
        var timer = BurstTimer(ignoresBaudRate: true)
        let ms: Int64 = 1_000_000
        timer.receive(byteCount: 10, baudRate: 9600, now: 0, clock: 5000 * ms)
        timer.receive(byteCount: 480, baudRate: 9600, now: 900 * ms, clock: 5900 * ms)
        #expect(timer.takeStart() == 5900 * ms)
    }

    @Test func `a line that is never silent has no bursts`() {
        var timer = BurstTimer()
        for time in stride(from: Int64(0), to: 2_000_000_000, by: 50_000_000) {
            timer.receive(byteCount: 32, baudRate: 9600, now: time, clock: time)
        }
        #expect(timer.start == nil)
    }

    @Test func `the time is used after three valid fixes`() {
        var filter = ClockFilter()
        var fix = Self.fix
        #expect(
            (0..<5).map { _ in filter.time(of: fix) != nil } == [false, false, false, true, true])
        fix.mode = .noFix
        #expect(filter.time(of: fix) == nil)
        #expect(
            (0..<4).map { _ in filter.time(of: Self.fix) != nil } == [false, false, false, true])
    }

    @Test func `a date before the release or long after it is not used`() {
        // A receiver with a rollover, on a machine whose clock is too wrong to correct it.
        for (days, isUsed) in [
            (64 - 7168, false), (-2, false), (-1, true), (64, true), (7168, true), (7169, false),
            (53 * 365, false), (81 * 365, false),
        ] {
            var filter = ClockFilter()
            var fix = Self.fix
            let time = Self.releaseNoon + Int64(days) * 86_400_000_000_000
            fix.time = UTCTime(unixNanoseconds: time)
            for _ in 0..<3 { _ = filter.time(of: fix) }
            #expect((filter.time(of: fix) != nil) == isUsed, "\(days)")
            let obstacle: ClockObstacle? = isUsed ? nil : .suspectDate
            #expect(filter.obstacle == obstacle)
        }
    }

    @Test func `the time of data that has waited is not used`() {
        let second: Int64 = 1_000_000_000
        var filter = ClockFilter()
        func isUsed(_ time: Int, at arrival: Double) -> Bool {
            var fix = Self.fix
            fix.time = UTCTime(unixNanoseconds: Self.releaseNoon + Int64(time) * second)
            return filter.time(of: fix, arrival: Int64(arrival * 1e9)) != nil
        }
        // The delay varies by 0.4 s.
        let steady = [(0, 0.1), (1, 1.5), (2, 2.1), (3, 3.5), (4, 4.1), (5, 5.5)]
        #expect(steady.map { isUsed($0, at: $1) } == [false, false, false, true, true, true])
        // The process is stopped for three seconds. Only the first fix of the burst has an arrival.
        #expect(!isUsed(6, at: 9.1))
        #expect(filter.obstacle == .jump)
        #expect(!isUsed(10, at: 10.1))
        let later = (11...14).map { isUsed($0, at: Double($0) + 0.1) }
        #expect(later == [false, false, false, true])
    }

    @Test func `simulated times never set a clock`() {
        var filter = ClockFilter()
        var fix = Self.fix
        fix.quality = .simulated
        #expect((0..<9).allSatisfy { _ in filter.time(of: fix) == nil })
    }

    @Test func `no time is used during an integrity alarm, and after it only three fixes later`() {
        var filter = ClockFilter()
        var fix = Self.fix
        for state in [Integrity.State.unknown, .ok, .warning] {
            fix.integrity = Integrity(state: state)
            for _ in 0..<4 { _ = filter.time(of: fix) }
            #expect(filter.time(of: fix) != nil, "\(state)")
        }
        fix.integrity = Integrity(state: .alarm)
        #expect((0..<9).allSatisfy { _ in filter.time(of: fix) == nil })
        #expect(filter.obstacle == .alarm)
        fix.integrity = Integrity(state: .ok)
        #expect((0..<4).map { _ in filter.time(of: fix) != nil } == [false, false, false, true])
    }

    @Test func `chronyd gets 40 bytes with the offset to the nanosecond`() {
        let sample = ClockSample(
            trueTime: 1_774_269_319_000_000_000, systemTime: 1_774_269_319_123_456_789)
        let bytes = sample.chronyDatagram
        #expect(bytes.count == 40)
        bytes.withUnsafeBytes { bytes in
            #expect(bytes.loadUnaligned(fromByteOffset: 0, as: Int64.self) == 1_774_269_319)
            #expect(bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self) == 123_456)
            #expect(bytes.loadUnaligned(fromByteOffset: 16, as: Double.self) == -0.123456789)
            #expect(bytes.loadUnaligned(fromByteOffset: 24, as: Int64.self) == 0)
            #expect(bytes.loadUnaligned(fromByteOffset: 36, as: Int32.self) == 0x534F_434B)
        }
    }

    /// A clock that has received pulses in seconds, `offset` after each second of the monotonic
    /// clock, and epochs after all but the last.
    private static func clock(_ pulses: Range<Int64>, offset: Int64 = 0) -> PulseClock {
        var clock = PulseClock()
        for pulse in pulses {
            let time = pulse * second + offset
            clock.receive(Pulse(time: time))
            guard pulse < pulses.upperBound - 1 else { break }
            _ = clock.pulse(before: time + 150_000_000, labelled: releaseNoon + pulse * second)
        }
        return clock
    }

    private static let second: Int64 = 1_000_000_000

    @Test func `a pulse marks the second of the epoch whose burst begins after it`() {
        var clock = PulseClock()
        var pulses: [Int64?] = []
        for second in 0..<6 as Range<Int64> {
            let time = second * Self.second + 12_345
            let utc = Self.releaseNoon + second * Self.second
            clock.receive(Pulse(time: time))
            // Not for an epoch within the second, and only once.
            #expect(clock.pulse(before: time + 50_000_000, labelled: utc - 500_000_000) == nil)
            pulses.append(clock.pulse(before: time + 150_000_000, labelled: utc)?.pulse.time)
            #expect(clock.pulse(before: time + 250_000_000, labelled: utc) == nil)
        }
        #expect(pulses == [nil, nil, nil, nil, 4_000_012_345, 5_000_012_345])
        #expect(clock.statistics?.count == 6 && clock.statistics?.missedCount == 0)
        #expect(clock.statistics?.deviation == 0 && clock.statistics?.jitter == 0)
        let sample = ClockSample(
            trueTime: Self.releaseNoon, systemTime: Self.releaseNoon + 12_345, precision: -20)
        #expect(Self.line(sample)?.contains(#""clock_nsec":12345,"precision":-20}"#) == true)
    }

    @Test func `an epoch that names another second than those before is not trusted`() {
        var clock = Self.clock(0..<9)
        let utc = Self.releaseNoon
        // A receiver that repeats a second, and then goes on from there.
        var used: [Bool] = []
        for second in 8..<14 as Range<Int64> {
            if second > 8 { clock.receive(Pulse(time: second * Self.second)) }
            let label = utc + (second - (second >= 10 ? 1 : 0)) * Self.second
            used.append(
                clock.pulse(before: second * Self.second + 1, labelled: label) != nil)
        }
        #expect(used == [true, true, false, false, true, true])
    }

    @Test func `no pulse is used in a leap second, and the ones after it only when epochs agree`() {
        var clock = Self.clock(0..<9)
        #expect(clock.pulse(before: 8 * Self.second + 1, labelled: nil) == nil)
        let used = (9..<13 as Range<Int64>).map { second in
            clock.receive(Pulse(time: second * Self.second))
            let label = Self.releaseNoon + (second - 1) * Self.second
            return clock.pulse(before: second * Self.second + 1, labelled: label) != nil
        }
        #expect(used == [false, false, true, true])
    }

    @Test func `each of several receivers uses a pulse once`() {
        var clock = PulseClock()
        var uses: [Bool] = []
        for pulse in 0..<7 as Range<Int64> {
            clock.receive(Pulse(time: pulse * Self.second))
            uses = [1, 0, 1, 0].map { receiver in
                clock.pulse(
                    before: pulse * Self.second + 1,
                    labelled: Self.releaseNoon + pulse * Self.second, by: receiver) != nil
            }
        }
        #expect(uses == [true, true, false, false])
    }

    @Test func `pulses that are not a second apart, and late bursts, are not used`() {
        var clock = PulseClock()
        for pulse in 0..<9 as Range<Int64> {
            clock.receive(Pulse(time: pulse * 990_000_000))
            #expect(
                clock.pulse(
                    before: pulse * 990_000_000, labelled: Self.releaseNoon + pulse * Self.second)
                    == nil)
        }
        let label = Self.releaseNoon + 8 * Self.second
        clock = Self.clock(0..<9)
        #expect(clock.pulse(before: 8 * Self.second + 950_000_000, labelled: label) == nil)
        #expect(clock.pulse(before: 8 * Self.second - 1, labelled: label) == nil)
        #expect(clock.pulse(before: 8 * Self.second + 1, labelled: label) != nil)
    }

    @Test(arguments: [true, false])
    func `the receiver's error of a pulse is used with its sign and for its second only`(
        isUTC: Bool
    ) {
        var clock = Self.clock(0..<9)
        var errors: [Int?] = []
        for second in 8..<14 as Range<Int64> {
            if second > 8 { clock.receive(Pulse(time: second * Self.second)) }
            let label = Self.releaseNoon + second * Self.second
            errors.append(clock.pulse(before: second * Self.second + 1, labelled: label)?.error)
            // It announces the next pulse; the one of the 12th second names another one.
            var message = TimTP()
            let next = label / Self.second + (second == 12 ? 2 : 1) + (isUTC ? 0 : 18)
            message.timeOfWeekMilliseconds = UInt32((next + 4 * 86_400) % 604_800 * 1000)
            message.flags = (isUTC ? 1 : 0) | (second == 10 ? 0x10 : 0)
            message.quantizationError = Int32(second) * 1000
            clock.receive(message, at: second * Self.second + 200_000_000)
        }
        #expect(errors == [nil, isUTC ? 8000 : nil, 9000, nil, 11_000, nil])
        let sample = ClockSample(
            trueTime: Self.releaseNoon, systemTime: Self.releaseNoon + 500, precision: -20,
            pulseError: -8400)
        #expect(sample.systemTime == Self.releaseNoon + 492)
        #expect(Self.line(sample)?.contains(#""precision":-20,"qErr":-8400}"#) == true)
    }

    @Test func `the delay of sentences is learned from pulses`() {
        #expect(Self.clock(0..<10).sentenceDelay == nil)
        #expect(Self.clock(0..<11).sentenceDelay == 150_000_000)
    }

    @Test func `pulses that do not arrive are counted, and the jitter is that of the others`() {
        var clock = PulseClock()
        for (index, second) in [0, 1, 2, 5, 6, 7, 8].enumerated() {
            let jitter: Int64 = index % 2 == 0 ? 0 : 4_000
            clock.receive(Pulse(time: Int64(second) * Self.second + jitter, uncertainty: 2_000))
        }
        let statistics = clock.statistics
        #expect(statistics?.missedCount == 2 && statistics?.method == "kernel")
        #expect(statistics?.jitter == 8e-6 || statistics?.jitter == 0)
        #expect(statistics?.uncertainty == 2e-6)
        #expect(Pulse(time: 0, uncertainty: 2_000).precision == -19)
    }

    @Test func `a device without pulses is rejected`() {
        for (path, code) in [
            ("/dev/null", DeviceError.Code.notADevice), ("/dev/pps250", .notFound),
        ] {
            let error = #expect(throws: DeviceError.self) { try PulseDevice(path) }
            #expect(error?.code == code)
            #expect(
                error?.description.contains("has no lines for pulses") == (code == .notADevice))
        }
    }

    /// The report of a sample.
    private static func line(_ sample: ClockSample?) -> String? {
        sample.map { String(decoding: $0.report(device: "/dev/a"), as: UTF8.self) }
    }

    @Test func `shared memory contains the sample with an even count`() throws {
        let unit = 100 + Int(getpid() % 100)
        let clock = try SharedMemoryClock(unit: unit)
        let id = shmget(key_t(0x4E54_5030 + unit), 96, 0)
        defer { shmctl(id, IPC_RMID, nil) }
        clock.write(
            ClockSample(trueTime: 1_774_269_319_000_000_000, systemTime: 1_774_269_319_123_456_789))
        let memory = try #require(shmat(id, nil, 0o10000))
        defer { shmdt(memory) }
        #expect(memory.load(fromByteOffset: 0, as: Int32.self) == 1)
        #expect(memory.load(fromByteOffset: 4, as: Int32.self) % 2 == 0)
        #expect(memory.load(fromByteOffset: 8, as: Int64.self) == 1_774_269_319)
        #expect(memory.load(fromByteOffset: 24, as: Int64.self) == 1_774_269_319)
        #expect(memory.load(fromByteOffset: 32, as: Int32.self) == 123_456)
        #expect(memory.load(fromByteOffset: 48, as: Int32.self) == 1)
        #expect(memory.load(fromByteOffset: 56, as: UInt32.self) == 123_456_789)
    }

    /// Noon on the day of the release, in nanoseconds since 1970.
    static let releaseNoon = Int64(Release.daysSince1970 * 86_400 + 43_200) * 1_000_000_000

    private static var fix: Fix {
        var fix = Fix()
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.coordinate = Coordinate(latitude: 48, longitude: 16)
        fix.time = UTCTime(unixNanoseconds: releaseNoon)
        return fix
    }
}
