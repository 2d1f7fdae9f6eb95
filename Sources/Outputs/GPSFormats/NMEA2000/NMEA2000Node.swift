// SPDX-License-Identifier: MIT
package import GNSS

/// Represents this program as a device on an NMEA 2000 bus. It claims an address, and answers the
/// requests of other devices for its product information and its list of groups.
package struct NMEA2000Node: Sendable {
    /// The time between two heartbeats.
    package static let heartbeatPeriod = Duration.seconds(60)
    /// The version of the NMEA 2000 message database, times 1000.
    private static let version: Int64 = 2100
    /// The certification level of a device without a certificate.
    private static let uncertified: UInt8? = nil

    private var claim: NMEA2000AddressClaim
    /// The sequence number of the next fast packet of each group.
    private var sequences: [NMEA2000Message.Group: UInt8] = [:]
    private var heartbeats: UInt8 = 0

    /// Creates a device that has not joined the bus yet.
    package init(name: NMEA2000Name) { claim = NMEA2000AddressClaim(name: name) }

    /// The claimed address; `nil` before the first claim, and if no address is free.
    package var address: UInt8? { claim.address }

    /// Claims an address. Call this when the bus has been opened. Returns the frame to send.
    package mutating func join(at now: MonotonicInstant) -> NMEA2000Frame {
        claim.begin(at: now)
    }

    /// Handles a frame from the bus. Returns the messages to send, each as a list of frames.
    package mutating func receive(
        _ frame: NMEA2000Frame, at now: MonotonicInstant
    ) -> [[NMEA2000Frame]] {
        switch NMEA2000Message.Group(rawValue: frame.group) {
        case .addressClaim:
            guard let name = NMEA2000Name(frame.bytes) else { return [] }
            return claim.receive(name, from: frame.source, at: now).map { [[$0]] } ?? []
        case .request:
            guard frame.bytes.count >= 3, claim.address != nil,
                [claim.address, NMEA2000Frame.globalAddress].contains(frame.destination)
            else { return [] }
            let group = UInt32(littleEndianBytes: frame.bytes.prefix(3))
            return answer(toRequestOf: group, frame, at: now)
        default: return []
        }
    }

    private mutating func answer(
        toRequestOf number: UInt32, _ request: NMEA2000Frame, at now: MonotonicInstant
    ) -> [[NMEA2000Frame]] {
        switch NMEA2000Message.Group(rawValue: number) {
        case .addressClaim: return [[claim.frame]]
        case .productInformation: return frames(of: [productInformation], at: now)
        case .groupList: return frames(of: Self.groupLists, at: now)
        case let group? where !group.isReceivedOnly: return []
        default:
            // A request to all devices must not be refused.
            guard request.destination != NMEA2000Frame.globalAddress else { return [] }
            return frames(of: [Self.refusal(of: number, to: request.source)], at: now)
        }
    }

    /// Returns the frames of each message. The result is empty while the device has no address that
    /// it may use.
    package mutating func frames(
        of messages: [NMEA2000Message], at now: MonotonicInstant
    ) -> [[NMEA2000Frame]] {
        guard let address, claim.isUsable(at: now) else { return [] }
        return messages.map { message in
            let sequence = sequences[message.group] ?? 0
            if message.group.isFast { sequences[message.group] = (sequence + 1) & 7 }
            return message.frames(from: address, sequence: sequence)
        }
    }

    /// Returns the frames of the next heartbeat.
    package mutating func heartbeat(at now: MonotonicInstant) -> [[NMEA2000Frame]] {
        var fields = NMEA2000Fields()
        fields.add(60_000, bytes: 2)
        fields.add(byte: heartbeats)
        heartbeats = heartbeats < 252 ? heartbeats + 1 : 0
        // The states of the controllers and of the equipment are not known.
        fields.addReserved(bytes: 5)
        return frames(of: [NMEA2000Message(.heartbeat, fields.bytes)], at: now)
    }

    private var productInformation: NMEA2000Message {
        var fields = NMEA2000Fields()
        fields.add(Self.version, bytes: 2)
        fields.addReserved(bytes: 2)
        fields.add(text: "gpsbridge", bytes: 32)
        fields.add(text: Release.version, bytes: 32)
        fields.add(text: "", bytes: 32)
        fields.add(text: "\(claim.name.uniqueNumber)", bytes: 32)
        fields.add(byte: Self.uncertified)
        // The load: a program takes no power from the bus.
        fields.add(byte: 0)
        return NMEA2000Message(.productInformation, fields.bytes)
    }

    /// The lists of sent and of received groups.
    private static var groupLists: [NMEA2000Message] {
        let sent = NMEA2000Message.Group.allCases.filter { !$0.isReceivedOnly }
        let received: [NMEA2000Message.Group] = [.request, .addressClaim]
        return [(UInt8(0), sent), (1, received)].map { code, groups in
            var fields = NMEA2000Fields()
            fields.add(byte: code)
            for group in groups { fields.add(group.rawValue) }
            return NMEA2000Message(.groupList, fields.bytes)
        }
    }

    private static func refusal(of group: UInt32, to source: UInt8) -> NMEA2000Message {
        var fields = NMEA2000Fields()
        fields.add(byte: 1)
        fields.addReserved(bytes: 4)
        fields.add(group)
        return NMEA2000Message(.acknowledgement, to: source, fields.bytes)
    }
}
