// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSTestSupport
import Glibc
import NMEA
import SimulatedDevices
import Testing

/// The command `gpsbridge simulate`.
@Suite(.timeLimit(.generous))
struct SimulateTests {
    /// Reads the tty of a simulation until there are `count` bytes.
    private func read(_ path: String, _ count: Int) async throws -> [UInt8] {
        let connection = try await SerialSource(path).open()
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard case .bytes(let more) = try await connection.read(until: nil) else { break }
            bytes += more
        }
        return bytes
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `simulate is a receiver on a tty until a signal, and removes its files`(
        _ signal: CInt
    ) async throws {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        let run = try await CommandRun(words: ["simulate", "--link", link, "--rate", "20"])
        #expect(try await run.line() == link)
        let bytes = try await read(link, 5000)
        #expect(String(decoding: bytes, as: UTF8.self).contains("$GNGGA"))
        run.send(signal)
        // `timeout` may send it twice, too.
        if signal == SIGTERM { run.send(signal) }
        #expect(await run.status() == 0)
        var status = stat()
        #expect(lstat(link, &status) != 0)
    }

    @Test func `simulate prints the command that reads the receiver`() async throws {
        let run = try await CommandRun(words: ["simulate", "-n", "1"])
        let name = try #require(try await run.line())
        let text = try await run.messages().joined(separator: "\n")
        #expect(text.contains("gpsbridge monitor \(name)"))
        #expect(text.contains("gpsd -N -D3 \(name)"))
        #expect(await run.status() == 0)
    }

    @Test func `monitor marks its data as simulated`() async throws {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        let run = try await CommandRun(
            words: ["simulate", "--link", link, "--rate", "20", "--personality", "ublox9"])
        _ = try await run.line()
        let monitor = try await CommandRun(words: ["monitor", link, "-f", "text", "-n", "5"])
        let lines = try await monitor.lines()
        #expect(lines.count == 5)
        #expect(lines.allSatisfy { $0.hasPrefix("SIMULATED ") })
    }

    @Test func `simulate ends after the count or duration, which may be accelerated`() async throws
    {
        let folder = try TemporaryFolder()
        let truth = folder.path("truth.jsonl")
        let run = try await CommandRun(
            words: [
                "simulate", "--duration", "3600", "--accelerate", "1000000", "--truth", truth,
                "--at", "47.07,15.44", "--start", "2026-03-21T12:00:00Z",
            ])
        #expect(await run.status() == 0)
        let lines = try read(file: truth).split(separator: "\n")
        #expect(lines.count == 3600)
        #expect(lines.allSatisfy { $0.contains("\"lat\":47.07,\"lon\":15.44,") })
        #expect(lines.last?.contains("\"time\":\"2026-03-21T12:59:59.000Z\"") == true)
    }

    private func read(file: String) throws -> String {
        String(decoding: try read(bytesOf: file), as: UTF8.self)
    }

    private func read(bytesOf path: String) throws -> [UInt8] {
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        try #require(fd >= 0)
        defer { close(fd) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(fd, &buffer, buffer.count)
            guard count > 0 else { return all }
            all += buffer[..<count]
        }
    }

    @Test func `a line ends at its end point`() async throws {
        let folder = try TemporaryFolder()
        let truth = folder.path("truth.jsonl")
        let run = try await CommandRun(
            words: [
                "simulate", "-n", "40", "--accelerate", "1000", "--truth", truth,
                "--at", "48,16", "--line", "48.001,16", "--speed", "10",
            ])
        #expect(await run.status() == 0)
        let last = try #require(try read(file: truth).split(separator: "\n").last)
        #expect(last.contains("\"lat\":48.00") && last.contains("\"speed\":0"))
    }

