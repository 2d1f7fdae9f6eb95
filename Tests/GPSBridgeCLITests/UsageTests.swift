// SPDX-License-Identifier: MIT
import GPSFormats
import GPSTestSupport
import Testing

@Suite(.timeLimit(.generous))
struct UsageTests {
    private static let recordable =
        OutputFormats.all.filter { $0.traits.isContinuable }.map { $0.name }.joined(separator: ", ")

    @Test(arguments: [
        (["monitor", "simulated:rate=0"], "rate '0' is not a number"),
        (["monitor", "--baud", "0", "/dev/null"], "baud rate '0'"),
        (["monitor", "--format", "jsn"], "did you mean 'json'?"),
        (["monitor", "--count", "0"], "count '0'"),
        (["monitor", "--speed", "0"], "speed '0'"),
        (["monitor", "--speed", "2"], "--speed is for recordings"),
        (["monitor", "simulated", "--speed", "2"], "--speed is for recordings"),
        (["monitor", "--duration", "soon"], "duration 'soon'"),
        (["monitor", "simulated:tempo=3"], "unknown setting 'tempo'"),
        (
            ["monitor", "-f", "nmea", "simulated", "simulated:rate=5"],
            "--format nmea accepts only one source"
        ),
        (["monitor", "-f", "json", "/dev/null", "/dev/null"], "this source was already given"),
        (
            ["monitor", "gpsd://localhost", "gpsd://127.0.0.1", "--vote"],
            "unexpected argument 'gpsd://127.0.0.1': this source was already given"
        ),
        (
            ["serve", "a=tcp://[::1]:1", "b=tcp://127.0.0.1:1", "--vote"],
            "unexpected argument 'tcp://127.0.0.1:1': this source was already given"
        ),
        (["monitr"], "did you mean 'monitor'?"),
        (["record", "--ouput", "x"], "unknown option '--ouput'; did you mean '--output'?"),
        (["serve", "--lissen=1"], "unknown option '--lissen'; did you mean '--listen'?"),
        (["monitor", "-f", "JSON"], "unknown format 'JSON'; did you mean 'json'?"),
        (["convert", "x", "--to", "GPX"], "unknown format 'GPX'; did you mean 'gpx'?"),
        (["monitor", "GPSD://boat"], "unknown scheme 'GPSD'; did you mean 'gpsd'?"),
        (["monitor", "gpsd:boat"], "did you mean 'gpsd://boat'?"),
        (["monitor", "tcp:/boat:10110"], "did you mean 'tcp://boat:10110'?"),
        (["monitor", "simulted"], "did you mean 'simulated'?"),
        (["monitor", "Simulated:rate=5"], "did you mean 'simulated:rate=5'?"),
        (["monitor", "seriel:123"], "did you mean 'serial:123'?"),
        (["monitor", "tpc:boat:10110"], "did you mean 'tcp://boat:10110'?"),
        (["monitor", "tpc://boat:10110"], "unknown scheme 'tpc'; did you mean 'tcp'?"),
        (["configure", "--dynamics", "Sea"], "unknown dynamic model 'Sea'; did you mean 'sea'?"),
        (["configure", "--dynamics", "automtive"], "did you mean 'automotive'?"),
        (
            ["configure", "-c", "gps,Galleo"],
            "unknown constellation 'Galleo'; did you mean 'galileo'?"
        ),
        (["configure", "--nmea-version", "4.12"], "did you mean '4.10'?"),
        (["configure", "--restart", "Cold"], "did you mean 'cold'?"),
        (["configure", "--autonomous-assistance", "On"], "did you mean 'on'?"),
        (["configure", "--messages", "nmae"], "--messages: 'nmae'; did you mean 'nmea'?"),
        (["convert", "x", "--to", "gpx", "--split", "dya"], "did you mean 'day'?"),
        (["convert", "x", "--to", "gpx", "--split", "Gap=1h"], "did you mean 'gap'?"),
        (["convert", "x", "-o", "a/x.gxp"], "format (did you mean 'a/x.gpx'?): end it with"),
        (["record", "simulated", "-o", "x", "--rotate", "Day"], "did you mean 'day'?"),
        (["simulate", "--fault", "1s: Silence"], "did you mean 'silence'?"),
        (["simulate", "--instruments", "wnid"], "did you mean 'wind'?"),
        (["simulate", "--speed", "5 furlongs"], "such as 5m/s, 18km/h or 10kn"),
        (["monitor", "simulated:speed=600m/s"], "speed '600m/s' is not"),
        (["configure", "--static-hold", "5m/s"], "static-hold '5m/s' is not"),
        (["monitor", "ttyUSB97"], "did you mean '/dev/ttyUSB97'?"),
        (["record", "dev/ttyACM97"], "did you mean '/dev/ttyACM97'?"),
        (["monitor", "bow=simulated"], "add --vote, or leave out 'bow='"),
        (
            ["convert", "x", "-o", "/tmp"],
            "/tmp is a folder: name a file in it, such as /tmp/track.gpx"
        ),
        (
            ["convert", "x", "-o", "/tmp/", "--to", "kml"],
            "/tmp/ is a folder: name a file in it, such as /tmp/track.kml"
        ),
        (["monitor", "--to", "48.2"], "not a position: '48.2'"),
        (
            ["convert", "x", "-t", "csv", "--distance", "5 miles"],
            "distance '5 miles' is not a number"
        ),
        (["serve", "--n2k", "/dev/can0"], "not the name of a network interface: '/dev/can0'"),
        (
            ["serve", "tcp://localhost:1", "simulated", "tcp://localhost:1"],
            "unexpected argument 'tcp://localhost:1': this source was already given"
        ),
        (
            ["serve", "--n2k", "can0", "simulated", "simulated:seed=2"],
            "--n2k sends one position"
        ),
        (["convert", "--to", "json"], "no file to convert was given"),
        (["convert", "x.nmea"], "-o FILE or --to FORMAT is missing"),
        (["convert", "x.nmea", "--to", "jsn"], "unknown format 'jsn'; did you mean 'json'?"),
        (["convert", "x.nmea", "--to", "json", "--simplify", "5"], "--simplify is for tracks"),
        (["convert", "x.nmea", "--to", "gpx", "--from", "noon"], "not a time: 'noon'"),
        (["convert", "-", "-", "--to", "gpx"], "read only once"),
        (
            ["convert", "nats://hub/f/b/r", "--to", "gpx"],
            "`gpsbridge collect --from nats://hub/f/b/r --to gpx:FOLDER`"
        ),
        (
            ["convert", "mqtt://hub/f/b/r", "-o", "x.gpx"],
            "`gpsbridge record mqtt://hub/f/b/r -o FILE`"
        ),
        (
            ["convert", "x.nmea", "-o", "x.foo"],
            "'x.foo' does not select a format: end it with one of .json, .jsonl"
        ),
        (["convert", "x.nmea", "-o", "x.foo.gz"], "to compress the file, append .gz or .zst"),
        (["convert", "x.nmea", "-o", "x.gpx.bz2"], "'.bz2' files cannot be written"),
        (["record", "simulated", "-o", "x.gpx.xz"], "'.xz' files cannot be written"),
        (["record", "b.gpx"], "`gpsbridge record -o b.gpx` records the first receiver"),
        (["record", "b.csv.gz"], "`gpsbridge record -o b.csv.gz` records"),
        (["record", "simulated", "b.gpx"], "unexpected argument 'b.gpx': write -o b.gpx"),
        (
            [
                "convert", "x.nmea", "--to", "gpx", "--after", "2026-03-22T00:00:00Z", "--before",
                "2026-03-21T00:00:00Z",
            ], "the time of --before must be later than that of --after"
        ),
        (
            ["monitor", "simulated", "simulated:seed=2", "--record", "x"],
            "--record records one receiver"
        ),
        (["monitor", "simulated", "--record", "x.kml"], "kml cannot be recorded"),
        (["record", "simulated", "-o", "x.kml"], "kml cannot be recorded"),
        (
            ["record", "simulated", "-o", "x.kml"],
            "(formats that can be recorded: raw, \(recordable), rinex-obs, rinex-nav)"
        ),
        (["record", "simulated", "-o", "x.kml.zst"], "record raw, for example with -o trip.nmea"),
        (["record", "simulated", "-o", "x", "-f", "kml"], "kml cannot be recorded"),
        (["record", "simulated", "-o", "x", "-f", "gpy"], "did you mean 'gpx'?"),
        (
            ["record", "simulated", "-o", "x", "--rotate", "week"],
            "expected day, hour, or a size"
        ),
        (["record", "simulated", "-o", "x", "--every", "5"], "do not apply to raw"),
        (["record", "simulated", "-o", "x", "--gap", "5"], "--gap do not apply to raw"),
        (["record", "simulated", "-o", "x.json", "--gap", "5"], "json has no segments"),
        (["convert", "x", "-t", "json", "--gap", "5"], "json has no segments"),
        ([], "no command was given (the commands are "),
        // Numbers that are too large, or only partly numbers.
        (
            ["monitor", "simulated", "--count", "99999999999999999999"],
            "count '99999999999999999999' is not a whole number from 1 to 9223372036854775807"
        ),
        (["simulate", "--count", "99999999999999999999"], "is not a whole number from 1 to"),
        (["simulate", "--seed", "-1"], "a whole number from 0 to 18446744073709551615"),
        (
            ["simulate", "--tcp", "localhost:70000"],
            "port '70000' is not a whole number from 0 to 65535"
        ),
        (["monitor", "tcp://boat:99999999999999999999"], "is not a whole number from 0 to 65535"),
        (["monitor", "--baud", "99999999999999999999"], "a whole number from 50 to 4000000"),
        (["simulate", "--baud", "49"], "baud rate '49' is not a whole number from 50 to 4000000"),
        (["convert", "x", "-t", "csv", "-j", "9223372036854775807"], "number from 1 to 1024"),
        (
            ["serve", "--shm", "1.5"],
            "shared memory unit '1.5' is not a whole number from 0 to 255"
        ),
        (
            ["serve", "--shm", "2", "--shm", "3", "--pps", "/dev/pps0"],
            "with --shm 2, --pps uses shared memory unit 3, which --shm 3 uses as well"
        ),
        (["serve", "--max-clients", "9223372036854775807"], "number from 1 to 1000000"),
        (
            ["serve", "--http-token", "0123456789abcdef"],
            "put it into a file for --http-token-file"
        ),
        (["serve", "--http-token=0123456789abcdef"], "into the variable GPSBRIDGE_HTTP_TOKEN"),
        (["serve", "--tiles", "ftp://x"], "not a source of map tiles: 'ftp://x'"),
        (
            ["serve", "simulated", "--tiles", "https://tiles.example/{z}/{x}/{y}.png"],
            "--tiles needs --http"
        ),
        (["serve", "simulated", "--http-host", "boat"], "--http-host needs --http"),
        (["record", "-o", "x", "--rotate", "999"], "a size of at least 1000 bytes"),
        (["monitor", "-d", "1h30", "simulated"], "duration '1h30' is not a time"),
        (["convert", "x", "--summary", "json"], "'json': write --summary=json"),
        (["mon"], "unknown command 'mon'; did you mean 'monitor'?"),
        (
            ["monitor", "tcp://"],
            "not an address: 'tcp://' (expected tcp://HOST:PORT, such as tcp://localhost:10110)"
        ),
        (["monitor", "tcp://[::1:5"], "address: 'tcp://[::1:5' (expected tcp://HOST:PORT, such"),
        (["monitor", "gpsd://boat:x"], "address: 'gpsd://boat:x' (expected gpsd://HOST:PORT,"),
        (["monitor", "udp://x"], "not an address: 'udp://x' (expected udp://[HOST:]PORT, such"),
        (["monitor", "serial:"], "a USB serial number is missing after 'serial:'"),
        (["monitor", "http://boat"], "unknown scheme 'http' (known: tcp, udp, gpsd, nats, tls"),
        (["monitor", "tpc://boat:10110"], "unknown scheme 'tpc'"),
        // A setting without a value must not be taken for a personality.
        (["monitor", "simulated:rate="], "rate '' is not a number"),
        (["monitor", "simulated:sirf3,protocol=both"], "a sirf3 sends no UBX"),
        (["convert", "x", "-t", "csv", "--quality", "autonomous,"], "unknown quality ''"),
    ])
    func `a usage error is reported in one line, with status 2`(
        _ words: [String], _ expected: String
    ) async throws {
        try await expect(words, status: 2, expected)
    }

