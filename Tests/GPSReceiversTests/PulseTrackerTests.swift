// SPDX-License-Identifier: MIT
import CGPSSerial
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

/// The search for pulses by polling, in virtual time.
@Suite(.timeLimit(.generous))
struct PulseTrackerTests {
    private static let second: Int64 = 1_000_000_000

    @Test(arguments: [4_000, 60_000, 200_000, 1_000_000] as [Int64])
    func `the median error is at most half a query, and every edge within its uncertainty`(
        query: Int64
    ) {
        var line = SimulatedLine(query: query, seed: UInt64(query))
        line.run(seconds: 600)
        #expect(line.wrongCount == 0)
        #expect(line.edgeCount > 590)
        #expect(line.medianError <= query / 2, "\(line.medianError)")
        #expect(line.busyShare < (query <= 200_000 ? 0.01 : 0.03), "\(line.busyShare)")
    }

    @Test func `no edge is wrong by more than its uncertainty, whatever the machine does`() {
        // A long run: GPSBRIDGE_PULSE_HOURS=10000, with optimisation.
        let hours = getenv("GPSBRIDGE_PULSE_HOURS").flatMap { Int(String(cString: $0)) } ?? 4
        var random = SplitMix(state: 67)
        for hour in 0..<hours {
            let query: Int64 = 4_000 << Int64(random.next() % 9)
            var line = SimulatedLine(query: min(query, 1_000_000), seed: UInt64(hour))
            line.drift = Int64(random.next() % 401) - 200
            line.pulseLength = [40, 100, 200, 450][Int(random.next() % 4)] * 1_000_000
            line.hasStalls = true
            line.hasOutages = true
            line.run(seconds: 3600)
            #expect(line.wrongCount == 0, "hour \(hour)")
            #expect(
                line.longestSearch <= 3 * Self.second + 200_000_000,
                "hour \(hour), query \(query), \(line.longestSearch)")
            #expect(line.medianError <= line.query / 2, "hour \(hour): \(line.medianError)")
        }
    }

    @Test func `without pulses the line is read 32 times a second`() {
        var line = SimulatedLine(query: 4_000, seed: 1)
        line.isSilent = true
        line.run(seconds: 100)
        #expect(line.readingCount < 100 * 32 + 12 * 64)
        #expect(line.edgeCount == 0)
    }

    @Test func `edges between slow queries are dropped until these are usual`() {
        var line = SimulatedLine(query: 4_000, seed: 3)
        line.run(seconds: 100)
        let count = line.edgeCount
        line.query = 400_000
        line.run(seconds: 10)
        #expect(line.edgeCount == count)
        line.run(seconds: 60)
        #expect(line.edgeCount > count + 40)
        #expect(line.wrongCount == 0)
    }

    @Test(
        arguments: [
            (PulseLineName.dcd, Pulse.Edge.assert, 100), (.cts, .clear, 100), (.dsr, .assert, 400),
            (.ri, .clear, 20),
        ] as [(PulseLineName, Pulse.Edge, Int64)])
    func `the line and the leading edge are found`(
        line: PulseLineName, edge: Pulse.Edge, milliseconds: Int64
    ) {
        var survey = PulseSurvey()
        let (on, off) = edge == .assert ? (line.bit, 0) : (0, line.bit)
        var choice: PulseSurvey.Choice?
        _ = survey.receive(off, at: 0, tolerance: 2_000_000)
        for second in 1...4 as ClosedRange<Int64> where choice == nil {
            let time = second * Self.second
            choice = survey.receive(on, at: time, tolerance: 2_000_000)
            if choice != nil { break }
            choice = survey.receive(off, at: time + milliseconds * 1_000_000, tolerance: 2_000_000)
        }
        #expect(choice == PulseSurvey.Choice(line: line, edge: edge))
        #expect(survey.movingLines == [line])
    }

    @Test func `a report says why polling has taken the place of waiting`() {
        let choice = PulseSurvey.Choice(line: .dcd, edge: .assert)
        var report = PulseReport(
            method: .poll, choice: choice, spacing: 40_000, uncertainty: 43_000)
        let figures = "on DCD, edge assert (rising), a query takes 40 µs, uncertainty 43 µs"
        #expect(report.description == "by polling \(figures)")
        report.reason = "the driver cp210x has no TIOCMIWAIT"
        #expect(
            report.description
                == "by polling (the driver cp210x has no TIOCMIWAIT) \(figures)")
    }

    @Test func `a pulse of half a second needs the edge`() {
        var survey = PulseSurvey()
        var given = PulseSurvey(edge: .clear)
        var choices: [PulseSurvey.Choice?] = []
        for half in 0...9 as ClosedRange<Int64> {
            let levels = half % 2 == 0 ? PulseLineName.dcd.bit : 0
            let time = half * Self.second / 2
            #expect(survey.receive(levels, at: time, tolerance: 2_000_000) == nil)
            choices.append(given.receive(levels, at: time, tolerance: 2_000_000))
        }
        #expect(survey.symmetricLine == .dcd)
        #expect(choices.contains(PulseSurvey.Choice(line: .dcd, edge: .clear)))
    }

    @Test func `a line that changes at other intervals carries no pulses`() {
        var survey = PulseSurvey()
        for change in 0...40 as ClosedRange<Int64> {
            let levels = change % 2 == 0 ? PulseLineName.dsr.bit : 0
            let choice = survey.receive(levels, at: change * 300_000_000, tolerance: 2_000_000)
            #expect(choice == nil)
        }
        #expect(survey.movingLines == [.dsr] && survey.symmetricLine == nil)
    }
}

