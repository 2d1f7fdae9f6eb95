// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSIntegrity
import GPSTestTraits
import SimulatedDevices
import Testing

/// Rates from many seeded runs; `scripts/bench/integrity` prints those in `docs/integrity.md`.
@Suite(.timeLimit(.generous)) struct DetectionRateTests {
    /// The number of runs.
    private static let count =
        ProcessInfo.processInfo.environment["GPSBRIDGE_INTEGRITY_RUNS"].flatMap(Int.init) ?? 0
    /// The seconds before the attacks. The oscillator counts as warm after ten minutes.
    private static let quiet = 660

    /// The result of one run.
    private struct Result: Sendable {
        /// The result of one attack.
        struct Attack: Sendable {
            /// The seconds to the first warning or alarm, and to the first alarm.
            var delay, alarm: Int?
            /// The seconds until each test was first named.
            var tests: [Integrity.Test: Int] = [:]
        }

        var kind: ExaminedReceiver.Kind
        var epochs = 0
        var warnings = 0
        var alarms = 0
        var hits: [Integrity.Test: Int] = [:]
        /// The reasons for warnings and alarms without an attack.
        var reasons: [String] = []
        /// One for each of `ScriptedAttack.all`; empty if there was a warning before.
        var attacks: [Attack] = []

        init(run number: Int) throws {
            var receiver = try ExaminedReceiver(run: number)
            receiver.run(seconds: DetectionRateTests.quiet)
            kind = receiver.kind
            epochs = receiver.epochs
            for test in IntegrityMonitor.testNames { hits[test] = receiver.hits(of: test) }
            var last = Integrity.State.unknown
            for event in receiver.events where event.state != last {
                last = event.state
                if last == .warning { warnings += 1 }
                if last == .alarm { alarms += 1 }
                if event.isRaised {
                    reasons.append("run \(number), \(event.second) s: \(last): \(event.text)")
                }
            }
            guard !receiver.events.contains(where: \.isRaised) else { return }
            attacks = try ScriptedAttack.all.map { attack in
                let (attacked, start) = try attack.run(on: receiver)
                var result = Attack()
                for event in attacked.events where event.isRaised && event.second >= start {
                    let delay = event.second - start
                    result.delay = result.delay ?? delay
                    if event.state == .alarm { result.alarm = result.alarm ?? delay }
                    for test in event.tests where result.tests[test] == nil {
                        result.tests[test] = delay
                    }
                }
                return result
            }
        }
    }

    @Test(.enabled(if: count > 0, "GPSBRIDGE_INTEGRITY_RUNS is not set"))
    func `attacks are detected at these rates, and nothing else is`() async throws {
        let results = try await withThrowingTaskGroup(of: Result.self) { group in
            let width = ProcessInfo.processInfo.activeProcessorCount
            var results: [Result] = []
            for number in 0..<Self.count {
                if number >= width, let result = try await group.next() { results.append(result) }
                group.addTask { try Result(run: number) }
            }
            for try await result in group { results.append(result) }
            return results
        }
        let epochs = results.reduce(0) { $0 + $1.epochs }
        let (warnings, alarms) = (
            results.reduce(0) { $0 + $1.warnings }, results.reduce(0) { $0 + $1.alarms }
        )
        print(
            "\(results.count) runs, \(epochs) epochs without an attack: \(alarms) alarms, "
                + "\(warnings) warnings, \(Self.rate(warnings, epochs)) per 10000 epochs")
        for reason in results.flatMap(\.reasons).sorted() { print(reason) }
        printAttacks(results)
        printTests(results, epochs)
        #expect(alarms == 0)
        #expect(Double(warnings) <= (Double(epochs) / 10_000).rounded(.up))
        for (index, attack) in ScriptedAttack.all.enumerated() {
            for result in results where !result.attacks.isEmpty {
                guard attack.windows[result.kind] == nil else { continue }
                #expect(result.attacks[index].delay == nil, "\(attack.fault)")
            }
        }
    }

    /// The percentage of runs in which each attack was detected, with the median and the 95th
    /// percentile of the delays.
    private func printAttacks(_ results: [Result]) {
        let kinds = ExaminedReceiver.Kind.allCases
        print("\n| attack | \(kinds.map(\.rawValue).joined(separator: " | ")) | alarm |")
        print("|---|\(kinds.map { _ in "---|" }.joined())---|")
        for (index, attack) in ScriptedAttack.all.enumerated() {
            let cells = kinds.map { kind in
                let runs = results.filter { $0.kind == kind && !$0.attacks.isEmpty }
                return Self.cell(runs.map { $0.attacks[index].delay })
            }
            let runs = results.filter { !$0.attacks.isEmpty }
            let alarm = Self.share(runs.count { $0.attacks[index].alarm != nil }, runs.count)
            print("| `\(attack.fault)` | \(cells.joined(separator: " | ")) | \(alarm) |")
        }
    }

    /// The percentage of runs in which each test noticed each attack, and its hits without an
    /// attack.
    private func printTests(_ results: [Result], _ epochs: Int) {
        let runs = results.filter { !$0.attacks.isEmpty }
        print("\n| attack | test | share | median, 95 % |")
        print("|---|---|---|---|")
        for (index, attack) in ScriptedAttack.all.enumerated() {
            for test in IntegrityMonitor.testNames {
                let delays = runs.map { $0.attacks[index].tests[test] }
                guard delays.contains(where: { $0 != nil }) else { continue }
                print("| `\(attack.fault)` | `\(test.rawValue)` | \(Self.cell(delays)) |")
            }
        }
        print("\n| test | hits without an attack | per 10000 epochs |")
        print("|---|---|---|")
        for test in IntegrityMonitor.testNames {
            let hits = results.reduce(0) { $0 + ($1.hits[test] ?? 0) }
            print("| `\(test.rawValue)` | \(hits) | \(Self.rate(hits, epochs)) |")
        }
    }

    /// Returns a text such as `100 % in 5 s, 6 s`.
    private static func cell(_ delays: [Int?]) -> String {
        let known = delays.compactMap(\.self).sorted()
        guard !known.isEmpty else { return "–" }
        let late = known[min(known.count - 1, known.count * 95 / 100)]
        return "\(share(known.count, delays.count)), \(known[known.count / 2]) s, \(late) s"
    }

    private static func share(_ count: Int, _ of: Int) -> String {
        let tenths = of == 0 ? 0 : (Double(count) / Double(of) * 1000).rounded(.down) / 10
        return tenths == tenths.rounded() ? "\(Int(tenths)) %" : "\(tenths) %"
    }

    private static func rate(_ count: Int, _ epochs: Int) -> String {
        String(format: "%.2f", Double(count) / Double(max(1, epochs)) * 10_000)
    }
}