    @Test(arguments: [
        (["monitor", "--format="], "--format is empty: it needs FORMAT"),
        (["monitor", ""], "an argument is empty (expected [SOURCE...])"),
        (["list", ""], "an argument is empty: leave it out"),
        (["convert", "", "-t", "csv"], "an argument is empty (expected FILE...|-)"),
        (["convert", "x", "-o", ""], "--output is empty: it needs FILE"),
        (["convert", "x", "-t", "csv", "--quality", ""], "--quality is empty: it needs NAMES"),
        (["record", "-o", ""], "--output is empty: it needs FILE"),
        (["serve", "--listen", ""], "--listen is empty: it needs ADDRESS"),
        (["serve", "--http="], "--http is empty: it needs ADDRESS"),
        (["serve", "--nmea", ""], "--nmea is empty: it needs OUTPUT"),
        (["serve", "--chrony", ""], "--chrony is empty: it needs SOCKET"),
        (["serve", "--pps", ""], "--pps is empty: it needs DEVICE"),
        (["serve", "--user", ""], "--user is empty: it needs NAME"),
        (["simulate", "--link", ""], "--link is empty: it needs PATH"),
        (["simulate", "--track", ""], "--track is empty: it needs FILE"),
        (["--man-page="], "--man-page is empty: it needs COMMAND"),
    ])
    func `an empty value, as from an unset variable, is refused`(
        _ words: [String], _ expected: String
    ) async throws {
        try await expect(words, status: 2, expected)
    }

