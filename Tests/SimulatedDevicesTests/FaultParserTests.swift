// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing

/// Every fault with the decoder: nothing wrong is delivered, every loss is counted by its reason,
/// and after the fault the output is the same as without it.
@Suite(.timeLimit(.generous))
struct FaultsInTheStreamTests {
    /// After ten seconds, for ten seconds.
    private static let during = 10..<20
    private static let epochs = 30

    private func run(_ fault: String) throws -> DecodedRun {
        DecodedRun(.noon(.generic, [try Fault("10s: \(fault) for 10s")]), epochs: Self.epochs)
    }

    private var clean: DecodedRun { DecodedRun(.noon(), epochs: Self.epochs) }

    private func position(_ fix: Fix) -> String {
        "\(fix.time?.description ?? "-") \(fix.coordinate.map { "\($0)" } ?? "-") \(fix.mode)"
    }

    // MARK: The line

    @Test(arguments: [
        ("bit-errors 0.005%", [Rejection.Reason.badChecksum]),
        ("drop-bytes 0.05%", [.badChecksum]),
        ("repeat-bytes 0.05%", [.badChecksum]),
        ("cut-sentences 20%", [.truncated]),
        ("bad-checksums 20%", [.badChecksum]),
        ("ubx 20%", []),
        ("rtcm3 20%", []),
        ("cut-ubx 20%", []),
        ("cut-rtcm3 20%", []),
        ("glue-sentences 30%", []),
    ])
    func `noise destroys only the sentences that it hits`(
        _ fault: String, _ reasons: [Rejection.Reason]
    ) throws {
        let run = try run(fault)
        let clean = clean
        #expect(run.epochs.map(\.bytes) != clean.epochs.map(\.bytes))
        let truth = Set(clean.fixes.map(position))
        let delivered = run.fixes.filter { $0.mode == .threeD }.map(position)
        #expect(delivered.allSatisfy { truth.contains($0) })
        // No epoch is repeated, and none is lost after the noise.
        #expect(Set(delivered).count == delivered.count)
        #expect(run.fixes.suffix(9).map(position) == clean.fixes.suffix(9).map(position))
        for reason in reasons { #expect(run.statistics[reason] > 0) }
        #expect(run.statistics.accepted <= clean.statistics.accepted)
    }

    @Test func `every fix is marked as simulated, also if sentences are lost`() throws {
        let fault = try Fault("5s: bad-checksums 50%")
        let run = DecodedRun(.noon(.nmea20, [fault]), epochs: 60)
        let fixes = run.fixes.filter { $0.mode > .noFix }
        #expect(fixes.count > 30)
        #expect(fixes.allSatisfy { $0.quality == .simulated })
    }

    @Test func `every wrong checksum is counted`() throws {
        let run = try run("bad-checksums 100%")
        let clean = clean
        #expect(
            run.statistics[.badChecksum]
                == clean.statistics.valid - run.statistics.valid)
        #expect(run.fixes.count == Self.epochs - Self.during.count)
    }

    @Test func `glued sentences are all read and counted`() throws {
        let run = try run("glue-sentences 100%")
        #expect(run.statistics.accepted == clean.statistics.accepted)
        #expect(run.statistics.glued > 100)
        #expect(run.fixes.map(position) == clean.fixes.map(position))
    }

    @Test(arguments: ["ubx", "rtcm3"])
    func `whole frames are skipped and counted, and no sentence is lost`(_ name: String) throws {
        let statistics = try run("\(name) 100%").statistics
        #expect((name == "ubx" ? statistics.ubxFrames : statistics.rtcmFrames) > 100)
        #expect(statistics.accepted == clean.statistics.accepted)
        #expect(statistics.rejected == 0)
        #expect(statistics.junkBytes == 0)
    }

