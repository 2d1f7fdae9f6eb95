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
    func isUsable(at now: MonotonicInstant) -> Bool {
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

/// The name of a device on an NMEA 2000 bus, a 64-bit number. If two devices claim the same
/// address, the device with the lower number keeps it.
package struct NMEA2000Name: Comparable, Hashable, Sendable {
    /// The manufacturer code of devices without an assigned one.
    private static let manufacturer: UInt64 = 2046
    /// The codes of a GNSS receiver (`function`), of navigation devices (`deviceClass`) and of the
    /// marine industry.
    private static let (function, deviceClass, marine): (UInt64, UInt64, UInt64) = (145, 60, 4)

    /// The 64 bits of the name, sent lowest byte first.
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Creates the name of a marine GNSS receiver that can change its address. The lowest 21 bits
    /// of `uniqueNumber` must differ from those of every other device of this program.
    package init(uniqueNumber: UInt32) {
        rawValue =
            UInt64(uniqueNumber & 0x1F_FFFF) | Self.manufacturer << 21 | Self.function << 40
            | Self.deviceClass << 49 | Self.marine << 60 | 1 << 63
    }

    /// Reads the name from the bytes of a claim. Returns `nil` if there are fewer than eight.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        rawValue = UInt64(littleEndianBytes: bytes.prefix(8))
    }

    /// The 21-bit number that distinguishes devices of the same manufacturer.
    var uniqueNumber: UInt32 { UInt32(rawValue & 0x1F_FFFF) }

    /// The bytes of an address claim with this name.
    package var bytes: [UInt8] { rawValue.littleEndianBytes }

    package static func < (a: NMEA2000Name, b: NMEA2000Name) -> Bool { a.rawValue < b.rawValue }
}

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

/// Creates the NMEA 2000 messages about one receiver, each at its own rate.
///
/// Only the complete fix (129029) can be marked as simulated. Therefore, a fix from a simulated
/// receiver or a recording is sent only in that message, and the values in all other messages are
/// *not available*. If the origin is not known yet, all values are *not available*.
package struct NMEA2000Writer: Sendable {
    private var rapid = NMEA2000Pace(.milliseconds(100))
    private var second = NMEA2000Pace(.seconds(1))
    private var sequence: UInt8 = 0
    /// Whether the last messages contained a position; `nil` before the first ones.
    private var hasPosition: Bool?

    /// Creates a writer.
    package init() {}

    /// Returns the messages about an epoch that are due. `clockTime` is the time of the fix if it
    /// is accurate enough to set a clock; otherwise `nil`.
    package mutating func messages(
        of fix: Fix, _ view: SatelliteView, origin: DataOrigin, clockTime: UTCTime?,
        at now: MonotonicInstant
    ) -> [NMEA2000Message] {
        guard !fix.isAttitudeOnly else { return [] }
        let isMarked = !origin.mayBeLive || fix.quality == .simulated
        let isLive = origin == .live && !isMarked
        let marked = isLive || isMarked ? fix : Fix()
        return messages(
            of: isLive ? fix : Fix(), isLive ? view : SatelliteView(),
            marked: marked, isSimulated: isMarked, clockTime: isLive ? clockTime : nil, at: now)
    }

    /// Returns messages without values, for a receiver that was lost. Returns none if the last
    /// messages had no position. The complete fix is the first: only this message has contained a
    /// simulated position, and a bus that is closed may accept only the first frames.
    package mutating func lost(at now: MonotonicInstant) -> [NMEA2000Message] {
        guard hasPosition == true else { return [] }
        let all = messages(
            of: Fix(), SatelliteView(), marked: Fix(), isSimulated: false, clockTime: nil, at: now)
        return all.filter { $0.group == .gnssPosition } + all.filter { $0.group != .gnssPosition }
    }

    private mutating func messages(
        of fix: Fix, _ view: SatelliteView, marked: Fix, isSimulated: Bool, clockTime: UTCTime?,
        at now: MonotonicInstant
    ) -> [NMEA2000Message] {
        let hasPosition = marked.sentCoordinate != nil
        // When a fix begins or ends, messages are sent immediately.
        if hasPosition != self.hasPosition {
            rapid.reset()
            second.reset()
        }
        self.hasPosition = hasPosition
        let (isRapid, isSecond) = (rapid.isDue(at: now), second.isDue(at: now))
        guard isRapid || isSecond else { return [] }
        sequence = sequence < 252 ? sequence + 1 : 0
        var messages: [NMEA2000Message] = []
        // Some programs use the mode in this message to decide whether positions are valid.
        if isSecond { messages.append(.dilutions(of: fix, sequence: sequence)) }
        if isRapid {
            messages.append(.position(of: fix))
            messages.append(.courseAndSpeed(of: fix, sequence: sequence))
        }
        guard isSecond else { return messages }
        messages.append(
            .gnssPosition(of: marked, view, isSimulated: isSimulated, sequence: sequence))
        if let clockTime { messages.append(.systemTime(clockTime, sequence: sequence)) }
        messages.append(.satellites(view, sequence: sequence))
        return messages
    }
}

/// Limits the rate of a message. Epochs that are slightly early or late do not change the average
/// rate.
private struct NMEA2000Pace: Sendable {
    private let period: Duration
    private var due: MonotonicInstant?

    /// Creates a limit of one message per period.
    init(_ period: Duration) { self.period = period }

    /// Makes the next message due immediately.
    mutating func reset() { due = nil }

    /// Returns whether a message is due. If so, the next one is due a period later.
    mutating func isDue(at now: MonotonicInstant) -> Bool {
        let start = due ?? now
        guard now + period / 4 >= start else { return false }
        due = max(start, now - period / 4) + period
        return true
    }
}
