// SPDX-License-Identifier: MIT
import CExpat
import GNSS

/// Receives the elements of a GPX file from expat.
final class GPXReader {
    /// Of `trkpt` elements.
    private(set) var trackPoints: [GPXPoint] = []
    /// Of `rtept` elements.
    private(set) var routePoints: [GPXPoint] = []

    private enum Child {
        case elevation
        case time
    }

    private let name: String
    private let parser: XML_Parser
    private var failure: GPXError?
    private var depth = 0
    /// The point under way, and how deep it is.
    private var point: (point: GPXPoint, depth: Int)?
    private var child: Child?
    private var text: [UInt8] = []

    /// More than any number or time has, with blanks around it.
    private static let longestText = 256

    init(name: String) throws(GPXError) {
        guard let parser = XML_ParserCreate(nil) else {
            throw GPXError(.unreadable, file: name, "cannot be read: out of memory")
        }
        self.name = name
        self.parser = parser
        // Safety: the parser calls back only within `push`, while this object lives, and is freed
        // with it.
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { GPXReader.of($0)?.start($1, $2) }, { data, _ in GPXReader.of(data)?.end() })
        XML_SetCharacterDataHandler(parser) { GPXReader.of($0)?.add($1, $2) }
    }

    deinit { XML_ParserFree(parser) }

    private static func of(_ data: UnsafeMutableRawPointer?) -> GPXReader? {
        data.map { Unmanaged<GPXReader>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Parses the next bytes.
    func push(_ bytes: ArraySlice<UInt8>, isLast: Bool) throws(GPXError) {
        var rest = bytes
        repeat {
            // Lengths are ints there.
            let part = rest.prefix(1 << 24)
            rest = rest.dropFirst(part.count)
            let status = part.withUnsafeBytes { buffer in
                XML_Parse(
                    parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                    CInt(buffer.count), isLast && rest.isEmpty ? 1 : 0)
            }
            if let failure { throw failure }
            guard status == XML_STATUS_OK else {
                let reason =
                    XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
                    ?? "broken"
                throw GPXError(.malformed, file: name, line: line, "this is not XML: \(reason)")
            }
        } while !rest.isEmpty
    }

    private var line: Int { Int(clamping: XML_GetCurrentLineNumber(parser)) }

    private func fail(_ code: GPXError.Code, _ reason: String) {
        guard failure == nil else { return }
        failure = GPXError(code, file: name, line: line, reason)
        XML_StopParser(parser, 0)
    }

    // MARK: Elements

    private typealias Text = UnsafePointer<CChar>

    private func start(_ element: Text?, _ attributes: UnsafeMutablePointer<Text?>?) {
        let tag = Self.localName(element)
        if depth == 0, tag != "gpx" {
            fail(.notGPX, "this is not GPX: it begins with <\(tag)>, not with <gpx>")
            return
        }
        depth += 1
        if let point {
            guard depth == point.depth + 1 else { return }
            child = tag == "ele" ? .elevation : tag == "time" ? .time : nil
            text.removeAll(keepingCapacity: true)
        } else if tag == "trkpt" || tag == "rtept" {
            begin(attributes, isRoute: tag == "rtept")
        }
    }

    private var isRoute = false

    private func begin(_ attributes: UnsafeMutablePointer<Text?>?, isRoute: Bool) {
        let latitude = degrees("lat", "latitude", 90, attributes)
        let longitude = degrees("lon", "longitude", 180, attributes)
        guard let latitude, let longitude else { return }
        self.isRoute = isRoute
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        point = (GPXPoint(coordinate, line: line), depth)
    }

    private func degrees(
        _ key: String, _ noun: String, _ limit: Double, _ attributes: UnsafeMutablePointer<Text?>?
    ) -> Double? {
        guard let value = Self.value(of: key, attributes) else {
            fail(.badPoint, "the point has no \(noun)")
            return nil
        }
        guard let degrees = Double(value), degrees.magnitude <= limit else {
            let range = "-\(Int(limit)) to \(Int(limit))"
            fail(.badPoint, "the \(noun) is no number from \(range): \"\(value)\"")
            return nil
        }
        return degrees
    }

    private func end() {
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
            finishChild()
        }
    }

    private func finishChild() {
        let value = String(decoding: text, as: UTF8.self).trimmed
        let isTooLong = text.count > Self.longestText
        switch child {
        case .elevation:
            guard !isTooLong, let metres = Double(value), metres.isFinite else {
                fail(.badPoint, "the elevation is no number: \"\(value)\"")
                return
            }
            point?.point.elevation = metres
        case .time:
            guard !isTooLong, let time = UTCTime(iso8601: value) else {
                fail(.badPoint, "the time is none like 2026-03-23T12:35:19Z: \"\(value)\"")
                return
            }
            point?.point.time = time
        case nil: break
        }
        child = nil
    }

    private func add(_ characters: Text?, _ count: CInt) {
        guard child != nil, let characters else { return }
        let room = max(0, Self.longestText + 1 - text.count)
        // Safety: expat hands over that many characters.
        let bytes = UnsafeBufferPointer(start: characters, count: Int(max(0, count)))
        text.append(contentsOf: bytes.prefix(room).map { UInt8(bitPattern: $0) })
    }

    // MARK: Names

    /// The name without its namespace's prefix.
    private static func localName(_ name: Text?) -> String {
        guard let name else { return "" }
        let whole = String(cString: name)
        return whole.lastIndex(of: ":").map { String(whole[whole.index(after: $0)...]) } ?? whole
    }

    /// The value of an attribute: names and values alternate in the list.
    private static func value(
        of key: String, _ attributes: UnsafeMutablePointer<Text?>?
    ) -> String? {
        guard var next = attributes else { return nil }
        while let name = next[0], let value = next[1] {
            if String(cString: name) == key { return String(cString: value).trimmed }
            next += 2
        }
        return nil
    }
}

extension String {
    /// Without the blanks around it.
    fileprivate var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }
}
