// SPDX-License-Identifier: MIT

/// A selection of members: `FLEET/BRIDGE/RECEIVER`, where the last parts may be omitted.
package struct MemberPattern: Hashable, Sendable {
    /// The given parts.
    private let parts: [String]

    /// Creates a pattern from the parts of an address's path.
    ///
    /// Throws if there are more than three, or one is not a valid name.
    package init(_ parts: [String]) throws(FleetError) {
        guard parts.count <= 3, parts.allSatisfy(MemberName.isToken) else {
            throw FleetError(
                "'\(parts.joined(separator: "/"))' is no FLEET/BRIDGE/RECEIVER: each is of letters, digits, - and _"
            )
        }
        self.parts = parts
    }

    /// The NATS subjects: `gps.FLEET.>`.
    package var subject: String {
        (["gps"] + parts + (parts.count < 3 ? [">"] : [])).joined(separator: ".")
    }

    /// The MQTT topics: `gps/FLEET/#`.
    package var topic: String {
        (["gps"] + parts + (parts.count < 3 ? ["#"] : [])).joined(separator: "/")
    }

    /// Returns whether the pattern matches a member.
    package func contains(_ member: MemberName) -> Bool {
        [member.fleet, member.bridge, member.receiver].starts(with: parts)
    }
}
