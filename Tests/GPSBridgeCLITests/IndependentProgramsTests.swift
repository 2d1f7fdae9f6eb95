// SPDX-License-Identifier: MIT
import GNSS
import GPSTestSupport
import Glibc
import NMEA
import SimulatedDevices
import Testing

/// Other programs read a simulated receiver and find the same positions, within the decimals sent. Tests are
/// skipped for programs that are not installed.
@Suite(.serialized, .timeLimit(.generous))
struct IndependentProgramsTests {
    private static func find(_ program: String) -> String? {
        ["/usr/bin/", "/usr/sbin/", "/usr/local/bin/"].map { $0 + program }
            .first { access($0, X_OK) == 0 }
    }

    private static let gpsbabel = find("gpsbabel")
    private static let gpsd = find("gpsd")
    private static let gpspipe = find("gpspipe")
    private static let python = find("python3")

    /// Whether Python has the module, from Debian's python3-nmea2 or on PYTHONPATH.
    private static let hasPynmea2: Bool = {
        let path = getenv("PYTHONPATH").map { String(cString: $0) } ?? ""
        let folders =
            path.split(separator: ":").map(String.init) + ["/usr/lib/python3/dist-packages"]
        return python != nil && folders.contains { access("\($0)/pynmea2", F_OK) == 0 }
    }()

    private func configuration(_ personality: Personality) -> SimulatedReceiver.Configuration {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = personality
        configuration.start = UTCTime(unixNanoseconds: 1_774_094_400_000_000_000)
        return configuration
    }

    /// Returns twenty epochs of a simulated receiver, and the positions that it computed.
    private func simulate(_ personality: Personality) -> (bytes: [UInt8], solutions: [Coordinate]) {
        var receiver = SimulatedReceiver(configuration(personality))
        let epochs = (0..<20).map { _ in receiver.next() }
        return (epochs.flatMap(\.bytes), epochs.compactMap { $0.observation.solution?.coordinate })
    }

    /// The allowed difference in degrees: half of the last digit sent plus half of the last digit read.
    private func tolerance(_ personality: Personality, read: Double) -> Double {
        let unit = [1, 0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7][personality.decimals.minutes] / 60
        return 0.51 * (unit + read)
    }

    private func expect(
        _ read: [Coordinate], toBe solutions: [Coordinate], within tolerance: Double
    ) {
        #expect(read.count == solutions.count)
        for (one, other) in zip(read, solutions) {
            #expect(abs(one.latitude - other.latitude) <= tolerance)
            #expect(abs(one.longitude - other.longitude) <= tolerance)
        }
    }

    @Test(
        .enabled(if: gpsbabel != nil, "gpsbabel is not installed"),
        // gpsbabel does not find a sentence after RTCM 3, which has no line end.
        arguments: Personality.all.filter { $0 != .compass && $0.base == nil })
    func `gpsbabel reads every personality`(_ personality: Personality) async throws {
        let program = try #require(Self.gpsbabel)
        let folder = try TemporaryFolder()
        let (bytes, solutions) = simulate(personality)
        let file = try folder.file("track.nmea", bytes)
        let run = try await CommandRun(
            program, words: ["-t", "-i", "nmea", "-f", file, "-o", "unicsv", "-F", "-"])
        let rows = try await run.lines().map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let latitude = try #require(rows.first?.firstIndex(of: "Latitude"))
        let longitude = try #require(rows.first?.firstIndex(of: "Longitude"))
        let read = rows.dropFirst().compactMap { row -> Coordinate? in
            guard row.count > max(latitude, longitude), let north = Double(row[latitude]),
                let east = Double(row[longitude])
            else { return nil }
            return Coordinate(latitude: north, longitude: east)
        }
        // gpsbabel ends a cycle at RMC; if RMC precedes GGA, every position but the first is that of the previous
        // cycle.
        let gga = personality.cycle.firstIndex(of: .gga) ?? 0
        let rmc = personality.cycle.firstIndex(of: .rmc) ?? 0
        let expected = gga < rmc ? solutions : [solutions[0]] + solutions.dropLast()
        expect(read, toBe: expected, within: tolerance(personality, read: 1e-6))
    }

