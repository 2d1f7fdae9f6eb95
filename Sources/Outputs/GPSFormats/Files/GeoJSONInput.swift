// SPDX-License-Identifier: MIT
import GNSS

/// Reads GeoJSON: points with their properties, and the positions of lines.
///
/// The input is a collection, a text sequence, or a single feature or geometry. The third number of
/// a position is the altitude above the ellipsoid (RFC 7946), unless another program repeats the
/// elevation there, perhaps rounded, or the two differ by more than a geoid separation. Polygons are
/// skipped, because they are not tracks. The property `kind`, which gpsbridge writes, marks
/// waypoints and routes. Up to 100,000 positions of a line are kept until its properties have been
/// read. Lists of times, such as togeojson's `coordTimes`, belong to the positions of a line.
///
/// A line that was cut at ±180° is one segment. The point of the cut becomes a fix of this segment,
/// but not a point of a route.
struct GeoJSONInput: JSONFormat {
    let formatName = "GeoJSON"
    let mayHavePlaces = true
    private static let maximumProperties = 256
    /// The maximum number of positions that are kept until the type of their geometry or the
    /// properties of their feature have been read.
    private static let maximumUndecided = 100_000
    /// The magnitudes of geoid separations in metres, which are at most about 107 m. A smaller
    /// difference is a rounded repetition, as GDAL writes it.
    private static let separations = 0.05...120

    /// The names of properties that may be lists of times, such as togeojson's `coordTimes`.
    private static let timeLists: Set<String?> = [
        "coordTimes", "linestringTimestamps", "time", "times", "timestamp", "timestamps",
    ]

    /// A part of a line.
    private enum Part {
        case position(Coordinate, ellipsoidalAltitude: Double?)
        /// A position that is left out.
        case unread
        case segment
    }

    /// Whether a member that only GeoJSON has was read. Without one, the input is other JSON.
    private(set) var isGeoJSON = false
    /// Whether the coordinates are not in WGS 84. The member that states this may follow them.
    private(set) var hasOtherReferenceSystem = false
    /// The length of the JSON path of the current feature: 2 in a collection, otherwise 0.
    private var base = 0
    private var properties: [String: JSONScalar] = [:]
    private var geometryType = ""
    private var numbers: [Double] = []
    /// The points of the current feature, each as the numbers of its position.
    private var points: [[Double]] = []
    private var segment: Double?
    /// The property `quality` of the last point and its meaning, because most points repeat it.
    private var lastQuality: (value: JSONScalar, kind: FixKind?)?
    /// The number of the track in GDAL's points of tracks.
    private var trackNumber: Double?
    /// Whether the last fix was a point, which a line does not continue.
    private var isAfterPoint = false
    /// The last position of a line, and the property `segment` of its feature.
    private var lineEnd: (position: Coordinate, segment: Double?)?
    /// The name of the last track.
    private var trackName: String?
    /// Whether a line has ended. The next line begins another segment, unless both are parts of a
    /// line that was cut at ±180°.
    private var isAfterLine = false
    /// The positions that are kept until it is known whether their geometry is a
    /// `MultiLineString` or a polygon.
    private var undecided: [Part] = []
    /// The parts of lines whose feature's properties have not been read.
    private var held: [Part] = []
    /// Whether the properties of the current feature have been read.
    private var hasProperties = false
    private var places: ReadPlaces
    private var route = Route()
    private var routePositions: [Coordinate?] = []
    /// The names of the positions of the route: an empty text for a point without a name, and `nil`
    /// for a position that is not a point of the route, but was added at a cut.
    private var pointNames: [String?] = []

    private(set) var leftOut = LeftOut()
    /// The number of positions so far.
    private var positionCount = 0
    /// The list of times of the feature, which other programs write for the positions of a line.
    private var times: [UTCTime?] = []
    /// The name of that list.
    private var timeList: String?
    /// Whether a list of times was not read, because it does not fit its line.
    private var hasTimeList = false

    /// Creates a reader. If `keepsWaypoints` is `true`, it passes on waypoints and routes as
    /// separate events.
    init(keepsWaypoints: Bool) {
        places = ReadPlaces(isKept: keepsWaypoints)
    }

    var unusableContent: String? { places.unusableContent }

    var warning: String? {
        guard hasTimeList else { return nil }
        return "has features with lists of times that do not fit a line: their positions are read "
            + "without times"
    }

