// SPDX-License-Identifier: MIT
import CGPSSerial
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct SerialSourceTests {
    @Test(arguments: [
        4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600, 12_345,
    ])
    func `sets the requested rate`(rate: Int) throws {
        let pty = try PseudoTerminal()
        let baudRate = try #require(BaudRate(rawValue: rate))
        let connection = try SerialSource(pty.path, baudRate: baudRate).connect()
        #expect(connection.baudRate == baudRate)
        #expect(pty.hostRate == baudRate.rawValue)
    }

    @Test func `changes the rate while open`() async throws {
        let pty = try PseudoTerminal()
        let connection = try SerialSource(pty.path).connect()
        try await connection.set(.nmea)
        #expect(connection.baudRate == .nmea)
    }

    @Test func `only devices with built-in USB ignore the rate`() throws {
        let converter = try #require(genericConverters.first { $0.name == "WCH CH343" })
        #expect(SerialSource.ignoresBaudRate("cdc_acm", nil))
        #expect(!SerialSource.ignoresBaudRate("cdc_acm", converter))
        #expect(!SerialSource.ignoresBaudRate("ftdi_sio", nil))
        let pty = try PseudoTerminal()
        #expect(try !SerialSource(pty.path).connect().ignoresBaudRate)
    }

    @Test func `a latency that a tty does not have is not restored`() throws {
        let pty = try PseudoTerminal()
        var found = cserial_settings()
        let fd = cserial_open(pty.path, 9600, CSERIAL_8N1, false, &found)
        try #require(fd >= 0)
        defer { close(fd) }
        #expect(cserial_low_latency(fd, &found) == -1)
        #expect(!found.low_latency)
        cserial_restore(fd, &found)
    }

    @Test func `a rate of zero is rejected`() throws {
        let pty = try PseudoTerminal()
        var found = cserial_settings()
        #expect(cserial_open(pty.path, 0, CSERIAL_8N1, true, &found) == -1)
        #expect(errno == EINVAL)
    }

    @Test func `a rate that the tty does not have leaves the settings unchanged`() throws {
        let pty = try PseudoTerminal()
        let line = try Line(pty.path)
        line.cook()
        let before = line.settings
        // 2 % more than this rate does not fit into the type, so no tty has a rate in its range.
        let rate = CUnsignedInt.max
        var found = cserial_settings()
        for _ in 1...2 {
            #expect(cserial_open(pty.path, rate, CSERIAL_8N1, true, &found) == -1)
            #expect(errno == EINVAL)
            #expect(cserial_change(line.fd, rate, CSERIAL_8N1) == -1)
            #expect(errno == EINVAL)
            #expect(cserial_rate(line.fd) == 9600)
            #expect(line.settings.c_lflag == before.c_lflag)
            #expect(line.settings.c_cflag == before.c_cflag)
        }
    }

    @Test func `sets raw mode in which a read without bytes can only be a hang-up`() throws {
        let pty = try PseudoTerminal()
        let line = try Line(pty.path)
        line.cook()
        let connection = try SerialSource(pty.path).connect()
        let settings = line.settings
        #expect(settings.c_lflag & tcflag_t(ICANON | ECHO | ISIG | IEXTEN) == 0)
        #expect(settings.c_iflag & tcflag_t(ICRNL | INLCR | IXON | ISTRIP) == 0)
        #expect(settings.c_oflag & tcflag_t(OPOST) == 0)
        #expect(settings.c_cflag & tcflag_t(CLOCAL | CREAD) == tcflag_t(CLOCAL | CREAD))
        #expect(settings.c_cflag & tcflag_t(CSTOPB | PARENB) == 0)
        #expect(settings.c_cc.6 == 1)  // VMIN
        #expect(settings.c_cc.5 == 0)  // VTIME
        withExtendedLifetime(connection) {}
    }

    @Test func `sets two stop bits on request`() throws {
        let pty = try PseudoTerminal()
        var source = SerialSource(pty.path)
        source.format = .sevenN2
        let line = try Line(pty.path)
        let connection = try source.connect()
        #expect(line.settings.c_cflag & tcflag_t(CSTOPB) != 0)  // a pty forces 8 bits
        withExtendedLifetime(connection) {}
    }

    @Test func `restores the settings on closing`() throws {
        let pty = try PseudoTerminal()
        let line = try Line(pty.path)
        line.cook()
        let before = line.settings
        let connection = try SerialSource(pty.path).connect()
        #expect(line.settings.c_lflag != before.c_lflag)
        connection.close()
        #expect(line.settings.c_lflag == before.c_lflag)
        #expect(line.settings.c_iflag == before.c_iflag)
        #expect(line.settings.c_cflag == before.c_cflag)
    }

    @Test func `restores a rate that has no constant`() throws {
        let pty = try PseudoTerminal()
        let line = try Line(pty.path)
        #expect(cserial_change(line.fd, 12_345, CSERIAL_8N1) == 0)
        do {
            let connection = try SerialSource(pty.path).connect()
            #expect(cserial_rate(line.fd) == 9600)
            withExtendedLifetime(connection) {}
        }
        #expect(cserial_rate(line.fd) == 12_345)
    }

    @Test func `bytes received before opening are dropped`() async throws {
        let pty = try PseudoTerminal()
        let line = try Line(pty.path)
        await pty.write(Array("old".utf8))
        let connection = try SerialSource(pty.path).connect()
        await pty.write(Array("new".utf8))
        #expect(try await connection.collect(3) == Array("new".utf8))
        withExtendedLifetime(line) {}
    }

    @Test func `nothing is ever written to the receiver`() async throws {
        let pty = try PseudoTerminal()
        let line = try Line(pty.path)
        line.cook()
        let connection = try SerialSource(pty.path).connect()
        await pty.write(Array("$GPRMC,1*00\r\n".utf8))
        _ = try await connection.collect(13)
        connection.close()
        #expect(pty.takeHostBytes() == [])
    }

    @Test func `a tty without lines has no pulses, and the reason is reported`() async throws {
        let pty = try PseudoTerminal()
        let connection = try SerialSource(pty.path).connect()
        let events = Witness<PulseLine.Event>()
        let line = try connection.pulses(PulseOptions()) { events.note($0) }
        guard case .notFound(let reason) = await events.first(1).first else {
            Issue.record("\(events.all)")
            return
        }
        #expect(reason.contains("shows no lines"))
        withExtendedLifetime(line) {}
        connection.close()
        let closed = #expect(throws: DeviceError.self) {
            try connection.pulses(PulseOptions()) { _ in }
        }
        #expect(closed?.code == .cancelled)
        #expect(!PulseLine.isPossible(at: "/dev/null") && !PulseLine.isPossible(at: "/etc/passwd"))
    }

    @Test func `an open tty is busy, and the error names the process that holds it`() async throws {
        let pty = try PseudoTerminal()
        let connection = try SerialSource(pty.path).connect()
        let error = await SerialSource(pty.path, baudRate: .nmea).failure()
        #expect(error?.code == .busy)
        guard case .heldBy(_, let processID) = error?.detail else {
            Issue.record("no process named: \(String(describing: error))")
            return
        }
        #expect(processID == Int(getpid()))
        #expect(connection.baudRate == .default, "the failed attempt changed nothing")
    }

    @Test func `a tty can be shared on request`() throws {
        let pty = try PseudoTerminal()
        var source = SerialSource(pty.path)
        source.isExclusive = false
        let first = try source.connect()
        let second = try source.connect()
        withExtendedLifetime((first, second)) {}
    }

    @Test func `a closed tty can be opened again`() throws {
        let pty = try PseudoTerminal()
        try SerialSource(pty.path).connect().close()
        try SerialSource(pty.path).connect().close()
    }

    @Test func `a path that is not a tty has its own error`() async throws {
        let folder = try TemporaryFolder()
        #expect(await SerialSource("/dev/null").failure()?.code == .notADevice)
        #expect(await SerialSource(folder.path).failure()?.code == .isDirectory)
        #expect(await SerialSource(folder.path("none")).failure()?.code == .notFound)
        #expect(await SerialSource(try folder.file("file", [])).failure()?.code == .notADevice)
    }

    @Test func `a receiver with a kernel driver is locked and read, but has no line settings`()
        async throws
    {
        let folder = try TemporaryFolder()
        let pty = try PseudoTerminal()
        let line = try Line(pty.path)
        line.cook()
        let before = line.settings
        var status = stat()
        #expect(stat(pty.path, &status) == 0)
        let (major, minor) = (gnu_dev_major(status.st_rdev), gnu_dev_minor(status.st_rdev))
        let device = folder.path("dev/char/\(major):\(minor)")
        for path in [folder.path("dev"), folder.path("dev/char"), device] {
            #expect(mkdir(path, 0o700) == 0)
        }
        #expect(symlink("../../../../class/gnss", "\(device)/subsystem") == 0)

        var source = SerialSource(pty.path, baudRate: .nmea)
        source.sysfs = folder.path
        let connection = try source.listen(to: nil)
        #expect(connection.search.map(\.rates) == nil && !connection.isTTY)
        #expect(await source.failure()?.code == .busy)
        let sentence = Array("$GPRMC\n".utf8)
        await pty.write(sentence)
        #expect(try await connection.collect(sentence.count) == sentence)
        for isOpen in [true, false] {
            #expect(cserial_rate(line.fd) == 9600)
            #expect(line.settings.c_lflag == before.c_lflag)
            if isOpen { connection.close() }
        }
        #expect(!Node("/dev/null").isGNSSDevice())
    }

    @Test func `a link is opened by its name, even if that is not UTF-8`() throws {
        let pty = try PseudoTerminal()
        let folder = try TemporaryFolder()
        let link = folder.path(FileName.string([0x63, 0xE9]))
        try #require(symlink(pty.path, FileName.native(link)) == 0)
        #expect(try SerialSource(link).connect().baudRate == .default)
    }

    @Test func `a link and its tty are the same receiver`() throws {
        let folder = try TemporaryFolder()
        let pty = try PseudoTerminal(link: folder.path("gps"))
        #expect(SerialSource(folder.path("gps")).identity == SerialSource(pty.path).identity)
        #expect(SerialSource("/dev/ttyS0").identity != SerialSource(pty.path).identity)
    }

    @Test func `a receiver is followed to another tty from a tty's name, but not from a link`()
        throws
    {
        #expect(SerialSource("/dev/ttyUSB99").followsReceiver)
        let port = "/dev/serial/by-path/pci-0000:00:14.0-usb-0:3:1.0"
        #expect(!SerialSource(port).followsReceiver)
        let folder = try TemporaryFolder()
        let pty = try PseudoTerminal(link: folder.path("gps"))
        #expect(!SerialSource(folder.path("gps")).followsReceiver)
        withExtendedLifetime(pty) {}
    }

    @Test func `a device with another's serial number is recognised by its USB port`() {
        let key = "10c4:ea60:0001:0"
        func mark(hasTwin: Bool, after former: DeviceMark? = nil) -> DeviceMark {
            DeviceMark(
                key: key, portlessKey: key, port: "usb-0:1.2", hasTwin: hasTwin, after: former)
        }
        let alone = mark(hasTwin: false)
        #expect(alone.fits(key: key, port: "usb-0:1.2") && alone.fits(key: key, port: "usb-0:1.3"))
        #expect(!alone.fits(key: "10c4:ea60:A1:0", port: "usb-0:1.2"))
        #expect(!alone.fits(key: nil, port: "usb-0:1.2"))
        let twin = mark(hasTwin: true, after: alone)
        #expect(twin.fits(key: key, port: "usb-0:1.2") && !twin.fits(key: key, port: "usb-0:1.3"))
        #expect(twin.excludes(key: key, portlessKey: key, port: "usb-0:1.3"))
        // The other device has been unplugged, and may return.
        #expect(mark(hasTwin: false, after: twin) == twin)
    }

    @Test func `another device that has the name of an absent receiver is not opened`() {
        let key = "10c4:ea60:0001:0"
        let mark = DeviceMark(key: key, portlessKey: key, port: "usb-0:1.2", hasTwin: false)
        let other = "2341:0043:A1:0"
        #expect(mark.excludes(key: other, portlessKey: other, port: "usb-0:1.3"))
        #expect(!mark.excludes(key: key, portlessKey: key, port: "usb-0:1.3"))
        // A device in the same socket counts as the receiver, as does one that udev does not know.
        #expect(!mark.excludes(key: other, portlessKey: other, port: "usb-0:1.2"))
        #expect(!mark.excludes(key: nil, portlessKey: "2341:0043:", port: nil))
    }

    @Test(arguments: [false, true])
    func `a device without a serial number may use another socket, unless there were two of them`(
        hasTwin: Bool
    ) {
        let model = "1546:01a7::0"
        let mark = DeviceMark(
            key: "1546:01a7:usb-0:1.2:0", portlessKey: model, port: "usb-0:1.2", hasTwin: hasTwin)
        let moved = "1546:01a7:usb-0:1.3:0"
        // Under another name, it is not looked for at another socket.
        #expect(!mark.fits(key: moved, port: "usb-0:1.3"))
        #expect(mark.excludes(key: moved, portlessKey: model, port: "usb-0:1.3") == hasTwin)
        let other = "1546:01a8:usb-0:1.3:0"
        #expect(mark.excludes(key: other, portlessKey: "1546:01a8::0", port: "usb-0:1.3"))
    }

    @Test func `a permission error names the tty's group`() async {
        await #expect(processExitsWith: .success) {
            let pty = try PseudoTerminal()
            let daemon = try #require(getgrnam("daemon")).pointee.gr_gid
            let isRoot = geteuid() == 0
            if isRoot { #expect(chown(pty.path, 0, daemon) == 0) }
            #expect(chmod(pty.path, 0o060) == 0)
            if isRoot {
                setgroups(0, nil)
                setegid(65_534)
                seteuid(65_534)
            }
            let error = await SerialSource(pty.path).failure()
            #expect(error?.code == .permissionDenied)
            #expect(error?.description.contains("open \(pty.path)") == true)
            if isRoot { #expect(error?.detail == .group("daemon")) }
        }
    }
}

