// SPDX-License-Identifier: MIT
import GNSS

/// Reads gpsd's JSON or GeoJSON. If `class` is a key of the first object, and precedes its nested
/// values, the file is gpsd's JSON. In gpsd's output it is the first key, but programs such as
/// `jq -S` sort the keys.
///
/// Each line of gpsd's JSON is an object of its own. So after damage, as a power failure leaves it
/// in a log, reading continues with the next line, or with an object after zeros.
package struct JSONInput: InputReader {
    /// The types of GeoJSON's objects.
    package static let geoJSONTypes = [
        "FeatureCollection", "Feature", "Point", "MultiPoint", "LineString", "MultiLineString",
        "Polygon", "MultiPolygon", "GeometryCollection",
    ]
    private static let otherJSON = "this is neither GeoJSON nor gpsd's JSON"

    private let file: String
    private let keepsWaypoints: Bool
    // gpsd writes a comma before some brackets of `RTCM3` objects. `gpspipe -w -r` writes the
    // receiver's sentences between the objects.
    private var scanner = JSONScanner(readsGPSD: true)
    /// The rest of a byte order mark that may begin the file. JSON does not allow this mark, but
    /// some editors write it.
    private var mark: ArraySlice<UInt8> = [0xEF, 0xBB, 0xBF]
    private var content = Content.unknown([])
    /// The number of damaged places in gpsd's JSON, and the line of the first.
    private var damage = (count: 0, first: 0)
    private var lastDamagedLine = 0
    /// Whether the rest of the line is skipped.
    private var isInDamage = false

    /// The maximum number of members before `class`.
    private static let maximumMembers = 64

    private typealias Member = (path: JSONScanner.Path, value: JSONScalar)

    private enum Content {
        /// The format is not known yet. The value contains the first members of the first object.
        case unknown([Member])
        case gpsd(GPSDInput)
        case geoJSON(GeoJSONInput)

        /// Passes on buffered data at the end of the file or at an error: the last fix of gpsd's
        /// JSON, and the positions of a line or a route.
        func finish(_ receive: (InputEvent) -> Void) {
            switch self {
            case .gpsd(var reader): reader.finish(receive)
            case .geoJSON(var reader): reader.finish(receive)
            case .unknown: break
            }
        }
    }

    /// Creates a reader. `file` is the file's name for errors. If `keepsWaypoints` is `true`, it
    /// passes on the waypoints and routes of GeoJSON as separate events.
    package init(file: String, keepsWaypoints: Bool = false) {
        self.file = file
        self.keepsWaypoints = keepsWaypoints
    }

    package var unusableContent: String? {
        if case .geoJSON(let reader) = content { reader.unusableContent } else { nil }
    }

    package var mayHavePlaces: Bool {
        if case .gpsd = content { false } else { true }
    }

    package var warning: String? {
        let parts =
            switch content {
            case .unknown: [String?]()
            case .gpsd(let reader): [damageText, reader.warning]
            case .geoJSON(let reader): [reader.warning]
            }
        let known = parts.compactMap(\.self)
        return known.isEmpty ? nil : known.joined(separator: "; it ")
    }

    package var leftOut: LeftOut {
        switch content {
        case .unknown: LeftOut()
        case .gpsd(let reader): reader.leftOut
        case .geoJSON(let reader): reader.leftOut
        }
    }

    private var damageText: String? {
        switch damage.count {
        case 0: nil
        case 1: "is damaged near line \(damage.first): the damaged objects are left out"
        default:
            "is damaged in \(damage.count) places, the first one near line \(damage.first): "
                + "the damaged objects are left out"
        }
    }

    package var formatName: String {
        switch content {
        case .unknown: "JSON"
        case .gpsd: "gpsd's JSON"
        case .geoJSON: "GeoJSON"
        }
    }

    private mutating func skipMark(_ bytes: inout ArraySlice<UInt8>) {
        while let expected = mark.first, let byte = bytes.first {
            guard byte == expected else { return mark = [] }
            mark = mark.dropFirst()
            bytes = bytes.dropFirst()
        }
    }

    package mutating func push(
        _ bytes: ArraySlice<UInt8>, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        var rest = bytes
        skipMark(&rest)
        var content = content
        let keepsWaypoints = keepsWaypoints
        defer { self.content = content }
        while true {
            if isInDamage {
                rest = rest.drop { $0 != 0x0A }
                isInDamage = rest.isEmpty
            }
            do throws(JSONError) {
                return try scanner.push(rest) { event, path throws(JSONError) in
                    try Self.handle(event, path, &content, keepsWaypoints, receive)
                }
            } catch {
                rest = rest.dropFirst(scanner.scannedCount)
                guard recover(in: &rest, &content) else {
                    content.finish(receive)
                    throw InputError(file, line: scanner.line, error.reason)
                }
            }
        }
    }

    /// Continues after an error in gpsd's JSON. `rest` begins with the byte that caused the error.
    /// Returns `false` for other JSON.
    private mutating func recover(
        in rest: inout ArraySlice<UInt8>, _ content: inout Content
    ) -> Bool {
        guard case .gpsd(var reader) = content else { return false }
        content = .unknown([])
        reader.dropObject()
        content = .gpsd(reader)
        let line = scanner.line
        if lastDamagedLine != line {
            if damage.count == 0 { damage.first = line }
            damage.count += 1
            lastDamagedLine = line
        }
        scanner.restart()
        switch rest.first {
        // The object before this one is cut off.
        case UInt8(ascii: "{"): break
        case 0: rest = rest.drop { $0 == 0 }
        default: isInDamage = true
        }
        return true
    }

    package mutating func finish(_ receive: (InputEvent) -> Void) throws(InputError) {
        defer { content.finish(receive) }
        var content = content
        let keepsWaypoints = keepsWaypoints
        defer { self.content = content }
        do throws(JSONError) {
            try scanner.finish { event, path throws(JSONError) in
                try Self.handle(event, path, &content, keepsWaypoints, receive)
            }
        } catch {
            throw InputError(file, line: scanner.line, error.reason)
        }
        switch content {
        case .unknown: receive(.segment)
        // JSON whose members are not those of gpsd is only assumed to be GeoJSON.
        case .geoJSON(let reader) where !reader.isGeoJSON:
            throw InputError(file, Self.otherJSON)
        case .gpsd, .geoJSON: break
        }
    }

    private static func handle(
        _ event: JSONScanner.Event, _ path: JSONScanner.Path, _ content: inout Content,
        _ keepsWaypoints: Bool, _ receive: (InputEvent) -> Void
    ) throws(JSONError) {
        switch content {
        case .unknown(let members):
            guard try detect(event, path, members, &content, keepsWaypoints, receive) else {
                return
            }
            try handle(event, path, &content, keepsWaypoints, receive)
        case .gpsd(var reader):
            content = .unknown([])
            reader.handle(event, path, receive)
            content = .gpsd(reader)
        case .geoJSON(var reader):
            content = .unknown([])
            defer { content = .geoJSON(reader) }
            try reader.handle(event, path, receive)
        }
    }

    /// Returns whether a value may be the class of an object of gpsd, such as `TPV`.
    private static func isClass(_ event: JSONScanner.Event) -> Bool {
        guard case .scalar(.string(let name)) = event else { return false }
        return name == name.uppercased()
    }

    /// Determines the format by the next event of the first object. Returns whether the format is
    /// now known.
    private static func detect(
        _ event: JSONScanner.Event, _ path: JSONScanner.Path, _ members: [Member],
        _ content: inout Content, _ keepsWaypoints: Bool, _ receive: (InputEvent) -> Void
    ) throws(JSONError) -> Bool {
        switch (event, path.first) {
        case (.begin, .none): return false
        case (.scalar, .none) where members.isEmpty, (.end, .none) where members.isEmpty:
            throw JSONError(otherJSON)
        case (_, .some(.none)):
            throw JSONError("\(otherJSON): it is a list")
        case (_, "class") where members.isEmpty || isClass(event):
            var reader = GPSDInput()
            for member in members { reader.handle(.scalar(member.value), member.path, receive) }
            content = .gpsd(reader)
            return true
        case (.scalar(let value), let key??) where key != "type" && members.count < maximumMembers:
            content = .unknown(members + [(path, value)])
            return false
        default:
            content = .geoJSON(GeoJSONInput(keepsWaypoints: keepsWaypoints))
            return true
        }
    }
}