    @Test(arguments: ["wrong-baud 4800", "wrong-baud 19200", "wrong-baud 38400"])
    func `at the wrong rate there are no fixes`(_ fault: String) throws {
        let run = try run(fault)
        #expect(run.statistics.junkBytes + run.statistics.rejected > 100)
        #expect(
            run.fixes.map(position)
                == clean.fixes.filter { !Self.isDuring($0) }.map(position))
    }

    // MARK: Time

    @Test func `silence loses only its own epochs`() throws {
        let run = try run("silence")
        #expect(
            run.fixes.map(position) == clean.fixes.filter { !Self.isDuring($0) }.map(position))
        #expect(run.statistics.rejected == 0)
    }

    @Test(arguments: ["stall", "burst 4", "late 900ms"])
    func `delayed epochs are complete and in order`(_ fault: String) throws {
        let run = try run(fault)
        #expect(run.fixes.map(position) == clean.fixes.map(position))
        #expect(run.statistics == clean.statistics)
        #expect(zip(run.epochs, run.epochs.dropFirst()).allSatisfy { $0.due <= $1.due })
    }

    @Test func `epochs are not later than the fault allows`() throws {
        let lateness = try run("late 900ms").epochs.enumerated().map { $1.due - Double($0) }
        #expect(lateness.allSatisfy { 0..<0.9 ~= $0 })
        #expect(lateness.filter { $0 > 0 }.count == Self.during.count)
    }

    @Test func `epochs stay in order if one is later than a whole period`() throws {
        let epochs = try run("late 5s").epochs
        #expect(zip(epochs, epochs.dropFirst()).allSatisfy { $0.due <= $1.due })
        #expect(epochs.map(\.seconds) == (0..<Self.epochs).map(Double.init))
    }

    @Test func `bursts have the configured size`() throws {
        let sizes = try run("burst 4").epochs.map { epoch in
            String(decoding: epoch.bytes, as: UTF8.self).split(separator: "\r\n")
                .count { $0.contains("RMC") }
        }
        #expect(Array(sizes[10..<21]) == [0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 3])
    }

    // MARK: The plug

    @Test func `unplugging cuts the current epoch, and loses the following ones`() throws {
        let epochs = try run("unplug").epochs
        let pulled = epochs.indices.filter { epochs[$0].plug == .unplugged }
        #expect(pulled == Array(Self.during))
        #expect(epochs[10].bytes.count < epochs[9].bytes.count)
        #expect(epochs[11..<20].allSatisfy { $0.bytes.isEmpty })
        #expect(epochs[20].plug == .inserted(as: nil))
        #expect(try run("unplug as gps1").epochs[20].plug == .inserted(as: "gps1"))
    }

    // MARK: The receiver

    @Test(arguments: ["jam", "lose-fix"])
    func `without a fix there is no position, and afterwards there is one again`(
        _ fault: String
    ) throws {
        let run = try run(fault)
        let lost = run.fixes.filter(Self.isDuring)
        #expect(lost.count == Self.during.count)
        #expect(lost.dropFirst().allSatisfy { $0.mode == .noFix && $0.coordinate == nil })
        #expect(run.fixes.suffix(3).allSatisfy { $0.mode == .threeD })
        let strengths = run.views[15].signals.compactMap(\.cn0)
        #expect(strengths.isEmpty == (fault == "jam"))
    }

    @Test func `between houses fewer satellites are used, and the estimated errors are larger`()
        throws
    {
        let fixes = try run("urban").fixes
        let before = try #require(fixes[8].satellitesUsed)
        #expect(try #require(fixes[15].satellitesUsed) < before)
        let accuracy = try #require(fixes[8].accuracy.horizontal)
        #expect(try #require(fixes[15].accuracy.horizontal) > accuracy)
        #expect(fixes.last?.satellitesUsed == clean.fixes.last?.satellitesUsed)
    }

    @Test func `a spoofer moves the reported position, not the truth`() throws {
        let run = try run("spoof 500n")
        let clean = clean
        for (index, (spoofed, honest)) in zip(run.fixes, clean.fixes).enumerated() {
            let moved = try #require(spoofed.coordinate).latitude
            let north = (moved - (try #require(honest.coordinate).latitude)) * 111_200
            #expect(abs(north - (Self.during.contains(index) ? 500 : 0)) < 2)
        }
        #expect(run.epochs.map(\.truth) == clean.epochs.map(\.truth))
    }

    @Test func `a wrong clock changes the reported time until the fault ends`() throws {
        let run = try run("clock-off 7d")
        let days = run.fixes.compactMap(\.time?.date.day)
        #expect(days.count == Self.epochs)
        #expect(days[12] == 28)
        #expect(days.last == 21)
    }

    @Test func `a week rollover is 1024 weeks, and a recording of it is left alone`() throws {
        let run = try run("week-rollover")
        #expect(run.fixes[15].time?.date == CalendarDate(year: 2006, month: 8, day: 5))
        #expect(run.fixes[15].isDateSuspect)
        #expect(run.fixes.last?.time?.date.year == 2026)
    }

    @Test func `a leap second is 23 59 60, and the next second follows it`() throws {
        var configuration = SimulatedReceiver.Configuration.noon(
            .generic, [try Fault("0s: leap-second")])
        configuration.start = UTCTime(unixNanoseconds: 1_774_137_597_000_000_000)
        let run = DecodedRun(configuration, epochs: 6)
        let times = run.fixes.compactMap { $0.time?.description.dropFirst(11).prefix(8) }
        #expect(
            times == ["23:59:57", "23:59:58", "23:59:59", "23:59:60", "00:00:00", "00:00:01"])
        #expect(run.fixes.compactMap(\.time?.date.day) == [21, 21, 21, 21, 22, 22])
    }

    private static func isDuring(_ fix: Fix) -> Bool {
        during.contains(fix.time?.time.second ?? -1)
    }

    // MARK: All of them

    @Test(arguments: FaultKeyword.all.map(\.name))
    func `the same seed gives the same faults`(_ name: String) throws {
        let values = [
            "wrong-baud": "4800", "burst": "3", "late": "1s", "clock-off": "1s", "replay": "1h",
            "late-answers": "1s", "spoof": "5e", "passing-jammer": "20dB", "equal-power": "5e",
            "drag-off": "2n", "careful-drag": "2n", "time-walk": "1us", "meacon": "300e",
        ]
        let value = values[name] ?? ""
        let first = try run("\(name) \(value)")
        let second = try run("\(name) \(value)")
        #expect(first.epochs.map(\.bytes) == second.epochs.map(\.bytes))
        #expect(first.epochs.map(\.due) == second.epochs.map(\.due))
    }

    @Test(arguments: [
        Fault(.late(.nan)), Fault(.late(.infinity)), Fault(.late(-1)), Fault(.clockOff(.nan)),
        Fault(.clockOff(-.infinity)), Fault(.burst(0)), Fault(.jamming, at: .nan),
        Fault(.bitErrors, probability: .nan), Fault(.leapSecond, at: -.infinity),
        Fault(.passingJammer(decibels: .nan)), Fault(.timeWalk(.infinity)),
        Fault(.equalPower(north: .nan, east: 0)), Fault(.meaconing(north: 0, east: .infinity)),
        Fault(.dragOff(north: 1, east: 0, isCareful: true), at: -.infinity),
    ])
    func `an impossible fault has no effect`(_ fault: Fault) {
        let run = DecodedRun(.noon(.generic, [fault]), epochs: 3)
        #expect(run.epochs.map(\.bytes) == DecodedRun(.noon(), epochs: 3).epochs.map(\.bytes))
        #expect(run.epochs.map(\.due) == [0, 1, 2])
    }

    @Test func `an additional fault does not change the effect of the others`() throws {
        let noise = try Fault("10s: drop-bytes 5% for 5s")
        let one = DecodedRun(.noon(.generic, [noise]), epochs: 20)
        let two = DecodedRun(.noon(.generic, [noise, try Fault("16s: bit-errors")]), epochs: 20)
        #expect(one.epochs[..<16].map(\.bytes) == two.epochs[..<16].map(\.bytes))
    }
}

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