/// A second descriptor of a tty, independent of the connection.
private final class Line {
    let fd: CInt

    init(_ path: String) throws {
        fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard fd >= 0 else { throw POSIXError(errno) }
    }

    deinit { close(fd) }

    var settings: termios {
        var settings = termios()
        tcgetattr(fd, &settings)
        return settings
    }

    /// The settings of a fresh tty.
    func cook() {
        var settings = settings
        settings.c_lflag |= tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        settings.c_iflag |= tcflag_t(ICRNL | IXON)
        settings.c_oflag |= tcflag_t(OPOST)
        tcsetattr(fd, TCSANOW, &settings)
    }
}

@Suite(.timeLimit(.generous))
struct BaudRateTests {
    @Test(arguments: [Int.min, -9600, 0, 4_000_001, .max])
    func `rejects impossible rates, and zero, which hangs up`(rate: Int) {
        #expect(BaudRate(rawValue: rate) == nil)
    }

    @Test(arguments: [1, 4800, 12_345, 4_000_000])
    func `accepts any possible rate`(rate: Int) {
        #expect(BaudRate(rawValue: rate)?.rawValue == rate)
    }

    @Test func `receivers start with 9600 baud`() {
        #expect(BaudRate.default.rawValue == 9600)
    }
}

@Suite(.timeLimit(.generous))
struct SerialConnectionTests {
    @Test func `a reader gets every byte in order for every chunking`() async throws {
        let pty = try PseudoTerminal()
        let connection = try await SerialSource(pty.path).open()
        let sent = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        async let received = connection.collect(sent.count)
        var rest = sent[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(Int.random(in: 1...3000))
            #expect(await pty.write(Array(chunk)) == chunk.count)
            rest = rest.dropFirst(chunk.count)
        }
        #expect(try await received == sent)
        #expect(pty.droppedByteCount == 0)
    }

