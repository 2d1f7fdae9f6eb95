// SPDX-License-Identifier: MIT

/// Which members of fleets are meant: `FLEET/BRIDGE/RECEIVER`, where the last parts may be left out.
package struct MemberPattern: Hashable, Sendable {
    /// The parts that are given.
    private let parts: [String]

    /// Takes the parts of an address's path.
    ///
    /// Throws where there are more than three, or one is not a valid name.
    package init(_ parts: [String]) throws(FleetError) {
        guard parts.count <= 3, parts.allSatisfy(MemberName.isToken) else {
            throw FleetError(
                "'\(parts.joined(separator: "/"))' is no FLEET/BRIDGE/RECEIVER: each is of letters, digits, - and _"
            )
        }
        self.parts = parts
    }

    /// The subjects of NATS: `gps.FLEET.>`.
    package var subject: String {
        (["gps"] + parts + (parts.count < 3 ? [">"] : [])).joined(separator: ".")
    }

    /// The topics of MQTT: `gps/FLEET/#`.
    package var topic: String {
        (["gps"] + parts + (parts.count < 3 ? ["#"] : [])).joined(separator: "/")
    }

    /// Whether it means this one.
    package func contains(_ member: MemberName) -> Bool {
        [member.fleet, member.bridge, member.receiver].starts(with: parts)
    }
}
