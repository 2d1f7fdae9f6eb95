// SPDX-License-Identifier: MIT
import GNSS

/// Derives the state from the tests' verdicts.
///
/// *Quiet* means that no test finds evidence. These are the changes of state with the default
/// settings:
///
///     unknown ─► ok         enough kinds of tests have run for a minute, and a minute of quiet
///     any ─► warning        a soft test finds evidence for two seconds, or an event occurs
///     any ─► alarm          a hard test finds evidence, or two tests of different kinds do
///     warning ─► ok         a minute of quiet; `unknown` if too few kinds of tests have run
///     alarm ─► ok           ten minutes of quiet, and the position is confirmed
///     alarm ─► unknown      the user acknowledges the alarm
///     ok ─► unknown         a minute in which too few kinds of tests have run
struct StateEvaluator: Sendable {
    typealias Settings = IntegrityMonitor.Settings

    /// All kinds of evidence, in display order.
    static let kinds: [Integrity.Evidence] = [
        .motion, .signals, .time, .oscillator, .detector,
    ]
    /// The kinds of evidence that need more than a position and a time, one bit for each index in
    /// `kinds`: motion, signals and detector.
    private static let liveKinds = 0b1_0011

    private(set) var integrity = Integrity()
    /// The records of the tests, in the order of `Tests.all`.
    private(set) var records: [TestRecord]
    /// The worst evidence found by each test, until a warning or an alarm ends.
    private var reasons: [Integrity.Reason?]
    /// `EpochTime.now` when each of the `reasons` began.
    private var begins: [Double]
    /// The `EpochTime.now` since which no test has found evidence; `nil` before the first epoch,
    /// and after `forget()` until the next epoch.
    private var quietSince: Double?
    private var lastEpoch: Double?
    private var hasHardHit = false
    /// `EpochTime.now` at the last run of each kind of test, in the order of `kinds`. `forget()`
    /// does not change these times.
    private var lastRuns = [Double](repeating: -.infinity, count: kinds.count)
    /// The kinds of tests that ran in the last `Settings.settling` seconds, one bit for each index
    /// in `kinds`.
    private var runningKinds = 0
    /// Whether the state or the tests listed as reasons have changed since the last epoch.
    private var isChanged = false
    /// Whether a listed reason has a new worst value.
    private var hasNewValues = false

    init(_ tests: [any EvidenceTest.Type]) {
        records = tests.map { TestRecord($0) }
        reasons = tests.map { _ in nil }
        begins = tests.map { _ in 0 }
    }

    /// Drops the tests' history but keeps the state.
    mutating func forget() {
        for index in records.indices { records[index].forget() }
        quietSince = nil
        lastEpoch = nil
    }

    mutating func add(
        _ verdict: Verdict, ofTestAt index: Int, _ moment: EpochTime, _ settings: Settings
    ) {
        switch verdict {
        case .unavailable:
            records[index].didFindNothing()
        case .quiet:
            didRun(index, moment, settings)
            records[index].didFindNothing()
        case .hit(let finding):
            didRun(index, moment, settings)
            // A finding that was too short to become a reason has ended.
            if !records[index].isHitting, !records[index].isReason { reasons[index] = nil }
            records[index].hit(finding.weight, at: moment.now)
            quietSince = moment.now
            if finding.weight == .hard {
                hasHardHit = true
                if !records[index].isReason { isChanged = true }
                records[index].isReason = true
            }
            store(finding, ofTestAt: index, moment)
        }
    }

    /// Stores a finding as the reason of its test, unless the stored one is worse.
    private mutating func store(_ finding: TestHit, ofTestAt index: Int, _ moment: EpochTime) {
        let (test, previous) = (records[index].test, reasons[index])
        if let previous, !finding.isWorse(than: previous.value) { return }
        if previous == nil { begins[index] = moment.now }
        reasons[index] = Integrity.Reason(
            test: test.name, value: finding.value, threshold: finding.threshold, unit: test.unit,
            since: previous?.since ?? moment.time, start: previous?.start ?? moment.instant,
            text: test.text(finding))
        if records[index].isReason { hasNewValues = true }
    }

    /// Records that the test at `index` ran with data.
    private mutating func didRun(_ index: Int, _ moment: EpochTime, _ settings: Settings) {
        records[index].didRun(at: moment.now, settling: settings.settling)
        lastRuns[records[index].kind] = moment.now
    }