/// A line read at another rate, with results calculated by hand.
@Suite(.timeLimit(.generous))
struct MisreadLineTests {
    private let text = Array("$GPGGA,123519,4807.038,N*47\r\n".utf8)

    @Test(arguments: [(9600, 9600), (9600, 9700), (115_200, 114_000)])
    func `rates within a UART's tolerance do not change the bytes`(_ sent: Int, _ read: Int) {
        #expect(MisreadLine.read(text, sentAt: sent, readAt: read) == text)
    }

    @Test func `at twice the rate each bit is read twice, up to the stop bit`() {
        // U is 0101 0101 b: the line is 0 10101010 1, the lowest bit first. Read twice as fast:
        // start 0, then 0 11 00 11 0 = 0x66, stop 0; and again from the next falling edge on.
        #expect(MisreadLine.read([0x55], sentAt: 4800, readAt: 9600).first == 0x66)
        // 0 is low for nine bits, read as eighteen: only a framing error, and idle.
        #expect(MisreadLine.read([0x00], sentAt: 4800, readAt: 9600) == [0x00])
        // All ones: low for the start bit only, whose second half is the lowest bit.
        #expect(MisreadLine.read([0xFF], sentAt: 4800, readAt: 9600) == [0xFE])
    }

    @Test func `a low level of half a bit is not a start bit`() {
        #expect(MisreadLine.read([0xFF], sentAt: 9600, readAt: 4800) == [])
    }

    @Test(arguments: [(4800, 9600), (9600, 4800), (9600, 38_400), (115_200, 9600)])
    func `no sentence of a receiver is readable`(_ sent: Int, _ read: Int) {
        let long = Array(repeating: text, count: 40).flatMap { $0 }
        let received = MisreadLine.read(long, sentAt: sent, readAt: read)
        #expect(!received.isEmpty)
        #expect(!String(decoding: received, as: UTF8.self).contains("GPGGA"))
        // At most as many bytes as fit in the time.
        #expect(received.count <= long.count * read / sent + 1)
    }

    @Test func `an idle line gives no bytes`() {
        #expect(MisreadLine.read([], sentAt: 4800, readAt: 9600) == [])
    }
}
