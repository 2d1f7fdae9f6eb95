// SPDX-License-Identifier: MIT
package import GNSS
package import GPSFormats

/// Selects which of a receiver's fixes are published.
package struct FixRate: Sendable {
    private var thinning: FixThinning
    /// The minimum time between published fixes of a receiver that sends no time; `nil` for no
    /// minimum.
    private let untimedInterval: Duration?
    /// The filter for a receiver that sends no time, with all criteria except the minimum time.
    private var untimedThinning: FixThinning
    private var lastUntimed: MonotonicInstant?
    private let onChange: Bool
    private var last: Fix?

    /// With `onChange`, the minimum distance from the last published fix, in metres. A fix whose
    /// horizontal accuracy is worse than this must have moved by at least its accuracy.
    private static let step = 10.0

    /// Creates a filter for the selected fixes. With `onChange`, it accepts a fix only if its mode
    /// or quality has changed since the last accepted fix, or if its distance from that fix is at
    /// least 10 m and at least its horizontal accuracy.
    package init(_ selection: FixSelection = FixSelection(), onChange: Bool = false) {
        var selection = selection
        // A fix that begins a segment is accepted, but a silence must not make it one: a slow
        // source may always be silent for longer than the default.
        selection.gap = .infinity
        thinning = FixThinning(selection)
        // Accept slightly shorter intervals, because the intervals between fixes vary.
        untimedInterval = selection.interval.map { .seconds(min($0, 9e9) * 0.95) }
        var rest = selection
        rest.interval = nil
        untimedThinning = FixThinning(rest)
        self.onChange = onChange
    }

    /// Returns whether a fix is published. After the position was lost, only the first fix without
    /// a position is published. A fix is always published if an integrity warning, an integrity
    /// alarm or a disputed vote begins or ends with it.
    ///
    /// `now` is the time of reception. It is used if the receiver sends no time.
    package mutating func accepts(_ fix: Fix, at now: MonotonicInstant = .now) -> Bool {
        guard doubt(about: fix) == doubt(about: last), isDisputed(fix) == isDisputed(last) else {
            last = fix
            return true
        }
        guard fix.coordinate != nil else {
            return exchange(&last, with: fix).map { $0.coordinate != nil } ?? true
        }
        guard isFarEnough(fix, at: now) || last?.coordinate == nil else { return false }
        guard !onChange || isChange(fix) else { return false }
        last = fix
        return true
    }

    private mutating func isFarEnough(_ fix: Fix, at now: MonotonicInstant) -> Bool {
        guard let untimedInterval, fix.time == nil, fix.timeOfDay == nil else {
            return thinning.decision(on: fix).isWritten
        }
        guard lastUntimed.map({ $0 + untimedInterval <= now }) ?? true,
            untimedThinning.decision(on: fix).isWritten
        else { return false }
        lastUntimed = now
        return true
    }

    /// Returns the integrity state of a fix if it is a warning or an alarm; otherwise `nil`.
    private func doubt(about fix: Fix?) -> Integrity.State? {
        switch fix?.integrity?.state {
        case .warning: .warning
        case .alarm: .alarm
        case .ok, .unknown, nil: nil
        }
    }

    private func isDisputed(_ fix: Fix?) -> Bool { fix?.vote?.state == .disputed }

    private func isChange(_ fix: Fix) -> Bool {
        guard let last, let position = fix.coordinate, let old = last.coordinate,
            last.mode == fix.mode, last.quality == fix.quality
        else { return true }
        let distance = LocalPlane(at: old).point(at: position).distance
        return distance >= max(Self.step, fix.accuracy.horizontal ?? 0)
    }
}