    /// Determines the state after all verdicts of an epoch. Returns whether the state or the tests
    /// listed as reasons have changed.
    ///
    /// `isConfirmed` is `true` if the position agrees with another receiver or with the position
    /// extrapolated from before the alarm.
    mutating func conclude(_ moment: EpochTime, isConfirmed: Bool, _ settings: Settings) -> Bool {
        let now = moment.now
        if let lastEpoch, now - lastEpoch > settings.settling { quietSince = nil }
        lastEpoch = now
        if quietSince == nil { quietSince = now }
        let quiet = now - (quietSince ?? now)

        var (present, running, settled) = (0, 0, 0)
        for index in records.indices {
            if records[index].isPresent(at: now, settings) {
                present |= 1 << records[index].kind
                if !records[index].isReason {
                    records[index].isReason = true
                    isChanged = true
                }
            }
            let kind = 1 << records[index].kind
            if now - lastRuns[records[index].kind] <= settings.settling { running |= kind }
            if records[index].hasRun(for: settings.settling, at: now) { settled |= kind }
        }
        if running != runningKinds {
            runningKinds = running
            integrity.evidence = Self.kinds.indices.filter { running & 1 << $0 != 0 }
                .map { Self.kinds[$0] }
        }

        if hasHardHit || present.nonzeroBitCount >= 2 {
            change(to: .alarm, moment)
        } else if present != 0, integrity.state != .alarm {
            change(to: .warning, moment)
        }
        hasHardHit = false
        let rest: Integrity.State = Self.isEnough(settled) ? .ok : .unknown
        switch integrity.state {
        case .unknown:
            if rest == .ok, quiet >= settings.settling { change(to: .ok, moment) }
        case .ok:
            if !Self.isEnough(running) { change(to: .unknown, moment) }
        case .warning:
            if quiet >= settings.settling { end(with: rest, moment) }
        case .alarm:
            if quiet >= settings.alarmQuiet, isConfirmed { end(with: rest, moment) }
        }
        guard isChanged || hasNewValues else { return false }
        defer { (isChanged, hasNewValues) = (false, false) }
        integrity.reasons = records.indices.filter { records[$0].isReason }.sorted {
            (begins[$0], $0) < (begins[$1], $1)
        }.compactMap { reasons[$0] }
        return isChanged
    }

    /// Ends a warning or an alarm at the user's request.
    mutating func acknowledge(_ moment: EpochTime) {
        end(with: .unknown, moment)
        integrity.reasons = []
        isChanged = false
    }

    /// Returns whether these kinds of evidence are enough for `ok`: at least two, including at
    /// least one of `liveKinds`.
    private static func isEnough(_ kinds: Int) -> Bool {
        kinds.nonzeroBitCount >= 2 && kinds & liveKinds != 0
    }

    /// Ends a warning or an alarm and drops its reasons.
    private mutating func end(with state: Integrity.State, _ moment: EpochTime) {
        for index in records.indices {
            records[index].clear()
            reasons[index] = nil
        }
        isChanged = true
        change(to: state, moment)
    }

    private mutating func change(to state: Integrity.State, _ moment: EpochTime) {
        guard integrity.state != state else { return }
        integrity.state = state
        integrity.since = moment.time
        integrity.start = moment.instant
        isChanged = true
    }
}

/// A test that looks for evidence against positions. Each test has its own file, and is listed in
/// `Tests`.
protocol EvidenceTest: Sendable {
    typealias Settings = IntegrityMonitor.Settings

    static var name: Integrity.Test { get }
    /// The kind of evidence that the test examines. Default of a `SkyTest`: signals.
    static var evidence: Integrity.Evidence { get }
    /// The unit of the test's values. Default: none.
    static var unit: String { get }

    /// Creates a test in its initial state.
    init()

    /// Returns a description of a finding for users.
    static func text(_ finding: TestHit) -> String
}

extension EvidenceTest {
    static var unit: String { "" }
}

protocol FixTest: EvidenceTest {
    /// Examines the next fix.
    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict
}

/// A test that examines every complete list of satellites in view.
protocol SkyTest: EvidenceTest {
    /// Examines the next list.
    mutating func examine(_ sky: SkyEvidence, _ settings: Settings) -> Verdict
}

extension SkyTest {
    static var evidence: Integrity.Evidence { .signals }
}

/// The result of a test in one epoch.
enum Verdict {
    /// The epoch does not contain data for the test.
    case unavailable
    /// The test found no evidence against the position.
    case quiet
    /// The test found evidence against the position.
    case hit(TestHit)

    static func found(
        _ weight: TestHit.Weight, _ value: Double, beyond threshold: Double,
        details: (Double, Double) = (0, 0), distance: Double = 0
    ) -> Verdict {
        .hit(
            TestHit(
                weight: weight, value: value, threshold: threshold, details: details,
                distance: distance))
    }
}

/// The evidence that a test found: a value beyond its threshold.
struct TestHit {
    /// How a finding changes the state.
    enum Weight {
        /// Causes a warning if it continues for `softDuration`.
        case soft
        /// Causes a warning immediately, because the evidence is present in only one epoch.
        case event
        /// Causes an alarm immediately.
        case hard
    }

    var weight: Weight
    var value: Double
    var threshold: Double
    /// Further numbers for `text(_:)`. Their meaning depends on the test.
    var details: (Double, Double) = (0, 0)
    /// The distance in metres that the position moved, for the text of `PositionStep`.
    var distance = 0.0

