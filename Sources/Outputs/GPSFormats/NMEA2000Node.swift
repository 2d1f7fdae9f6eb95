// SPDX-License-Identifier: MIT
package import GNSS

/// Claims and defends an address on the bus, according to ISO 11783-5. It has no clock and no
/// socket: the caller sends the returned frames.
package struct NMEA2000AddressClaim: Sendable {
    /// The time after a claim in which another device may object.
    package static let objectionTime = Duration.milliseconds(250)
    /// The addresses from which a device can choose freely.
    private static let choices: ClosedRange<UInt8> = 128...247

    /// The device's name.
    package let name: NMEA2000Name
    /// The claimed address; `nil` before the first claim, and if no address is free.
    package private(set) var address: UInt8?
    private var claimed: MonotonicInstant?
    /// The names of the other devices whose claims were received, by address.
    private var others: [UInt8: NMEA2000Name] = [:]

    /// Creates the state of a device that has not claimed an address yet.
    package init(name: NMEA2000Name) { self.name = name }

    /// Returns whether the address may be used: the time for objections has passed.
    package func isUsable(at now: MonotonicInstant) -> Bool {
        guard address != nil, let claimed else { return false }
        return claimed + Self.objectionTime <= now
    }

    /// Clears the list of other devices and claims an address, which depends only on the device's
    /// name. Returns the claim to send.
    package mutating func begin(at now: MonotonicInstant) -> NMEA2000Frame {
        others = [:]
        let count = UInt32(Self.choices.count)
        address = Self.choices.lowerBound + UInt8(name.uniqueNumber % count)
        claimed = now
        return frame
    }

    /// Handles the claim of another device. Returns the claim to send in reply; `nil` if none is
    /// necessary.
    package mutating func receive(
        _ other: NMEA2000Name, from source: UInt8, at now: MonotonicInstant
    ) -> NMEA2000Frame? {
        guard source <= NMEA2000Frame.lastAddress else { return nil }
        others = others.filter { $0.value != other }
        guard let address, source == address else {
            others[source] = other
            return nil
        }
        // This device's name has priority, so it keeps the address and repeats its claim.
        guard other <= name else { return frame }
        others[source] = other
        self.address = Self.choices.first { self.others[$0] == nil }
        claimed = now
        return frame
    }

    /// The claim of the current address or, without an address, the message that no address can be
    /// claimed.
    package var frame: NMEA2000Frame {
        let group = NMEA2000Message.Group.addressClaim
        return NMEA2000Frame(
            priority: group.priority, group: group.rawValue,
            source: address ?? NMEA2000Frame.nullAddress, destination: NMEA2000Frame.globalAddress,
            bytes: name.bytes)
    }
}