    mutating func handle(
        _ event: JSONScanner.Event, _ path: JSONScanner.Path, _ receive: (InputEvent) -> Void
    ) throws(JSONError) {
        if !isGeoJSON { isGeoJSON = Self.isGeoJSON(event, path) }
        try checkReferenceSystem(event, path)
        if path.count == 2, path[0] == "features", path[1] == nil {
            return try feature(event, 2, receive)
        }
        if path.isEmpty { return try feature(event, 0, receive) }
        guard path.count > base else { return }
        switch event {
        case .scalar(let scalar):
            if path.count == base + 2, path[base] == "properties", let key = path[base + 1] {
                if properties.count < Self.maximumProperties { properties[key] = scalar }
            } else if path.count == base + 3, path[base] == "properties",
                path[base + 1] == "points", path[base + 2] == nil
            {
                if pointNames.count < ReadPlaces.maximumRouteLength {
                    pointNames.append(scalar == .null ? nil : scalar.string ?? "")
                }
            } else if path.count > base + 2, path[base] == "properties" {
                if isInTimeList(path) { add(time: scalar, path) }
            } else if path.last == "type", path.count == base + 1 || isInGeometry(path) {
                geometryType = scalar.string ?? ""
                try decide(receive)
            } else if let nesting = nesting(path), nesting > 0 {
                add(coordinate: scalar)
            }
        case .begin:
            if isInGeometry(path),
                path.count == base + 1
                    || path[path.count - 1] == nil && path[path.count - 2] == "geometries"
            {
                geometryType = ""
            }
            if nesting(path) != nil { numbers.removeAll(keepingCapacity: true) }
        case .end:
            if path.count == base + 1, path[base] == "properties" {
                hasProperties = true
                // A line with times is held until its end, because their numbers must be equal.
                if times.isEmpty { try passOn(receive) }
                return
            }
            guard let nesting = nesting(path) else { return }
            try endArray(nesting, receive)
        }
    }

    /// Throws an error if a member `crs`, which the GeoJSON of 2008 has, declares that the coordinates
    /// are not in WGS 84. They may look like degrees nevertheless.
    private mutating func checkReferenceSystem(
        _ event: JSONScanner.Event, _ path: JSONScanner.Path
    ) throws(JSONError) {
        // A name, the code of EPSG, or a link.
        guard path.count >= base + 3, path[path.count - 3] == "crs", path[base] != "properties",
            path[path.count - 2] == "properties",
            ["name", "code", "href"].contains(path[path.count - 1]),
            case .scalar(let value) = event, value != .null
        else { return }
        let name = value.string ?? value.integer.map { "EPSG:\($0)" } ?? value.text
        let parts = name.uppercased().filter { $0 != " " }.split { ":/#=".contains($0) }
        guard !parts.contains(where: { Self.referenceSystems.contains(String($0)) }) else { return }
        hasOtherReferenceSystem = true
        throw JSONError(
            "the coordinates are in \"\(name.prefix(80))\", not in WGS 84: convert the file first, "
                + "for example with `ogr2ogr -t_srs EPSG:4326`")
    }

    /// WGS 84, as parts of the names of reference systems: `urn:ogc:def:crs:OGC:1.3:CRS84`,
    /// `EPSG:4326`. Those that end with H, and 4979, have an altitude.
    private static let referenceSystems: Set = ["CRS84", "CRS84H", "WGS84", "4326", "4979"]

    private static func isGeoJSON(_ event: JSONScanner.Event, _ path: JSONScanner.Path) -> Bool {
        switch (event, path.first) {
        case (_, "features"), (_, "geometry"), (_, "geometries"), (_, "coordinates"): true
        case (.scalar(.string(let type)), "type"): JSONInput.geoJSONTypes.contains(type)
        default: false
        }
    }

    private mutating func feature(
        _ event: JSONScanner.Event, _ base: Int, _ receive: (InputEvent) -> Void
    ) throws(JSONError) {
        switch event {
        case .begin:
            self.base = base
            properties.removeAll(keepingCapacity: true)
            (geometryType, points, hasProperties) = ("", [], false)
            (times, timeList) = ([], nil)
            (route, pointNames, routePositions) = (Route(), [], [])
        case .end:
            try decide(receive)
            try passOn(receive)
            try endFeature(receive)
        case .scalar: throw JSONError("this is not GeoJSON")
        }
    }

