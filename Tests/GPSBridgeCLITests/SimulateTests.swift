// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
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

/// The option `--track` of `gpsbridge simulate`.
@Suite(.timeLimit(.generous))
struct SimulatedTrackTests {
    /// Returns the true positions of a simulation that follows a track, one line per epoch, and its messages.
    private func follow(
        _ track: String, _ words: [String] = [], count: Int
    ) async throws -> (lines: [Substring], messages: [String]) {
        let folder = try TemporaryFolder()
        let words =
            ["simulate", "--track", track, "-n", "\(count)", "--accelerate", "1000", "--truth"]
            + [folder.path("truth")] + words
        let run = try await CommandRun(words: words)
        let messages = try await run.messages()
        #expect(await run.status() == 0, "\(messages)")
        let text = String(decoding: try folder.bytes("truth"), as: UTF8.self)
        return (text.split(separator: "\n"), messages)
    }

    @Test func `simulate follows a GPX file whose first points have no time`() async throws {
        let folder = try TemporaryFolder()
        // GGA has no date.
        let dateless = ScriptedReceiver.epoch(0).split(separator: 0x0A)[1] + [0x0A]
        let bytes = dateless + (1..<10).flatMap { ScriptedReceiver.epoch($0) }
        let recording = try folder.file("a.nmea", Array(bytes))
        let track = folder.path("a.gpx")
        let convert = try await CommandRun(words: ["convert", recording, "-o", track])
        #expect(await convert.status() == 0)
        let gpx = String(decoding: try folder.bytes("a.gpx"), as: UTF8.self)
        #expect(
            gpx.split(separator: "\n").contains { $0.contains("<trkpt") && !$0.contains("<time>") })
        #expect(try await follow(track, count: 5).lines.count == 5)
    }

    @Test(arguments: ["kml", "geojson", "csv", "json"])
    func `simulate follows every format that convert reads`(_ format: String) async throws {
        let folder = try TemporaryFolder()
        let recording = try folder.file("a.nmea", (0..<10).flatMap { ScriptedReceiver.epoch($0) })
        let track = folder.path("track")
        let words = ["convert", recording, "--to", format, "-o", track]
        #expect(await (try await CommandRun(words: words)).status() == 0)
        let (lines, _) = try await follow(track, count: 5)
        #expect(lines.count == 5)
        #expect(lines.allSatisfy { $0.contains("\"lat\":48.2") }, "\(lines)")
    }

    @Test func `a route without times is followed at 10 m/s, which is reported`()
        async throws
    {
        let folder = try TemporaryFolder()
        let gpx = """
            <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><rte>
            <rtept lat="48" lon="16"/><rtept lat="48.01" lon="16"/></rte></gpx>
            """
        let track = try folder.file("route.gpx", Array(gpx.utf8))
        let (lines, messages) = try await follow(track, count: 60)
        let advice = "so the receiver follows it at 10 m/s: use --speed for another speed"
        #expect(messages.contains { $0.hasSuffix(advice) })
        #expect(lines[30].contains("\"speed\":10"), "\(lines[30])")
    }

    @Test func `the first known altitude is used from the beginning`() async throws {
        let folder = try TemporaryFolder()
        // RMC has no altitude.
        let flat = ScriptedReceiver.epoch(0).split(separator: 0x0A)[0] + [0x0A]
        let bytes = flat + (1..<10).flatMap { ScriptedReceiver.epoch($0) }
        let track = try folder.file("a.nmea", Array(bytes))
        let (lines, _) = try await follow(track, count: 5)
        #expect(lines.allSatisfy { $0.contains("\"alt\":171") }, "\(lines)")
    }

    @Test(arguments: ["gpx", "kml", "nmea"])
    func `a missing altitude is interpolated between its neighbours`(
        _ format: String
    ) async throws {
        let folder = try TemporaryFolder()
        // NMEA needs two epochs to become three-dimensional again.
        let heights = [0: "100", 4: "180", 5: "200", 6: "220", 7: "240"]
        let points = (0..<8).map { second in
            let height = heights[second].map { "<ele>\($0)</ele>" } ?? ""
            let time = "<time>2026-03-21T12:00:0\(second)Z</time>"
            return "<trkpt lat=\"48.\(second)\" lon=\"16\">\(height)\(time)</trkpt>"
        }
        let head = "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>"
        let gpx = "\(head)\(points.joined())</trkseg></trk></gpx>"
        var track = try folder.file("a.gpx", Array(gpx.utf8))
        if format != "gpx" {
            let other = folder.path("a.\(format)")
            let run = try await CommandRun(words: ["convert", track, "-o", other])
            #expect(await run.status() == 0)
            track = other
        }
        let (lines, _) = try await follow(track, count: 5)
        let altitudes = lines.compactMap { $0.firstMatch(of: #/"alt":([0-9.]+)/#)?.1 }
        #expect(altitudes == ["100.0", "120.0", "140.0", "160.0", "180.0"], "\(lines)")
    }

    @Test func `lines without times are followed at 10 m/s, or at a given speed`()
        async throws
    {
        let folder = try TemporaryFolder()
        let recording = try folder.file(
            "a.nmea",
            (0..<10).flatMap { ScriptedReceiver.epoch($0, latitude: 48 + Double($0) / 100) }
        )
        let track = folder.path("b.geojson-lines")
        let words = ["convert", recording, "--to", "geojson-lines", "-o", track]
        #expect(await (try await CommandRun(words: words)).status() == 0)
        let (lines, messages) = try await follow(track, count: 30)
        let advice = "so the receiver follows it at 10 m/s: use --speed for another speed"
        #expect(messages.contains { $0.hasSuffix(advice) })
        #expect(lines[20].contains("\"speed\":10"), "\(lines[20])")
        let (fast, _) = try await follow(track, ["--speed", "25"], count: 30)
        #expect(fast[20].contains("\"speed\":25"), "\(fast[20])")
    }

    @Test func `a missing folder of --truth is reported`() async throws {
        let folder = try TemporaryFolder()
        try await CommandRun.expectFailure(
            ["simulate", "--truth", folder.path("none/x")], status: 1, "create its folder first")
    }

    @Test(arguments: ["1", "3", "10"])
    func `epochs fall on the second or a whole fraction of it, and none is sent after its time`(
        _ rate: String
    ) async throws {
        let folder = try TemporaryFolder()
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let started = try #require(
            UTCTime(unixNanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)))
        let run = try await CommandRun(
            words: ["simulate", "-r", rate, "-n", "1", "--truth", folder.path("truth")])
        #expect(await run.status() == 0)
        let text = String(decoding: try folder.bytes("truth"), as: UTF8.self)
        let time = try #require(text.firstMatch(of: #/"time":"([^"]*)"/#)?.1)
        // The texts have milliseconds, so a time later in the same millisecond has the same text.
        #expect(String(time) >= started.description)
        let ends = ["1": [".000Z"], "3": [".000Z", ".333Z", ".666Z"]][rate] ?? ["00Z"]
        #expect(ends.contains { time.hasSuffix($0) }, "\(time)")
    }
}

