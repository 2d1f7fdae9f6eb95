// SPDX-License-Identifier: MIT
import GNSS
import Glibc
import Server
import Testing

/// The receiver's time, as it is handed to chronyd and ntpd.
struct TimeTests {
    @Test func `a burst begins with the first byte behind a silence`() {
        var timer = BurstTimer()
        let ms: Int64 = 1_000_000
        timer.receive(byteCount: 10, baudRate: nil, now: 0, clock: 5000 * ms)
        #expect(timer.takeStart() == nil, "how long the line was silent is not known")
        timer.receive(byteCount: 96, baudRate: 9600, now: 900 * ms, clock: 5900 * ms)
        timer.receive(byteCount: 96, baudRate: 9600, now: 920 * ms, clock: 5920 * ms)
        #expect(timer.takeStart() == 5800 * ms, "96 bytes take 100 ms at 9600 baud")
        #expect(timer.takeStart() == nil)
    }

    @Test func `a line that is never silent has no bursts`() {
        var timer = BurstTimer()
        for time in stride(from: Int64(0), to: 2_000_000_000, by: 50_000_000) {
            timer.receive(byteCount: 32, baudRate: 9600, now: time, clock: time)
        }
        #expect(timer.start == nil)
    }

    @Test func `three valid fixes come before the first whose time is used`() {
        var filter = ClockFilter()
        var fix = Self.fix
        #expect(
            (0..<5).map { _ in filter.time(of: fix) != nil } == [false, false, false, true, true])
        fix.mode = .noFix
        #expect(filter.time(of: fix) == nil)
        #expect(
            (0..<4).map { _ in filter.time(of: Self.fix) != nil } == [false, false, false, true])
    }

    @Test func `what is simulated never sets a clock`() {
        var filter = ClockFilter()
        var fix = Self.fix
        fix.quality = .simulated
        #expect((0..<9).allSatisfy { _ in filter.time(of: fix) == nil })
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

    @Test func `shared memory holds the sample under an even count`() throws {
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

    private static var fix: Fix {
        var fix = Fix()
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.coordinate = Coordinate(latitude: 48, longitude: 16)
        fix.time = UTCTime(unixNanoseconds: 1_774_269_319_000_000_000)
        return fix
    }
}