    /// Returns whether `value` is farther beyond the threshold than `other`.
    func isWorse(than other: Double) -> Bool {
        value >= threshold ? value > other : value < other
    }
}

/// Records when a test ran and when it found evidence.
struct TestRecord: Sendable {
    let test: any EvidenceTest.Type
    /// The index of the test's kind in `StateEvaluator.kinds`.
    let kind: Int
    /// `EpochTime.now` at the first and the last run of the current period; `nil` before the first
    /// run. A long pause begins a new period.
    private var running: (since: Double, last: Double)?
    /// `EpochTime.now` at the first and the last finding of the latest uninterrupted series; `nil`
    /// without a finding.
    private var hit: (since: Double, last: Double)?
    /// The number of epochs in which the test had data.
    private(set) var runCount = 0
    /// The number of epochs in which the test found evidence.
    private(set) var hitCount = 0
    /// Whether the weight of the last finding is `event` or `hard`, so that a single finding
    /// counts.
    private var isEvent = false
    /// Whether the last verdict was a finding (`hit`).
    private(set) var isHitting = false
    /// Whether the evidence has caused a warning or an alarm.
    var isReason = false

    init(_ test: any EvidenceTest.Type) {
        self.test = test
        kind = StateEvaluator.kinds.firstIndex(of: test.evidence) ?? 0
    }

    /// Drops the history but keeps `isReason`.
    mutating func forget() {
        running = nil
        hit = nil
        isHitting = false
    }

    /// Drops the last finding at the end of a warning or an alarm. Keeps the counts.
    mutating func clear() {
        hit = nil
        isReason = false
    }

    /// Records that the test ran with data. A pause longer than `settling` seconds begins a new
    /// period of `running`.
    mutating func didRun(at now: Double, settling: Double) {
        runCount &+= 1
        if let running, now - running.last <= settling {
            self.running = (running.since, now)
        } else {
            running = (now, now)
        }
    }

    /// Records that the test had no data or found no evidence.
    mutating func didFindNothing() { isHitting = false }

    /// Records a finding.
    mutating func hit(_ weight: TestHit.Weight, at now: Double) {
        hitCount &+= 1
        isEvent = weight != .soft
        hit = (isHitting ? hit?.since ?? now : now, now)
        isHitting = true
    }

    /// Returns whether evidence is present: the last finding was an event, or a soft test has found
    /// evidence for `softDuration`. Evidence older than `eventDuration` does not count. For
    /// example, a soft test may have had no data since the vehicle entered a tunnel.
    func isPresent(at now: Double, _ settings: IntegrityMonitor.Settings) -> Bool {
        guard let hit, now - hit.last <= settings.eventDuration else { return false }
        return isEvent || isHitting && hit.last - hit.since >= settings.softDuration
    }

    /// Returns whether the test has been running for at least `duration` seconds and ran within the
    /// last `duration` seconds.
    func hasRun(for duration: Double, at now: Double) -> Bool {
        guard let running else { return false }
        return now - running.last <= duration && now - running.since >= duration
    }
}

/// All tests of one receiver.
struct Tests: Sendable {
    typealias Settings = IntegrityMonitor.Settings

    /// The types of all tests, in the order in which they run: first the tests of fixes, then those
    /// of satellites.
    static let all: [any EvidenceTest.Type] = ofFixes + ofSatellites

    private static let ofFixes: [any FixTest.Type] = [
        PositionStep.self, PositionGap.self, PositionFrozen.self, ClockStep.self, ClockRate.self,
        TimeJump.self, LeapSeconds.self, OscillatorChange.self, GainFall.self, JammingReport.self,
        SpoofingReport.self, DetectorSilent.self, ProtectionLevelLost.self,
        AuthenticationFailed.self, AuthenticationLost.self,
    ]
    private static let ofSatellites: [any SkyTest.Type] = [
        SignalSpread.self, SignalFall.self, SignalLevel.self, SystemsLost.self, BelowHorizon.self,
        SignalsFrozen.self,
    ]

    private var fixTests: [any FixTest] = Self.ofFixes.map { $0.init() }
    private var skyTests: [any SkyTest] = Self.ofSatellites.map { $0.init() }

    /// Runs the tests of fixes and passes their verdicts to `evaluator`.
    mutating func examine(
        _ epoch: EpochEvidence, _ evaluator: inout StateEvaluator, _ settings: Settings
    ) {
        for index in fixTests.indices {
            let verdict = fixTests[index].examine(epoch, settings)
            evaluator.add(verdict, ofTestAt: index, epoch.moment, settings)
        }
    }

    /// Runs the tests of satellites and passes their verdicts to `evaluator`.
    mutating func examine(
        _ sky: SkyEvidence, _ evaluator: inout StateEvaluator, _ settings: Settings
    ) {
        for index in skyTests.indices {
            let verdict = skyTests[index].examine(sky, settings)
            evaluator.add(verdict, ofTestAt: fixTests.count + index, sky.moment, settings)
        }
    }
}
