// SPDX-License-Identifier: MIT
import GPSIO
import GPSTestSupport
import Glibc
import Testing

/// The command `gpsbridge configure`, with simulated receivers on real pseudo terminals.
@Suite(.timeLimit(.generous))
struct ConfigureTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs `configure` with a state folder of its own.
    private func configure(_ words: [String]) async throws -> CommandRun {
        try await folder.run(["configure"] + words)
    }

    @Test(arguments: [
        ("ublox6", "u-blox 6"), ("ublox7", "u-blox 7"), ("ublox8", "u-blox M8"),
        ("ublox10", "u-blox M10"), ("f9p", "F9P"),
    ])
    func `show names the chip, its rate and its constellations`(
        _ personality: String, _ chip: String
    ) async throws {
        try await folder.simulate(personality) { tty in
            let lines = try await folder.settings(of: tty)
            #expect(lines.first?.contains(chip) == true, "\(lines)")
            #expect(lines.contains { $0.hasPrefix("rate  ") && $0.hasSuffix(" 1") }, "\(lines)")
            // A u-blox 6 does not report its constellations.
            let hasList = lines.contains { $0.hasPrefix("constellations  ") && $0.contains("gps") }
            #expect(hasList == (personality != "ublox6"), "\(lines)")
            #expect(lines.contains { $0.hasPrefix("messages  ") && $0.contains("RMC") }, "\(lines)")
        }
    }

    @Test func `a dry run of any setting shows the messages, and says that nothing was changed`()
        async throws
    {
        try await folder.simulate("ublox10") { tty in
            let run = try await configure([tty, "--dynamics", "sea", "--dry-run"])
            let lines = try await run.lines()
            #expect(lines.contains { $0.hasPrefix("messages  ") && $0.contains("RMC") }, "\(lines)")
            let last = "done                    nothing was changed, because of --dry-run"
            #expect(lines.last == last)
        }
    }

    @Test(arguments: ["ublox8", "f9p"])
    func `show lists every port with its baud rate and its protocols`(
        _ personality: String
    ) async throws {
        try await folder.simulate(personality, ["--baud", "57600"]) { tty in
            let lines = try await folder.settings(of: tty)
            let uart = try #require(lines.first { $0.hasPrefix("UART1  ") }, "\(lines)")
            #expect(uart.contains(" 57600 baud, accepts ubx, nmea, rtcm"))
            #expect(uart.contains("; sends ubx, nmea"))
            #expect(lines.contains { $0.hasPrefix("USB  ") && !$0.contains("baud") }, "\(lines)")
            #expect(lines.contains { $0.hasPrefix("UART2  ") } == (personality == "f9p"))
            let plain = try await configure([tty, "--rate", "1"]).lines()
            #expect(!plain.contains { $0.hasPrefix("USB  ") }, "\(plain)")
        }
    }

    @Test func `rate and baud rate are changed, and the receiver is read afterwards`() async throws
    {
        // `configure` waits some seconds for each answer, and for data at the new baud rate.
        var (messages, lines): ([String], [String]) = ([], [])
        let isChanged = try await repeated(ifPausedFor: .seconds(3)) {
            var isChanged = false
            try await folder.simulate("ublox8", ["--baud", "9600"]) { tty in
                let run = try await configure([tty, "--rate", "5", "--baud", "115200"])
                messages = try await run.messages()
                lines = try await run.lines()
                isChanged = await run.status() == 0
                guard isChanged else { return }
                let monitor = try await CommandRun(
                    words: ["monitor", tty, "--baud", "115200", "-f", "text", "-n", "3"])
                #expect(try await monitor.lines().count >= 3)
            }
            return isChanged
        }
        #expect(isChanged, "\(messages)")
        #expect(
            messages.contains { $0.hasSuffix("changing rate: 1 → 5; baud: 9600 → 115200") },
            "\(messages)")
        #expect(lines.contains { $0.hasPrefix("baud  ") && $0.hasSuffix(" 115200") })
    }

    @Test(.enabled(if: ListTests.hasUmockdev, "needs umockdev"))
    func `configure reports that it waits if there is no receiver`() async throws {
        let run = try await CommandRun(
            "/usr/bin/umockdev-run", words: ["--", CommandRun.executable, "configure", "--show"])
        #expect(try await run.message() == "gpsbridge: no receiver is plugged in: waiting for one")
        await run.end()
    }

    @Test func `configure reports which receiver it waits for`() async throws {
        let run = try await configure(["serial:none", "--show"])
        #expect(
            try await run.message()
                == "gpsbridge: waiting: There is no serial:none: plug the receiver in or check the name."
        )
        await run.end()
    }

    @Test(
        arguments: [
            (["--rate", "2"], 128 + SIGTERM), (["--rate", "2", "--dry-run"], 0), (["--show"], 0),
            (["--dump", "-"], 128 + SIGTERM),
        ] as [([String], CInt)])
    func `a change or a dump that a signal ends exits with the status of the signal`(
        _ words: [String], _ status: CInt
    ) async throws {
        let run = try await configure(["serial:none"] + words)
        _ = try await run.message()
        run.send(SIGTERM)
        #expect(await run.status() == status)
        let isReported = try await run.messages().contains { $0.contains("interrupted") }
        #expect(isReported == (status != 0))
    }

    @Test func `a server that cannot be reached is an error`() async throws {
        let run = try await configure(["tcp://127.0.0.1:1", "--show"])
        #expect(try await run.message()?.contains("cannot be reached") == true)
        #expect(await run.status() == 1)
    }

    @Test func `a dry run prints the differences and changes nothing`() async throws {
        try await folder.simulate("ublox10") { tty in
            let dry = try await configure([tty, "--rate", "2", "--dry-run"])
            #expect(try await dry.messages().contains { $0.contains("would change rate: 1 → 2") })
            #expect(await dry.status() == 0)
            let show = try await configure([tty])
            let lines = try await show.lines()
            #expect(lines.contains { $0.hasPrefix("rate  ") && $0.hasSuffix(" 1") }, "\(lines)")
        }
    }

    @Test func `settings are written to a file and reached again from it`() async throws {
        let file = folder.path("boat.toml")
        try await folder.simulate("f9p") { tty in
            let dump = try await configure([tty, "--dump", file])
            #expect(await dump.status() == 0)
            let other = folder.path("other.toml")
            let change = try await configure([tty, "--elevation", "15", "--save", "--dump", other])
            let explanation = "gpsbridge: saved in flash and in battery-backed memory, permanently"
            #expect(try await change.messages().contains(explanation))
            #expect(await change.status() == 0)
            let apply = try await configure([tty, "--apply", file])
            let messages = try await apply.messages()
            #expect(messages.contains { $0.contains("changing elevation: 15 → ") }, "\(messages)")
            #expect(await apply.status() == 0)
        }
    }

    // For root, replacing /dev/full or /dev/null would damage the system.
    @Test func `settings are written to a pipe or a device, which is not replaced`() async throws {
        let pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(reader >= 0)
        defer { close(reader) }
        try await folder.simulate("f9p") { tty in
            let dump = try await configure([tty, "--dump", pipe])
            #expect(await dump.status() == 0)
        }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(reader, &bytes, bytes.count)
        #expect(count > 0)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        #expect(text.contains("elevation"))
        #expect(mkfifo(pipe, 0o600) != 0 && errno == EEXIST)
    }

    @Test func `a settings file that cannot be written is not reported as a receiver`()
        async throws
    {
        try await folder.simulate("f9p") { tty in
            let dump = try await configure([tty, "--dump", folder.path("missing/boat.toml")])
            let messages = try await dump.messages()
            #expect(messages.last?.contains("create its folder first") == true, "\(messages)")
            #expect(await dump.status() == 1)
        }
    }

    @Test func `nothing is changed if the settings cannot be written afterwards`() async throws {
        try await folder.simulate("f9p") { tty in
            let file = folder.path("missing/boat.toml")
            let run = try await configure([tty, "--elevation", "15", "--dump", file])
            let messages = try await run.messages()
            #expect(messages.last?.contains("create its folder first") == true, "\(messages)")
            #expect(!messages.contains { $0.contains("changing") }, "\(messages)")
            #expect(await run.status() == 1)
        }
    }

    @Test func `settings are either shown or written to a file`() async throws {
        let file = folder.path("boat.toml")
        let run = try await configure(["serial:none", "--show", "--dump", file])
        #expect(try await run.messages().first?.contains("--show") == true)
        #expect(await run.status() == 2)
    }

    @Test func `a rate that the line can't carry is refused`() async throws {
        try await folder.simulate("ublox8", ["--baud", "9600"]) { tty in
            let run = try await configure([tty, "--rate", "10"])
            let messages = try await run.messages()
            #expect(messages.last?.contains("baud") == true, "\(messages)")
            #expect(messages.last?.contains("nothing was changed") == true)
            #expect(await run.status() == 1)
        }
    }

    @Test func `a served receiver is configured through its server`() async throws {
        try await folder.simulate("ublox10") { tty in
            let serve = try await folder.run(
                ["serve", tty, "--user", "root", "--listen", "127.0.0.1:0", "--allow-control"])
            let address = "serving gpsd's clients at 127.0.0.1:"
            let message = try await serve.message(with: address) ?? ""
            let port = message.drop { $0 != ":" }.split(separator: ":").last.map(String.init) ?? ""
            var (messages, lines): ([String], [String]) = ([], [])
            // On a busy machine, an answer may come too late.
            for _ in 0..<5 where !lines.contains(where: { $0.hasPrefix("rate  ") }) {
                let run = try await configure(["gpsd://127.0.0.1:\(port)", "--rate", "2"])
                messages += try await run.messages()
                lines = try await run.lines()
            }
            #expect(messages.contains { $0.contains("changing rate: 1 → 2") }, "\(messages)")
            #expect(lines.contains { $0.hasPrefix("rate  ") && $0.hasSuffix(" 2") }, "\(messages)")
            let file = folder.path("served.toml")
            let dump = try await configure(["gpsd://127.0.0.1:\(port)\(tty)", "--dump", file])
            #expect(await dump.status() == 0)
            #expect(
                RegularFile.contents(file).map { String(decoding: $0, as: UTF8.self) }?
                    .contains("rate = 2") == true)
            await serve.end()
        }
    }

    @Test func `for a gpsd, the error says what to type instead`() async throws {
        let number = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        let server = Descriptor(number)
        // An unbound socket gets a free port.
        try #require(Glibc.listen(number, 1) == 0)
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                getsockname(number, $0.baseAddress, &size)
            }
        }
        try #require(status == 0)
        let source = "gpsd://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/dev/ttyUSB0"
        let run = try await configure([source, "--show"])
        try #require(await server.readable() == .ready)
        let client = Descriptor(accept(number, nil, nil))
        let answer =
            #"{"class":"VERSION","release":"3.25","rev":"3.25"}"# + "\r\n"
            + #"{"class":"ERROR","message":"Unrecognized request '?CONFIGURE'"}"# + "\r\n"
        let error = await client.write(all: Array(answer.utf8))
        #expect(error == 0)
        let message = try await run.messages().last ?? ""
        let expected =
            "\(source) is gpsd 3.25, which cannot configure receivers; stop it (sudo systemctl stop "
            + "gpsd.socket gpsd), and type on its machine: gpsbridge configure /dev/ttyUSB0"
        #expect(message.hasSuffix(expected), "\(message)")
        #expect(await run.status() == 1)
    }

    @Test func `a recording can't be configured`() async throws {
        let file = try folder.file("track.nmea", ScriptedReceiver.epoch(1))
        let run = try await configure([file, "--rate", "5"])
        #expect(try await run.messages().last?.contains("cannot be configured") == true)
        #expect(await run.status() == 1)
    }

    @Test func `for a simulated receiver, the error names the command that creates a tty`()
        async throws
    {
        let run = try await configure(["simulated:ublox8", "--show"])
        #expect(try await run.messages().last?.contains("`gpsbridge simulate ") == true)
        #expect(await run.status() == 1)
    }

    @Test(arguments: [
        (["--rate", "0"], "rate"), (["--constellations", "gps,mars"], "'mars'"),
        (["--messages", "R M C"], "'R M C'"), (["--dynamics", "submarine"], "'submarine'"),
    ])
    func `an impossible setting is a usage error`(
        _ words: [String], _ expected: String
    ) async throws {
        let run = try await configure(words)
        #expect(try await run.messages().first?.contains(expected) == true)
        #expect(await run.status() == 2)
    }

    @Test(arguments: [
        ("--apply", "rate = 2\nfoo = 3\n", ": line 2, column 7: 'foo' is not a setting"),
        ("--apply", "[receiver]\nport = \"USB\"\n", " contains no settings"),
        ("--send", "ubx 06 41 00\n", ": line 1: "),
        ("--send", "# nothing to send\n", " contains no messages"),
    ])
    func `an error in a file names the file`(
        _ option: String, _ text: String, _ expected: String
    ) async throws {
        let file = try folder.file("boat.toml", Array(text.utf8))
        let run = try await configure([option, file])
        #expect(try await run.messages().first?.contains("\(file)\(expected)") == true)
        #expect(await run.status() != 0)
    }
}

