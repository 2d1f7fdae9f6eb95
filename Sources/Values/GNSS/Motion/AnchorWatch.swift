// SPDX-License-Identifier: MIT

/// Checks whether a vessel at anchor stays within a circle, fix by fix, in constant memory.
///
/// If no anchor position is given, it is the mean of the positions in the first ten seconds at rest
/// (`Fix.isStationary`), at least five of them. Each must be accurate to half of the radius, or to
/// 5 m. A wrong anchor position could cause false alarms, or prevent the alarm when the anchor
/// drags. If the fixes never show whether the vessel is at rest, for example because they are more
/// than ten seconds apart, the anchor position must be given.
///
/// The vessel has **left** the circle when, for five seconds and three fixes, each fix is outside
/// by more than its accuracy. The vessel is **back** when it has been inside for as long. Fixes
/// without a usable position are ignored and do not restart the five seconds. Otherwise, a receiver
/// that rarely has a usable position would never raise an alarm.
///
/// The watch is **blind**, which is also an alarm, in these cases:
///
/// - There has been no usable position for ten seconds.
/// - The receiver is lost or sends no data.
/// - Two minutes after the start, the position of the anchor or of the vessel is still unknown.
package struct AnchorWatch: Sendable {
    /// The minimum number of consecutive fixes outside or inside the circle that change the
    /// condition.
    private static let fixCount = 3
    /// The minimum duration of the consecutive fixes that change the condition, in seconds.
    private static let duration = 5.0
    /// The time without a usable position after which the watch is blind, in seconds.
    private static let timeout = 10.0
    /// The time after the start at which the watch is blind if the position of the anchor or of the
    /// vessel is still unknown, in seconds.
    static let settingLimit = 120.0
    /// The minimum number of positions at rest that determine the position of the anchor.
    private static let restCount = 5
    /// The minimum time at rest that determines the position of the anchor, in seconds.
    private static let restDuration = 10.0
    /// The largest 68 % radius of a usable position, in metres. For a circle that is larger than
    /// this, the limit is the radius of the circle.
    private static let accuracyLimit = 10.0
    /// The largest 68 % radius of a position that may determine the position of the anchor, in
    /// metres. For a circle of more than twice this radius, the limit is half of its radius.
    private static let settingAccuracy = 5.0

    /// The state after the last fix.
    package private(set) var state: AnchorState

    private var start: Double?
    private var lastPosition: Double?
    /// Whether a fix has shown that the vessel is at rest or moves.
    private var hasKnownRest = false
    /// The positions since the vessel came to rest: their mean, their number, and the time of the
    /// first one.
    private var rest: (mean: Coordinate, count: Int, since: Double)?
    /// The last consecutive fixes that show a condition other than the current one: that condition,
    /// their number, and the time of the first one.
    private var run: (condition: AnchorState.Condition, count: Int, since: Double)?

    package init(_ circle: AnchorCircle) {
        state = AnchorState(circle)
    }

    /// Adds a fix. `seconds` is the current time of a clock with any origin, and `time` is the UTC
    /// time; `nil` if unknown.
    package mutating func receive(_ fix: Fix, at seconds: Double, time: UTCTime?) {
        let start = start ?? seconds
        if self.start == nil {
            self.start = start
            if state.condition == .setting { state.since = time }
        }
        let accuracy = MotionDetector.accuracy(of: fix)
        switch usablePosition(of: fix, accuracy) {
        case .failure(let reason):
            let last = lastPosition ?? start
            if seconds - last >= Self.timeout { forgetPosition() }
            (state.distance, state.bearing) = (nil, nil)
            let isSetting = state.condition == .setting
            if isSetting { state.reason = reason.wait }
            let (since, limit) = isSetting ? (start, Self.settingLimit) : (last, Self.timeout)
            if state.condition == .lost || seconds - since >= limit {
                enter(.lost, reason.text, time)
            }
        case .success(let position):
            lastPosition = seconds
            switch state.condition {
            case .setting: state.reason = nil
            case .lost:
                state.reason =
                    state.anchor == nil
                    ? "the anchor's place is not known yet" : "too few positions so far"
            case .ok, .drag: break
            }
            if state.anchor == nil { findAnchor(fix, position, seconds, start, time) }
            guard let anchor = state.anchor else { return }
            let distance = position.distance(to: anchor)
            (state.distance, state.bearing) = (distance, position.course(to: anchor))
            update(distance, accuracy, seconds, time)
        }
    }

    /// Reports that the receiver is lost or sends no data. `reason` becomes the cause of the alarm;
    /// if it is `nil`, there is no alarm.
    package mutating func didLosePosition(_ reason: String?, time: UTCTime?) {
        forgetPosition()
        if let reason { enter(.lost, reason, time) }
    }

    // MARK: Positions

    /// The reason why a position is not usable.
    private struct Unusable: Error {
        let text: String
        /// The message about the accuracy that the watch waits for, if the anchor position is not
        /// known yet and this position is not accurate enough; otherwise `nil`.
        var wait: String?
    }

    private func usablePosition(
        of fix: Fix, _ accuracy: Double
    ) -> Result<Coordinate, Unusable> {
        guard fix.mode > .noFix, let position = fix.coordinate, position.isValid else {
            return .failure(Unusable(text: "no position"))
        }
        if fix.quality == .estimated || fix.quality == .manual {
            return .failure(Unusable(text: "the position is not measured"))
        }
        if fix.integrity?.state == .alarm {
            return .failure(Unusable(text: "the position is in an integrity alarm"))
        }
        let isKnown = state.anchor != nil
        let limit =
            isKnown
            ? max(Self.accuracyLimit, state.radius)
            : max(Self.settingAccuracy, state.radius / 2)
        guard accuracy <= limit else {
            // Rounded up, so that the accuracy is not shown as the limit.
            let metres = String(accuracy.rounded(.up), decimals: 0)
            guard !isKnown else {
                return .failure(Unusable(text: "the accuracy of the position is \(metres) m"))
            }
            let needed = String(limit, atMostDecimals: limit < 100 ? 1 : 0)
            return .failure(
                Unusable(
                    text: "the accuracy is \(metres) m, it must reach \(needed) m",
                    wait: "accuracy must reach \(needed) m"))
        }
        return .success(position)
    }

    private mutating func forgetPosition() {
        (state.distance, state.bearing) = (nil, nil)
        (run, rest) = (nil, nil)
        if state.condition == .setting { state.reason = nil }
    }

    /// Adds a position to the mean that determines the position of the anchor, if the vessel is at
    /// rest.
    private mutating func findAnchor(
        _ fix: Fix, _ position: Coordinate, _ seconds: Double, _ start: Double, _ time: UTCTime?
    ) {
        if fix.isStationary != nil { hasKnownRest = true }
        guard fix.isStationary == true else {
            rest = nil
            guard seconds - start >= Self.settingLimit else { return }
            let reason =
                hasKnownRest
                ? "the vessel has not been at rest"
                : "rest cannot be determined: give the anchor's place"
            return enter(.lost, reason, time)
        }
        var present = rest ?? (position, 0, seconds)
        present.count += 1
        present.mean = present.mean.moved(by: 1 / Double(present.count), towards: position)
        rest = present
        guard present.count >= Self.restCount, seconds - present.since >= Self.restDuration else {
            return
        }
        (state.anchor, rest) = (present.mean, nil)
        enter(.ok, nil, time)
    }

    // MARK: Conditions

    /// Updates the condition for a distance from the anchor, in metres. A vessel that is outside
    /// the circle by less than the accuracy counts as inside. In the condition `drag`, it counts as
    /// neither inside nor outside, so the condition does not change.
    private mutating func update(
        _ distance: Double, _ accuracy: Double, _ seconds: Double, _ time: UTCTime?
    ) {
        let excess = distance - state.radius
        let isInside = excess <= (state.condition == .drag ? 0 : accuracy)
        let condition: AnchorState.Condition? =
            excess > accuracy ? .drag : isInside ? .ok : nil
        guard let condition, condition != state.condition else {
            run = nil
            return
        }
        var present = run ?? (condition, 0, seconds)
        if present.condition != condition { present = (condition, 0, seconds) }
        present.count += 1
        run = present
        guard present.count >= Self.fixCount, seconds - present.since >= Self.duration else {
            return
        }
        run = nil
        let metres = (String(distance, decimals: 0), String(state.radius, atMostDecimals: 1))
        enter(
            condition, condition == .drag ? "\(metres.0) m away, the circle is \(metres.1) m" : nil,
            time)
    }

    /// Changes the condition. If the condition is already `lost`, only the cause changes: it is the
    /// same alarm.
    private mutating func enter(
        _ condition: AnchorState.Condition, _ reason: String?, _ time: UTCTime?
    ) {
        guard condition != state.condition else {
            if condition == .lost { state.reason = reason }
            return
        }
        (state.condition, state.reason, state.since) = (condition, reason, time)
    }
}

