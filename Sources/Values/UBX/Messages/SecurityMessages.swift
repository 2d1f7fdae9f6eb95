// SPDX-License-Identifier: MIT

/// The state of the jamming and spoofing detectors: `SEC-SIG`, versions 1 and 2.
public struct SecSIG: UBXMessage {
    public static let id = UBXMessageID(0x27, 0x09)

    /// One monitored frequency.
    public struct Frequency: UBXBlock {
        /// The frequency and its state: bits 0 to 23 are kilohertz, and bit 24 is set if the
        /// frequency is jammed.
        public var word: UInt32 = 0

        public init() {}

        public mutating func fields(_ coder: inout some UBXCoder) {
            coder.integer(&word)
        }

        /// The frequency in kilohertz.
        public var kilohertz: UInt32 { word.bits(0...23) }
        /// Whether the frequency is jammed.
        public var isJammed: Bool { word.hasBit(24) }
    }

    /// The version of the message.
    public var version: UInt8 = 2
    /// Whether the jamming detector is on.
    public var isJammingDetectorOn = false
    /// The state of the jamming detector; unknown if the detector is off.
    public var jamming = UBXJammingState.unknown
    /// Whether the spoofing detector is on.
    public var isSpoofingDetectorOn = false
    /// The state of the spoofing detector; unknown if the detector is off.
    public var spoofing = UBXSpoofingState.unknown
    /// The frequencies that are monitored (only in version 2).
    public var frequencies: [Frequency] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
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
