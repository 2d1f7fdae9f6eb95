// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

/// The command `gpsbridge doctor` on real ttys, with simulated receivers behind them.
@Suite(.timeLimit(.generous))
struct DoctorCommandTests {
    /// The time for a result that does not depend on it. Doctor ends as soon as more data would not
    /// change the result of readable data, and waits while a busy machine delays the receiver.
    private static let anyTime = ["--duration", "300"]

    @Test func `a working receiver is ok, with status 0`() async throws {
        let lines = try await examine([], Self.anyTime, status: 0)
        let notes = lines.filter { !$0.hasPrefix("ok ") }
        #expect(
            notes.count == 1 && notes[0].hasPrefix("note   The receiver is simulated"), "\(lines)")
        #expect(lines.last?.contains("Fixes arrive: three dimensions, 10 a second") == true)
    }

    @Test func `the baud rate of a pseudo terminal has no meaning, and is not reported`()
        async throws
    {
        let lines = try await examine([], Self.anyTime, status: 0)
        #expect(lines.contains { $0.hasPrefix("ok ") && $0.contains(" sends NMEA: ") }, "\(lines)")
    }

    @Test(.enabled(if: TmuxTerminal.isThere, "tmux is not installed"))
    func `findings are wrapped to the terminal and indented`() async throws {
        let terminal = try await TmuxTerminal(width: 60, height: 30)
        try await terminal.type(
            "clear; \(CommandRun.executable) doctor simulated:rate=10; echo e''nd")
        let lines = try await terminal.wait(for: "\nend").split(separator: "\n")
        let findings = lines.drop { !$0.hasPrefix("ok ") }.prefix { $0 != "end" }
        #expect(findings.contains { $0.hasPrefix("       ") }, "\(lines)")
        for line in findings {
            let starts = ["ok     ", "note   ", "       "].contains { line.hasPrefix($0) }
            #expect(starts && line.count < 60, "\(line)")
        }
        try await terminal.kill()
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `an examination that a signal ends exits with the status of the signal, not that of fixes`(
        _ signal: CInt
    ) async throws {
        let receiver = try ScriptedReceiver()
        let run = try await CommandRun(words: ["doctor", receiver.path, "--duration", "3600"])
        await receiver.waitForReader()
        run.send(signal)
        #expect(await run.status() == 128 + signal)
        #expect(try await run.lines() == [])
    }

    @Test(arguments: ["nmea", "ubx", "both"])
    func `a report is read like a recording, and the place is not in it`(_ protocols: String)
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path("report.txt")
        let source = "simulated:ublox8,rate=10,protocol=\(protocols),lat=48.1234567,lon=11.7654321"
        let run = try await CommandRun(
            words: ["doctor", source, "--report", path, "--yes"] + Self.anyTime)
        #expect(await run.status() == 0)
        let text = String(decoding: try folder.bytes("report.txt"), as: UTF8.self)
        #expect(!text.contains("simulated:"))
        // A random place may have the same minutes, but not both.
        #expect(!(text.contains(",4807.") && text.contains(",01145.")))
        let lines = try await CommandRun(words: ["convert", path, "--to", "csv"]).lines()
        let places = lines.dropFirst().map { $0.split(separator: ",").dropFirst().prefix(2) }
        #expect(places.count > 3)
        for place in places {
            let numbers = place.compactMap { Double($0) }
            #expect(numbers.count == 2)
            let distance = zip(numbers, [48.12, 11.77]).map { abs($0 - $1) }.max()
            #expect(try #require(distance) > 0.1)
        }
        let doctor = try await CommandRun(words: ["doctor", path])
        #expect(try await doctor.lines().last?.contains("Fixes arrive") == true)
        #expect(await doctor.status() == 0)
    }

    @Test func `a report that nobody has agreed to is not written`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("report.txt")
        let run = try await CommandRun(
            words: ["doctor", "simulated:rate=10", "--report", path] + Self.anyTime)
        #expect(await run.status() == 1)
        let messages = try await run.messages()
        #expect(messages.first == "gpsbridge: the report contains:")
        #expect(messages.last?.contains("add --yes") == true)
        #expect(access(path, F_OK) != 0)
    }

    @Test(.enabled(if: TmuxTerminal.isThere, "tmux is not installed"))
    func `on a terminal, a report is written after the answer yes`() async throws {
        let folder = try TemporaryFolder()
        let terminal = try await TmuxTerminal(width: 100, height: 40)
        for (answer, wanted) in [("n", "is not written"), ("y", "is written")] {
            let command = "doctor simulated:rate=10 --report \(folder.path("r"))"
            try await terminal.type("clear; \(CommandRun.executable) \(command); echo e''nd")
            _ = try await terminal.wait(for: "[y/N]")
            try await terminal.type(answer)
            #expect(try await terminal.wait(for: "\nend").contains(wanted))
        }
        #expect(access(folder.path("r"), F_OK) == 0)
        try await terminal.kill()
    }

    @Test func `the JSON output has the same findings`() async throws {
        let run = try await CommandRun(
            words: ["doctor", "simulated:rate=10", "--json"] + Self.anyTime)
        let line = try #require(await run.line())
        let start = #"{"source":"simulated:rate=10","condition":"fixes","status":0,"findings":["#
        #expect(line.hasPrefix(start))
        #expect(line.contains(#"{"level":"ok","text":"simulated can be opened."}"#))
        #expect(await run.status() == 0)
    }

    @Test(arguments: [
        ("0s: jam", CInt(30), "receives none of them", anyTime),
        ("0s: lose-fix", 30, "which is good", anyTime),
        ("0s: bad-checksums 100%", 23, "wrong checksum", ["--duration", "3"]),
        ("0s: week-rollover", 31, "1024 weeks too early", anyTime),
        ("0s: silence", 20, "No bytes arrived", ["--duration", "3"]),
    ])
    func `faults of the receiver or of the line are reported`(
        _ fault: String, _ status: CInt, _ expected: String, _ time: [String]
    ) async throws {
        let lines = try await examine(["--fault", fault], time, status: status)
        let wrong = lines.filter { $0.hasPrefix("error ") }
        #expect(wrong.contains { $0.contains(expected) }, "\(lines)")
    }

    @Test func `a receiver may be silent for the whole time of --duration`() async throws {
        let terminal = try PseudoTerminal()
        let run = try await CommandRun(words: ["doctor", terminal.path, "--duration", "7"])
        let line = try #require(await run.line(with: "No bytes arrived"))
        #expect(!line.contains(" in 6"))
        #expect(await run.status() == 20)
    }

    @Test func `a wrong --baud is reported as noise; without --baud, the rate is detected`()
        async throws
    {
        let receiver = ["--baud", "38400"]
        let noise = try await examine(receiver, ["--baud", "9600", "--duration", "2"], status: 21)
        #expect(noise.contains { $0.contains("without --baud, detects the baud rate") }, "\(noise)")
        let found = try await examine(receiver, Self.anyTime, status: 0)
        #expect(found.contains { $0.contains(" sends NMEA at 38400 baud") }, "\(found)")
    }

    @Test(arguments: [
        ([0xB5, 0x62, 0x01, 0x03, 0x02, 0x00, 0x05, 0x06, 0x11, 0x2D] as [UInt8], CInt(22), "UBX"),
        ([0xA0, 0xA2, 0x00, 0x02, 0x0B, 0x06, 0x00, 0x11, 0xB0, 0xB3], 22, "SiRF"),
        ([0x8A, 0x00, 0xFF, 0x13, 0x91, 0xC7], 21, "none is readable"),
    ])
    func `binary protocols and noise are distinguished, and nothing is sent to the receiver`(
        _ bytes: [UInt8], _ status: CInt, _ expected: String
    ) async throws {
        let terminal = try PseudoTerminal()
        // Sends all the time, so that it does not matter when doctor opens the tty, and on a separate thread,
        // which no other test can delay.
        let sending = Task(executorPreference: Poller.shared) {
            while !Task.isCancelled {
                await terminal.write(
                    Array(repeatElement(bytes, count: 10).joined()), whenFull: .drop)
                _ = await Poller.shared.sleep(until: .now + .milliseconds(100))
            }
        }
        let run = try await CommandRun(words: ["doctor", terminal.path, "--duration", "3"])
        let lines = try await run.lines()
        sending.cancel()
        await sending.value
        #expect(lines.contains { $0.hasPrefix("error ") && $0.contains(expected) }, "\(lines)")
        #expect(await run.status() == status)
        #expect(terminal.takeHostBytes() == [])
    }

    @Test func `unplugging during the diagnosis is reported`() async throws {
        let receiver = try ScriptedReceiver()
        // Three fixes are never enough for a result, so doctor is still running.
        let run = try await CommandRun(words: ["doctor", receiver.path, "--duration", "600"])
        await withTaskExecutorPreference(Poller.shared) {
            await receiver.waitForReader()
            for second in 0..<3 { await receiver.sendEpoch(second) }
            receiver.unplug()
        }
        let lines = try await run.lines()
        #expect(
            lines.contains { $0.contains(" disconnected during the examination") }, "\(lines)")
        #expect(await run.status() == 16)
    }

    @Test func `another reader is reported, and not disturbed`() async throws {
        let terminal = try PseudoTerminal()
        let holder = try await SerialSource(terminal.path).open()
        defer { holder.close() }
        var lines: [String] = []
        // A process that another test is starting shares this process's descriptors for a moment.
        while !lines.contains(where: {
            $0.contains("is in use by") && $0.contains("(process \(getpid()))")
        }),
            !Task.isCancelled
        {
            let run = try await CommandRun(words: ["doctor", terminal.path])
            lines = try await run.lines()
            #expect(await run.status() == 13)
        }
        #expect(
            lines.contains { $0.contains("is in use by") && $0.contains("(process \(getpid()))") },
            "\(lines)")
    }

    @Test(.enabled(if: getuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0, "needs root"))
    func `a user without permission is shown the remedy`() async throws {
        let terminal = try PseudoTerminal()
        chmod(terminal.path, 0o600)
        let run = try await CommandRun(
            "/usr/bin/setpriv",
            words: [
                "--reuid", "65534", "--clear-groups", CommandRun.executable, "doctor",
                terminal.path,
            ])
        let lines = try await run.lines()
        #expect(lines.contains { $0.hasPrefix("error  You may not open") }, "\(lines)")
        #expect(await run.status() == 12)
    }

    @Test func `a missing path and one that is not a tty are reported`() async throws {
        let nothing = try await CommandRun(words: ["doctor", "/dev/nothing"])
        #expect(try await nothing.line() == "error  There is no /dev/nothing.")
        #expect(await nothing.status() == 10)
        let null = try await CommandRun(words: ["doctor", "/dev/null"])
        #expect(try await null.line(with: "error")?.contains("is not a tty") == true)
        #expect(await null.status() == 15)
    }

    @Test(.enabled(if: ListTests.hasUmockdev, "needs umockdev"))
    func `a device without a tty is reported with its missing driver`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("devices", Array(ListTests.usbDevice("067b", "2303").utf8))
        let run = try await CommandRun(devices: path, words: ["doctor"])
        #expect(try await run.line(with: "->")?.contains("sudo modprobe pl2303") == true)
        #expect(await run.status() == 11)
    }

    @Test(.enabled(if: ListTests.hasUmockdev, "needs umockdev"))
    func `a tty without a node in a container's /dev is reported`() async throws {
        let folder = try TemporaryFolder()
        let tty = """
            P: /devices/usb1/1-1/1-1:1.0/tty/ttyACM7
            E: DEVNAME=/dev/ttyACM7
            E: SUBSYSTEM=tty
            A: dev=166:7\\n


            """
        let devices = ListTests.usbDevice("1546", "01a7") + tty
        let path = try folder.file("devices", Array(devices.utf8))
        for words in [["doctor"], ["doctor", "/dev/ttyACM7"]] {
            let run = try await CommandRun(devices: path, words: words)
            #expect(try await run.line(with: "->")?.contains("--device /dev/ttyACM7") == true)
            #expect(await run.status() == 17)
        }
    }

    @Test(.enabled(if: ListTests.hasUmockdev, "needs umockdev"))
    func `a silent tty is reported with its sibling and with active power saving`() async throws {
        let folder = try TemporaryFolder()
        let usb = "/devices/pci0000:00/0000:00:14.0/usb1/1-3"
        let ttys = [(0, 0), (1, 2)].map { number, interface in
            """
            P: \(usb)/1-3:1.\(interface)/tty/ttyACM\(number)
            N: ttyACM\(number)
            E: DEVNAME=/dev/ttyACM\(number)
            E: ID_PATH=pci-0000:00:14.0-usb-0:3:1.\(interface)
            E: SUBSYSTEM=tty
            A: dev=166:\(number)\\n


            """
        }
        let device = ListTests.usbDevice("1546", "01a7", ["power/control=auto"], at: usb)
        let path = try folder.file("devices", Array((device + ttys.joined()).utf8))
        let run = try await CommandRun(devices: path, words: ["doctor", "--duration", "0.5"])
        let lines = try await run.lines()
        #expect(lines.contains { $0.contains("ttyACM1 is another tty of the same device") })
        let remedy = lines.last { $0.contains("->") } ?? ""
        #expect(remedy.contains("try /dev/ttyACM1, which belongs to the same device"), "\(lines)")
        #expect(remedy.contains("echo on | sudo tee /sys\(usb)/power/control"), "\(lines)")
        #expect(await run.status() == 20)
    }

    @Test func `the old dates of a recording that a server replays are correct`() async throws {
        let folder = try TemporaryFolder()
        // The replay takes longer than the time limit of tests.
        let track = try folder.file("track.nmea", (0..<900).flatMap { ScriptedReceiver.epoch($0) })
        let server = try await CommandRun(
            words: ["serve", "--user", "root", "--listen", "127.0.0.1:0", track])
        let served = try #require(try await server.message(with: "clients at 127.0.0.1:"))
        let port = try #require(served.split(separator: ":").last)
        let run = try await CommandRun(
            words: ["doctor", "gpsd://127.0.0.1:\(port)"] + Self.anyTime)
        let lines = try await run.lines()
        #expect(lines.contains { $0.contains("Fixes arrive") }, "\(lines)")
        #expect(await run.status() == 0, "\(lines)")
        await server.end()
    }

    // Whether it counts as a flood depends on the machine's speed; DiagnosisTests covers that.
    @Test func `a flood of bytes is unreadable`() async throws {
        let terminal = try PseudoTerminal()
        var random = SystemRandomNumberGenerator()
        let noise = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }
        let flooding = Task(executorPreference: Poller.shared) {
            while !Task.isCancelled {
                await terminal.write(noise, until: .now + .seconds(1))
                if terminal.hasReader { continue }
                _ = await Poller.shared.sleep(until: .now + .milliseconds(10))
            }
        }
        let run = try await CommandRun(words: ["doctor", terminal.path, "--duration", "3"])
        let line = try await run.line(with: "error")
        #expect(line?.contains("none is readable") == true, "\(line ?? "")")
        flooding.cancel()
        await flooding.value
        #expect(await run.status() == 21)
    }

    /// Runs `doctor` on a simulated receiver in another process, which nothing in this one can delay. It sends ten
    /// epochs per second, so that the tests are fast.
    private func examine(
        _ receiver: [String], _ words: [String], status: CInt
    ) async throws -> [String] {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        let simulation = try await CommandRun(
            words: ["simulate", "--link", link, "--rate", "10"] + receiver)
        #expect(try await simulation.line() == link)
        let run = try await CommandRun(words: ["doctor", link] + words)
        let lines = try await run.lines()
        #expect(await run.status() == status, "\(lines)")
        await simulation.end()
        return lines
    }
}