/// The circle in which a vessel at anchor must stay.
package struct AnchorCircle: Hashable, Sendable {
    /// The radius in metres.
    package var radius: Double
    /// The position of the anchor; `nil` to use the position where the vessel comes to rest.
    package var anchor: Coordinate?

    /// Creates a circle with a radius in metres.
    package init(radius: Double, anchor: Coordinate? = nil) {
        self.radius = radius
        self.anchor = anchor
    }
}

/// The state of an anchor watch.
package struct AnchorState: Hashable, Sendable {
    /// Whether the vessel stays within the circle.
    ///
    /// `gpsbridge-fleet` transmits a condition as its index in this list, so the order must not
    /// change.
    package enum Condition: String, CaseIterable, Sendable {
        /// The watch has just begun, and the position of the anchor or of the vessel is not known
        /// yet.
        case setting
        /// The vessel is within the circle.
        case ok
        /// The vessel has left the circle.
        case drag
        /// The watch cannot detect anything, because the position of the vessel or of the anchor is
        /// not known.
        case lost

        var isAlarm: Bool { self == .drag || self == .lost }
    }

    /// Whether the vessel stays within the circle.
    package internal(set) var condition = Condition.setting
    /// The position of the anchor; `nil` until it is known.
    package internal(set) var anchor: Coordinate?
    /// The radius of the circle around the anchor, in metres.
    package let radius: Double
    /// The distance from the vessel to the anchor in metres; `nil` without a usable position.
    package internal(set) var distance: Double?
    /// The direction from the vessel to the anchor in degrees true; `nil` without a usable
    /// position.
    package internal(set) var bearing: Double?
    /// When the condition began; `nil` if the time is not known.
    package internal(set) var since: UTCTime?
    /// The cause of the alarm: in the condition `drag`, as it was at the start of the alarm; in the
    /// condition `lost`, the present cause. In the condition `setting`, a message with the accuracy
    /// that the watch waits for, if the fixes are less accurate. Otherwise `nil`.
    package internal(set) var reason: String?

    init(_ circle: AnchorCircle) {
        (radius, anchor) = (circle.radius, circle.anchor)
    }

    /// Whether the condition is an alarm.
    package var isAlarm: Bool { condition.isAlarm }

    /// The condition as text, with the cause of an alarm: `anchor drags: 41 m away, the circle is
    /// 30 m`.
    package var summary: String {
        let words =
            switch condition {
            case .setting: "anchor watch begins"
            case .ok: "anchor holds"
            case .drag: "anchor drags"
            case .lost: "anchor watch does not work"
            }
        return reason.map { "\(words): \($0)" } ?? words
    }

    /// Adds the members of a `TPV` report that describe the watch.
    package func add(to object: inout JSONObject) {
        object.add("anchor", condition.rawValue)
        object.add("anchorSince", since?.description)
        object.add("anchorReason", reason)
        object.add("anchorLatitude", anchor?.latitude, decimals: 9)
        object.add("anchorLongitude", anchor?.longitude, decimals: 9)
        object.add("anchorRadius", radius, decimals: 1)
        object.add("anchorDistance", distance, decimals: 1)
        object.add("anchorBearing", bearing?.direction(decimals: 1), decimals: 1)
    }
}
