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
