// SPDX-License-Identifier: MIT
import GNSS

/// Separates the output of `gpsbridge-fleet read` into sentences and JSON objects, which name the
/// receiver and the reason for the end.
struct FleetLines {
    /// The receiver's name, followed by its origin unless that is live.
    private(set) var device: String?
    private var reason: String?
    private var line: [UInt8] = []
    /// The maximum length of a line; the program writes no longer object.
    private static let limit = 65_536

    /// Processes the objects, one per line, in bytes in any chunking; returns the other lines.
    mutating func sentences(in bytes: [UInt8]) -> [UInt8] {
        var sentences: [UInt8] = []
        for byte in bytes {
            line.append(byte)
            guard byte == 0x0A || line.count > Self.limit else { continue }
            if line.first == UInt8(ascii: "{") { take(line) } else { sentences += line }
            line.removeAll(keepingCapacity: true)
        }
        return sentences
    }

    private mutating func take(_ object: [UInt8]) {
        var members: [String: JSONScalar] = [:]
        // Of a malformed object, the members before the error are used.
        try? JSONScanner.read(object, into: &members)
        let texts = members.compactMapValues(\.string)
        switch texts["class"] {
        case "DEVICE":
            guard let path = texts["path"] else { return }
            device = texts["subtype"].map { "\(path) (\($0))" } ?? path
        case "ERROR": reason = texts["message"]
        default: return
        }
    }

    /// Returns the error that the program has reported; `nil` if none.
    func error(_ name: String) -> DeviceError? {
        reason.map { DeviceError(.unreachable, device: name, detail: .reported($0)) }
    }
}