@Suite(.timeLimit(.generous))
struct ListTests {
    static let hasUmockdev = access("/usr/bin/umockdev-run", X_OK) == 0

    @Test(.enabled(if: hasUmockdev))
    func `a receiver that does not send NMEA is marked in the list`() async throws {
        let folder = try TemporaryFolder()
        let devices = Self.device(1, "091e", "0003") + Self.device(2, "1546", "01a8")
        let path = try folder.file("devices", Array(devices.utf8))
        let run = try await CommandRun(devices: path, words: ["list"])
        #expect(
            try await run.lines().sorted() == [
                "/dev/ttyTEST1  product 1 (does not send NMEA)", "/dev/ttyTEST2  product 2",
            ])
    }

    @Test(.enabled(if: hasUmockdev))
    func `possible receivers are listed last, and JSON has all details`() async throws {
        let folder = try TemporaryFolder()
        let devices =
            Self.device(1, "0403", "6001") + Self.device(2, "1546", "01a8")
            + Self.device(3, "2341", "0043")
        let path = try folder.file("devices", Array(devices.utf8))
        func list(_ words: [String]) async throws -> [String] {
            try await CommandRun(devices: path, words: ["list"] + words).lines()
        }
        #expect(
            try await list([]) == [
                "/dev/ttyTEST2  product 2", "/dev/ttyTEST1  product 1 (may be a receiver)",
            ])
        #expect(
            try await list(["--json"]) == [
                #"[{"path":"/dev/ttyTEST2","kind":"receiver","model":"product 2","sendsNMEA":true,"#
                    + #""vendorID":"1546","productID":"01a8","product":"product 2","interface":0,"#
                    + #""port":"1-2","links":[]},"#,
                #" {"path":"/dev/ttyTEST1","kind":"candidate","model":"product 1","#
                    + #""sendsNMEA":false,"vendorID":"0403","productID":"6001","#
                    + #""product":"product 1","interface":0,"port":"1-1","links":[]}]"#,
            ])
    }

    @Test(.enabled(if: hasUmockdev))
    func `a receiver without a tty is reported, instead of that none is plugged in`() async throws {
        let folder = try TemporaryFolder()
        let device = Self.usbDevice("1a86", "7523", ["product=USB Serial"])
        let path = try folder.file("devices", Array(device.utf8))
        let run = try await CommandRun(devices: path, words: ["list"])
        let messages = try await run.messages()
        #expect(messages.count == 1, "\(messages)")
        #expect(
            messages.first?.contains("USB Serial (1a86:7523) is plugged in, but has no tty") == true
        )
    }

    @Test(arguments: [
        ("", "simulated"), ("/dev/a  Garmin (does not send NMEA)", "simulated"),
        ("/dev/a  Garmin (does not send NMEA)\n/dev/b  u-blox 8", "monitor"),
    ])
    func `the script simulates a receiver if monitor would find none`(
        _ listed: String, _ last: String
    ) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.program(
            "gpsbridge",
            """
            if [ "$1" = list ]; then [ -z "\(listed)" ] || echo "\(listed)"; else echo "$@"; fi
            """)
        let script = "\(PackageFile.folder)/scripts/monitor"
        let run = try await CommandRun("/bin/sh", words: [script, path])
        #expect(try await run.lines().last?.hasSuffix(last) == true)
        #expect(await run.status() == 0)
    }

    /// The description of a USB device for umockdev. `attributes` are further ones in sysfs.
    static func usbDevice(
        _ vendor: String, _ product: String, _ attributes: [String] = [],
        at path: String = "/devices/usb1/1-1"
    ) -> String {
        let all = ["idVendor=\(vendor)", "idProduct=\(product)"] + attributes
        return "P: \(path)\nE: DEVTYPE=usb_device\nE: SUBSYSTEM=usb\n"
            + all.map { "A: \($0)\\n\n" }.joined() + "\n"
    }

    private static func device(_ number: Int, _ vendor: String, _ product: String) -> String {
        let path = "/devices/usb1/1-\(number)"
        return usbDevice(vendor, product, ["product=product \(number)"], at: path) + """
            P: \(path)/1-\(number):1.0
            E: DEVTYPE=usb_interface
            E: SUBSYSTEM=usb
            A: bInterfaceNumber=00\\n

            P: \(path)/1-\(number):1.0/tty/ttyTEST\(number)
            N: ttyTEST\(number)
            E: DEVNAME=/dev/ttyTEST\(number)
            E: SUBSYSTEM=tty
            A: dev=166:\(number)\\n


            """
    }
}
