// SPDX-License-Identifier: MIT
import GNSS

/// The output of `gpsbridge-fleet read`: sentences, and objects that name the receiver and the reason for the end.
struct FleetLines {
    /// The receiver's name, with its origin where that is not live.
    private(set) var device: String?
    private var reason: String?
    private var line: [UInt8] = []
    /// The program writes no longer object.
    private static let limit = 65_536

    /// Takes the objects, each a line, out of bytes in any chunking.
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
        // Of one that is malformed the members before that count.
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

    /// The error that the program has reported.
    func error(_ name: String) -> DeviceError? {
        reason.map { DeviceError(.unreachable, device: name, detail: .reported($0)) }
    }
}
