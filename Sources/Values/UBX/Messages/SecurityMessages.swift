// SPDX-License-Identifier: MIT

/// The state of the jamming and spoofing detectors: `SEC-SIG`, versions 1 and 2.
package struct SecSIG: UBXMessage {
    package static let id = UBXMessageID(0x27, 0x09)

    package struct Frequency: UBXBlock {
        /// The frequency and its state: bits 0 to 23 are kilohertz, and bit 24 is set if the
        /// frequency is jammed.
        package var word: UInt32 = 0

        package init() {}

        package mutating func fields(_ coder: inout some UBXCoder) {
            coder.integer(&word)
        }

        package var kilohertz: UInt32 { word.bits(0...23) }
        package var isJammed: Bool { word.hasBit(24) }
    }

    package var version: UInt8 = 2
    package var isJammingDetectorOn = false
    /// The state of the jamming detector; unknown if the detector is off.
    package var jamming = UBXJammingState.unknown
    package var isSpoofingDetectorOn = false
    /// The state of the spoofing detector; unknown if the detector is off.
    package var spoofing = UBXSpoofingState.unknown
    /// The frequencies that are monitored (only in version 2).
    package var frequencies: [Frequency] = []

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        switch version {
        case 1: version1(&coder)
        case 2: version2(&coder)
        default: coder.reject()
        }
    }

    private mutating func version1(_ coder: inout some UBXCoder) {
        coder.reserved(3)
        var flags = (isJammingDetectorOn ? 1 : 0) | jamming.rawValue << 1
        coder.integer(&flags)
        coder.reserved(3)
        setJamming(flags)
        flags = (isSpoofingDetectorOn ? 1 : 0) | spoofing.rawValue << 1
        coder.integer(&flags)
        coder.reserved(3)
        setSpoofing(flags)
    }

    private mutating func version2(_ coder: inout some UBXCoder) {
        var flags = (isJammingDetectorOn ? 1 : 0) | jamming.rawValue << 1
        flags |= (isSpoofingDetectorOn ? 8 : 0) | spoofing.rawValue << 4
        coder.integer(&flags)
        coder.reserved(1)
        coder.count(of: &frequencies)
        coder.elements(&frequencies)
        setJamming(flags)
        setSpoofing(flags >> 3)
    }

    private mutating func setJamming(_ flags: UInt8) {
        isJammingDetectorOn = flags.hasBit(0)
        jamming = isJammingDetectorOn ? UBXJammingState(rawValue: flags.bits(1...2)) : .unknown
    }

    // The state has three bits. In version 2, the third one is reserved, but it is set in real
    // frames.
    private mutating func setSpoofing(_ flags: UInt8) {
        isSpoofingDetectorOn = flags.hasBit(0)
        spoofing = isSpoofingDetectorOn ? UBXSpoofingState(rawValue: flags.bits(1...3)) : .unknown
    }
}

/// The log of the jamming and spoofing detectors: `SEC-SIGLOG`.
package struct SecSIGLOG: UBXMessage {
    package static let id = UBXMessageID(0x27, 0x10)

    /// The data about one event.
    package struct Event: UBXBlock {
        /// The seconds since the event.
        package var age: UInt32 = 0
        /// The kind of detection, as a number defined by u-blox.
        private var detection: UInt8 = 0
        /// The kind of event, as a number defined by u-blox.
        package var event: UInt8 = 0

        package init() {}

        package mutating func fields(_ coder: inout some UBXCoder) {
            coder.integers(&age, &detection, &event)
            coder.reserved(2)
        }
    }

    package var version: UInt8 = 1
    /// The events, at most 16.
    package var events: [Event] = []

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.count(of: &events)
        coder.reserved(6)
        coder.elements(&events)
    }
}

/// The chip's own check of Galileo's signatures: `SEC-OSNMA`, version 3.
package struct SecOSNMA: UBXMessage {
    package static let id = UBXMessageID(0x27, 0x0A)

    package var version: UInt8 = 3
    /// The state of the service. Bit 0 is set if it is authenticated.
    private var header: UInt8 = 0
    /// Bit 0 is set if the check is on; bits 1 to 5 are the number of satellites with signatures, bit 9 is
    /// set if data are wrong.
    private var monitoring: UInt16 = 0
    /// Bit 0 is set if the trusted time is required; bits 1 to 3 are its state.
    private var time: UInt8 = 0
    /// The difference to the trusted time in milliseconds.
    private var difference: Int32 = 0
    private var message: UInt32 = 0
    /// Bits 0 to 2 are the result of the chain's key: 1 right, 2 wrong.
    private var key: UInt32 = 0
    /// Bits 0 to 5 are the number of satellites that are authenticated.
    private var general: UInt32 = 0
    /// Four bytes for each of these satellites.
    private var satellites: [UInt8] = []

    package init() {}

    package init(
        isOn: Bool, authenticated: UInt8, isKeyWrong: Bool = false, hasWrongData: Bool = false
    ) {
        monitoring = (isOn ? 1 : 0) | (hasWrongData ? 1 << 9 : 0)
        key = isKeyWrong ? 2 : 1
        general = UInt32(authenticated) & 0x3F
        satellites = [UInt8](repeating: 0, count: 4 * Int(general))
    }

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&version, &header, &monitoring, &time)
        guard version == 3 else { return coder.reject() }
        coder.reserved(3)
        coder.integer(&difference)
        coder.reserved(4)
        coder.integers(&message, &key, &general)
        coder.rest(&satellites)
    }

    package var isOn: Bool { monitoring & 1 == 1 }
    package var isKeyWrong: Bool { key.bits(0...2) == 2 }
    package var hasWrongData: Bool { monitoring >> 9 & 1 == 1 }
    package var authenticatedSatellites: Int { Int(general.bits(0...5)) }
}

/// The identity of the chip: `SEC-UNIQID`, versions 1 and 2.
package struct SecUNIQID: UBXMessage {
    package static let id = UBXMessageID(0x27, 0x03)

    /// The version of the message: version 1 has a chip ID of five bytes, version 2 of six.
    package var version: UInt8 = 1
    /// The unique number of the chip.
    package var identity: [UInt8] = []

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.reserved(3)
        coder.rest(&identity)
    }
}
