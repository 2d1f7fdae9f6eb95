// SPDX-License-Identifier: MIT

/// The state of an anchor watch, and the direction and distance to a waypoint.
package struct Navigation: Hashable, Sendable {
    /// The state of the anchor watch; `nil` without one.
    package internal(set) var anchor: AnchorState?
    /// The direction and distance to the current waypoint; `nil` without a route.
    package internal(set) var waypoint: WaypointState?
    /// Messages for the user about changes that the last fix caused.
    package internal(set) var messages: [String] = []

    /// Adds the members of a `TPV` report that describe the anchor watch and the waypoint. No name
    /// is `lat` or `lon`, which programs that search the report's text would take for the
    /// receiver's position.
    package func add(to object: inout JSONObject) {
        anchor?.add(to: &object)
        waypoint?.add(to: &object)
    }
}

/// Runs an anchor watch and a route guide, one fix at a time.
package struct Navigator: Sendable {
    /// The anchor circle and the route given by the user.
    package struct Settings: Hashable, Sendable {
        /// The circle of an anchor watch; `nil` for none.
        package var circle: AnchorCircle?
        /// The waypoints in order; empty for none.
        package var route: [RoutePoint] = []
        /// The time without any fix, in seconds, after which the anchor watch raises an alarm
        /// because it has no position.
        package var startLimit = AnchorWatch.settingLimit

        /// Creates settings without an anchor watch and without a route.
        package init() {}
    }

    private var watch: AnchorWatch?
    private var guide: RouteGuide?
    /// Whether a message has already reported the accuracy that the anchor watch waits for. The
    /// message is sent only once.
    private var hasReportedWait = false

    /// Creates a navigator.
    package init(_ settings: Settings) {
        watch = settings.circle.map { AnchorWatch($0) }
        guide = RouteGuide(settings.route)
    }

    /// Adds a fix and returns the new state. `seconds` is the current time of a clock with any
    /// origin, and `time` is the UTC time; `nil` if unknown.
    package mutating func receive(_ fix: Fix, at seconds: Double, time: UTCTime?) -> Navigation {
        let former = watch?.state
        watch?.receive(fix, at: seconds, time: time)
        let arrival = guide?.receive(fix)
        return navigation(after: former, [arrival].compactMap(\.self))
    }

    /// Reports that the receiver is lost or sends no data, and returns the new state. `reason`
    /// becomes the cause of an anchor alarm; if it is `nil`, there is no alarm.
    package mutating func didLosePosition(_ reason: String?, time: UTCTime?) -> Navigation {
        let former = watch?.state
        watch?.didLosePosition(reason, time: time)
        guide?.forgetPosition()
        return navigation(after: former, [])
    }

    private mutating func navigation(
        after former: AnchorState?, _ messages: [String]
    ) -> Navigation {
        let anchor = watch?.state
        let waits = anchor?.condition == .setting && anchor?.reason != nil && !hasReportedWait
        if waits { hasReportedWait = true }
        let change = anchor.flatMap {
            $0.condition == former?.condition && !waits ? nil : $0.summary
        }
        return Navigation(
            anchor: anchor, waypoint: guide?.state, messages: [change].compactMap(\.self) + messages
        )
    }
}