/// Pulses that the kernel time-stamps.
@Suite(.timeLimit(.generous))
struct PulseDeviceTests {
    @Test(arguments: [
        ("/dev/pps250", DeviceError(.disconnected, device: "/dev/pps250")),
        ("/dev/null", DeviceError(.ioFailed, device: "/dev/null", errno: ENOTTY)),
    ])
    func `a device that can no longer be read is reported`(
        path: String, error: DeviceError
    ) async throws {
        let device = PulseDevice(path, descriptor: open("/dev/null", O_RDONLY | O_CLOEXEC))
        let failures = Witness<DeviceError>()
        try device.start({ _ in }, onFailure: { failures.note($0) })
        #expect(await failures.first(1) == [error])
    }

    @Test
    func `the leading edge of the kernel's time stamps is found, and a step of the clock ignored`()
    {
        var edges = PulseEdges(edge: nil)
        var pulses: [Int64?] = []
        for second in 1...8 as ClosedRange<Int64> {
            // The on-time edge is `clear`, and the clock is set by 5 s.
            let offset: Int64 = second < 7 ? 0 : 5_000_000_000
            let on = cpps_edge(seconds: second, nanoseconds: 500, sequence: UInt32(second))
            let former = cpps_edge(
                seconds: second - 1, nanoseconds: 100_000_500, sequence: UInt32(second - 1))
            let off = cpps_edge(
                seconds: second, nanoseconds: 100_000_500, sequence: UInt32(second))
            pulses.append(edges.receive(assert: former, clear: on, offset: offset)?.time)
            #expect(edges.receive(assert: off, clear: on, offset: offset) == nil)
        }
        #expect(pulses.prefix(2) == [nil, nil] && pulses[4] == 5_000_000_500)
        #expect(pulses[5] == 6_000_000_500 && pulses[6] == nil)
    }

    @Test func `a device that reports one edge is used by this edge`() {
        var edges = PulseEdges(edge: nil)
        let times = (1...6 as ClosedRange<Int64>).map { second in
            let edge = cpps_edge(seconds: second, nanoseconds: 6, sequence: UInt32(second))
            return edges.receive(assert: edge, clear: cpps_edge(), offset: 1_000)?.time
        }
        #expect(times == [nil, nil, nil, 3_999_999_006, 4_999_999_006, 5_999_999_006])
    }