    @Test(arguments: [
        ["monitor", "/dev/tty"], ["record", "/dev/tty", "-o", "x"],
        ["convert", "/dev/tty", "--to", "csv"],
    ])
    func `the controlling terminal is refused as a receiver`(_ words: [String]) async throws {
        try await expect(words, status: 1, "/dev/tty is the terminal that this program runs in")
    }

    @Test(arguments: ["monitor", "convert --to json"])
    func `a missing device is reported in one line, with status 1`(
        _ command: String
    ) async throws {
        let folder = try TemporaryFolder()
        let words = command.split(separator: " ").map(String.init)
        let path = folder.path("gps")
        try await expect(words + [path], status: 1, "There is no ", "file \(path): check its name")
        try await expect(words + [folder.path], status: 1, "\(folder.path) is a folder")
    }

    @Test(arguments: [
        "monitor", "record -o x.nmea", "serve", "configure --show", "simulate --track",
        "simulate --faults", "configure simulated --apply", "configure simulated --send",
        "monitor simulated --to",
    ])
    func `every command ends with status 1 if a file is missing`(_ command: String) async throws {
        let words = command.split(separator: " ").map(String.init)
        let run = try await CommandRun(words: words + ["/nonexistent/x.gpx"])
        #expect(try await run.messages().count == 1)
        #expect(await run.status() == 1)
    }

