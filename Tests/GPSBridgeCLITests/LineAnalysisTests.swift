// SPDX-License-Identifier: MIT
import GNSS
import GPSBridgeCLI
import GPSReceivers
import GPSTestSupport
import SimulatedDevices
import Testing
import UBX

/// Converts bytes to findings.
@Suite(.timeLimit(.generous))
struct LineAnalyzerTests {
    @Test func `sentences with wrong checksums indicate a bad line at any rate`() {
        let text = String(decoding: Self.epochs(4), as: UTF8.self).replacing("$GN", with: "$GP")
        let bytes = Array(text.utf8)
        let finding = diagnose(bytes, at: [9600, 115_200])
        #expect(finding?.condition == .badChecksums)
        #expect(finding?.text == "8 of 8 sentences have a wrong checksum.")
        let search = "no other program reads /dev/ttyUSB0: sudo gpsbridge doctor /dev/ttyUSB0"
        #expect(finding?.remedy?.contains(search) == true)
    }

    @Test(arguments: [[9600, 115_200], [9600], []])
    func `sentences without checksums are not noise`(rates: [Int]) {
        let text = String(decoding: Self.epochs(4), as: UTF8.self)
        let lines = text.split(separator: "\r\n").map { $0.dropLast(3) + "\r\n" }
        let finding = diagnose(Array(lines.joined().utf8), at: rates)
        #expect(finding?.condition == .badChecksums)
        #expect(finding?.text.hasPrefix("8 sentences have no checksum") == true)
        #expect(finding?.remedy?.hasPrefix("switch checksums on") == true)
    }

    @Test func `bytes read at a wrong rate are noise`() {
        let bytes = MisreadLine.read(Self.epochs(4), sentAt: 38_400, readAt: 9600)
        #expect(diagnose(bytes, at: [9600])?.condition == .noise)
        #expect(diagnose(bytes, at: [])?.condition == .noise)
    }