    private mutating func endFeature(_ receive: (InputEvent) -> Void) throws(JSONError) {
        defer { (points, base) = ([], 0) }
        for point in points {
            guard let position = coordinate(point) else { continue }
            switch kind {
            case "waypoint": places.add(waypoint(at: position), receive)
            case "route": try addToRoute(position)
            default:
                // Of features that gpsbridge wrote, a segment of one fix has the name of its track.
                let name = properties["origin"] == nil ? trackName : properties["name"]?.string
                if name != trackName {
                    receive(.track(name: name))
                    trackName = name
                } else if isAfterLine {
                    receive(.segment)
                }
                (places.hasTrack, isAfterPoint, isAfterLine) = (true, true, false)
                receive(pointFix(position, point, receive))
            }
        }
        if kind == "route" { endRoute(receive) }
    }

    /// Ends the input, and passes on buffered data: the points of routes, and the positions of a
    /// line whose feature is cut off or damaged. A cut-off route feature is dropped.
    mutating func finish(_ receive: (InputEvent) -> Void) {
        guard !hasOtherReferenceSystem else { return }
        if kind != "route" { passOnTrack(receive) }
        places.finish(receive)
    }

    /// Returns the number of arrays of `coordinates`, including the outermost one, that enclose the
    /// value at a path; `nil` if the path is not in the `coordinates` of a feature.
    private func nesting(_ path: JSONScanner.Path) -> Int? {
        guard let key = path.lastIndex(where: { $0 != nil }), key >= base,
            path[key] == "coordinates", isInGeometry(path) || path[base] == "coordinates"
        else { return nil }
        return path.count - key - 1
    }

    /// Returns whether a path is in the geometry of a feature, or in a collection of geometries
    /// without a feature.
    private func isInGeometry(_ path: JSONScanner.Path) -> Bool {
        path[base] == "geometry" || path[base] == "geometries"
    }

    /// Returns whether a path below `properties` is an element of a list of times. The lists of
    /// `coordinateProperties` may contain other values, such as heart rates.
    private func isInTimeList(_ path: JSONScanner.Path) -> Bool {
        let name = path[base + 1] == "coordinateProperties" ? base + 2 : base + 1
        return path[path.count - 1] == nil && Self.timeLists.contains(path[name])
    }

    /// Adds a number of a position. `null`, which some programs write for an unknown altitude or
    /// position, becomes NaN.
    private mutating func add(coordinate scalar: JSONScalar) {
        guard numbers.count < 4 else { return }
        // Infinity stands for a text, which is no position.
        numbers.append(scalar.number ?? (scalar == .null ? .nan : .infinity))
    }

    /// Handles the end of a position or of an array of positions. `nesting` is the number of arrays
    /// of `coordinates` that enclose it.
    private mutating func endArray(
        _ nesting: Int, _ receive: (InputEvent) -> Void
    ) throws(JSONError) {
        defer { numbers.removeAll(keepingCapacity: true) }
        // The positions of a `MultiPolygon` are in three arrays.
        guard !geometryType.hasSuffix("Polygon"), nesting < 3 else { return }
        // Without any number, this is the end of a line, or a missing position.
        guard !numbers.allSatisfy(\.isNaN) else {
            undecided.append(.segment)
            if isTypeKnown { try decide(receive) }
            return
        }
        guard nesting > 0 else {
            guard points.count < Self.maximumUndecided else {
                throw JSONError("a feature has more than \(Self.maximumUndecided) points")
            }
            return points.append(numbers)
        }
        let altitude = numbers.count > 2 ? numbers[2] : nil
        if altitude?.isInfinite == true {
            leftOut.add(.number("altitude"), "position", positionCount + 1)
        }
        undecided.append(
            coordinate(numbers).map { .position($0, ellipsoidalAltitude: altitude) } ?? .unread)
        if nesting < 2 || isTypeKnown || undecided.count >= Self.maximumUndecided {
            try decide(receive)
        }
    }

    /// Whether the type of the current geometry has been read.
    private var isTypeKnown: Bool {
        switch geometryType {
        case "", "Feature", "GeometryCollection": false
        default: true
        }
    }

