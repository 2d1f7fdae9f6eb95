// SPDX-License-Identifier: MIT

/// Names a receiver among all: its fleet, the bridge that reads it, and which of the bridge's it is.
package struct MemberName: Hashable, Sendable, CustomStringConvertible {
    /// A whole fleet.
    package let fleet: String
    /// A machine with receivers.
    package let bridge: String
    /// A receiver of that machine.
    package let receiver: String

    /// Creates a name of three tokens; `nil` where one of them is invalid, see `isToken`.
    package init?(fleet: String, bridge: String, receiver: String) {
        guard [fleet, bridge, receiver].allSatisfy(Self.isToken) else { return nil }
        self.fleet = fleet
        self.bridge = bridge
        self.receiver = receiver
    }

    /// The subject of its fixes in NATS: `gps.FLEET.BRIDGE.RECEIVER`.
    package var subject: String { "gps.\(fleet).\(bridge).\(receiver)" }

    /// The topic of its fixes in MQTT: `gps/FLEET/BRIDGE/RECEIVER`.
    package var topic: String { "gps/\(fleet)/\(bridge)/\(receiver)" }

    /// `FLEET/BRIDGE/RECEIVER`.
    package var description: String { "\(fleet)/\(bridge)/\(receiver)" }

    /// Whether text can be part of a subject and of a topic: 1 to 64 letters and digits of ASCII, `-` and `_`.
    package static func isToken(_ text: String) -> Bool {
        1...64 ~= text.utf8.count && text.utf8.allSatisfy(isTokenCharacter)
    }

    /// The text as a token: `-` stands for every run of other characters; `nil` where nothing is left.
    package static func token(_ text: String) -> String? {
        let words = text.utf8.split { !isTokenCharacter($0) }
            .map { String(decoding: $0, as: UTF8.self) }
        let token = String(words.joined(separator: "-").prefix(64))
        return token.isEmpty ? nil : token
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
