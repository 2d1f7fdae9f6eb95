// SPDX-License-Identifier: MIT

/// The answer to an assistance message: `MGA-ACK`.
package struct MgaACK: UBXMessage {
    package static let id = UBXMessageID(0x13, 0x60)

    /// 1 if the message was used.
    package var isAccepted: UInt8 = 0
    package var version: UInt8 = 0
    /// The reason: 0 accepted, 1 time not yet known, 2 unsupported version, 3 wrong size, 4 not
    /// stored, 5 not ready, 6 unknown type.
    package var reason: UInt8 = 0
    /// The id of the acknowledged message within its class.
    package var number: UInt8 = 0
    /// The first four bytes of the acknowledged message's payload. After a poll of the database,
    /// the number of entries sent.
    package var payloadStart: UInt32 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&isAccepted, &version, &reason)
        coder.integers(&number, &payloadStart)
    }
}

/// An entry of the navigation database: `MGA-DBD`. Only the receiver that created it can use it.
package struct MgaDBD: UBXMessage {
    package static let id = UBXMessageID(0x13, 0x80)

    /// The entry, whose format is not public.
    package var data: [UInt8] = []

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.reserved(12)
        coder.rest(&data)
    }
}

/// Initial assistance data from the host: `MGA-INI`. The first byte of the payload is the type of
/// the data.
package struct MgaINI: UBXMessage {
    package static let id = UBXMessageID(0x13, 0x40)

    /// The type of the data: 0x01 position, 0x10 UTC time, and others.
    package var kind: UInt8 = 0
    package var version: UInt8 = 0
    package var data: [UInt8] = []

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&kind, &version)
        coder.rest(&data)
    }
}

/// The current time as assistance: `MGA-INI-TIME_UTC`.
package struct MgaINITimeUTC: UBXMessage {
    package static let id = MgaINI.id

    /// The event to which the time refers; 0 means the receipt of the message.
    private var reference: UInt8 = 0
    /// The difference between GPS time and UTC in seconds; -128 if unknown.
    package var leapSeconds: Int8 = -128
    /// The year, with four digits.
    package var year: UInt16 = 0
    package var (month, day, hour, minute, second): (UInt8, UInt8, UInt8, UInt8, UInt8) =
        (0, 0, 0, 0, 0)
    /// The nanoseconds to add to `second`.
    package var nanoseconds: UInt32 = 0
    /// The accuracy of the time: whole seconds.
    package var accuracySeconds: UInt16 = 0
    /// The accuracy of the time: nanoseconds to add to `accuracySeconds`.
    package var accuracyNanoseconds: UInt32 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        var (kind, version): (UInt8, UInt8) = (0x10, 0)
        coder.integers(&kind, &version)
        if kind != 0x10 || version != 0 { coder.reject() }
        coder.integers(&reference, &leapSeconds, &year, &month)
        coder.integers(&day, &hour, &minute, &second)
        coder.reserved(1)
        coder.integers(&nanoseconds, &accuracySeconds)
        coder.reserved(2)
        coder.integer(&accuracyNanoseconds)
    }
}

/// The approximate position as assistance, with which the receiver finds satellites sooner:
/// `MGA-INI-POS_LLH`.
package struct MgaINIPositionLLH: UBXMessage {
    package static let id = MgaINI.id

    /// The latitude in degrees, positive to the north.
    package var latitude = 0.0
    /// The longitude in degrees, positive to the east.
    package var longitude = 0.0
    /// The altitude in metres above the ellipsoid.
    package var ellipsoidalAltitude = 0.0
    /// The one-sigma accuracy of the position in metres.
    package var accuracy = 0.0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        var (kind, version): (UInt8, UInt8) = (0x01, 0)
        coder.integers(&kind, &version)
        if kind != 0x01 || version != 0 { coder.reject() }
        coder.reserved(2)
        coder.scaled(&latitude, &longitude, Int32.self, per: 1e7)
        coder.scaled(&ellipsoidalAltitude, Int32.self, per: 100)
        coder.scaled(&accuracy, UInt32.self, per: 100)
    }
}
