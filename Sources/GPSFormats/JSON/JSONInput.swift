// SPDX-License-Identifier: MIT
import GNSS

/// Reads gpsd's JSON objects and GeoJSON: objects of gpsd begin with `class`.
package struct JSONInput: InputReader {
    private var scanner: JSONScanner
    private var content = Content.unknown

    private enum Content {
        case unknown
        case gpsd(GPSDInput)
        case geoJSON(GeoJSONInput)
    }

    package init(file: String) {
        scanner = JSONScanner(file: file)
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
        try scanner.push(bytes) { event, path throws(JSONReason) in
            try Self.handle(event, path, &content, receive)
        }
    }

    package mutating func finish(_ receive: (InputEvent) -> Void) throws(InputError) {
        defer {
            if case .gpsd(var reader) = content { reader.finish(receive) }
        }
        var content = content
        defer { self.content = content }
        try scanner.finish { event, path throws(JSONReason) in
            try Self.handle(event, path, &content, receive)
        }
        if case .unknown = content { receive(.segment) }
    }

    private static func handle(
        _ event: JSONEvent, _ path: JSONScanner.Path, _ content: inout Content,
        _ receive: (InputEvent) -> Void
    ) throws(JSONReason) {
        switch content {
        case .unknown:
            guard let key = path.first else {
                if case .begin = event { return }
                throw JSONReason("this is neither GeoJSON nor gpsd's JSON")
            }
            if key == "class" {
                content = .gpsd(GPSDInput())
            } else if key != nil {
                content = .geoJSON(GeoJSONInput())
            } else {
                throw JSONReason("this is neither GeoJSON nor gpsd's JSON: it is a list")
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