    @Test func `the command simulate is not a source`() async throws {
        try await expect(
            ["monitor", "simulate"], status: 2, "'simulate' is a command (`gpsbridge simulate`)",
            "`gpsbridge monitor simulated`")
    }

    @Test(arguments: ["localhost:2947", "192.0.2.1:10110", "[::1]:2947"])
    func `the address of a server without a scheme is not a missing file`(
        _ address: String
    ) async throws {
        try await expect(
            ["monitor", address], status: 2, "tcp://\(address), or gpsd://\(address) for gpsd")
    }

    @Test func `a source accepts gpsd's notation for a device of a server`() async throws {
        try await expect(
            ["monitor", "gpsd://127.0.0.1:1:/dev/ttyUSB0"], status: 1,
            "gpsd://127.0.0.1:1/dev/ttyUSB0 cannot be reached")
    }

    @Test func `convert names -o if its last file does not exist`() async throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("a.nmea", [])
        let output = folder.path("b.gpx")
        try await expect(
            ["convert", input, output, "--to", "gpx"], status: 1,
            "or write -o \(output) to convert to that file")
    }

    @Test func `a device that is not a tty is reported in one line, with status 1`() async throws {
        try await expect(["monitor", "/dev/null"], status: 1, "/dev/null is not a tty")
    }

    @Test func `--speed is refused for a tty`() async throws {
        let receiver = try ScriptedReceiver()
        let words = ["monitor", receiver.path, "--speed", "2"]
        try await expect(words, status: 2, "--speed is for recordings")
    }

    @Test func `help and version are printed to standard output, with status 0`() async throws {
        let help = try await CommandRun(words: ["monitor", "--help"])
        #expect(try await help.lines().contains { $0.contains("--format=FORMAT") })
        #expect(await help.status() == 0)
        let version = try await CommandRun(words: ["--version"])
        #expect(try await version.lines().first?.hasPrefix("gpsbridge ") == true)
        #expect(await version.status() == 0)
    }

    @Test(arguments: ["monitor", "serve", "record", "doctor"])
    func `every key of a simulated receiver is in the help and in README`(_ command: String)
        async throws
    {
        let refused = try await CommandRun(words: ["monitor", "simulated:tempo=3"])
        let message = try #require(try await refused.messages().first)
        let known = try #require(message.split(separator: "known: ").last).dropLast()
        let help = try await CommandRun(words: [command, "--help"]).lines()
            .joined(separator: " ")
        let readme = try PackageFile.text("README.md")
        for key in known.split(separator: ", ") {
            #expect(help.contains("  \(key)  "), "\(key) in `\(command) --help`")
            #expect(readme.contains("`\(key)`"), "\(key) in README.md")
        }
    }

    private func expect(_ words: [String], status: CInt, _ expected: String...) async throws {
        let run = try await CommandRun(words: words)
        #expect(try await run.lines() == [])
        let messages = try await run.messages()
        #expect(messages.count == 1)
        #expect(messages.first?.hasPrefix("gpsbridge: ") == true)
        for part in expected { #expect(messages.first?.contains(part) == true, "\(messages)") }
        #expect(await run.status() == status)
    }
}
