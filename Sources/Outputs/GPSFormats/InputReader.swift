// SPDX-License-Identifier: MIT
package import GNSS

/// The properties of a file's content that the part read so far shows.
package protocol InputContent {
    /// The format's name in messages: `GPX`.
    var formatName: String { get }

    /// A description of the content of a file without usable positions, such as `waypoints, but no
    /// track and no route`. Default: `nil` (unknown).
    var unusableContent: String? { get }

    /// Whether the rest of the file may contain waypoints or routes. Default: `false`.
    var mayHavePlaces: Bool { get }

    /// A warning that values of the file were not read, or that the file is useless for most
    /// purposes. It is the rest of a sentence that begins with the file's name. Default: `nil`
    /// (none).
    var warning: String? { get }

    /// The parts of the file that are left out, because they cannot be read. Default: none.
    var leftOut: LeftOut { get }
}

extension InputContent {
    /// Default: `nil` (unknown).
    package var unusableContent: String? { nil }

    /// Default: `false` (the rest of the input has no waypoints or routes).
    package var mayHavePlaces: Bool { false }

    /// Default: `nil` (no warning).
    package var warning: String? { nil }

    /// Default: nothing is left out.
    package var leftOut: LeftOut { LeftOut() }
}

/// Reads fixes from a file in a format other than NMEA. It accepts chunks of any size and uses
/// bounded memory.
///
/// Values that are missing in the file stay `nil`, and a date is never assumed. If two of altitude,
/// ellipsoidal altitude and geoid separation are known, the third is computed.
package protocol InputReader: InputContent {
    /// Reads the next bytes.
    ///
    /// Throws an `InputError` if the file does not have this format. Everything before the error
    /// has then been passed to `receive`.
    mutating func push(
        _ bytes: ArraySlice<UInt8>, _ receive: (InputEvent) -> Void
    ) throws(InputError)

    /// Ends the input, and passes on the data that is still buffered.
    ///
    /// Throws an `InputError` if the file is truncated.
    mutating func finish(_ receive: (InputEvent) -> Void) throws(InputError)

    /// Ends an input whose rest is lost, because compressed data is damaged or cut off. Passes on
    /// the complete data that is still buffered. Default: the same as `finish`, without its error,
    /// which would only report the lost rest.
    mutating func finishDamaged(_ receive: (InputEvent) -> Void)
}

extension InputReader {
    /// Default: the same as `finish`, without its error.
    package mutating func finishDamaged(_ receive: (InputEvent) -> Void) {
        try? finish(receive)
    }
}

/// A reader of a family of formats, whose content is that of the reader for one of them.
package protocol InputFamily: InputReader {
    /// The content according to the reader for the format, or an `UnknownContent`.
    var content: any InputContent { get }
}

extension InputFamily {
    /// The name of the format.
    package var formatName: String { content.formatName }
    /// The content of a file without usable positions.
    package var unusableContent: String? { content.unusableContent }
    /// Whether the rest of the file may contain waypoints or routes.
    package var mayHavePlaces: Bool { content.mayHavePlaces }
    /// A warning about values that were not read.
    package var warning: String? { content.warning }
    /// The parts of the file that are left out.
    package var leftOut: LeftOut { content.leftOut }
}

/// The content of a file of a family of formats, such as XML, before the format is known.
package struct UnknownContent: InputContent {
    package let formatName: String
    package let mayHavePlaces = true

    package init(formatName: String) { self.formatName = formatName }
}

extension [String?] {
    /// One warning with the parts that are not `nil`: the rest of a sentence that begins with the
    /// file's name. `nil` if there are none.
    package var warning: String? {
        let parts = compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; it ")
    }
}

/// An element that an `InputReader` has read.
package enum InputEvent: Sendable {
    /// A fix, and the satellites in view at its time; `nil` if the file does not list them.
    case fix(Fix, SatelliteView? = nil)
    /// The satellites in view at a time without a fix.
    case satellites(SatelliteView)
    /// A waypoint. Only readers with `keepsWaypoints` pass on waypoints.
    case waypoint(Waypoint)
    /// A route. Only readers with `keepsWaypoints` pass on routes.
    case route(Route)
    /// The end of a segment. The next fix begins another one.
    case segment
    /// The end of a track. The next fix begins another one, with this name; `nil` if it has none.
    case track(name: String?)
}

/// The reason why a file cannot be read, with the file's name and the line.
package struct InputError: Error, Hashable, CustomStringConvertible {
    /// The file's name as given.
    package let file: String
    /// The line number, from 1; `nil` if the error concerns the whole file.
    package let line: Int?
    /// The reason as text.
    package let reason: String
    /// Whether what was read before the error is wrong, too.
    package let isOfWholeFile: Bool

    package init(
        _ file: String, line: Int? = nil, _ reason: String, isOfWholeFile: Bool = false
    ) {
        self.file = file
        self.line = line
        self.reason = reason
        self.isOfWholeFile = isOfWholeFile
    }

    /// The error as text: `walk.gpx:12: the latitude is not a number from -90 to 90: "95"`.
    package var description: String {
        line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)"
    }
}