    @Test(arguments: ["gpx", "nmea"])
    func `a simulated receiver follows the track of a file`(_ kind: String) async throws {
        let folder = try TemporaryFolder()
        let gpx = """
            <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
            <trkpt lat="48.2" lon="16.3"><time>2026-03-21T12:00:00Z</time></trkpt>
            <trkpt lat="48.2" lon="16.4"><time>2026-03-21T12:01:00Z</time></trkpt>
            </trkseg></trk></gpx>
            """
        let nmea = (0...60).flatMap {
            ScriptedReceiver.epoch($0, longitude: 16.3 + 0.1 * Double($0) / 60)
        }
        let track = try folder.file("track", kind == "gpx" ? Array(gpx.utf8) : nmea)
        let truth = folder.path("truth.jsonl")
        let run = try await CommandRun(
            words: [
                "simulate", "--track", track, "-n", "70", "--accelerate", "1000", "--truth", truth,
            ])
        #expect(await run.status() == 0)
        let lines = try read(file: truth).split(separator: "\n")
        #expect(lines.count == 70)
        #expect(lines.first?.contains("\"lon\":16.3") == true)
        #expect(lines[30].contains("\"lon\":16.35") || lines[30].contains("\"lon\":16.349"))
        #expect(
            lines.last?.contains("\"lon\":16.4") == true || lines.last?.contains("16.39") == true)
    }

    @Test func `faults are read from options and files, and unplugging is reported`() async throws {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        let faults = try folder.file("faults", Array("# later\n2s: unplug as gps1 for 1s\n".utf8))
        let run = try await CommandRun(
            words: [
                "simulate", "--link", link, "--rate", "10", "--faults", faults,
                "--fault", "0s: bad-checksums 100% for 1s",
            ])
        _ = try await run.line()
        var messages: [String] = []
        while messages.count < 5, let message = try await run.message() { messages.append(message) }
        #expect(messages.contains { $0.hasSuffix(": the receiver was unplugged") })
        #expect(
            messages.last
                == "gpsbridge: the receiver was plugged in again as \(folder.path("gps1"))")
        let text = String(decoding: try await read(folder.path("gps1"), 2000), as: UTF8.self)
        #expect(text.contains("GGA"))
    }

    @Test func `TCP clients read a simulated receiver from the time they connect`() async throws {
        let run = try await CommandRun(words: ["simulate", "--tcp", "127.0.0.1:0", "--rate", "20"])
        let message = try #require(try await run.message())
        let port = try #require(UInt16(message.split(separator: " ").last ?? ""))
        let fd = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        defer { close(fd) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                connect(fd, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(status == 0)
        var timeout = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(fd, &bytes, bytes.count, 0)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).hasPrefix("$G"))
    }

    @Test func `closing the pipe of --truth ends simulate without a message`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("truth")
        try #require(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(reader >= 0)
        let run = try await CommandRun(words: ["simulate", "--truth", path, "--rate", "20"])
        _ = try await run.line()
        close(reader)
        #expect(await run.status() == 0)
    }

    @Test func `--personality list prints the personalities`() async throws {
        let run = try await CommandRun(words: ["simulate", "--personality", "list"])
        let names = try await run.lines().compactMap { $0.split(separator: " ").first }
        #expect(names.map(String.init) == Personality.all.map(\.name))
        #expect(await run.status() == 0)
    }

    @Test func `the help of simulate has every fault and an example`() async throws {
        let run = try await CommandRun(words: ["simulate", "--help"])
        let text = try await run.lines().joined(separator: "\n")
        for word in FaultKeyword.all { #expect(text.contains("  \(word.name)")) }
        #expect(text.contains("gpsbridge simulate --link"))
    }

    @Test(arguments: [
        (["--personality", "ublox88"], "did you mean 'ublox8'?"),
        (["--personality", "sirf3", "--rate", "5"], "at most 1 Hz"),
        (["--personality", "sirf3", "--protocol", "ubx"], "a sirf3 sends no UBX: use one of"),
        (["--protocol", "rtcm"], "unknown protocol 'rtcm' (known: nmea, ubx, both)"),
        (["--at", "48.2"], "expected LAT,LON"),
        (["--at", "148,16"], "latitude '148' is not a number"),
        (["--circle", "x"], "circle 'x' is not a number of metres from 0 to 100000"),
        (["--line", "48.2066,16.3634"], "--line needs a position other than"),
        (["--circle", "50", "--line", "1,1"], "cannot be combined"),
        (["--at", "1,1", "--track", "walk.gpx"], "--at and --track cannot be combined"),
        (["--at", "1,1", "--speed", "3"], "--at alone places it at rest"),
        (["--start", "1600-01-01T00:00:00Z"], "expected a time from 1980 to 2079"),
        (["--track", "/nonexistent/x"], "There is no file /nonexistent/x"),
        (["--track", "/dev/zero"], "/dev/zero is larger than 256 MiB"),
        (["--faults", "/bin/true"], "not a text file: /bin/true"),
        (["--link", "/nonexistent/x"], "The link /nonexistent/x cannot be created"),
        (["--sky", "blue"], "unknown sky 'blue'"),
        (["--start", "noon"], "expected a time such as 2026-03-21T12:00:00Z"),
        (["--fault", "1s: jum"], "fault '1s: jum', column 5: not a fault: 'jum'"),
        (["--tcp", "here"], "not an address: 'here' (expected [HOST:]PORT, such"),
        (["--udp", "10110"], "not an address: '10110' (expected HOST:PORT, such"),
        (["--baud", "0"], "baud rate '0'"),
        (["--accelerate", "0"], "accelerate '0'"),
        (["--track", "/dev/null"], "/dev/null contains no track"),
        (["--link", "/tmp"], "/tmp exists and is not a link"),
        (["--truth", "/nonexistent/x"], "cannot write to /nonexistent/x"),
        (["now"], "unexpected argument"),
    ])
    func `a usage error is reported in one line`(_ words: [String], _ text: String) async throws {
        let run = try await CommandRun(words: ["simulate"] + words)
        #expect(try await run.lines() == [])
        let messages = try await run.messages()
        #expect(messages.count == 1)
        #expect(messages.first?.contains(text) == true, "\(messages)")
        #expect(await run.status() != 0)
    }
}
