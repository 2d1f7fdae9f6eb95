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

    /// Adds the verdict of the test at `index`.
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
    private mutating func store(_ finding: Finding, ofTestAt index: Int, _ moment: EpochTime) {
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
