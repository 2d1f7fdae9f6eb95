// SPDX-License-Identifier: MIT
import GNSS
import GPSBridgeCLI
import GPSReceivers
import GPSTestTraits
import Glibc
import Testing

/// Converts evidence to findings, without a device or a clock.
@Suite(.timeLimit(.generous))
struct DiagnosisTests {
    @Test func `a receiver that works is ok, with accuracy and rate`() {
        var evidence = Self.evidence
        evidence.line = Self.working
        let diagnosis = Diagnosis(evidence)
        #expect(diagnosis.condition == .fixes)
        #expect(diagnosis.findings.allSatisfy { $0.level == .ok })
        let last = "Fixes arrive: three dimensions, 1 a second, accurate to 2.5 m, 9 satellites."
        #expect(diagnosis.findings.last?.text == last)
    }

    @Test func `the delay of the first byte is reported if the machine's clock is right`() {
        var evidence = Self.evidence
        evidence.line = Self.working
        evidence.line?.delays = [0.151, 0.138, 0.1431]
        #expect(Diagnosis(evidence).findings.allSatisfy { !$0.text.contains("--time-delay") })
        evidence.clockError = 0.02
        let text = Diagnosis(evidence).findings.first { $0.text.contains("--time-delay") }?.text
        #expect(
            text
                == "The first byte of an epoch arrives 0.143 s after its time (0.138 to 0.151 s in 3 epochs) "
                + "by this machine's clock, which is synchronised within 0.02 s: use serve --time-delay "
                + "0.143.")
        // With a recording or a wrong date, the delay is meaningless.
        evidence.line?.delays = [86_400, 86_400, 86_400]
        #expect(Diagnosis(evidence).findings.allSatisfy { !$0.text.contains("--time-delay") })
    }

    @Test func `pulses get the lines of a clock daemon, and a line without them gets the reason`() {
        var evidence = Self.evidence
        evidence.line = Self.working
        let choice = PulseSurvey.Choice(line: .cts, edge: .clear)
        evidence.line?.pulses = PulseReport(
            method: .poll, choice: choice, spacing: 52_000, uncertainty: 53_000)
        let text = Diagnosis(evidence).findings.first { $0.text.contains("Pulses") }?.text ?? ""
        #expect(text.contains("by polling on CTS, edge clear"), "\(text)")
        #expect(text.contains("precision 0.0000530 poll 2 filter 4"), "\(text)")
        evidence.line?.pulses = nil
        evidence.line?.pulseObstacle = "CTS changes, but not once per second"
        let note = Diagnosis(evidence).findings.first { $0.level == .note }?.text
        #expect(note == "There are no pulses: CTS changes, but not once per second.")
    }

    @Test func `a gpsd that sends no sentence is reported as answering`() throws {
        var evidence = Evidence()
        evidence.name = "gpsd://localhost:2947"
        evidence.line = LineAnalysis()
        let silent = try #require(Diagnosis(evidence).findings.last)
        #expect(silent.condition == .silent)
        #expect(silent.text.hasPrefix("The server answers, but no sentence arrived"))
        evidence.name = "gpsd://localhost:2947/dev/none"
        evidence.failure = DeviceError(.notFound, device: "gpsd://localhost:2947/dev/none")
        let findings = Diagnosis(evidence).findings
        #expect(findings.map(\.condition) == [.cannotOpen], "\(findings)")
    }

    @Test(arguments: [0, 3000])
    func `a pipe gets no advice about unplugging`(_ count: Int) {
        var evidence = Evidence()
        evidence.name = "-"
        evidence.isPipe = true
        evidence.line = LineAnalysis()
        evidence.line?.totalByteCount = count
        let diagnosis = Diagnosis(evidence)
        #expect(diagnosis.condition == (count == 0 ? .silent : .noise))
        #expect(diagnosis.findings.allSatisfy { $0.remedy?.contains("plug") != true })
        #expect(diagnosis.findings.last?.text.contains("from standard input") == true)
    }

    @Test func `a file of tracks is reported as not the output of a receiver`() {
        var evidence = Evidence()
        evidence.name = "walk.gpx"
        evidence.origin = .replay
        evidence.format = "GPX"
        let diagnosis = Diagnosis(evidence)
        #expect(diagnosis.condition == .otherFormat)
        let expected = "walk.gpx is a track file (GPX), not the output of a receiver."
        #expect(diagnosis.findings.last?.text == expected)
        #expect(diagnosis.findings.last?.remedy?.contains("gpsbridge convert") == true)
    }

    @Test func `an absent receiver is reported as such`() {
        let diagnosis = Diagnosis(Evidence())
        #expect(diagnosis.condition == .noDevice)
        #expect(diagnosis.findings.count == 1)
    }

    @Test(arguments: [
        (true, [] as [String], "sudo modprobe pl2303"), (true, ["usbfs"], "rules.d/*brltty*"),
        (false, [], "usbguard allow-device"), (true, ["pl2303"], "plug it in again"),
    ])
    func `a device without a tty is reported with the remedy`(
        _ isAuthorized: Bool, _ drivers: [String], _ remedy: String
    ) throws {
        let device = UnboundDevice(
            id: "067b:2303", model: "Prolific PL2303", module: "pl2303",
            isAuthorized: isAuthorized, drivers: drivers)
        var evidence = Evidence()
        evidence.unboundDevices = [device]
        let diagnosis = Diagnosis(evidence)
        #expect(diagnosis.condition == .noTTY)
        let finding = try #require(diagnosis.findings.first)
        #expect(finding.text.hasPrefix("Prolific PL2303 (067b:2303) is plugged in"))
        #expect(finding.remedy?.contains(remedy) == true)
    }

    @Test(arguments: [
        (DeviceError.Detail.group("dialout"), "sudo usermod -aG dialout $USER"),
        (.groupAfterLogin("dialout"), "log out and in again"),
        (.forbidden(group: "dialout"), "getfacl /dev/ttyACM0"), (nil, "sudo make install"),
    ])
    func `a user without permission is shown the group and the rule`(
        _ detail: DeviceError.Detail?, _ remedy: String
    ) throws {
        let finding = try failing(
            DeviceError(.permissionDenied, device: Self.path, errno: EACCES, detail: detail))
        #expect(finding.condition == .permissionDenied)
        #expect(finding.remedy?.contains(remedy) == true)
    }

    @Test func `a container without access to a device is reported`() throws {
        let finding = try failing(
            DeviceError(.permissionDenied, device: Self.path, errno: EPERM))
        #expect(finding.remedy?.contains("--device /dev/ttyACM0") == true)
    }

    @Test(arguments: [
        ("cat", Condition.busy, "kill 812"), ("gpsd", .busy, "systemctl stop gpsd.socket gpsd"),
        ("ModemManager", .modemManager, "systemctl stop ModemManager"),
    ])
    func `a program that has the device open is reported with its name and process id`(
        _ program: String, _ condition: Condition, _ remedy: String
    ) throws {
        let finding = try failing(
            DeviceError(
                .busy, device: Self.path, detail: .heldBy(program: program, processID: 812)))
        #expect(finding.condition == condition)
        #expect(finding.text.contains("\(program) (process 812)"))
        #expect(finding.remedy?.contains(remedy) == true)
    }

    @Test func `ModemManager is a note as long as fixes arrive`() {
        var evidence = Self.evidence
        evidence.line = Self.working
        evidence.isModemManagerRunning = true
        #expect(Diagnosis(evidence).findings.allSatisfy { $0.level == .ok })
        evidence.tty?.isIgnoredByModemManager = false
        let notes = Diagnosis(evidence).findings.filter { $0.level == .note }
        #expect(notes.map(\.remedy).count == 1)
        #expect(notes.first?.text.hasPrefix("ModemManager is running") == true)
        #expect(Diagnosis(evidence).condition == .fixes)
    }

    @Test func `the first error determines the condition`() {
        var evidence = Self.evidence
        evidence.line = LineAnalysis()
        evidence.failure = DeviceError(.disconnected, device: Self.path)
        #expect(Diagnosis(evidence).condition == .disconnected)
    }

    @Test func `a network source has no finding about plugging in`() {
        var evidence = Evidence()
        evidence.name = "tcp://boat:10110"
        evidence.line = LineAnalysis()
        #expect(Diagnosis(evidence).condition == .silent)
        #expect(Diagnosis(evidence).findings.allSatisfy { $0.remedy?.contains("unplug") != true })
        evidence.line = nil
        evidence.failure = DeviceError(.unreachable, device: "tcp://boat:10110")
        #expect(Diagnosis(evidence).condition == .cannotOpen)
    }

    @Test func `a dangling link is distinguished from a missing name`() throws {
        let stale = try failing(DeviceError(.notFound, device: Self.path, errno: ENXIO)) {
            $0.tty = nil
        }
        #expect(stale.condition == .noDevice && stale.text.contains("but its device is gone"))
        let absent = try failing(DeviceError(.notFound, device: Self.path, errno: ENOENT)) {
            $0.tty = nil
        }
        #expect(absent.condition == .noDevice && absent.text == "There is no /dev/ttyACM0.")
        let hidden = try failing(DeviceError(.notFound, device: Self.path, errno: ENOENT))
        #expect(hidden.condition == .noNode)
        #expect(hidden.remedy?.contains("--device /dev/ttyACM0") == true)
    }

    @Test(arguments: [
        (nil, "/dev/ttyACM0 disconnected during the examination."),
        (0, "/dev/ttyACM0 disconnected during the examination, and has not come back in 10 s."),
        (
            1,
            "/dev/ttyACM0 disconnected during the examination, and came back within 10 s: it has a bad contact, or gets too little power."
        ),
        (
            3,
            "/dev/ttyACM0 disconnected during the examination, and came back 3 times within 10 s: it has a bad contact, or gets too little power."
        ),
    ])
    func `whether a lost receiver came back is reported`(_ returns: Int?, _ text: String) throws {
        let finding = try failing(DeviceError(.disconnected, device: Self.path)) {
            $0.reconnects = returns.map { Reconnections(seconds: 10, returns: $0) }
        }
        #expect(finding.condition == .disconnected && finding.text == text)
    }

    @Test func `a service that leaves the receivers to gpsd is explained`() {
        var evidence = Evidence()
        evidence.isServiceYieldingToGPSD = true
        let remedies = Diagnosis(evidence).findings.compactMap(\.remedy)
        #expect(remedies.contains { $0.contains("sudo gpsbridge-switch gpsbridge") })
    }

    @Test func `two equal receivers without serial numbers are named by socket`() throws {
        var evidence = Self.evidence
        evidence.line = Self.working
        var twin = Evidence.TTY(path: "/dev/ttyACM1", id: "1546:01a7", model: "u-blox 7")
        evidence.tty?.stablePath = "/dev/serial/by-path/pci-0000:00:14.0-usb-0:3:1.0"
        evidence.others = [twin]
        let notes = Diagnosis(evidence).findings.filter { $0.text.contains("swap names") }
        #expect(
            notes.map(\.remedy) == [
                "use the name that depends on the USB socket: \(evidence.tty?.stablePath ?? "")"
            ])
        twin.serialNumber = "A1"
        evidence.others = [twin]
        #expect(!Diagnosis(evidence).findings.contains { $0.text.contains("swap names") })
    }

    @Test func `a silent tty is reported with its siblings and with power saving`() throws {
        var evidence = Self.evidence
        evidence.line = LineAnalysis()
        evidence.tty?.siblings = ["/dev/ttyACM1"]
        evidence.tty?.powerControl = "/sys/devices/usb1/1-3/power/control"
        let finding = try #require(Diagnosis(evidence).findings.first { $0.level == .error })
        #expect(finding.remedy?.contains("try /dev/ttyACM1, which belongs to the same") == true)
        #expect(finding.remedy?.contains("| sudo tee /sys/devices/usb1/1-3/power/control") == true)
    }

    @Test(arguments: [
        ([] as [String], "gpsbridge's udev rules are not installed."),
        (
            ["/etc/udev/rules.d/70-gpsbridge.rules"],
            "gpsbridge's udev rules are installed, but have not been applied to /dev/ttyACM0."
        ),
        (
            ["/etc/udev/rules.d/99-gpsbridge.rules"],
            "udev reads /etc/udev/rules.d/99-gpsbridge.rules too early or too late for it to have an effect."
        ),
    ])
    func `missing, inactive and late rules are distinguished`(
        _ files: [String], _ text: String
    ) {
        var evidence = Self.evidence
        (evidence.line, evidence.ruleFiles) = (Self.working, files)
        evidence.tty?.isDeclared = false
        evidence.tty?.isNamedByRules = false
        let notes = Diagnosis(evidence).findings.filter { $0.level == .note }
        #expect(notes.map(\.text) == [text])
    }

    @Test func `a declaration that udev reads too late is reported`() throws {
        var evidence = Self.evidence
        evidence.tty?.isNamedByRules = false
        (evidence.line, evidence.ruleFiles) = (Self.working, ["/x/70-gpsbridge.rules"])
        let note = try #require(Diagnosis(evidence).findings.first { $0.level == .note })
        #expect(note.text.contains("a receiver only after it has read gpsbridge's rules"))
        #expect(note.remedy?.contains("69-gps.rules") == true)
    }

    @Test(arguments: [(16, 1), (1, 0), (nil, 0)])
    func `a converter that delays bytes is reported`(_ latency: Int?, _ count: Int) {
        var evidence = Self.evidence
        evidence.line = Self.working
        evidence.tty?.latencyTimer = latency
        let notes = Diagnosis(evidence).findings.filter { $0.level == .note }
        #expect(notes.count == count)
        #expect(
            notes.allSatisfy {
                $0.remedy?.hasSuffix("/sys/class/tty/ttyACM0/device/latency_timer") == true
            })
    }

    @Test func `a rate above the line's capacity is reported`() throws {
        var evidence = Self.evidence
        var report = LineAnalysis()
        (report.seconds, report.totalByteCount, report.byteCount) = (3, 900_000, 900_000)
        evidence.line = report
        let finding = try #require(Diagnosis(evidence).findings.first { $0.level == .error })
        #expect(finding.condition == .noise && finding.text.contains("more than a serial line can"))
    }

    @Test func `other ttys are listed, in case one is a receiver`() {
        var evidence = Evidence()
        evidence.nonReceivers = [Evidence.TTY(path: "/dev/ttyACM3", id: "2341:0043", model: "Uno")]
        evidence.boardLine = "/dev/serial0"
        let diagnosis = Diagnosis(evidence)
        #expect(diagnosis.condition == .noDevice)
        #expect(
            diagnosis.findings.dropFirst().map(\.remedy)
                == ["gpsbridge doctor /dev/ttyACM3", "gpsbridge doctor /dev/serial0"])
    }

    @Test func `each condition has its own exit status, different from the common ones`() {
        let statuses = Condition.allCases.map(\.rawValue)
        #expect(Set(statuses).count == statuses.count)
        #expect(statuses.allSatisfy { $0 == 0 || 3..<126 ~= $0 })
    }

    @Test func `the manual lists every condition with its exit status`() throws {
        let manual = try PackageFile.text("docs/receivers.md")
        for condition in Condition.allCases {
            #expect(manual.contains("| \(condition.rawValue) | `\(condition)` |"))
        }
    }

    private func failing(
        _ failure: DeviceError, _ change: (inout Evidence) -> Void = { _ in }
    ) throws -> Finding {
        var evidence = Self.evidence
        evidence.tty?.isDeclared = false
        evidence.failure = failure
        change(&evidence)
        let diagnosis = Diagnosis(evidence)
        return try #require(diagnosis.findings.first { $0.level == .error })
    }

    private static let path = "/dev/ttyACM0"

    private static var evidence: Evidence {
        var evidence = Evidence()
        evidence.name = path
        evidence.today = CalendarDate(year: 2026, month: 11, day: 20)
        var tty = Evidence.TTY(path: path, id: "1546:01a7", model: "u-blox 7", driver: "cdc_acm")
        (tty.isDeclared, tty.isNamedByRules) = (true, true)
        tty.isIgnoredByModemManager = true
        evidence.tty = tty
        return evidence
    }

    @Test(arguments: [
        ("tcp://boat:10110", "timeout 5 nc boat 10110 | head -c 500; "),
        ("udp://:10110", ""), ("drive.txt", "head -c 500 drive.txt; "),
    ])
    func `the command that shows what comes fits the source`(
        _ name: String, _ command: String
    ) throws {
        var evidence = Evidence()
        evidence.name = name
        evidence.origin = name.contains("://") ? .live : .replay
        var line = Self.working
        (line.validCount, line.fixCount) = (0, 0)
        evidence.line = line
        let remedy = try #require(Diagnosis(evidence).findings.compactMap(\.remedy).last)
        let look = command.isEmpty ? "" : "look at the data: \(command)"
        #expect(remedy == "\(look)the data may not come from a receiver")
    }

    @Test func `a recording gets no advice for cables and antennas`() {
        var evidence = Evidence()
        evidence.name = "drive.nmea"
        evidence.origin = .replay
        var line = Self.working
        line.fixCount = 0
        line.badChecksumCount = 20
        evidence.line = line
        let findings = Diagnosis(evidence).findings
        #expect(findings.contains { $0.condition == .noFix })
        #expect(findings.contains { $0.condition == .badChecksums })
        #expect(findings.allSatisfy { $0.remedy == nil }, "\(findings)")
    }

    @Test func `a recording in another protocol gets the advice that other commands give`() {
        var evidence = Evidence()
        evidence.name = "drive.log"
        var line = LineAnalysis()
        line.totalByteCount = 1000
        line.frames = [.ubx: 20]
        evidence.line = line
        func remedy() -> String? { Diagnosis(evidence).findings.last?.remedy }
        #expect(remedy()?.hasPrefix("switch NMEA or NAV-PVT on") == true)
        evidence.origin = .replay
        #expect(remedy()?.hasPrefix("record it again, but first switch NMEA or NAV-PVT on") == true)
    }

    private static var working: LineAnalysis {
        var report = LineAnalysis()
        report.seconds = 5
        report.totalByteCount = 1000
        report.byteCount = 1000
        report.textCount = 1000
        report.validCount = 10
        report.formatters = ["GGA": 5, "RMC": 5]
        report.epochCount = 5
        report.fixCount = 5
        report.period = 1
        var fix = Fix()
        fix.mode = .threeD
        fix.time = CalendarDate(year: 2026, month: 11, day: 20).flatMap { day in
            TimeOfDay(hour: 12, minute: 0, second: 0).map { UTCTime(date: day, time: $0) }
        }
        fix.accuracy.horizontal = 2.5
        fix.satellitesUsed = 9
        (report.fix, report.positionFix) = (fix, fix)
        return report
    }
}