    @Test(arguments: [
        cpps_edge(seconds: 5, nanoseconds: 6, sequence: 0),
        cpps_edge(seconds: .max, nanoseconds: 6, sequence: 1),
        cpps_edge(seconds: 5, nanoseconds: -1, sequence: 1),
    ])
    func `an invalid time stamp is no pulse`(edge: cpps_edge) {
        var edges = PulseEdges(edge: .assert)
        #expect(edges.receive(assert: edge, clear: cpps_edge(), offset: 0) == nil)
        let valid = cpps_edge(seconds: 6, nanoseconds: 6, sequence: 2)
        #expect(
            edges.receive(assert: valid, clear: cpps_edge(), offset: 0)
                == Pulse(time: 6_000_000_006))
    }
}

/// A line with pulses, read by a tracker on a simulated machine.
private struct SimulatedLine {
    var query: Int64
    /// The difference between the pulses' second and the machine's, in nanoseconds.
    var drift: Int64 = 20
    var pulseLength: Int64 = 100_000_000
    var hasStalls = false
    var hasOutages = false
    var isSilent = false

    private(set) var wrongCount = 0
    private(set) var edgeCount = 0
    private(set) var readingCount = 0
    private(set) var longestSearch: Int64 = 0
    private var errors: [Int64] = []
    private var busy: Int64 = 0
    private var elapsed: Int64 = 1
    private var random: SplitMix
    private var tracker = PulseTracker()
    private var now: Int64 = 5_000_000_000
    private var phase: Int64?

    init(query: Int64, seed: UInt64) {
        self.query = query
        random = SplitMix(state: seed)
    }

    var medianError: Int64 { errors.isEmpty ? 0 : errors.sorted()[errors.count / 2] }
    var busyShare: Double { Double(busy) / Double(elapsed) }

    mutating func run(seconds: Int64) {
        let end = now + seconds * 1_000_000_000
        let period = 1_000_000_000 + drift * 1_000
        var phase = self.phase ?? below(period)
        defer { self.phase = phase }
        var outageEnd: Int64 = isSilent ? .max : 0
        var nextOutage = hasOutages ? now + below(900_000_000_000) : .max
        // The time since which there have been pulses, and none was found.
        var searchStart: Int64? = now
        var hasStalled = false
        let start = now
        while now < end {
            let due = tracker.next(after: now)
            if due > now {
                // A thread is woken late, and later if the processor sleeps.
                now = due + 2_000 + below(60_000)
            } else {
                busy += query
            }
            if hasStalls, below(20_000) == 0 {
                now += 1_000_000 + below(49_000_000)
                hasStalled = true
            }
            if now >= nextOutage {
                outageEnd = now + below(60_000_000_000)
                nextOutage = outageEnd + 120_000_000_000 + below(900_000_000_000)
                // A receiver that restarts may begin anywhere.
                if below(2) == 0 { phase = below(period) }
                searchStart = outageEnd
            }
            let length = query + below(query / 2 + 1)
            let sample = now + below(length)
            let sinceEdge = ((sample - phase) % period + period) % period
            let isActive = sample >= outageEnd && sinceEdge < pulseLength
            readingCount += 1
            let reading = LineReading(start: now, end: now + length, isActive: isActive)
            let edge = tracker.receive(reading)
            now = reading.end + 200
            guard let edge else {
                // A stall hides pulses; the search begins again after it.
                if hasStalled, let begin = searchStart, begin < now { searchStart = now }
                hasStalled = false
                continue
            }
            edgeCount += 1
            if let begin = searchStart { longestSearch = max(longestSearch, edge.time - begin) }
            searchStart = nil
            var error = ((edge.time - phase) % period + period) % period
            if error > period / 2 { error -= period }
            // A level that becomes active as an outage ends is an edge as well.
            if abs(error) > edge.uncertainty, abs(edge.time - outageEnd) > edge.uncertainty {
                wrongCount += 1
            }
            errors.append(abs(error))
        }
        elapsed = now - start
    }

    private mutating func below(_ limit: Int64) -> Int64 {
        Int64(random.next() % UInt64(max(limit, 1)))
    }
}

/// A small generator of random numbers, which repeats.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
