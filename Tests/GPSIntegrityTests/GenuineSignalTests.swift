// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSIntegrity
import GPSTestTraits
import NMEA
import Testing

/// Genuine signals must raise no alarm. The numbers are those in `docs/integrity.md`.
@Suite(
    .timeLimit(.generous),
    .enabled(if: !Captures.paths.isEmpty, "recordings of receivers are not here"))
struct GenuineSignalTests {
    /// A monitor's verdicts on a recording.
    private struct Run: DecoderListener {
        let name: String
        let arrival: (Fix) -> MonotonicInstant?
        var epochs = 0
        var lists = 0
        var alarms: [String] = []
        var warnings: [String] = []
        var monitor = IntegrityMonitor()
        var hasBeenOK = false
        private var state = Integrity.State.unknown

        var wantsSentences: Bool { false }

        init(_ name: String, arrival: @escaping (Fix) -> MonotonicInstant?) {
            (self.name, self.arrival) = (name, arrival)
        }

        mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
            epochs += 1
            monitor.receive(fix, arrival: arrival(fix))
            note()
        }

        mutating func didReceive(satellites view: SatelliteView) {
            lists += 1
            monitor.receive(view)
            note()
        }

        private mutating func note() {
            let integrity = monitor.integrity
            if integrity.state == .ok { hasBeenOK = true }
            guard integrity.state != state else { return }
            state = integrity.state
            let reasons = integrity.reasons.map { "\($0.test.rawValue): \($0)" }
            let line = "\(name), epoch \(epochs): \(reasons.joined(separator: "; "))"
            if state == .alarm { alarms.append(line) }
            if state == .warning { warnings.append(line) }
        }
    }

    private func run(
        _ path: String, arrival: @escaping (Fix) -> MonotonicInstant? = { _ in nil }
    ) throws -> Run {
        var run = Run((path as NSString).lastPathComponent, arrival: arrival)
        try Captures.decode(path, to: &run)
        return run
    }

    @Test func `genuine recordings raise no alarm, and at most one warning per 10000 epochs`()
        throws
    {
        var (epochs, lists, warnings, ok) = (0, 0, [String](), 0)
        var counts: [String: (run: Int, hit: Int)] = [:]
        for path in Captures.paths {
            let run = try run(path)
            #expect(run.alarms == [])
            epochs += run.epochs
            lists += run.lists
            warnings += run.warnings
            if run.hasBeenOK { ok += 1 }
            for test in IntegrityMonitor.testNames {
                let (runs, hits) = run.monitor.counts(of: test)
                counts[test.rawValue, default: (0, 0)].run += runs
                counts[test.rawValue, default: (0, 0)].hit += hits
            }
        }
        #expect(Double(warnings.count) <= (Double(epochs) / 10_000).rounded(.up), "\(warnings)")
        if ProcessInfo.processInfo.environment["GPSBRIDGE_INTEGRITY_REPORT"] != nil {
            print("\(Captures.paths.count) recordings, \(ok) of them ok at some time")
            print("\(epochs) epochs, \(lists) lists of satellites")
            for line in warnings { print("warning: \(line)") }
            for (test, count) in counts.sorted(by: { $0.key < $1.key }) {
                print("\(test): \(count.hit) hits in \(count.run) epochs")
            }
        }
    }

    @Test(.enabled(if: Captures.hour != nil, "the recording of an hour is not here"))
    func `an hour of a receiver at rest is ok from the second minute on, also with arrival times`()
        throws
    {
        let path = try #require(Captures.hour)
        let silent = try run(path)
        #expect(silent.hasBeenOK && silent.monitor.integrity.state == .ok)
        #expect(!silent.monitor.integrity.evidence.contains(.time))

        // Sentences arrive late by up to 0.6 s, as measured on a serial line.
        var random = SeededGenerator(seed: 39)
        let zero = MonotonicInstant.now
        var first: Int64?
        let timed = try run(path) { fix in
            guard let time = fix.time?.unixNanoseconds else { return nil }
            let start = first ?? time
            first = start
            let late = Int64.random(in: 330_000_000...930_000_000, using: &random)
            return zero.advanced(by: .nanoseconds(time - start + late))
        }
        #expect(timed.alarms == [] && timed.warnings == [])
        #expect(timed.monitor.integrity.evidence.contains(.time))
    }
}

/// A real receiver at rest must be recognised as such. The numbers are those in `docs/converting.md`.
@Suite(.timeLimit(.generous))
struct GenuineRestTests {
    private struct Run: DecoderListener {
        var rest = RestDetector()
        var odometer = Odometer()
        var states: [Bool?] = []

        var wantsSentences: Bool { false }

        mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
            states.append(rest.isStationary(after: fix))
            odometer.add(fix)
        }

        mutating func didReceive(satellites view: SatelliteView) {}
    }

    @Test(.enabled(if: Captures.hour != nil, "the recording of an F9T at rest is not here"))
    func `79 minutes at rest are stationary after five seconds, and 0 m long`() throws {
        var run = Run()
        try Captures.decode(try #require(Captures.hour), to: &run)
        #expect(run.states.count == 4753)
        #expect(run.states.dropFirst(6).allSatisfy { $0 == true })
        #expect(run.odometer.distance == 0)
    }
}
