// SPDX-License-Identifier: MIT
import GNSS

/// The state that follows from the tests' verdicts.
///
///     unknown ─► ok         tests of two kinds have run, and all are quiet, for a minute
///     any ─► warning        a soft test hits for two seconds
///     any ─► alarm          a hard test hits, or two soft tests of different kinds
///     warning ─► ok         a minute of quiet; `unknown` with too little evidence
///     alarm ─► ok           ten minutes of quiet, and the position is confirmed; or by the user
///     ok ─► unknown         a minute with too little evidence
struct Judge: Sendable {
    /// All kinds, in the order in which they are listed.
    static let kinds: [Integrity.Evidence] = [
        .motion, .signals, .time, .oscillator, .detector,
    ]
    /// The kinds that say more than a position and a time do.
    private static let liveKinds = 0b1_0011

    private(set) var integrity = Integrity()
    /// One for each test, in the order of `Tests.all`.
    private(set) var records: [TestRecord]
    /// The evidence of each test; kept until the state ends.
    private var reasons: [Integrity.Reason?]
    /// Since when all tests have been quiet, without a gap.
    private var quietSince: Double?
    private var lastEpoch: Double?
    private var hasHardHit = false
    /// Seconds at which a test of each kind ran last, also before the history was dropped.
    private var lastRuns = [Double](repeating: -.infinity, count: kinds.count)
    /// The kinds that are running, a bit each.
    private var runningKinds = 0
    /// Whether the state or the tests that speak against the position have changed.
    private var isChanged = false
    /// Whether reasons have new values.
    private var hasNewValues = false

    init(_ tests: [any EvidenceTest.Type]) {
        records = tests.map { TestRecord($0) }
        reasons = tests.map { _ in nil }
    }

    /// Drops the history, and keeps the state.
    mutating func forget() {
        for index in records.indices { records[index].forget() }
        quietSince = nil
        lastEpoch = nil
    }

    /// Adds the verdict of the test at `index`.
    mutating func take<Test: EvidenceTest>(
        _ verdict: Verdict, of test: Test.Type, at index: Int, _ moment: Moment,
        _ settings: IntegrityMonitor.Settings
    ) {
        switch verdict {
        case .unavailable:
            records[index].wasQuiet()
        case .quiet:
            ran(index, moment, settings)
            records[index].wasQuiet()
        case .hit(let finding):
            ran(index, moment, settings)
            records[index].hit(finding.weight, at: moment.now)
            quietSince = moment.now
            if finding.weight == .hard {
                hasHardHit = true
                if !records[index].isReason { isChanged = true }
                records[index].isReason = true
            }
            note(finding, of: test, at: index, moment)
        }
    }

    /// Keeps the worst finding of a test as its reason.
    private mutating func note<Test: EvidenceTest>(
        _ finding: Finding, of test: Test.Type, at index: Int, _ moment: Moment
    ) {
        let former = reasons[index]
        if let former, !finding.isWorse(than: former.value) { return }
        reasons[index] = Integrity.Reason(
            test: Test.name, value: finding.value, threshold: finding.threshold, unit: Test.unit,
            since: former?.since ?? moment.time, start: former?.start ?? moment.instant,
            text: Test.text(finding))
        if records[index].isReason { hasNewValues = true }
    }

    private mutating func ran(
        _ index: Int, _ moment: Moment, _ settings: IntegrityMonitor.Settings
    ) {
        records[index].ran(at: moment.now, settling: settings.settling)
        lastRuns[records[index].kind] = moment.now
    }

    /// Draws the conclusion after the verdicts of an epoch; returns whether the state or the tests that speak
    /// against the position have changed.
    ///
    /// `isConfirmed` says whether the position agrees with another source.
    mutating func conclude(
        _ moment: Moment, isConfirmed: Bool, _ settings: IntegrityMonitor.Settings
    ) -> Bool {
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
            if quiet >= settings.settling { calm(to: rest, moment) }
        case .alarm:
            if quiet >= settings.alarmQuiet, isConfirmed { calm(to: rest, moment) }
        }
        guard isChanged || hasNewValues else { return false }
        defer { (isChanged, hasNewValues) = (false, false) }
        integrity.reasons = records.indices.filter { records[$0].isReason }.sorted {
            (records[$0].hit?.since ?? 0) < (records[$1].hit?.since ?? 0)
        }.compactMap { reasons[$0] }
        return isChanged
    }

    /// Ends a warning or an alarm at the user's request.
    mutating func acknowledge(_ moment: Moment) {
        calm(to: .unknown, moment)
        integrity.reasons = []
        isChanged = false
    }

    /// Whether these kinds are enough for `ok`: two, and one of them beside position and time.
    private static func isEnough(_ kinds: Int) -> Bool {
        kinds.nonzeroBitCount >= 2 && kinds & liveKinds != 0
    }

    private mutating func calm(to state: Integrity.State, _ moment: Moment) {
        for index in records.indices {
            records[index].clear()
            reasons[index] = nil
        }
        isChanged = true
        change(to: state, moment)
    }

    private mutating func change(to state: Integrity.State, _ moment: Moment) {
        guard integrity.state != state else { return }
        integrity.state = state
        integrity.since = moment.time
        integrity.start = moment.instant
        isChanged = true
    }
}
