// SPDX-License-Identifier: MIT

/// A selection of members: `FLEET/BRIDGE/RECEIVER`. Omitted last parts match every name.
package struct MemberPattern: Hashable, Sendable {
    /// The given names: fleet, bridge, receiver.
    private let parts: [String]

    /// Creates a pattern from the parts of an address's path.
    ///
    /// Throws an error if there are more than three, or if one is not a valid name.
    package init(_ parts: [String]) throws(FleetError) {
        guard parts.count <= 3, parts.allSatisfy(MemberName.isToken) else {
            throw FleetError(
                "not a member of a fleet: '\(parts.joined(separator: "/"))' (expected "
                    + "FLEET/BRIDGE/RECEIVER, each a name of 1 to 64 letters, digits, - and _)")
        }
        self.parts = parts
    }

    /// The NATS subject, with a wildcard for omitted parts: `gps.FLEET.>`.
    package var subject: String {
        (["gps"] + parts + (parts.count < 3 ? [">"] : [])).joined(separator: ".")
    }

    /// The MQTT topic, with a wildcard for omitted parts: `gps/FLEET/#`.
    package var topic: String {
        (["gps"] + parts + (parts.count < 3 ? ["#"] : [])).joined(separator: "/")
    }

    /// Returns the reason why the members cannot be read, after this error of a NATS server; `nil`
    /// if they can still be read.
    package func refusal(_ error: String) -> String? {
        guard error.contains("Permissions Violation for Subscription") else { return nil }
        return "the server refuses the subscription: allow this user to subscribe to \(subject)"
    }

    /// Returns whether the pattern matches a member.
    package func contains(_ member: MemberName) -> Bool {
        [member.fleet, member.bridge, member.receiver].starts(with: parts)
    }
}
