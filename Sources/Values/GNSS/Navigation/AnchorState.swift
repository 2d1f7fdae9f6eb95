// SPDX-License-Identifier: MIT

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

        /// Whether the condition is an alarm.
        package var isAlarm: Bool { self == .drag || self == .lost }
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