extension Double {
    /// Parses a decimal number, `NaN` or infinity. Swift's initializer would also read hexadecimal
    /// digits: a latitude of `0x10` is not 16 degrees.
    init?(decimal text: some StringProtocol) {
        guard !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }),
            let number = Double(text)
        else { return nil }
        self = number
    }
}

/// Passes on the waypoints and routes of a file if the output can store them.
///
/// For other outputs, waypoints are dropped, and the points of routes are fixes if the file has no
/// track.
package struct ReadPlaces {
    /// The maximum number of points in a route.
    static let maximumRouteLength = 100_000

    /// Whether the output can store waypoints and routes.
    let isKept: Bool
    /// Whether the file has a fix that is not a point of a route. Then the points of routes are
    /// dropped.
    package var hasTrack = false {
        didSet { if hasTrack, !routes.isEmpty { routes = [] } }
    }
    /// Whether the file has a waypoint.
    var hasWaypoint = false
    /// The points of routes, with the ends of segments. They must be kept until the end of the
    /// file, because they are used only if no track follows.
    private var routes: [InputEvent] = []

    /// Creates an empty collection. `isKept` is `true` if the output can store waypoints and
    /// routes.
    package init(isKept: Bool) {
        self.isKept = isKept
    }

    /// The content of a file without usable positions; see `InputReader.unusableContent`.
    var unusableContent: String? {
        hasWaypoint && !isKept ? "waypoints, but no track and no route" : nil
    }

    mutating func add(_ waypoint: Waypoint, _ receive: (InputEvent) -> Void) {
        hasWaypoint = true
        if isKept { receive(.waypoint(waypoint)) }
    }

    /// Adds a route. A route without points is ignored.
    package mutating func add(_ route: Route, _ receive: (InputEvent) -> Void) {
        guard !route.points.isEmpty else { return }
        guard !isKept else { return receive(.route(route)) }
        guard hold(.track(name: route.name)) else { return }
        for fix in route.fixes { routes.append(.fix(fix)) }
    }

    /// Holds the beginning or a point of a route until the end of the file. Returns `false` if the
    /// point will not be used as a fix.
    mutating func hold(_ event: InputEvent) -> Bool {
        guard !isKept, !hasTrack, routes.count < Self.maximumRouteLength else { return false }
        routes.append(event)
        return true
    }

    /// Ends the file. Sends the points of routes as fixes if the file contains no track.
    package mutating func finish(_ receive: (InputEvent) -> Void) {
        if !hasTrack { for event in routes { receive(event) } }
        routes = []
    }
}

extension Route {
    /// The points as fixes, for outputs that cannot store routes.
    package var fixes: [Fix] {
        points.map { point in
            var fix = Fix()
            fix.coordinate = point.coordinate
            fix.altitude = point.altitude
            if let time = point.time { fix.set(time: time) }
            fix.complete(mode: nil, quality: nil)
            return fix
        }
    }
}

/// Leaves out positions at 0° N 0° E that are far from the others. Programs write them for an
/// unknown position.
package struct ZeroPositions {
    /// The distance from 0° N 0° E in metres within which a receiver may have been there.
    private static let reach = 10_000.0
    /// The maximum number of events that wait for the first other position.
    private static let limit = 1000
    private static let zero = Coordinate(latitude: 0, longitude: 0)

    /// Whether the last other position is near 0° N 0° E; `nil` before the first one.
    private var isNear: Bool?
    /// The events since the first position, while all positions are at 0° N 0° E.
    private var waiting: [InputEvent] = []
    private var count = 0

    package init() {}

    /// A warning about the positions that are left out; see `InputReader.warning`.
    package var warning: String? {
        guard count > 0 else { return nil }
        return "has \(Plural.text(count, "position")) at 0° N 0° E, far from the others, left out"
    }

    /// Passes on an event, unless it is such a position.
    package mutating func pass(_ event: InputEvent, _ receive: (InputEvent) -> Void) {
        guard case .fix(let fix, _) = event, let coordinate = fix.coordinate else {
            if waiting.isEmpty { receive(event) } else { waiting.append(event) }
            return
        }
        guard coordinate.latitude == 0, coordinate.longitude == 0 else {
            let isNear = coordinate.distance(to: Self.zero) < Self.reach
            end(isNear, receive)
            self.isNear = isNear
            return receive(event)
        }
        switch isNear {
        case true: receive(event)
        case false: count += 1
        case nil:
            waiting.append(event)
            if waiting.count >= Self.limit {
                end(true, receive)
                isNear = true
            }
        }
    }

    /// Passes on the waiting events at the end of the input.
    package mutating func finish(_ receive: (InputEvent) -> Void) { end(true, receive) }

    private mutating func end(_ isKept: Bool, _ receive: (InputEvent) -> Void) {
        for event in waiting {
            if !isKept, case .fix(let fix, _) = event, fix.coordinate != nil {
                count += 1
            } else {
                receive(event)
            }
        }
        waiting = []
    }
}
