// SPDX-License-Identifier: MIT
import GNSS

/// The record of one test: when it ran, when it hit.
struct TestRecord: Sendable {
    /// The index of its kind in `Judge.kinds`.
    let kind: Int
    /// Seconds of the monitor's time since which the test has run, and at which it ran last.
    private(set) var running: (since: Double, last: Double)?
    /// Seconds at which the test began to hit, and hit last.
    private(set) var hit: (since: Double, last: Double)?
    /// The number of epochs in which it had data.
    private(set) var runCount = 0
    /// The number of epochs in which it hit.
    private(set) var hitCount = 0
    /// Whether the last hit was present at once.
    private var isEvent = false
    /// Whether the last verdict was a hit.
    private var isHitting = false
    /// Whether the evidence has been a warning or an alarm.
    var isReason = false

    init(_ test: any EvidenceTest.Type) {
        kind = Judge.kinds.firstIndex(of: test.evidence) ?? 0
    }

    /// Drops the history, and keeps the evidence.
    mutating func forget() {
        running = nil
        hit = nil
        isHitting = false
    }

    /// Drops the evidence.
    mutating func clear() {
        hit = nil
        isReason = false
    }

    /// Records that the test ran.
    mutating func ran(at now: Double, settling: Double) {
        runCount &+= 1
        if let running, now - running.last <= settling {
            self.running = (running.since, now)
        } else {
            running = (now, now)
        }
    }

    /// Records that the test was quiet.
    mutating func wasQuiet() { isHitting = false }

    /// Records a hit.
    mutating func hit(_ weight: Finding.Weight, at now: Double) {
        hitCount &+= 1
        isEvent = weight != .soft
        hit = (isHitting ? hit?.since ?? now : now, now)
        isHitting = true
    }

    /// Whether the evidence is present: a soft test has hit for long enough, or an event is recent.
    func isPresent(at now: Double, _ settings: IntegrityMonitor.Settings) -> Bool {
        guard let hit else { return false }
        if isEvent { return now - hit.last <= settings.eventDuration }
        return isHitting && hit.last - hit.since >= settings.softDuration
    }

    /// Whether the test has run for so long, and still does.
    func hasRun(for duration: Double, at now: Double) -> Bool {
        guard let running else { return false }
        return now - running.last <= duration && now - running.since >= duration
    }
}
