// SPDX-License-Identifier: MIT

/// The full name of a receiver: its fleet, its bridge and its name on that bridge.
package struct MemberName: Hashable, Sendable, CustomStringConvertible {
    /// The name of the fleet.
    package let fleet: String
    /// The name of the bridge, a machine with receivers.
    package let bridge: String
    /// The receiver's name on the bridge.
    package let receiver: String

    /// Creates a name from three tokens. Returns `nil` if one of them is not a valid token (see
    /// `isToken`).
    package init?(fleet: String, bridge: String, receiver: String) {
        guard [fleet, bridge, receiver].allSatisfy(Self.isToken) else { return nil }
        self.fleet = fleet
        self.bridge = bridge
        self.receiver = receiver
    }

    /// The NATS subject of the receiver's fixes: `gps.FLEET.BRIDGE.RECEIVER`.
    package var subject: String { "gps.\(fleet).\(bridge).\(receiver)" }

    /// The MQTT topic of the receiver's fixes: `gps/FLEET/BRIDGE/RECEIVER`.
    package var topic: String { "gps/\(fleet)/\(bridge)/\(receiver)" }

    /// The name as `FLEET/BRIDGE/RECEIVER`.
    package var description: String { "\(fleet)/\(bridge)/\(receiver)" }

    /// Returns whether a string can be part of a subject or topic: 1 to 64 ASCII letters, digits,
    /// `-` and `_`.
    package static func isToken(_ text: String) -> Bool {
        1...64 ~= text.utf8.count && text.utf8.allSatisfy(isTokenCharacter)
    }

    /// Converts a string to a token: replaces each run of characters that a token cannot contain
    /// with `-`, and truncates it to 64 characters. Returns `nil` if the text contains no valid
    /// character.
    package static func token(_ text: String) -> String? {
        let words = text.utf8.split { !isTokenCharacter($0) }
            .map { String(decoding: $0, as: UTF8.self) }
        let token = String(words.joined(separator: "-").prefix(64))
        return token.isEmpty ? nil : token
    }

    /// Returns whether a token may contain this character.
    static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
