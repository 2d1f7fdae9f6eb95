// SPDX-License-Identifier: MIT
package import GNSS

/// The alarms of a receiver as Signal K notifications. An alarm is an object with a state, the
/// methods to show it and a message; `null` ends it. Each change is sent once.
extension SignalKReports {
    /// The kinds of alarms. The raw value is the Signal K path of the notification.
    enum Alarm: String, CaseIterable, Sendable {
        case anchor = "notifications.navigation.anchor"
        case integrity = "notifications.navigation.gnss.integrity"
        case position = "notifications.navigation.position"
    }

    /// An active alarm.
    struct Notification: Sendable {
        let state: String
        let json: String
    }

    /// The time without a position after which its loss is an alarm.
    private static let positionTimeout = Duration.seconds(5)

    /// Returns the message about alarms that begin or end with a fix; `nil` if there are none.
    package mutating func alarms(
        of fix: Fix, time: UTCTime?, now: MonotonicInstant
    ) -> [UInt8]? {
        guard !fix.isAttitudeOnly else { return nil }
        var changes: [Value] = []
        if let integrity = fix.integrity, integrity.state == .alarm {
            let reasons = integrity.reasons.map(\.text).joined(separator: "; ")
            let message = "the position may be false" + (reasons.isEmpty ? "" : ": \(reasons)")
            changes += set(.integrity, "alarm", message)
        } else {
            changes += clear(.integrity)
        }
        if fix.mode > .noFix, fix.coordinate != nil {
            lastPosition = now
            changes += clear(.position)
        } else if let lastPosition, lastPosition + Self.positionTimeout <= now {
            changes += setPositionLost("no fix")
        }
        return message(changes, time: fix.time ?? time)
    }

    /// Returns the message about an alarm of the anchor watch that begins, changes or ends; `nil`
    /// if there is none.
    package mutating func alarm(of anchor: AnchorState?, time: UTCTime?) -> [UInt8]? {
        guard let anchor, anchor.isAlarm else {
            let end = clear(.anchor)
            return message(end, time: time)
        }
        let state = anchor.condition == .drag ? "emergency" : "alarm"
        let change = set(.anchor, state, anchor.summary)
        return message(change, time: time)
    }

    /// Returns the message about alarms that begin or end because the receiver is lost or silent;
    /// `nil` if there are none. An expected loss, as when the receiver is reopened, raises no
    /// alarm.
    package mutating func alarmsOfLoss(isExpected: Bool, time: UTCTime?) -> [UInt8]? {
        var changes = clear(.integrity)
        if isExpected {
            changes += clear(.position)
        } else if lastPosition != nil {
            changes += setPositionLost("the receiver sends nothing")
        }
        lastPosition = nil
        return message(changes, time: time)
    }

    /// Returns the message that ends all alarms, when the receiver is removed; `nil` if there are
    /// none.
    package mutating func endAlarms(time: UTCTime?) -> [UInt8]? {
        var changes: [Value] = []
        for alarm in Alarm.allCases { changes += clear(alarm) }
        return message(changes, time: time)
    }

    /// Returns the message about all active alarms, for a new client; `nil` if there are none.
    package func activeAlarms(time: UTCTime?) -> [UInt8]? { line(active, time: time) }

    private var active: [Value] {
        Alarm.allCases.filter { notifications[$0] != nil }.map {
            ($0.rawValue, notifications[$0]?.json)
        }
    }

    /// Returns the message about changed alarms; `nil` if there are none. If `$source` has changed,
    /// as when the receiver was plugged in again as another tty, the message ends the alarms of the
    /// former `$source`, which would otherwise never end. It also sends the alarms that are still
    /// active again.
    private mutating func message(_ changes: [Value], time: UTCTime?) -> [UInt8]? {
        guard let former = formerAlarms.take() else { return line(changes, time: time) }
        let ended: [Value] = former.alarms.map { ($0.rawValue, nil) }
        var updates = [update(ended, former.source, time)]
        if !active.isEmpty { updates.append(update(active, source, time)) }
        return line(of: updates)
    }

    /// Sets the alarm for a lost position, and returns the change. Does nothing for a recording,
    /// because its gaps and its end are in the past.
    private mutating func setPositionLost(_ reason: String) -> [Value] {
        origin == .replay ? [] : set(.position, "alarm", "the position is lost: \(reason)")
    }

    private mutating func set(_ alarm: Alarm, _ state: String, _ message: String) -> [Value] {
        guard notifications[alarm]?.state != state else { return [] }
        let mark = origin == .simulated || origin == .replay ? " (\(origin.rawValue))" : ""
        var object = JSONObject()
        object.add("state", state)
        object.add("method", ["visual", "sound"])
        object.add("message", message + mark)
        notifications[alarm] = Notification(state: state, json: object.description)
        return [(alarm.rawValue, object.description)]
    }

    private mutating func clear(_ alarm: Alarm) -> [Value] {
        guard notifications.removeValue(forKey: alarm) != nil else { return [] }
        return [(alarm.rawValue, nil)]
    }
}
