// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Synchronization
import Testing

@testable import GPSServer

/// The transfer of the time to chronyd and ntpd, and its reports.
@Suite(.timeLimit(.generous))
struct ClockOutputTests {
    private static let sample = ClockSample(
        trueTime: 1_774_269_319_000_000_000, systemTime: 1_774_269_319_123_456_789)

    @Test
    func `the result of a sample is known for a missing, an abandoned and a read socket`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path("chrony.sock")
        let socket = try ChronySocket(path)
        #expect(socket.send(Self.sample) == ENOENT)
        for _ in 0..<2 {
            // chronyd creates the socket at each start.
            let daemon = try Daemon(path)
            #expect(socket.send(Self.sample) == 0)
            #expect(await daemon.next() == Self.sample.chronyDatagram)
            daemon.close()
            #expect(await Self.error(without: socket) == ECONNREFUSED)
            unlink(path)
        }
    }

    /// Sends until it fails, because a process forked by another test may hold the other end for a moment,
    /// until its buffer is full.
    private static func error(without socket: ChronySocket) async -> CInt? {
        while true {
            let error = socket.send(Self.sample)
            guard error == 0 || error == EAGAIN, !Task.isCancelled else { return error }
            await Task.yield()
        }
    }

    @Test func `a privileged process sends samples for an unprivileged one`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("chrony.sock")
        let socket = try ChronySocket(path, keepsRights: true)
        #expect(socket.send(Self.sample) == nil, "its result is known later")
        #expect(await Self.result(of: socket) == ENOENT)
        for _ in 0..<2 {
            let daemon = try Daemon(path)
            _ = socket.send(Self.sample)
            #expect(await daemon.next() == Self.sample.chronyDatagram)
            // The first results may be those of samples that were sent before there was a daemon,
            // whose socket has room for few samples.
            var result = await Self.result(of: socket)
            while result == EAGAIN || result == ENOENT, !Task.isCancelled {
                if result == EAGAIN { _ = await daemon.next() }
                result = await Self.result(of: socket)
            }
            #expect(result == 0)
            daemon.close()
            unlink(path)
            // Skips the results of samples that were sent before it was closed.
            while await Self.result(of: socket) != ENOENT, !Task.isCancelled {}
        }
    }

    /// Sends samples until the result of an earlier one is available, and returns it; `nil` if the
    /// test is cancelled.
    private static func result(of socket: ChronySocket) async -> CInt? {
        while !Task.isCancelled {
            if let result = socket.send(sample) { return result }
            await Task.yield()
        }
        return nil
    }

    @Test(arguments: ["", String(repeating: "x", count: 200)])
    func `an invalid socket path is rejected`(path: String) {
        for keepsRights in [false, true] {
            #expect(throws: ServerError.self) { try ChronySocket(path, keepsRights: keepsRights) }
        }
    }

    @Test(arguments: [-1, 256, 1 << 40])
    func `an invalid unit is rejected with the valid range`(unit: Int) {
        let error = #expect(throws: ServerError.self) { try SharedMemoryClock(unit: unit) }
        #expect(error?.description.contains("from 0 to 255") == true)
    }

    @Test(
        arguments: [
            ([240, 241], "/dev/gpsbridge-none", 241), ([9, 240, 8], "/dev/pps0", 9),
            ([240, 242], "/dev/pps0", nil), ([240, 241], nil, nil), ([], "/dev/pps0", nil),
        ] as [([Int], String?, Int?)])
    func `no unit of the shared memory receives sentences and the pulses of another`(
        units: [Int], pulseDevice: String?, unit: Int?
    ) {
        var configuration = ServerConfiguration()
        configuration.clocks.sharedMemoryUnits = units
        configuration.clocks.pulseDevice = pulseDevice
        #expect(configuration.clocks.unitWithTwoInputs == unit)
        guard let unit else { return }
        let error = #expect(throws: ServerError.self) {
            try ReceiverServer(sources: [], configuration: configuration)
        }
        #expect(error?.what == "cannot use unit \(unit) of NTP's shared memory")
        #expect(
            error?.description.contains("this unit is used for the pulses of unit \(unit - 1)")
                == true)
    }

    @Test func `readers of the shared memory are detected from the second sample on`()
        throws
    {
        let unit = 201 + Int(getpid() % 50)
        let clock = try SharedMemoryClock(unit: unit)
        let id = shmget(key_t(0x4E54_5030 + unit), 96, 0)
        defer { shmctl(id, IPC_RMID, nil) }
        let memory = try #require(shmat(id, nil, 0))
        defer { shmdt(memory) }
        #expect(!clock.write(Self.sample))
        #expect(!clock.write(Self.sample), "nothing has read the one before")
        memory.storeBytes(of: 0, toByteOffset: 48, as: Int32.self)
        #expect(clock.write(Self.sample))
    }

    @Test func `a long outage is reported, and its end immediately`() {
        var watch = OutageWatch(delay: .seconds(10))
        let start = MonotonicInstant.now
        let outcomes: [(second: Int, works: Bool, isNews: Bool)] = [
            (0, false, false), (9, false, false), (10, false, true), (99, false, false),
            (100, true, true), (101, true, false), (102, false, false), (103, true, false),
            (104, false, false), (113, false, false), (114, false, true),
        ]
        for outcome in outcomes {
            let time = start + .seconds(outcome.second)
            #expect(
                watch.shouldReport(isWorking: outcome.works, at: time) == outcome.isNews,
                "\(outcome.second) s")
        }
        #expect(watch.works == false)
    }

    @Test func `reports have the socket or unit, the reason and the remedy`() {
        var reports = ClockTargets(
            sockets: ["/run/c.sock"], units: [99], pulseDevice: nil)
        let start = MonotonicInstant.now
        func note(_ error: CInt, _ isRead: Bool, after seconds: Int) -> [String] {
            reports.note(
                results: [error], areRead: [isRead], hasPulse: false,
                at: start + .seconds(seconds))
        }
        #expect(note(ENOENT, false, after: 0).isEmpty)
        let missing = note(ENOENT, false, after: 2)
        #expect(missing.count == 1)
        #expect(missing[0].contains("refclock SOCK /run/c.sock"))
        #expect(note(0, false, after: 3) == ["the time goes to chronyd at /run/c.sock"])
        #expect(note(0, false, after: 11).first?.contains("no program reads it") == true)
        #expect(note(0, true, after: 12).first?.contains("and a program reads it") == true)
        #expect(note(EACCES, true, after: 13).isEmpty)
        #expect(
            note(EACCES, true, after: 15).first?.contains("is not allowed to write to this socket")
                == true)
        #expect(reports.targets.map(\.isReached) == [false, true])
        #expect(reports.targets.map(\.count) == [3, 3])
        #expect(reports.targets.map(\.name) == ["/run/c.sock", "shm 99"])
    }

    @Test(arguments: [("/dev/pps0", true), ("/dev/ttyUSB0", false)])
    func `a device of the kernel without pulses is reported with the other way`(
        device: String, hasOther: Bool
    ) throws {
        var reports = ClockTargets(sockets: [], units: [], pulseDevice: device)
        let start = MonotonicInstant.now
        let messages = [0, 10].map { seconds in
            reports.note(
                results: [], areRead: [], hasPulse: false, at: start + .seconds(seconds))
        }
        #expect(messages.map(\.count) == [0, 1])
        let text = try #require(messages.last?.first)
        #expect(text.hasPrefix("pulses on \(device) are not used"))
        #expect(text.contains("give its tty instead") == hasOther)
    }

    @Test func `a timing receiver with a surveyed position sets the clock`() {
        var filter = ClockFilter()
        var fix = Fix()
        (fix.mode, fix.quality) = (.threeD, .manual)
        fix.time = UTCTime(unixNanoseconds: TimeTests.releaseNoon)
        for _ in 0..<4 { #expect(filter.time(of: fix) == nil) }
        #expect(filter.obstacle == .estimated, "a position typed in proves no satellites")
        fix.accuracy.time = 5e-9
        #expect((0..<4).map { _ in filter.time(of: fix) != nil } == [false, false, false, true])
        fix.accuracy.time = 1
        #expect(filter.time(of: fix) == nil)
        #expect(filter.obstacle == .inaccurateTime)
    }

    @Test func `a tty for pulses that does not exist yet is named at the start`() throws {
        var configuration = ClockConfiguration()
        configuration.pulseDevice = "/dev/ttyUSB250"
        let lines = Mutex<[String]>([])
        let output = try ClockOutput(configuration) { line in lines.withLock { $0.append(line) } }
        try output.start()
        #expect(lines.withLock { $0.count } == 1)
        #expect(lines.withLock { $0.first?.hasPrefix("/dev/ttyUSB250 does not exist") } == true)
    }

    @Test func `an unused time has a reason`() {
        var filter = ClockFilter()
        var fix = Fix()
        fix.quality = .autonomous
        #expect(filter.time(of: fix) == nil)
        #expect(filter.obstacle == .noFix)
        fix.mode = .threeD
        #expect(filter.time(of: fix) == nil)
        #expect(filter.obstacle == .noTime)
        fix.time = UTCTime(unixNanoseconds: TimeTests.releaseNoon)
        for _ in 0..<3 {
            #expect(filter.time(of: fix) == nil)
            #expect(filter.obstacle == .settling)
            #expect(filter.obstacle?.description.hasPrefix("fewer than four valid fixes") == true)
        }
        #expect(filter.time(of: fix) != nil, "this is the fourth")
        #expect(filter.obstacle == nil)
        fix.accuracy.time = 1
        #expect(filter.time(of: fix) == nil)
        #expect(filter.obstacle == .inaccurateTime)
        fix.quality = .simulated
        #expect(filter.time(of: fix) == nil)
        #expect(filter.obstacle == .simulated)
    }

    @Test(
        arguments: [
            (2, nil, [0, 1]), (2, 0, [0]), (2, 1, [1]), (2, 2, []), (1, 0, [0]), (1, 5, [0]),
            (1, nil, [0]),
        ] as [(Int, Int?, [Int])])
    func `each of several clocks follows one of several receivers`(
        count: Int, receiver: Int?, set: [Int]
    ) throws {
        let folder = try TemporaryFolder()
        var configuration = ClockConfiguration()
        configuration.chronySockets = (0..<count).map { folder.path("clock\($0)") }
        let daemons = try configuration.chronySockets.map { try Daemon($0) }
        let clocks = try ClockOutput(configuration)
        #expect(clocks.send(Self.sample, of: receiver, at: .now).pulse == nil)
        #expect(daemons.indices.filter { !daemons[$0].isEmpty } == set)
        #expect(clocks.usesTime(of: receiver) == !set.isEmpty)
    }

    /// The clock of a receiver whose time is used.
    private static func usedClock() async -> GPSServer.ClockSampler {
        var fix = Fix()
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.time = SystemClock.now
        var clock = GPSServer.ClockSampler(obstacle: nil)
        clock.receive(byteCount: 1, baudRate: nil)
        for _ in 0..<3 { _ = clock.sample(of: fix, delay: 0, at: .now) }
        // A burst begins after a pause of the line.
        let pauseEnd = MonotonicInstant.now.nanoseconds + 70_000_000
        while MonotonicInstant.now.nanoseconds < pauseEnd { await Task.yield() }
        clock.receive(byteCount: 1, baudRate: nil)
        _ = clock.sample(of: fix, delay: 0, at: .now)
        #expect(clock.isUsed == true)
        return clock
    }

    @Test func `a receiver whose time is used after another one was removed is reported`()
        async throws
    {
        let folder = try TemporaryFolder()
        var configuration = ServerConfiguration.local
        configuration.clocks.chronySockets = ["a", "b"].map { folder.path($0) }
        let sources = (0..<3).map { SerialSource(folder.path("gps\($0)"), baudRate: .default) }
        let lines = Witness<String>()
        let server = try ReceiverServer(sources: sources, configuration: configuration) {
            lines.note($0)
        }
        let last = try #require(server.receivers.last)
        let clock = await Self.usedClock()
        last.state.withLock { state in
            state.device.activated = SystemClock.now
            state.clock = clock
        }
        try await server.setSources(Array(sources.dropFirst()))
        let path = last.device.path
        #expect(
            lines.all.contains("the time from \(path) is passed to chronyd or NTP's shared memory"))
    }

    @Test func `a source without usable time is reported once, and in the metrics`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let folder = try TemporaryFolder()
        var configuration = ServerConfiguration.local
        configuration.http = [.loopback(port: 0)]
        configuration.clocks.chronySockets = [folder.path("none")]
        let lines = Mutex<[String]>([])
        let source = SerialSource(receiver.path, baudRate: .default)
        let server = try ReceiverServer(sources: [source], configuration: configuration) { line in
            lines.withLock { $0.append(line) }
        }
        try await server.whileRunning { server in
            let client = try TestClient(port: server.port ?? 0)
            await receiver.waitForReader()
            #expect(await client.ask("?WATCH={\"json\":true}", for: "WATCH") != nil)
            for second in 0..<6 { await receiver.sendEpoch(second) }
            #expect(await client.line(with: "12:00:03.000Z") != nil)
            let page = try TestClient(port: server.httpPort ?? 0)
            page.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(await page.line(with: "gpsbridge_time_used{")?.hasSuffix(" 0") == true)
            #expect(
                await page.line(with: "gpsbridge_time_samples_sent_total{")?.hasSuffix(" 0")
                    == true)
        }
        let reported = lines.withLock { $0 }.filter { $0.contains("is not passed to chronyd") }
        #expect(reported.count == 1)
        #expect(reported.first?.contains("pseudo terminal") == true)
    }

    /// chronyd's end of its socket.
    private final class Daemon: Sendable {
        private let descriptor: Descriptor

        init(_ path: String) throws {
            let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
            let fd = socket(AF_UNIX, kind | CInt(SOCK_NONBLOCK.rawValue), 0)
            descriptor = Descriptor(fd)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let status = withUnsafePointer(to: address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(fd, $0, size) }
            }
            try #require(status == 0)
        }

        /// The next datagram.
        func next() async -> [UInt8]? {
            guard case .bytes(let bytes) = await descriptor.read(atMost: 4096, until: nil) else {
                return nil
            }
            return bytes
        }

        /// Whether no datagram has arrived.
        var isEmpty: Bool {
            var byte: UInt8 = 0
            return descriptor.use { recv($0, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) } ?? -1
                < 0
        }

        func close() { descriptor.close() }
    }
}