    /// Keeps the positions whose type is now known, unless they belong to a polygon, and passes
    /// them on if the properties are known.
    private mutating func decide(_ receive: (InputEvent) -> Void) throws(JSONError) {
        if !geometryType.hasSuffix("Polygon") { held += undecided }
        undecided.removeAll(keepingCapacity: true)
        let isComplete = hasProperties && times.isEmpty
        if isComplete || held.count >= Self.maximumUndecided { try passOn(receive) }
    }

    /// Passes on positions that have waited for the properties of their feature.
    private mutating func passOn(_ receive: (InputEvent) -> Void) throws(JSONError) {
        guard kind == "route" else { return passOnTrack(receive) }
        defer { held.removeAll(keepingCapacity: true) }
        for part in held {
            switch part {
            case .position(let position, _): try addToRoute(position)
            case .unread: try addToRoute(nil)
            case .segment: break
            }
        }
    }

    private mutating func passOnTrack(_ receive: (InputEvent) -> Void) {
        defer { held.removeAll(keepingCapacity: true) }
        let segment = properties["segment"]?.number
        let name = properties["name"]?.string
        var times = takeTimes()[...]
        for part in held {
            var time: UTCTime?
            if case .segment = part {} else { time = times.popFirst() ?? nil }
            guard case .position(let position, let altitude) = part else {
                if case .segment = part { isAfterLine = true }
                continue
            }
            let isCut =
                isAfterLine && !isAfterPoint && lineEnd?.segment == segment
                && lineEnd?.position.isOppositeSide(of: position) == true
            let isOther = name != trackName
            if isAfterPoint || isAfterLine || isOther, !isCut {
                receive(isOther ? .track(name: name) : .segment)
                trackName = name
            }
            (isAfterPoint, isAfterLine) = (false, false)
            lineEnd = (position, segment)
            if isCut { continue }
            places.hasTrack = true
            var fix = Fix()
            (fix.coordinate, fix.ellipsoidalAltitude) = (position, altitude)
            if let time { fix.set(time: time) }
            fix.complete(mode: nil, quality: isSimulated ? .simulated : nil)
            receive(.fix(fix))
        }
    }

    /// Adds a time of the positions of a line. Only the first list with times is used.
    private mutating func add(time scalar: JSONScalar, _ path: JSONScanner.Path) {
        guard let name = path[(base + 1)...].last(where: { $0 != nil }) ?? nil,
            timeList == nil || timeList == name, times.count <= Self.maximumUndecided
        else { return }
        timeList = name
        let time = CSVTime.instant(scalar)
        if time == nil, scalar != .null {
            leftOut.add(.time, "position", positionCount + times.count + 1, scalar.text)
        }
        times.append(time)
    }

    /// Returns the times of the held positions, if there is one for each.
    private mutating func takeTimes() -> [UTCTime?] {
        let count = held.reduce(0) { if case .segment = $1 { $0 } else { $0 + 1 } }
        defer { times = [] }
        if times.count == count { return times }
        if times.contains(where: { $0 != nil }) { hasTimeList = true }
        return []
    }

    /// Returns the position; `nil` if it is impossible, which is counted.
    private mutating func coordinate(_ numbers: [Double]) -> Coordinate? {
        positionCount += 1
        let position = numbers.count < 2 ? nil : Coordinate(checking: numbers[1], numbers[0])
        if position == nil {
            let text = numbers.prefix(2).map { "\($0)" }.joined(separator: ", ")
            leftOut.add(.position, "position", positionCount, text)
        }
        return position
    }

    // MARK: Waypoints

    private var kind: String? { properties["kind"]?.string }

    private func waypoint(at position: Coordinate) -> Waypoint {
        var waypoint = Waypoint(position)
        waypoint.name = properties["name"]?.string
        waypoint.description = properties["description"]?.string
        waypoint.symbol = properties["symbol"]?.string
        waypoint.altitude = properties["altitude"]?.number
        waypoint.time = properties["time"].flatMap { CSVTime.instant($0) }
        return waypoint
    }

    /// Adds a position to the route; `nil` if it is left out, but has an element in the names.
    private mutating func addToRoute(_ position: Coordinate?) throws(JSONError) {
        guard routePositions.count < ReadPlaces.maximumRouteLength else {
            throw JSONError("the route has more than \(ReadPlaces.maximumRouteLength) points")
        }
        routePositions.append(position)
    }

