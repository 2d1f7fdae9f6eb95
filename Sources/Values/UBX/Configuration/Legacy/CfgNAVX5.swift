// SPDX-License-Identifier: MIT

/// Expert navigation settings, for chips up to M8: `CFG-NAVX5`. Only the fields selected by the
/// masks take effect.
public struct CfgNAVX5: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x23)

    /// The version of the message: 0, 2 or 3.
    public var version: UInt16 = 0
    /// A bit mask of the fields that take effect, such as `ackAidingMask` and `autonomousMask`.
    public var mask: UInt16 = 0
    /// A bit mask of further fields that take effect.
    public var mask2: UInt32 = 0
    /// The minimum number of satellites for a fix.
    public var minimumSatellites: UInt8 = 3
    /// The maximum number of satellites for a fix.
    public var maximumSatellites: UInt8 = 32
    /// The minimum carrier-to-noise density of a satellite in dB-Hz.
    public var minimumCN0: UInt8 = 0
    /// 1 if the first fix must be 3D.
    public var requires3DFirst: UInt8 = 0
    /// 1 if assistance messages are acknowledged with `MGA-ACK`.
    public var acknowledgesAiding: UInt8 = 0
    /// The earliest GPS week that a received ten-bit week number can stand for; 0 means the
    /// firmware's default.
    public var weekNumberRollover: UInt16 = 0
    /// The compensation for a permanently attenuated signal: 0 off, 255 automatic, otherwise the
    /// maximum expected C/N0 in dB-Hz.
    public var attenuationCompensation: UInt8 = 0
    /// 1 if precise point positioning is used.
    public var usesPPP: UInt8 = 0
    /// Bit 0 enables orbits predicted by the receiver (AssistNow Autonomous).
    public var autonomousAssistance: UInt8 = 0
    /// The largest accepted error of predicted orbits in metres; 0 means the firmware's default.
    public var maximumOrbitError: UInt16 = 0
    /// 1 if dead reckoning with sensors is enabled.
    public var usesDeadReckoning: UInt8 = 0
    /// The further bytes of version 3; empty in other versions.
    public var details: [UInt8] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.integer(&mask)
        coder.integer(&mask2)
        coder.reserved(2)
        coder.integer(&minimumSatellites)
        coder.integer(&maximumSatellites)
        coder.integer(&minimumCN0)
        coder.reserved(1)
        coder.integer(&requires3DFirst)
        coder.reserved(2)
        coder.integer(&acknowledgesAiding)
        coder.integer(&weekNumberRollover)
        coder.integer(&attenuationCompensation)
        coder.reserved(5)
        coder.integer(&usesPPP)
        coder.integer(&autonomousAssistance)
        coder.reserved(2)
        coder.integer(&maximumOrbitError)
        coder.reserved(7)
        coder.integer(&usesDeadReckoning)
        coder.rest(&details)
    }

    /// The bit of `acknowledgesAiding` in `mask`.
    public static let ackAidingMask: UInt16 = 0x400
    /// The bit of `autonomousAssistance` in `mask`.
    public static let autonomousMask: UInt16 = 0x4000
}
