// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// Reads the points of a GPX file.
final class GPXReader {
    private let name: String
    private let document = GPXDocument()
    private let parser: XMLParser

    /// Of `trkpt` elements.
    var trackPoints: [GPXPoint] { document.trackPoints }
    /// Of `rtept` elements.
    var routePoints: [GPXPoint] { document.routePoints }

    init(name: String) throws(GPXError) {
        guard let parser = XMLParser(file: name, handler: document) else {
            throw GPXError(.unreadable, file: name, "cannot be read: out of memory")
        }
        self.name = name
        self.parser = parser
    }

    /// Parses the next bytes.
    func push(_ bytes: ArraySlice<UInt8>, isLast: Bool) throws(GPXError) {
        do throws(InputError) {
            try parser.push(bytes, isLast: isLast)
        } catch {
            throw GPXError(
                document.failure ?? .malformed, file: name, line: error.line, error.reason)
        }
    }
}

/// The elements of a GPX file.
private final class GPXDocument: XMLHandler {
    private enum Child {
        case elevation
        case time
    }

    /// More than any number or time has, with blanks around it.
    private static let longestText = 256

    private(set) var trackPoints: [GPXPoint] = []
    private(set) var routePoints: [GPXPoint] = []
    /// The kind of the error that was thrown.
    private(set) var failure: GPXError.Code?
    private var depth = 0
    /// The current point, and its depth.
    private var point: (point: GPXPoint, depth: Int)?
    private var isRoute = false
    private var child: Child?
    private var text: [UInt8] = []

    private func error(_ code: GPXError.Code, _ reason: String) -> XMLReason {
        failure = code
        return XMLReason(reason)
    }

    func start(_ tag: String, _ attributes: XMLAttributes) throws(XMLReason) {
        if depth == 0, tag != "gpx" {
            throw error(.notGPX, "this is not GPX: it begins with <\(tag)>, not with <gpx>")
        }
        depth += 1
        if let point {
            guard depth == point.depth + 1 else { return }
            child = tag == "ele" ? .elevation : tag == "time" ? .time : nil
            text.removeAll(keepingCapacity: true)
        } else if tag == "trkpt" || tag == "rtept" {
            let latitude = try degrees(attributes["lat"], "latitude", 90)
            let longitude = try degrees(attributes["lon"], "longitude", 180)
            isRoute = tag == "rtept"
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
            point = (GPXPoint(coordinate, line: attributes.line), depth)
        }
    }

    private func degrees(
        _ value: String?, _ noun: String, _ limit: Double
    ) throws(XMLReason) -> Double {
        guard let value else { throw error(.badPoint, "the point has no \(noun)") }
        guard let degrees = Double(value), degrees.magnitude <= limit else {
            let range = "-\(Int(limit)) to \(Int(limit))"
            throw error(.badPoint, "the \(noun) is no number from \(range): \"\(value)\"")
        }
        return degrees
    }

    func end(_ tag: String) throws(XMLReason) {
        depth -= 1
        guard let current = point else { return }
        if depth < current.depth {
            if isRoute {
                routePoints.append(current.point)
            } else {
                trackPoints.append(current.point)
            }
            point = nil
        } else if depth == current.depth {
            try endChild()
        }
    }

    private func endChild() throws(XMLReason) {
        let value = String(decoding: text, as: UTF8.self).trimmed
        let isTooLong = text.count > Self.longestText
        switch child {
        case .elevation:
            guard !isTooLong, let metres = Double(value), metres.isFinite else {
                throw error(.badPoint, "the elevation is no number: \"\(value)\"")
            }
            point?.point.elevation = metres
        case .time:
            guard !isTooLong, let time = UTCTime(iso8601: value) else {
                throw error(
                    .badPoint, "the time is none like 2026-03-23T12:35:19Z: \"\(value)\"")
            }
            point?.point.time = time
        case nil: break
        }
        child = nil
    }

    func add(_ characters: UnsafeBufferPointer<UInt8>) throws(XMLReason) {
        guard child != nil else { return }
        text.append(contentsOf: characters.prefix(max(0, Self.longestText + 1 - text.count)))
    }
}
