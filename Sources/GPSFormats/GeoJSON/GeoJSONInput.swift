// SPDX-License-Identifier: MIT
import GNSS

/// Reads GeoJSON: points with their properties, and the positions of lines.
///
/// The input is a collection, a text sequence or a single feature. The third number of a position
/// is the altitude above the ellipsoid (RFC 7946). Polygons are skipped, because they are not
/// tracks.
struct GeoJSONInput {
    private static let maximumProperties = 256

    /// The length of the path of the current feature: 2 in a collection, otherwise 0.
    private var base = 0
    private var properties: [String: JSONScalar] = [:]
    private var geometryType = ""
    private var numbers: [Double] = []
    private var point: [Double]?
    private var segment: Double?

    mutating func handle(
        _ event: JSONScanner.Event, _ path: JSONScanner.Path, _ receive: (InputEvent) -> Void
    ) throws(JSONError) {
        if path.count == 2, path[0] == "features", path[1] == nil {
            return try feature(event, 2, receive)
        }
        if path.isEmpty { return try feature(event, 0, receive) }
        guard path.count > base else { return }
        switch event {
        case .scalar(let scalar):
            if path.count == base + 2, path[base] == "properties", let key = path[base + 1] {
                if properties.count < Self.maximumProperties { properties[key] = scalar }
            } else if path.last == "type", path.count == base + 1 || path[base] == "geometry" {
                geometryType = scalar.string ?? ""
            } else if let number = scalar.number, nesting(path) != nil, numbers.count < 4 {
                numbers.append(number)
            }
        case .begin:
            if nesting(path) != nil { numbers.removeAll(keepingCapacity: true) }
        case .end:
            guard let nesting = nesting(path) else { return }
            try endArray(nesting, receive)
        }
    }

    private mutating func feature(
        _ event: JSONScanner.Event, _ base: Int, _ receive: (InputEvent) -> Void
    ) throws(JSONError) {
        switch event {
        case .begin:
            self.base = base
            properties.removeAll(keepingCapacity: true)
            (geometryType, point) = ("", nil)
        case .end:
            if let point { receive(pointFix(try coordinate(point), point, receive)) }
            (point, self.base) = (nil, 0)
        case .scalar: throw JSONError("this is not GeoJSON")
        }
    }

    /// Returns how many arrays inside `coordinates` enclose the value at a path; `nil` if the path
    /// is not in the `coordinates` of a feature.
    private func nesting(_ path: JSONScanner.Path) -> Int? {
        guard let key = path.lastIndex(where: { $0 != nil }), key >= base,
            path[key] == "coordinates", path[base] == "geometry" || path[base] == "coordinates"
        else { return nil }
        return path.count - key - 1
    }

    /// Handles the end of a position or of an array of positions. `nesting` is the number of
    /// enclosing arrays inside `coordinates`.
    private mutating func endArray(
        _ nesting: Int, _ receive: (InputEvent) -> Void
    ) throws(JSONError) {
        defer { numbers.removeAll(keepingCapacity: true) }
        guard !geometryType.hasSuffix("Polygon") else { return }
        guard !numbers.isEmpty else {
            return receive(.segment)
        }
        guard nesting > 0 else { return point = numbers }
        var fix = Fix()
        fix.coordinate = try coordinate(numbers)
        if numbers.count > 2 { fix.ellipsoidalAltitude = numbers[2] }
        fix.complete(mode: nil, quality: isSimulated ? .simulated : nil)
        receive(.fix(fix))
    }

    private func coordinate(_ numbers: [Double]) throws(JSONError) -> Coordinate {
        guard numbers.count >= 2, let coordinate = Coordinate(checking: numbers[1], numbers[0])
        else { throw JSONError("not a position (expected longitude and latitude): \(numbers)") }
        return coordinate
    }

    private var isSimulated: Bool { properties["origin"]?.string == "simulated" }

    private mutating func pointFix(
        _ coordinate: Coordinate, _ numbers: [Double], _ receive: (InputEvent) -> Void
    ) -> InputEvent {
        let number = properties["segment"]?.number
        if number != segment { receive(.segment) }
        segment = number
        var fix = Fix()
        fix.coordinate = coordinate
        if numbers.count > 2 { fix.ellipsoidalAltitude = numbers[2] }
        let text = properties["time"]?.string ?? properties["timestamp"]?.string
        if let time = text.flatMap({ UTCTime(written: $0) }) { fix.set(time: time) }
        for property in FixProperty.all {
            guard let name = property.memberName else { continue }
            let numbers = ([name] + property.aliases).compactMap { properties[$0]?.number }
            if let number = numbers.first { property.set(&fix, number) }
        }
        fix.integrity = properties["integrity"]?.string
            .flatMap { Integrity.State(rawValue: $0) }.map { Integrity(state: $0) }
        let mode = properties["mode"]?.integer.flatMap { UInt8(exactly: $0) }
            .flatMap { FixMode(rawValue: $0) }
        let quality = properties["quality"]?.string.flatMap { FixQuality(name: $0) }
        fix.complete(mode: mode, quality: isSimulated ? .simulated : quality)
        return .fix(fix)
    }
}
