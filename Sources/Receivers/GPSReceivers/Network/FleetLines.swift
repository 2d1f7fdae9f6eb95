// SPDX-License-Identifier: MIT
import GNSS

/// Separates the output of `gpsbridge-fleet read` into sentences and JSON objects. The objects
/// contain the receiver's name, and the error if the program ends with one.
struct FleetLines {
    /// The receiver's name, followed by its origin in parentheses unless that is live; `nil` until
    /// it is received.
    private(set) var device: String?
    private var reason: String?
    private var line: [UInt8] = []
    /// The maximum length of a line in bytes. The program does not write longer objects.
    private static let limit = 65_536

    /// Processes a chunk of bytes. JSON objects, one per line, are evaluated and removed. Returns
    /// the other complete lines.
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
        // If an object is malformed, the members before the error are used.
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

    /// Returns the error that the program has reported, with `name` as its device; `nil` if it has
    /// reported no error.
    func error(_ name: String) -> DeviceError? {
        reason.map { DeviceError(.unreachable, device: name, detail: .reported($0)) }
    }
}
