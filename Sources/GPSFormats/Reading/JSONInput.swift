// SPDX-License-Identifier: MIT
import GNSS

/// Reads gpsd's JSON or GeoJSON. If the first key is `class`, the file is gpsd's JSON.
package struct JSONInput: InputReader {
    private let file: String
    private var scanner = JSONScanner()
    private var content = Content.unknown

    private enum Content {
        case unknown
        case gpsd(GPSDInput)
        case geoJSON(GeoJSONInput)
    }

    package init(file: String) {
        self.file = file
    }

    package var formatName: String {
        switch content {
        case .unknown: "JSON"
        case .gpsd: "gpsd's JSON"
        case .geoJSON: "GeoJSON"
        }
    }

    package mutating func push(
        _ bytes: ArraySlice<UInt8>, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        var content = content
        defer { self.content = content }
        do throws(JSONError) {
            try scanner.push(bytes) { event, path throws(JSONError) in
                try Self.handle(event, path, &content, receive)
            }
        } catch {
            throw InputError(file, line: scanner.line, error.reason)
        }
    }

    package mutating func finish(_ receive: (InputEvent) -> Void) throws(InputError) {
        defer {
            if case .gpsd(var reader) = content { reader.finish(receive) }
        }
        var content = content
        defer { self.content = content }
        do throws(JSONError) {
            try scanner.finish { event, path throws(JSONError) in
                try Self.handle(event, path, &content, receive)
            }
        } catch {
            throw InputError(file, line: scanner.line, error.reason)
        }
        if case .unknown = content { receive(.segment) }
    }

    private static func handle(
        _ event: JSONScanner.Event, _ path: JSONScanner.Path, _ content: inout Content,
        _ receive: (InputEvent) -> Void
    ) throws(JSONError) {
        switch content {
        case .unknown:
            guard let key = path.first else {
                if case .begin = event { return }
                throw JSONError("this is neither GeoJSON nor gpsd's JSON")
            }
            if key == "class" {
                content = .gpsd(GPSDInput())
            } else if key != nil {
                content = .geoJSON(GeoJSONInput())
            } else {
                throw JSONError("this is neither GeoJSON nor gpsd's JSON: it is a list")
            }
            try handle(event, path, &content, receive)
        case .gpsd(var reader):
            content = .unknown
            reader.handle(event, path, receive)
            content = .gpsd(reader)
        case .geoJSON(var reader):
            content = .unknown
            defer { content = .geoJSON(reader) }
            try reader.handle(event, path, receive)
        }
    }
}