    @Test func `every byte value passes unchanged`() async throws {
        let pty = try PseudoTerminal()
        let connection = try await SerialSource(pty.path).open()
        let all = (0...255).map { UInt8($0) }
        await pty.write(all)
        #expect(try await connection.collect(256) == all)
        #expect(pty.takeHostBytes() == [], "nothing is echoed")
    }

    @Test
    func `a read without bytes ends at the deadline, and the next one gets the next byte`()
        async throws
    {
        let pty = try PseudoTerminal()
        let connection = try await SerialSource(pty.path).open()
        let deadline = MonotonicInstant.after(.milliseconds(5))
        #expect(try await connection.read(until: deadline) == .silence)
        #expect(MonotonicInstant.now >= deadline)
        await pty.write([42])
        #expect(try await connection.read(until: nil) == .bytes([42]))
    }

    @Test func `available bytes take precedence over a passed deadline`() async throws {
        let pty = try PseudoTerminal()
        let connection = try await SerialSource(pty.path).open()
        await pty.write([42])
        #expect(try await connection.read(until: .after(.seconds(-1))) == .bytes([42]))
    }

    @Test func `a hang-up is a disconnection and closes the connection`() async throws {
        let pty = try PseudoTerminal()
        let connection = try await SerialSource(pty.path).open()
        async let failure = connection.failure()
        pty.close()
        #expect(await failure == DeviceError(.disconnected, device: pty.path))
        #expect(await connection.failure()?.code == .cancelled)
    }