/// `--warm-start` of the commands that read receivers, with simulated receivers on pseudo terminals.
@Suite(.timeLimit(.generous))
struct WarmStartTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var files: [String] {
        Folder.names(in: folder.path("state/gpsbridge")).filter { $0.hasPrefix("warm-start-") }
    }

    @Test(arguments: ["monitor", "record", "serve"])
    func `data is stored at the end, and shown`(_ command: String) async throws {
        // At 9600 baud only a line that is faster than its rate carries the database, which a busy
        // machine's is not.
        try await folder.simulate("ublox10", ["-b", "115200"]) { tty in
            let words =
                switch command {
                case "monitor": ["monitor", tty, "-b", "115200", "-f", "text"]
                case "record": ["record", tty, "-b", "115200", "-o", folder.path("drive.csv")]
                default:
                    [
                        "serve", tty, "-b", "115200", "--user", "root", "--listen", "127.0.0.1:0",
                    ]
                }
            // On a busy machine the receiver may answer too late.
            for _ in 0..<5 where files.isEmpty {
                let path = folder.path("drive.csv")
                // The first line names the columns.
                let count = max(1, GPSTestSupport.lines(of: readFile(path)).count)
                let run = try await folder.run(words + ["--warm-start"])
                switch command {
                case "monitor": _ = try await run.line()
                case "record":
                    try await waitForFile(path) { GPSTestSupport.lines(of: $0).count > count }
                default:
                    let address = try await run.message(with: "clients at ") ?? ""
                    let port = address.split(separator: ":").last ?? ""
                    // The client may have the first fix before the server's own cycle is complete.
                    let words = ["monitor", "gpsd://127.0.0.1:\(port)", "-f", "text", "-n", "3"]
                    #expect(await (try CommandRun(words: words)).status() == 0)
                }
                await run.end()
            }
            #expect(files.count == 1)
            let show = try await folder.run(["configure", tty, "--line-baud", "115200", "--show"])
            let lines = try await show.lines()
            let stored = lines.first { $0.hasPrefix("stored  ") }
            #expect(stored?.contains("100 database entries") == true, "\(lines)")
        }
    }

    @Test func `stored data is sent only if the clock is synchronised`() async throws {
        try await folder.simulate("ublox10") { tty in
            for _ in 0..<5 where files.isEmpty {
                let run = try await folder.run([
                    "monitor", tty, "-f", "text", "-n", "2", "--warm-start",
                ])
                #expect(await run.status() == 0)
            }
        }
        try await folder.simulate("ublox10", ["--cold"]) { tty in
            let run = try await folder.run(["monitor", tty, "-f", "text", "--warm-start"])
            let expected =
                ClockSynchronization.maximumError == nil
                ? "clock is not synchronised" : "the receiver used"
            #expect(try await run.message(with: expected) != nil)
            await run.end()
        }
    }

    @Test(arguments: ["monitor", "serve"])
    func `a source without a serial line is a usage error`(_ command: String) async throws {
        let run = try await folder.run([command, "tcp://localhost:1", "--warm-start"])
        #expect(try await run.message()?.contains("serial line") == true)
        #expect(await run.status() == 2)
    }
}

extension TemporaryFolder {
    /// Starts `gpsbridge` with a state folder in this folder.
    func run(_ words: [String]) async throws -> CommandRun {
        try await CommandRun(variables: ["XDG_STATE_HOME=\(self.path("state"))"], words: words)
    }

    /// Returns the lines that `configure --show` prints. `configure` waits a few seconds for each
    /// answer.
    func settings(of tty: String) async throws -> [String] {
        var lines: [String] = []
        let isShown = try await repeated(ifPausedFor: .seconds(3)) {
            let run = try await run(["configure", tty, "--show"])
            lines = try await run.lines()
            return await run.status() == 0
        }
        #expect(isShown, "\(lines)")
        return lines
    }

    /// Simulates a receiver while `body` runs.
    func simulate(
        _ personality: String, _ words: [String] = [], _ body: (_ tty: String) async throws -> Void
    ) async throws {
        let link = self.path("gps")
        let run = try await CommandRun(
            words: ["simulate", "--link", link, "--personality", personality] + words)
        _ = try await run.line()
        try await body(link)
        await run.end()
    }
}
