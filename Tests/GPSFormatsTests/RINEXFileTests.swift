// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous)) struct RINEXFileTests {
    @Test func `an epoch has the columns of the signals that were measured`() {
        let lines = lines(of: [epoch(), MonVER().frame])
        let body = lines.drop { !$0.hasPrefix(">") }
        #expect(
            Array(body) == [
                "> 2026 01 04 00 01 40.0010000  0  2",
                "G05  21000000.062   110000000.250       -1234.500          45.000",
                "R03                                      1000.000          30.000",
            ])
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(
            lines.first
                == "     3.05           OBSERVATION DATA    M                   RINEX VERSION / TYPE"
        )
        #expect(
            header("SYS / # / OBS TYPES", lines) == [
                "G    4 C1C L1C D1C S1C", "R    4 C2C L2C D2C S2C",
            ])
        #expect(
            header("TIME OF FIRST OBS", lines)
                == ["  2026     1     4     0     1   40.0010000     GPS"])
        #expect(header("GLONASS SLOT / FRQ #", lines) == ["  1 R03 -1"])
    }

    @Test func `a phase after a loss of lock is marked once, and an unknown half cycle always`()
        throws
    {
        let frames = [
            epoch(), epoch(lockTime: 10), epoch(lockTime: 20), epoch(lockTime: 30, tracking: 3),
        ]
        let phases = lines(of: frames).filter { $0.hasPrefix("G05") }.map {
            String($0.dropFirst(33).first ?? "-")
        }
        #expect(phases == [" ", "1", " ", "2"])
    }

    @Test func `a phase that was locked after the last one is marked, however long that is ago`() {
        let frames = [
            epoch(), epoch(at: 130, lockTime: 25_000), epoch(at: 160, lockTime: 55_000),
            epoch(at: 161, lockTime: 56_000), epoch(at: 230), epoch(at: 231, lockTime: 980),
        ]
        let phases = lines(of: frames).filter { $0.hasPrefix("G05") }.map {
            String($0.dropFirst(33).first ?? "-")
        }
        #expect(phases == [" ", "1", " ", " ", " ", "1"])
    }

    @Test func `a phase that does not fit its column is left out`() {
        for (phase, text) in [
            (999_999_999.9994, "999999999.999"), (-999_999_999.9994, "-999999999.999"),
            (999_999_999.9996, ""), (-999_999_999.9996, ""), (.infinity, ""),
        ] {
            let line = lines(of: [epoch(phase: phase)]).first { $0.hasPrefix("G05") }
            let column = (line ?? "").dropFirst(19).prefix(14)
            #expect(String(column.filter { $0 != " " }) == text)
        }
    }

    @Test func `epochs without a week or a measurement are left out`() {
        var empty = RxmRAWX()
        empty.week = 2400
        #expect(lines(of: [epoch(week: 0), empty.frame]).isEmpty)
    }

    @Test(arguments: [
        ("SPG 3.01", "00080000", "", "the receiver (M8) has no raw measurements (RXM-RAWX)"),
        ("SPG 4.04", "00190000", "NEO-M9N-0", "the receiver (NEO-M9N-0) has no raw"),
        ("SPG 5.10", "000A0000", "", "the receiver (M10) has no raw measurements"),
        ("HPG 1.50", "00190000", "ZED-F9P", "there is no message RXM-RAWX of this ZED-F9P; `gps"),
        ("TIM 1.10", "00080000", "NEO-M8T-0", "there is no message RXM-RAWX of this NEO-M8T-0; `"),
        ("SPG 6.00", "000A0000", "NEO-F10N", "there is no message RXM-RAWX of this NEO-F10N; `gp"),
        ("", "", "", "there is no message RXM-RAWX, which u-blox's timing and RTK chips have; `"),
    ])
    func `a receiver without the messages is named, with the line that switches them on`(
        _ firmware: String, _ hardware: String, _ module: String, _ reason: String
    ) {
        var survey = RINEXSurvey()
        if !firmware.isEmpty {
            var version = MonVER()
            version.hardware = hardware
            version.extensions = ["FWVER=" + firmware, "PROTVER=20.00", "MOD=" + module].map {
                var line = MonVER.Extension()
                line.text = $0
                return line
            }
            if module.isEmpty { version.extensions.removeLast() }
            let bytes = version.frame
            guard let frame = UBXFrame(bytes.span) else { return }
            survey.add(frame, for: .observations)
        }
        let text = survey.reasonForAbsence(of: .observations, device: "/dev/ttyACM0")
        #expect(text.hasPrefix(reason), "\(text)")
        let line = "configure /dev/ttyACM0 --messages NAV-PVT,RXM-RAWX,RXM-SFRBX`"
        #expect(text.contains(line) != text.contains("has no raw"), "\(text)")
    }

    @Test(arguments: [DataOrigin.live, .replay, .simulated])
    func `a comment says that data is replayed or simulated`(_ origin: DataOrigin) {
        var file = RINEXFile(.observations, RINEXDescription())
        file.origin = origin
        let bytes = epoch()
        if let frame = UBXFrame(bytes.span) { file.add(frame) }
        let text = String(decoding: file.text, as: UTF8.self)
        let lines = text.split(separator: "\n").map { String($0).trimmed }
        #expect(header("COMMENT", lines) == (origin == .live ? [] : ["origin: \(origin)"]))
    }

    @Test func `a simulated receiver is recognised by its version`() {
        var version = MonVER()
        version.extensions = [MonVER.Extension()]
        version.extensions[0].text = "SIMULATED"
        let lines = lines(of: [epoch(), version.frame])
        #expect(header("COMMENT", lines) == ["origin: simulated"])
    }

    @Test func `each file of a recording has a header with the signals that may come later`() {
        var description = RINEXDescription()
        (description.marker, description.antenna) = ("SITE", "ANN-MB")
        var file = RINEXFile(.observations, description)
        for _ in 0..<2 {
            file.begin()
            let bytes = epoch()
            guard let frame = UBXFrame(bytes.span) else { return }
            file.add(frame)
            #expect(file.count == 1)
        }
        let text = String(decoding: file.text, as: UTF8.self)
        let lines = text.split(separator: "\n").map { String($0).trimmed }
        #expect(header("MARKER NAME", lines) == ["SITE", "SITE"])
        #expect(lines.count { $0.hasPrefix("> 2026") } == 2)
        let types = header("SYS / # / OBS TYPES", lines).prefix { !$0.hasPrefix("S") }
        #expect(types.first == "G   12 C1C L1C D1C S1C C2L L2L D2L S2L C5Q L5Q D5Q S5Q")
        #expect(types.contains { $0.hasPrefix("R    8") })
    }

    private func lines(of frames: [[UInt8]]) -> [String] {
        var survey = RINEXSurvey()
        for bytes in frames {
            guard let frame = UBXFrame(bytes.span) else { continue }
            survey.add(frame, for: .observations)
        }
        var file = RINEXFile(.observations, RINEXDescription(), survey: survey)
        for bytes in frames {
            guard let frame = UBXFrame(bytes.span) else { continue }
            file.add(frame)
        }
        return String(decoding: file.text, as: UTF8.self).split(separator: "\n").map {
            String($0).trimmed
        }
    }

    private func header(_ label: String, _ lines: [String]) -> [String] {
        lines.filter { $0.dropFirst(60) == label }.map { String($0.prefix(60)).trimmed }
    }

    /// A GPS satellite, and a GLONASS satellite without a range and a phase.
    private func epoch(
        week: UInt16 = 2400, at time: Double = 100.001, lockTime: UInt16 = 64_500,
        tracking: UInt8 = 7, phase: Double = 110_000_000.25
    ) -> [UInt8] {
        var gps = RxmRAWX.Measurement()
        (gps.svid, gps.cn0, gps.lockTime) = (5, 45, lockTime)
        (gps.pseudorange, gps.carrierPhase, gps.doppler) = (
            21_000_000.0625, phase, -1234.5
        )
        gps.tracking = RxmRAWX.Measurement.Tracking(rawValue: tracking)
        var glonass = RxmRAWX.Measurement()
        (glonass.gnssID, glonass.svid, glonass.signalID) = (6, 3, 2)
        (glonass.frequencyID, glonass.cn0, glonass.doppler) = (6, 30, 1000)
        var epoch = RxmRAWX()
        (epoch.week, epoch.timeOfWeek) = (week, time)
        epoch.measurements = [glonass, gps]
        return epoch.frame
    }
}

extension String {
    /// The text without blanks at its end.
    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}

extension RINEXFile {
    /// Removes and returns the text.
    fileprivate var text: [UInt8] {
        mutating get {
            var bytes: [UInt8] = []
            drain { span in bytes = span.indices.map { span[$0] } }
            return bytes
        }
    }
}
