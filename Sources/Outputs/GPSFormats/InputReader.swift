// SPDX-License-Identifier: MIT
package import GNSS

/// Reads fixes from a file in a format other than NMEA. It accepts chunks of any size and uses
/// bounded memory.
///
/// Values that are missing in the file stay `nil`, and a date is never assumed. If two of altitude,
/// ellipsoidal altitude and geoid separation are known, the third is computed.
package protocol InputReader {
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
    /// Default: `nil` (unknown).
    package var unusableContent: String? { nil }

    /// Default: `false` (the rest of the input has no waypoints or routes).
    package var mayHavePlaces: Bool { false }

    /// Default: `nil` (no warning).
    package var warning: String? { nil }

    /// Default: nothing is left out.
    package var leftOut: LeftOut { LeftOut() }

    /// Default: the same as `finish`, without its error.
    package mutating func finishDamaged(_ receive: (InputEvent) -> Void) {
        try? finish(receive)
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

    package init(_ file: String, line: Int? = nil, _ reason: String) {
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// The error as text: `walk.gpx:12: the latitude is not a number from -90 to 90: "95"`.
    package var description: String {
        line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)"
    }
}

extension Fix {
    /// Completes a fix that was read from a file: removes impossible values, and sets its
    /// dimensions and quality. If two of altitude, ellipsoidal altitude and geoid separation are
    /// known, computes the third. A fix without a position is not changed.
    ///
    /// `mode` and `quality` are the values in the file; `nil` if they are missing. Without a
    /// quality, the position is autonomous. Without a mode, it is 3D if it has an altitude,
    /// otherwise 2D.
    package mutating func complete(mode: FixMode?, quality: FixQuality?) {
        guard coordinate != nil else { return }
        removeImpossibleValues()
        switch (altitude, ellipsoidalAltitude, geoidSeparation) {
        case (let msl?, nil, let separation?): ellipsoidalAltitude = msl + separation
        case (nil, let height?, let separation?): altitude = height - separation
        case (let msl?, let height?, nil): geoidSeparation = height - msl
        default: break
        }
        let hasAltitude = altitude != nil || ellipsoidalAltitude != nil
        self.mode = mode.flatMap { $0 == .noFix ? nil : $0 } ?? (hasAltitude ? .threeD : .twoD)
        self.quality = quality.flatMap { $0 == .invalid ? nil : $0 } ?? .autonomous
    }

    private static let noAltitudes = [-9999.0, -32_768]

    /// Removes numbers that no receiver measures. Many programs write -1 for an unknown value, as
    /// Apple's systems report it.
    private mutating func removeImpossibleValues() {
        let most = 1e9
        // Values of elevation models without data, which programs write for an unknown altitude.
        if let value = altitude, Self.noAltitudes.contains(value) { altitude = nil }
        if let value = ellipsoidalAltitude, Self.noAltitudes.contains(value) {
            ellipsoidalAltitude = nil
        }
        altitude.keep(in: -most...most)
        ellipsoidalAltitude.keep(in: -most...most)
        geoidSeparation.keep(in: -most...most)
        climb.keep(in: -most...most)
        speed.keep(in: 0...most)
        course.keep(in: 0...360)
        magneticCourse.keep(in: 0...360)
        dilution.hdop.keep(in: 0...most)
        dilution.vdop.keep(in: 0...most)
        dilution.pdop.keep(in: 0...most)
        accuracy.horizontal.keep(in: 0...most)
        accuracy.vertical.keep(in: 0...most)
        correctionAge.keep(in: 0...most)
        satellitesUsed.keep(in: 0...9999)
    }

    /// The fix with an altitude above mean sea level from the model of the geoid; `nil` unless it has
    /// only an altitude above the ellipsoid. The sum of altitude and geoid separation stays exact.
    package var withModelledAltitude: Fix? {
        guard altitude == nil, let height = ellipsoidalAltitude, let coordinate,
            let separation = GeoidModel.separation(at: coordinate)
        else { return nil }
        var fix = self
        (fix.altitude, fix.geoidSeparation) = (height - separation, separation)
        return fix
    }

    /// Sets the time and the time of day.
    package mutating func set(time: UTCTime) {
        self.time = time
        timeOfDay = time.time
    }
}

extension Optional where Wrapped: Comparable {
    /// Sets the value to `nil` if it is outside a range or not a number.
    fileprivate mutating func keep(in range: ClosedRange<Wrapped>) {
        if let value = self, !range.contains(value) { self = nil }
    }
}

extension Coordinate {
    /// Creates a coordinate. Returns `nil` if a number is out of range.
    package init?(checking latitude: Double, _ longitude: Double) {
        guard latitude.magnitude <= 90, longitude.magnitude <= 180 else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}

extension UTCTime {
    /// Creates an instant from ISO 8601, or from GDAL's variant with slashes:
    /// `2026/03/21 12:00:00+00`. The hour 24 of 24:00:00 is the start of the next day.
    package init?(written text: String) {
        if let time = UTCTime(iso8601: text) {
            self = time
        } else if text.dropFirst(Self.hourStart).hasPrefix("24:00:00") {
            self.init(endOfDay: text)
        } else {
            self.init(iso8601: String(text.map { $0 == "/" ? "-" : $0 }))
        }
    }

    /// The number of characters before the hour.
    private static let hourStart = 11

    /// Creates an instant from a text with the hour 24, which ISO 8601 allows for the end of a day.
    private init?(endOfDay text: String) {
        let (day, rest) = (text.prefix(Self.hourStart), text.dropFirst(Self.hourStart + 2))
        guard let time = UTCTime(written: "\(day)00\(rest)"),
            let date = CalendarDate(daysSince1970: time.date.daysSince1970 + 1)
        else { return nil }
        self.init(date: date, time: time.time)
    }

    /// Returns whether a text has the form of an instant that does not exist, such as
    /// `0000-00-00 00:00:00`. Some programs write it for an unknown time.
    static func isImpossible(written text: String) -> Bool {
        let head = Array(text.utf8.prefix(19))
        let form = Array("0000-00-00T00:00:00".utf8)
        guard head.count == form.count else { return false }
        let hasForm = zip(head, form).allSatisfy { byte, mark in
            switch mark {
            case UInt8(ascii: "0"): 0x30...0x39 ~= byte
            case UInt8(ascii: "-"): byte == mark || byte == UInt8(ascii: "/")
            case UInt8(ascii: "T"): byte | 0x20 == UInt8(ascii: "t") || byte == 0x20
            default: byte == mark
            }
        }
        return hasForm && UTCTime(written: String(decoding: head, as: UTF8.self)) == nil
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
