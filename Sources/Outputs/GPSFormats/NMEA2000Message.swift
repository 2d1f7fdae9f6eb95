// SPDX-License-Identifier: MIT

/// A message of NMEA 2000. It consists of one frame or, if it is a *fast packet*, of several
/// frames.
package struct NMEA2000Message: Equatable, Sendable {
    /// The parameter groups that are sent or received, by number (PGN).
    package enum Group: UInt32, CaseIterable, Sendable {
        case acknowledgement = 59392
        case request = 59904
        case addressClaim = 60928
        case groupList = 126464
        case systemTime = 126992
        case heartbeat = 126993
        case productInformation = 126996
        case position = 129025
        case courseAndSpeed = 129026
        case gnssPosition = 129029
        case dilutions = 129539
        case satellites = 129540

        /// Whether messages of the group are fast packets.
        package var isFast: Bool {
            switch self {
            case .groupList, .productInformation, .gnssPosition, .satellites: true
            default: false
            }
        }

        /// The default priority, 0 (highest) to 7.
        package var priority: UInt8 {
            switch self {
            case .position, .courseAndSpeed: 2
            case .systemTime, .gnssPosition: 3
            case .heartbeat: 7
            default: 6
            }
        }

        /// Whether this program receives messages of the group but does not send them.
        var isReceivedOnly: Bool { self == .request }
    }

    /// The maximum size of a fast packet in bytes.
    static let maximumSize = 223

    /// The parameter group.
    package let group: Group
    /// The address of the receiving device.
    package let destination: UInt8
    /// The fields, at most 8 bytes or, for a fast packet, 223 bytes.
    package let bytes: [UInt8]

    package init(
        _ group: Group, to destination: UInt8 = NMEA2000Frame.globalAddress, _ bytes: [UInt8]
    ) {
        (self.group, self.destination) = (group, destination)
        self.bytes = Array(bytes.prefix(group.isFast ? Self.maximumSize : 8))
    }

    /// Returns the frames of the message. `sequence`, 0 to 7, distinguishes a fast packet from the
    /// previous one of its group.
    package func frames(from source: UInt8, sequence: UInt8) -> [NMEA2000Frame] {
        guard group.isFast else { return [frame(bytes, source)] }
        let prefix = (sequence & 7) << 5
        var frames = [frame([prefix, UInt8(bytes.count)] + bytes.prefix(6), source)]
        var rest = bytes.dropFirst(6)
        while !rest.isEmpty {
            let counter = UInt8(truncatingIfNeeded: frames.count)
            frames.append(frame([prefix | counter] + rest.prefix(7), source))
            rest = rest.dropFirst(7)
        }
        return frames
    }

    /// Returns a frame whose unused bytes are 255.
    private func frame(_ bytes: [UInt8], _ source: UInt8) -> NMEA2000Frame {
        let filler = [UInt8](repeating: 0xFF, count: max(0, 8 - bytes.count))
        return NMEA2000Frame(
            priority: group.priority, group: group.rawValue, source: source,
            destination: destination, bytes: bytes + filler)
    }
}
