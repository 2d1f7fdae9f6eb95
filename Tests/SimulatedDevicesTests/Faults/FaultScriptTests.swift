// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSTestTraits
import SimulatedDevices
import Testing

/// The text form of faults, and its error messages.
@Suite(.timeLimit(.generous))
struct FaultScriptTests {
    @Test(arguments: [
        ("30s: jam for 20s", Fault(.jamming, at: 30, for: 20)),
        ("0s: jam", Fault(.jamming)),
        ("  1.5min:lose-fix for 500ms ", Fault(.lostFix, at: 90, for: 0.5)),
        ("1h: bad-checksums 5%", Fault(.badChecksums, at: 3600, probability: 0.05)),
        ("0s: bit-errors for 1s", Fault(.bitErrors, at: 0, for: 1, probability: 0.001)),
        ("0s: drop-bytes 0.1% for 1d", Fault(.droppedBytes, for: 86_400, probability: 0.001)),
        ("2s: wrong-baud 4800 for 3s", Fault(.wrongBaud(.nmea), at: 2, for: 3)),
        ("2s: burst 5", Fault(.burst(5), at: 2)),
        ("2s: late 300ms", Fault(.late(0.3), at: 2)),
        ("2s: unplug for 5s", Fault(.unplug(as: nil), at: 2, for: 5)),
        ("2s: unplug as gps1 for 5s", Fault(.unplug(as: "gps1"), at: 2, for: 5)),
        ("2s: clock-off -1w", Fault(.clockOff(-604_800), at: 2)),
        ("2s: spoof 500w for 9s", Fault(.spoofing(north: 0, east: -500), at: 2, for: 9)),
        (
            "1min: passing-jammer 25dB for 1min",
            Fault(.passingJammer(decibels: 25), at: 60, for: 60)
        ),
        ("2s: equal-power 0n", Fault(.equalPower(north: 0, east: 0), at: 2)),
        ("2s: drag-off 1.5s", Fault(.dragOff(north: -1.5, east: 0, isCareful: false), at: 2)),
        ("2s: careful-drag 1w", Fault(.dragOff(north: 0, east: -1, isCareful: true), at: 2)),
        ("2s: time-walk 200ns", Fault(.timeWalk(200 * 1e-9), at: 2)),
        ("2s: meacon 300e for 1min", Fault(.meaconing(north: 0, east: 300), at: 2, for: 60)),
        ("2s: cut-rtcm3 20%", Fault(.cutBinaryFrames(.rtcm3), at: 2, probability: 0.2)),
    ])
    func `a line of a script gives its fault`(_ text: String, _ fault: Fault) throws {
        #expect(try Fault(text) == fault)
    }

    @Test(arguments: [
        ("", 1, "the fault is empty"),
        ("30s jam", 1, "'30s' has no colon: write 'TIME: FAULT"),
        ("30: jam", 1, "not a time: '30' (expected a number and ms, s, min"),
        ("30s:", 5, "the fault is missing (known: bit-errors"),
        ("30s: jamm", 6, "not a fault: 'jamm'; did you mean 'jam'?"),
        ("30s: jam 20s", 10, "unexpected '20s': after 'jam' only 'for TIME'"),
        ("30s: jam for", 13, "the duration is missing after 'for'"),
        ("30s: jam for 0s", 14, "not a time above 0: '0s' (expected"),
        ("30s: jam for long", 14, "not a time above 0: 'long' (expected"),
        ("30s: bit-errors 5", 17, "not a percentage: '5' (expected 0% to 100%"),
        ("30s: bit-errors 101%", 17, "not a percentage: '101%' (expected"),
        ("30s: wrong-baud fast", 17, "not a baud rate: 'fast' (expected 1 to 4000000)"),
        ("30s: burst 1", 12, "not a number of epochs: '1' (expected 2 to 1000)"),
        ("30s: late", 10, "the value is missing"),
        ("30s: late -1s", 11, "not a time of 0 or more: '-1s' (expected"),
        ("30s: jam for 1s for 2s", 17, "unexpected 'for'"),
        ("30s: spoof 500", 12, "direction: '500' (expected metres and n, s, e or w, such as 500n)"),
        ("30s: drag-off 1", 15, "direction: '1' (expected m/s and n, s, e or w, such as 1.5n)"),
        ("30s: passing-jammer 25", 21, "not a level: '25' (expected 0dB to 60dB, such as 25dB)"),
        ("30s: time-walk 1min", 16, "not a time: '1min' (expected"),
        ("30s: unplug as", 15, "the name is missing after 'as'"),
        ("nans: jam", 1, "not a time: 'nans' (expected"),
    ])
    func `an invalid script is reported with its column and the syntax`(
        _ text: String, _ column: Int, _ said: String
    ) throws {
        let error = #expect(throws: FaultSyntaxError.self) { try Fault(text) }
        #expect(error?.column == column)
        #expect(error?.message.contains(said) == true, "\(error?.description ?? "")")
    }

    @Test func `a script may have comments, and an error names its line`() throws {
        let script = try FaultScript("# a run\n\n30s: jam for 20s  # in the tunnel\n1min: silence")
        #expect(script == [Fault(.jamming, at: 30, for: 20), Fault(.silence, at: 60)])
        let error = #expect(throws: FaultSyntaxError.self) {
            try FaultScript("1s: jam\n#\n 2s: jam it")
        }
        #expect(error?.description.hasPrefix("line 3, column 10: unexpected 'it'") == true)
    }

    @Test(arguments: FaultKeyword.all.map(\.name))
    func `every keyword can be parsed`(_ name: String) throws {
        let word = try #require(FaultKeyword.all.first { $0.name == name })
        let value: [String: String] = [
            "RATE": "4800", "N": "3", "TIME": "2s", "METRESn|s|e|w": "5n",
            "M/Sn|s|e|w": "1.5w", "NUMBERdB": "25dB", "P%": "1%",
        ]
        let fault = try Fault("1s: \(name) \(value[word.value] ?? "") for 2s")
        #expect(fault.start == 1)
        #expect(fault.duration == 2)
    }
}