    @Test(arguments: [true, false])
    func `the reader learns of a disconnection that a write or a new baud rate noticed first`(
        writes: Bool
    ) async throws {
        let pty = try PseudoTerminal()
        let connection = try SerialSource(pty.path).connect()
        pty.close()
        let error = await #expect(throws: DeviceError.self) {
            if writes { try await connection.write([42]) } else { try await connection.set(.nmea) }
        }
        #expect(error?.code == .disconnected)
        #expect(await connection.failure()?.code == .disconnected)
    }

    @Test func `a hang-up wakes the poller once`() async throws {
        try await withHangUp { connection in
            #expect(await connection.failure()?.code == .disconnected)
        }
    }

    @Test func `a hang-up that no task awaits does not spin`() async throws {
        try await withHangUp { _ in }
    }

    /// Hangs up a tty after a wait, and checks that the poller sleeps afterwards.
    private func withHangUp(_ body: @Sendable (SerialConnection) async -> Void) async throws {
        let poller = Poller()
        defer { poller.stop() }
        let pty = try PseudoTerminal()
        var source = SerialSource(pty.path)
        source.poller = poller
        let connection = try source.connect()
        await withTaskExecutorPreference(poller) {
            #expect((try? await connection.read(until: .after(.milliseconds(1)))) == .silence)
            let before = poller.wakeUps
            pty.close()
            await body(connection)
            for _ in 0..<10 { _ = await poller.sleep(until: .after(.milliseconds(1))) }
            #expect(poller.wakeUps - before <= 11)
        }
        withExtendedLifetime(connection) {}
    }

    @Test func `opening returns to the poller's thread`() async throws {
        let pty = try PseudoTerminal()
        let threads = try await Task(executorPreference: Poller.shared) {
            let before = pthread_self()
            let connection = try await SerialSource(pty.path).open()
            connection.close()
            return (before, pthread_self())
        }.value
        #expect(threads.0 == threads.1)
    }

    @Test func `cancelling a waiting task ends it immediately and closes the connection`()
        async throws
    {
        let pty = try PseudoTerminal()
        let connection = try SerialSource(pty.path).connect()
        let task = Task { await connection.failure() }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        #expect(connection.baudRate == nil)
        try SerialSource(pty.path).connect().close()
    }

    @Test func `closing ends a waiting read`() async throws {
        let pty = try PseudoTerminal()
        let connection = try await SerialSource(pty.path).open()
        async let failure = connection.failure()
        await Task.yield()
        connection.close()
        connection.close()
        #expect(await failure?.code == .cancelled)
    }

    @Test func `closing keeps the bytes that the driver has sent`() async throws {
        let pty = try PseudoTerminal()
        let connection = try await SerialSource(pty.path).open()
        try await connection.serialLine?.write([1, 2, 3])
        connection.close()
        #expect(pty.takeHostBytes() == [1, 2, 3])
    }

    @Test func `releasing the last reference closes the connection`() async throws {
        let pty = try PseudoTerminal()
        _ = try await SerialSource(pty.path).open()
        // Processes forked by other tests have the tty open until they run their own program.
        await pty.waitUntilUnread()
        #expect(!pty.hasReader)
    }

    @Test func `thousands of connections leak no descriptor`() async {
        // In a separate process, where no other test opens files at the same time.
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let link = folder.path("gps")
            func cycle(_ number: Int) async throws {
                let pty = try PseudoTerminal(link: link)
                let connection = try await SerialSource(link).open()
                switch number % 4 {
                case 0: connection.close()
                case 1:
                    pty.close()
                    #expect(await connection.failure()?.code == .disconnected)
                case 2:
                    let task = Task { await connection.failure() }
                    task.cancel()
                    #expect(await task.value?.code == .cancelled)
                default:
                    await pty.write([1, 2, 3])
                    #expect(try await connection.collect(3) == [1, 2, 3])
                }
            }
            func watch() async throws {
                let availability = SerialSource(link).availability()
                await availability?.next(until: .now)
                try await PseudoTerminal().waitForReader(until: .now)
            }
            for number in 0..<8 { try await cycle(number) }
            try await watch()
            let before = openDescriptorCount()
            for number in 0..<4000 { try await cycle(number) }
            for _ in 0..<20 { try await watch() }
            #expect(openDescriptorCount() == before)
        }
    }
}