    @Test(
        .enabled(if: hasPynmea2, "pynmea2 is not installed"),
        // The script reads text, not RTCM 3.
        arguments: Personality.all.filter { $0 != .compass && $0.base == nil })
    func `pynmea2 reads every personality`(_ personality: Personality) async throws {
        let program = try #require(Self.python)
        let folder = try TemporaryFolder()
        let (bytes, solutions) = simulate(personality)
        let file = try folder.file("track.nmea", bytes)
        let script = """
            import pynmea2, sys
            for line in open(sys.argv[1]):
                if line[3:6] == "GGA":
                    m = pynmea2.parse(line.strip(), check=True)
                    print(repr(m.latitude), repr(m.longitude))
            """
        let run = try await CommandRun(program, words: ["-c", script, file])
        let read = try await run.lines().compactMap { line -> Coordinate? in
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            guard numbers.count == 2 else { return nil }
            return Coordinate(latitude: numbers[0], longitude: numbers[1])
        }
        expect(read, toBe: solutions, within: tolerance(personality, read: 1e-9))
    }

    @Test(
        .enabled(if: gpsd != nil && gpspipe != nil, "gpsd and gpspipe are not installed"),
        arguments: ["ublox8", "sirf4", "nmea23"])
    func `gpsd reads a simulated receiver from its tty and reports it as simulated`(_ name: String)
        async throws
    {
        let (gpsd, gpspipe) = (try #require(Self.gpsd), try #require(Self.gpspipe))
        let personality = try #require(Personality.named(name))
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        let simulation = try await CommandRun(
            words: [
                "simulate", "--link", link, "--personality", name, "--accelerate", "5",
                "--start", "2026-03-21T12:00:00Z",
            ])
        _ = try await simulation.line()
        let port = try freePort()
        let server = try await CommandRun(gpsd, words: ["-N", "-n", "-b", "-S", port, link])
        let client = try await connect(gpspipe, port)
        var receiver = SimulatedReceiver(configuration(personality))
        var solutions: [Coordinate] = []
        var count = 0
        while count < 5, let line = try await client.line(with: "\"class\":\"TPV\"") {
            // From the first RMC alone, gpsd cannot know more.
            guard line.contains("\"mode\":3"), let time = text("time", in: line),
                let north = number("lat", in: line),
                let east = number("lon", in: line)
            else { continue }
            let parts = time.dropFirst(11).prefix(8).split(separator: ":").compactMap { Int($0) }
            let second = (parts[0] - 12) * 3600 + parts[1] * 60 + parts[2]
            try #require(second >= 0, "\(time)")
            // The simulation may run for any time before gpsd reads it.
            while solutions.count <= second {
                try Task.checkCancellation()
                if let solution = receiver.next().observation.solution {
                    solutions.append(solution.coordinate)
                }
            }
            let read = Coordinate(latitude: north, longitude: east)
            expect(
                [read], toBe: [solutions[second]],
                within: tolerance(personality, read: 1e-9))
            #expect(line.contains("\"status\":8"))
            count += 1
        }
        #expect(count == 5)
        for run in [client, server, simulation] { run.send(SIGTERM) }
        #expect(await simulation.status() == 0)
    }

    /// Starts gpspipe repeatedly until gpsd accepts connections.
    private func connect(_ program: String, _ port: String) async throws -> CommandRun {
        while true {
            let run = try await CommandRun(program, words: ["-w", "127.0.0.1:\(port)"])
            if try await run.line(with: "\"class\":\"VERSION\"") != nil { return run }
            _ = await run.status()
            try Task.checkCancellation()
        }
    }

    /// Returns a port that is currently free, since gpsd cannot choose one itself. If possible, it is
    /// below those that the system chooses, so that no other test gets it before gpsd does.
    private func freePort() throws -> String {
        let range = String(
            decoding: readFile("/proc/sys/net/ipv4/ip_local_port_range"), as: UTF8.self)
        let end = range.split(separator: "\t").first.flatMap { UInt16($0) } ?? 0
        while true {
            try Task.checkCancellation()
            let port = end > 20_000 ? UInt16.random(in: 16_384..<end) : 0
            guard let server = try? SimulatedServer(host: "127.0.0.1", port: port) else { continue }
            defer { server.close() }
            return String(server.port)
        }
    }

    private func number(_ key: String, in line: String) -> Double? {
        value(key, in: line).flatMap { Double($0.prefix { $0 != "," && $0 != "}" }) }
    }

    private func text(_ key: String, in line: String) -> String? {
        value(key, in: line).map { String($0.dropFirst().prefix { $0 != "\"" }) }
    }

    private func value(_ key: String, in line: String) -> Substring? {
        let mark = "\"\(key)\":"
        var rest = line[...]
        while !rest.isEmpty {
            if rest.hasPrefix(mark) { return rest.dropFirst(mark.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
