// SPDX-License-Identifier: MIT
import CGPSSerial
import GNSS
import GPSReceivers
import GPSServer
import GPSTestTraits
import Glibc
import Testing

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

    @Test func `chronyd gets 40 bytes with the offset of the truncated time`() {
        let sample = ClockSample(
            trueTime: 1_774_269_319_000_000_000, systemTime: 1_774_269_319_123_456_789)
        let bytes = sample.chronyDatagram
        #expect(bytes.count == 40)
        bytes.withUnsafeBytes { bytes in
            #expect(bytes.loadUnaligned(fromByteOffset: 0, as: Int64.self) == 1_774_269_319)
            #expect(bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self) == 123_456)
            #expect(bytes.loadUnaligned(fromByteOffset: 16, as: Double.self) == -0.123456)
            #expect(bytes.loadUnaligned(fromByteOffset: 24, as: Int64.self) == 0)
            #expect(bytes.loadUnaligned(fromByteOffset: 36, as: Int32.self) == 0x534F_434B)
        }
    }

    @Test func `a pulse marks the second of the epoch whose burst begins after it`() {
        var clock = PulseClock()
        let start: Int64 = 1_774_269_319_000_000_000
        let offset: Int64 = 12_345
        var samples: [ClockSample?] = []
        for second in 0..<4 {
            let time = start + Int64(second) * 1_000_000_000
            clock.receive(Pulse(systemTime: time + offset))
            samples.append(clock.sample(trueTime: time, burstStart: time + 150_000_000))
            // Only once, and not for an epoch within the second.
            #expect(clock.sample(trueTime: time, burstStart: time + 250_000_000) == nil)
            #expect(
                clock.sample(trueTime: time + 500_000_000, burstStart: time + 600_000_000) == nil)
        }
        #expect(samples[0] == nil && samples[1] == nil, "three come first")
        let last = start + 3_000_000_000
        #expect(
            samples[3]
                == ClockSample(trueTime: last, systemTime: last + offset, precision: -20))
        #expect(
            TimeTests.line(samples[3])?.contains(#""clock_nsec":12345,"precision":-20}"#) == true)
    }

    @Test func `each of several receivers uses a pulse once`() {
        var clock = PulseClock()
        let second: Int64 = 1_000_000_000
        for pulse in 0..<5 { clock.receive(Pulse(systemTime: Int64(pulse) * second)) }
        let uses = [1, 0, 1, 0].map { receiver in
            clock.sample(trueTime: 4 * second, burstStart: 4 * second + 1, by: receiver) != nil
        }
        #expect(uses == [true, true, false, false])
    }

    @Test func `pulses that are not a second apart, and late bursts, are not used`() {
        var clock = PulseClock()
        let second: Int64 = 1_000_000_000
        for pulse in 0..<5 { clock.receive(Pulse(systemTime: Int64(pulse) * 990_000_000)) }
        #expect(clock.sample(trueTime: 4 * second, burstStart: 4 * second) == nil)
        clock = PulseClock()
        for pulse in 0..<5 { clock.receive(Pulse(systemTime: Int64(pulse) * second)) }
        #expect(clock.sample(trueTime: 5 * second, burstStart: 4 * second + 950_000_000) == nil)
        #expect(clock.sample(trueTime: 4 * second, burstStart: 4 * second - 1) == nil)
        #expect(clock.sample(trueTime: 4 * second, burstStart: 4 * second + 1) != nil)
    }

    @Test func `a kernel timestamp is a pulse if it is valid`() {
        #expect(Pulse(cpps_edge(seconds: 5, nanoseconds: 6, sequence: 0)) == nil)
        #expect(Pulse(cpps_edge(seconds: .max, nanoseconds: 6, sequence: 1)) == nil)
        #expect(Pulse(cpps_edge(seconds: 5, nanoseconds: -1, sequence: 1)) == nil)
        let pulse = Pulse(cpps_edge(seconds: 5, nanoseconds: 6, sequence: 1))
        #expect(pulse?.systemTime == 5_000_000_006)
    }

    @Test func `a device without pulses is rejected`() {
        for (path, code) in [
            ("/dev/null", DeviceError.Code.notADevice), ("/dev/pps250", .notFound),
        ] {
            let error = #expect(throws: DeviceError.self) { try PulseDevice(path) }
            #expect(error?.code == code)
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