    @Test func `bytes at random are noise`() {
        var state: UInt64 = 7
        let bytes = (0..<20_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 40)
        }
        #expect(diagnose(bytes, at: [4800, 9600])?.condition == .noise)
    }

    @Test(arguments: [
        (
            "UBX without positions",
            [0xB5, 0x62, 0x01, 0x03, 0x02, 0x00, 0x05, 0x06, 0x11, 0x2D] as [UInt8]
        ),
        ("SiRF binary, not NMEA", [0xA0, 0xA2, 0x00, 0x02, 0x0B, 0x06, 0x00, 0x11, 0xB0, 0xB3]),
        (
            "SBF, not NMEA",
            [0x24, 0x40, 0xF8, 0xCD, 0xA7, 0x0F, 0x0C, 0x00, 0x01, 0x02, 0x03, 0x04]
        ),
        ("TSIP or Garmin, not NMEA", [0x10, 0x41, 0x10, 0x10, 0x22, 0x10, 0x03]),
    ])
    func `binary protocols are distinguished`(_ problem: String, _ frame: [UInt8]) {
        let bytes = Array(repeatElement(frame, count: 20).joined())
        let finding = diagnose(bytes, at: [9600])
        #expect(finding?.condition == .binaryProtocol)
        #expect(finding?.text.hasPrefix("/dev/ttyUSB0 sends \(problem): 20 frames") == true)
    }

    @Test func `a few TXT sentences between binary frames are not NMEA`() {
        let frame: [UInt8] = [0xB5, 0x62, 0x01, 0x03, 0x02, 0x00, 0x05, 0x06, 0x11, 0x2D]
        let text = Array("$GPTXT,01,01,02,ANTSTATUS=OPEN*2B\r\n".utf8)
        let bytes = text + repeatElement(frame, count: 20).joined() + text
        let finding = diagnose(bytes, at: [9600])
        #expect(finding?.condition == .binaryProtocol)
        let expected =
            "/dev/ttyUSB0 sends UBX without positions: 20 frames, and 2 sentences without a position (TXT)."
        #expect(finding?.text == expected)
        #expect(diagnose(bytes + Self.epochs(4), at: [9600]) == nil)
    }

    @Test func `frames are found in single bytes`() {
        let frame: [UInt8] = [0xA0, 0xA2, 0x00, 0x02, 0x0B, 0x06, 0x00, 0x11, 0xB0, 0xB3]
        var analyzer = LineAnalyzer()
        for byte in repeatElement(frame, count: 5).joined() { analyzer.push([byte], at: nil) }
        #expect(analyzer.report(after: 1).frames[.sirf] == 5)
    }

    @Test func `text without sentences is reported as noise`() {
        let finding = diagnose(Array("hello, I am a weather station\r\n".utf8), at: [])
        #expect(finding?.condition == .noise)
        #expect(finding?.text.contains("of text, but no NMEA sentence") == true)
    }

    @Test(arguments: [
        ("$GPHDT,274.07,T*03\r\n", "No sentence contains a position or a time (received: HDT)."),
        (
            "$APHDM,218.634,M*39\r\n$APROT,0.013,A*35\r\n$APHDM,218.722,M*3F\r\n",
            "No sentence contains a position or a time (received: HDM, ROT)."
        ),
        (
            "$GNTHS,90.0,S*02\r\n$GNTHS,91.0,S*03\r\n",
            "No sentence contains a position or a time (received: THS)."
        ),
        (
            "!AIVDM,1,1,,A,13aEOK?P00PD2wVMdLDRhgvL289?,0*26\r\n",
            "This is an AIS receiver: it reports ships, not its own position."
        ),
    ])
    func `sentences without a position are reported`(_ sentence: String, _ text: String) {
        let finding = diagnose(Array(sentence.utf8), at: [9600])
        #expect(finding?.condition == .noPosition)
        #expect(finding?.text == text)
    }

    private func chip(_ protocols: OutputProtocols, _ more: [UInt8] = []) -> [Finding] {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = .f9p
        configuration.protocols = protocols
        var receiver = SimulatedReceiver(configuration)
        var analyzer = LineAnalyzer()
        for _ in 0..<4 { analyzer.push(receiver.next().bytes, at: nil) }
        // Another program asks for the version.
        analyzer.push(receiver.answers(to: UBXFrame.bytes(MonVER.id, payload: [])), at: nil)
        analyzer.push(more, at: nil)
        analyzer.finish()
        var evidence = Evidence()
        evidence.name = "/dev/ttyACM0"
        evidence.line = analyzer.report(after: 4)
        return Diagnosis(evidence).findings
    }

    @Test func `a chip that sends UBX is named, with what it sends`() {
        let texts = chip(.ubx).map(\.text)
        #expect(
            texts.contains(
                "The chip is a ZED-F9P with firmware HPG 1.50, protocol 27.50."),
            "\(texts)")
        #expect(
            texts.contains { $0.hasPrefix("/dev/ttyACM0 sends UBX: ") && $0.contains("NAV-PVT") })
        #expect(chip(.both).contains { $0.text.hasPrefix("/dev/ttyACM0 sends NMEA and UBX: ") })
        #expect(!chip(.ubx).contains { $0.text.contains("interference") })
    }

    @Test func `a chip's reports of interference, its antenna and lost messages are findings`() {
        var security = SecSIG()
        (security.isJammingDetectorOn, security.jamming) = (true, .warning)
        (security.isSpoofingDetectorOn, security.spoofing) = (true, .indicated)
        var hardware = MonHW()
        hardware.antenna = .open
        var communication = MonCOMMS()
        communication.errors = MonCOMMS.Errors(rawValue: 2)
        let texts = chip(.ubx, security.frame + hardware.frame + communication.frame).map(\.text)
        for part in ["interference", "spoofing", "antenna is not connected", "drops messages"] {
            #expect(texts.contains { $0.contains(part) }, "\(part) in \(texts)")
        }
    }

    @Test func `UBX without a solution is not a reason to wait for a fix`() {
        let bytes = (0..<5).flatMap { second -> [UInt8] in
            var list = NavSAT()
            list.timeOfWeekMilliseconds = UInt32(1000 * second)
            var satellite = NavSAT.Satellite()
            (satellite.svid, satellite.cn0, satellite.elevation) = (5, 44, 60)
            list.satellites = [satellite]
            return list.frame
        }
        let finding = diagnose(bytes, at: [])
        #expect(finding?.condition == .noPosition)
        #expect(
            finding?.text
                == "No UBX message contains a position and its validity (received: NAV-SAT).")
        for message in [NavSTATUS().frame, NavPOSLLH().frame] {
            #expect(diagnose(bytes + message, at: [])?.condition == .noPosition)
        }
        for message in [NavSTATUS().frame + NavPOSLLH().frame, NavSOL().frame] {
            #expect(diagnose(bytes + message, at: [])?.condition == .noFix)
        }
    }

    @Test func `positions without a time are reported as such`() {
        var analyzer = LineAnalyzer()
        var message = NavHPPOSLLH()
        (message.coarseLatitude, message.coarseLongitude) = (482_000_000, 164_000_000)
        for second in 0..<4 {
            message.timeOfWeekMilliseconds = UInt32(1000 * second)
            analyzer.push(message.frame, at: nil)
        }
        analyzer.finish()
        var evidence = Evidence()
        evidence.name = "/dev/ttyACM0"
        evidence.line = analyzer.report(after: 4)
        let texts = Diagnosis(evidence).findings.map(\.text)
        #expect(texts.contains("The receiver sends no date, and no time."), "\(texts)")
    }

    @Test func `the finding about fixes describes the last epoch with a position`() throws {
        func fixes(_ bytes: [UInt8]) -> String? {
            var analyzer = LineAnalyzer()
            analyzer.push(bytes, at: nil)
            analyzer.finish()
            var evidence = Evidence()
            evidence.name = "/dev/ttyACM0"
            evidence.line = analyzer.report(after: 4)
            return Diagnosis(evidence).findings.map(\.text).first { $0.hasPrefix("Fixes arrive") }
        }
        let expected = try #require(fixes(Self.epochs(4)))
        let lost = ScriptedReceiver.epoch(4, quality: .invalid)
        #expect(fixes(Self.epochs(4) + lost) == expected)
    }

    @Test func `a full output buffer that the receiver reports as text is a finding`() {
        let sentence = Array("$GNTXT,01,01,00,txbuf alloc*61\r\n".utf8)
        let notice = UBXNotice(level: .error, text: "txbuf alloc").frame
        for text in [sentence, notice] {
            #expect(chip(.ubx, text).contains { $0.text.contains("drops messages") })
        }
    }

    @Test func `no satellites, weak ones and good ones are distinguished`() {
        let void = "$GPRMC,120000.00,V,,,,,,,211126,,,N*79\r\n"
        func view(_ cn0: String) -> [UInt8] {
            let body = "GPGSV,1,1,02,05,40,083,\(cn0),12,17,308,\(cn0)"
            let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
            let checksum = sum.utf8.count < 2 ? "0\(sum)" : sum
            return Array("\(void)$\(body)*\(checksum)\r\n".utf8)
        }
        #expect(
            diagnose(Array(void.utf8), at: [])?.text.contains("no list of satellites") == true)
        let empty = Array("\(void)$GPGSV,1,1,00*79\r\n".utf8)
        #expect(diagnose(empty, at: [])?.text.contains("has no satellite in view") == true)
        #expect(
            diagnose(view(""), at: [])?.text.contains("expects 2 satellites and receives none")
                == true
        )
        #expect(
            diagnose(view("18"), at: [])?.text.contains("the best at 18 dB-Hz, which is too weak")
                == true)
        #expect(diagnose(view("44"), at: [])?.text.contains("which is good") == true)
    }

    @Test func `an antenna fault that the receiver reports is reported`() {
        let text = "$GPRMC,120000.00,V,,,,,,,211126,,,N*79\r\n$GPTXT,01,01,02,ANTSTATUS=OPEN*2B\r\n"
        #expect(
            diagnose(Array(text.utf8), at: [])?.text.contains("antenna is not connected") == true)
    }

    @Test(arguments: [
        (2026, 3, 21, nil), (2026, 3, 20, nil),
        (2045, 11, 4, "1024 weeks too early"), (2030, 1, 1, "before this machine's"),
        (2020, 1, 1, "after this machine's"),
    ])
    func `the receiver's date is compared with this machine's`(
        _ year: Int, _ month: Int, _ day: Int, _ expected: String?
    ) {
        let today = CalendarDate(year: year, month: month, day: day)
        let finding = diagnose(Self.epochs(4), at: [9600], today: today)
        #expect(finding?.condition == expected.map { _ in .wrongDate })
        if let expected { #expect(finding?.text.contains(expected) == true) }
    }

    private static func epochs(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { ScriptedReceiver.epoch($0) }
    }

    /// Returns the error found on a line that sends these bytes at any of the rates.
    private func diagnose(
        _ bytes: [UInt8], at rates: [Int],
        today: CalendarDate? = CalendarDate(year: 2026, month: 3, day: 21)
    ) -> Finding? {
        var analyzer = LineAnalyzer()
        for rate in rates.isEmpty ? [nil] : rates.map({ BaudRate(rawValue: $0) }) {
            analyzer.push(bytes, at: rate.map { LineSettings($0) })
        }
        analyzer.finish()
        var evidence = Evidence()
        evidence.name = "/dev/ttyUSB0"
        evidence.today = today
        evidence.line = analyzer.report(after: 4)
        return Diagnosis(evidence).findings.first { $0.level == .error }
    }
}
