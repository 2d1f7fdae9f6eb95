// SPDX-License-Identifier: MIT
import GNSS

/// Reads gpsd's JSON or GeoJSON. If `class` is a key of the first object, and precedes its nested
/// values, the file is gpsd's JSON. In gpsd's output it is the first key, but programs such as
/// `jq -S` sort the keys.
///
/// Each line of gpsd's JSON is an object of its own. So after damage, as a power failure leaves it
/// in a log, reading continues with the next line, or with an object after zeros.
package struct JSONInput: InputFamily {
    /// The types of GeoJSON's objects.
    package static let geoJSONTypes = [
        "FeatureCollection", "Feature", "Point", "MultiPoint", "LineString", "MultiLineString",
        "Polygon", "MultiPolygon", "GeometryCollection",
    ]
    private static let otherJSON = "this is neither GeoJSON nor gpsd's JSON"

    private let file: String
    // gpsd writes a comma before some brackets of `RTCM3` objects. `gpspipe -w -r` writes the
    // receiver's sentences between the objects.
    private var scanner = JSONScanner(readsGPSD: true)
    /// The rest of a byte order mark that may begin the file. JSON does not allow this mark, but
    /// some editors write it.
    private var mark: ArraySlice<UInt8> = [0xEF, 0xBB, 0xBF]
    private var detection: Detection
    /// The number of damaged places in gpsd's JSON, and the line of the first.
    private var damage = (count: 0, first: 0)
    private var lastDamagedLine = 0
    /// Whether the rest of the line is skipped.
    private var isInDamage = false

    /// The maximum number of members before `class`.
    private static let maximumMembers = 64

    /// The reader for the format, once it is known.
    private struct Detection {
        let keepsWaypoints: Bool
        var format: (any JSONFormat)?
        /// The first members of the first object, while the format is not known.
        private var members: [(path: JSONScanner.Path, value: JSONScalar)] = []

        init(keepsWaypoints: Bool) { self.keepsWaypoints = keepsWaypoints }

        mutating func handle(
            _ event: JSONScanner.Event, _ path: JSONScanner.Path, _ receive: (InputEvent) -> Void
        ) throws(JSONError) {
            if format == nil { format = try detect(event, path, receive) }
            try format?.handle(event, path, receive)
        }

        /// Determines the format by the next event of the first object; `nil` if it is not known
        /// yet.
        private mutating func detect(
            _ event: JSONScanner.Event, _ path: JSONScanner.Path, _ receive: (InputEvent) -> Void
        ) throws(JSONError) -> (any JSONFormat)? {
            switch (event, path.first) {
            case (.begin, .none): return nil
            case (.scalar, .none) where members.isEmpty, (.end, .none) where members.isEmpty:
                throw JSONError(otherJSON)
            case (_, .some(.none)):
                throw JSONError("\(otherJSON): it is a list")
            case (_, "class") where members.isEmpty || Self.isClass(event):
                var reader = GPSDInput()
                for member in members { reader.handle(.scalar(member.value), member.path, receive) }
                return reader
            case (.scalar(let value), let key??)
            where key != "type" && members.count < maximumMembers:
                members.append((path, value))
                return nil
            default: return GeoJSONInput(keepsWaypoints: keepsWaypoints)
            }
        }

        /// Returns whether a value may be the class of an object of gpsd, such as `TPV`.
        private static func isClass(_ event: JSONScanner.Event) -> Bool {
            guard case .scalar(.string(let name)) = event else { return false }
            return name == name.uppercased()
        }
    }

    /// Creates a reader. `file` is the file's name for errors. If `keepsWaypoints` is `true`, it
    /// passes on the waypoints and routes of GeoJSON as separate events.
    package init(file: String, keepsWaypoints: Bool = false) {
        self.file = file
        detection = Detection(keepsWaypoints: keepsWaypoints)
    }

    package var content: any InputContent {
        detection.format ?? UnknownContent(formatName: "JSON")
    }

    package var warning: String? { [damageText, content.warning].warning }

    private var damageText: String? {
        switch damage.count {
        case 0: nil
        case 1: "is damaged near line \(damage.first): the damaged objects are left out"
        default:
            "is damaged in \(damage.count) places, the first one near line \(damage.first): "
                + "the damaged objects are left out"
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
        var detection = detection
        defer { self.detection = detection }
        while true {
            if isInDamage {
                rest = rest.drop { $0 != 0x0A }
                isInDamage = rest.isEmpty
            }
            do throws(JSONError) {
                return try scanner.push(rest) { event, path throws(JSONError) in
                    try detection.handle(event, path, receive)
                }
            } catch {
                rest = rest.dropFirst(scanner.scannedCount)
                guard recover(in: &rest, &detection) else {
                    detection.format?.finish(receive)
                    let reader = detection.format as? GeoJSONInput
                    throw InputError(
                        file, line: scanner.line, error.reason,
                        isOfWholeFile: reader?.hasOtherReferenceSystem ?? false)
                }
            }
        }
    }

    /// Continues after an error in gpsd's JSON. `rest` begins with the byte that caused the error.
    /// Returns `false` for other JSON.
    private mutating func recover(
        in rest: inout ArraySlice<UInt8>, _ detection: inout Detection
    ) -> Bool {
        guard var reader = detection.format as? GPSDInput else { return false }
        reader.dropObject()
        detection.format = reader
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
        defer { detection.format?.finish(receive) }
        var detection = detection
        defer { self.detection = detection }
        do throws(JSONError) {
            try scanner.finish { event, path throws(JSONError) in
                try detection.handle(event, path, receive)
            }
        } catch {
            throw InputError(file, line: scanner.line, error.reason)
        }
        guard let format = detection.format else { return receive(.segment) }
        // JSON whose members are not those of gpsd is only assumed to be GeoJSON.
        if let reader = format as? GeoJSONInput, !reader.isGeoJSON {
            throw InputError(file, Self.otherJSON)
        }
    }
}

/// Reads fixes from the elements of a format that consists of JSON, which a scanner passes on in
/// order.
protocol JSONFormat: InputContent {
    mutating func handle(
        _ event: JSONScanner.Event, _ path: JSONScanner.Path, _ receive: (InputEvent) -> Void
    ) throws(JSONError)

    /// Passes on buffered data at the end of the file or at an error, such as the last fix of
    /// gpsd's JSON, and the positions of a line or a route.
    mutating func finish(_ receive: (InputEvent) -> Void)
}
