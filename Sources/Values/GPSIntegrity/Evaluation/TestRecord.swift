// SPDX-License-Identifier: MIT
import GNSS

/// Records when a test ran and when it found evidence.
struct TestRecord: Sendable {
    let test: any EvidenceTest.Type
    /// The index of the test's kind in `StateEvaluator.kinds`.
    let kind: Int
    /// `EpochTime.now` at the first and the last run of the current period; `nil` before the first
    /// run. A long pause begins a new period.
    private(set) var running: (since: Double, last: Double)?
    /// `EpochTime.now` at the first and the last finding of the latest uninterrupted series; `nil`
    /// without a finding.
    private(set) var hit: (since: Double, last: Double)?
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
    mutating func hit(_ weight: Finding.Weight, at now: Double) {
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