    private mutating func endRoute(_ receive: (InputEvent) -> Void) {
        route.name = properties["name"]?.string
        route.description = properties["description"]?.string
        var points: [Waypoint] = []
        for (index, position) in routePositions.enumerated() {
            guard let position else { continue }
            var point = Waypoint(position)
            if index < pointNames.count {
                guard let name = pointNames[index] else { continue }
                if !name.isEmpty { point.name = name }
            }
            points.append(point)
        }
        route.points = points
        places.add(route, receive)
        (route, pointNames, routePositions) = (Route(), [], [])
    }

    // MARK: Fixes

    private var isSimulated: Bool { properties["origin"]?.string == "simulated" }

    /// Returns the time of a point; `nil` if the point has no time or the time cannot be read.
    /// Counts times that cannot be read.
    private mutating func readTime() -> UTCTime? {
        let values = ["time", "timestamp"].compactMap { properties[$0] }
            .filter { $0 != .null && $0 != .string("") }
        let times = values.compactMap { CSVTime.instant($0) }
        if times.isEmpty, let value = values.first {
            leftOut.add(.time, "position", positionCount, value.text)
        }
        return times.first
    }

    /// Returns the number of a property, also in a text or with a unit of its own. Counts values that
    /// cannot be read.
    private mutating func value(of property: FixProperty) -> Double? {
        guard let name = property.memberName else { return nil }
        var odd: JSONScalar?
        for name in [name] + property.aliases {
            switch properties[name] {
            case .number(let number)?: return number
            case .string(let text)?:
                let text = text.trimmed
                let number =
                    property.number(of: text) ?? Double(decimal: text)
                    ?? CSVUnit.number(text, in: property.unit)
                if let number, number.isFinite { return number }
                // `track` may be a name.
                if number == nil, !text.isEmpty, name != "track" { odd = odd ?? .string(text) }
            case let value? where value != .null: odd = odd ?? value
            default: break
            }
        }
        // The names of instruments, such as `log`, may have another meaning.
        if let odd, !property.isInstrument {
            leftOut.add(.value(of: property), "position", positionCount, odd.text)
        }
        return nil
    }

    /// Returns what the property `quality` says about the fix; `nil` if it is missing or unknown.
    private mutating func readKind() -> FixKind? {
        guard let value = properties["quality"] else { return nil }
        if value == lastQuality?.value { return lastQuality?.kind }
        let number = value.integer ?? value.string.flatMap { Int($0) }
        let kind =
            value.string.flatMap { FixKind(written: $0) } ?? number.flatMap { FixKind(gga: $0) }
        lastQuality = (value, kind)
        return kind
    }

    private mutating func pointFix(
        _ coordinate: Coordinate, _ numbers: [Double], _ receive: (InputEvent) -> Void
    ) -> InputEvent {
        let track = properties["track_fid"]?.number
        let number = (properties["segment"] ?? properties["track_seg_id"])?.number
        if track != trackNumber {
            receive(.track(name: nil))
        } else if number != segment {
            receive(.segment)
        }
        (trackNumber, segment) = (track, number)
        let modeNumber = properties["mode"].flatMap { $0.integer ?? $0.string.flatMap { Int($0) } }
        let mode = modeNumber.flatMap { UInt8(exactly: $0) }.flatMap { FixMode(rawValue: $0) }
        let kind = readKind()
        guard modeNumber != 0, mode != .noFix, mode != nil || kind?.isNoFix != true else {
            return .segment
        }
        var fix = Fix()
        fix.coordinate = coordinate
        if numbers.count > 2 { fix.ellipsoidalAltitude = numbers[2] }
        if let time = readTime() { fix.set(time: time) }
        for property in FixProperty.all {
            if let number = value(of: property) { property.set(&fix, number) }
        }
        // Other programs repeat the elevation as the third coordinate, or write 0 there. gpsbridge
        // writes `origin`.
        if properties["origin"] == nil, fix.geoidSeparation == nil, let altitude = fix.altitude,
            let ellipsoidal = fix.ellipsoidalAltitude,
            !Self.separations.contains((ellipsoidal - altitude).magnitude)
        {
            fix.ellipsoidalAltitude = nil
        }
        fix.integrity = properties["integrity"]?.string
            .flatMap { Integrity.State(rawValue: $0) }.map { Integrity(state: $0) }
        fix.complete(mode: mode, quality: isSimulated ? .simulated : kind?.quality)
        return .fix(fix)
    }
}
