// SPDX-License-Identifier: MIT

/// More about how fixes are computed, for chips up to M8: `CFG-NAVX5`. Only the fields named by the masks are set.
public struct CfgNAVX5: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x23)

    /// The version of the message: 0, 2 or 3.
    public var version: UInt16 = 0
    /// The fields to set: `ackAidingMask`, `autonomousMask`…
    public var mask: UInt16 = 0
    /// More fields to set.
    public var mask2: UInt32 = 0
    /// Satellites per fix.
    public var minimumSatellites: UInt8 = 3
    /// Satellites per fix.
    public var maximumSatellites: UInt8 = 32
    /// dB-Hz.
    public var minimumCN0: UInt8 = 0
    /// 1 if the first fix must be 3D.
    public var requires3DFirst: UInt8 = 0
    /// 1 if messages of assistance are acknowledged by `MGA-ACK`.
    public var acknowledgesAiding: UInt8 = 0
    /// The first GPS week that dates are resolved to; 0 is the firmware's.
    public var weekNumberRollover: UInt16 = 0
    /// Compensation of weak signals.
    public var attenuationCompensation: UInt8 = 0
    /// 1 if precise point positioning is used.
    public var usesPPP: UInt8 = 0
    /// Bit 0: orbits are predicted by the receiver (AssistNow Autonomous).
    public var autonomousAssistance: UInt8 = 0
    /// Metres; 0 is the firmware's.
    public var maximumOrbitError: UInt16 = 0
    /// 1 if sensors are used.
    public var usesDeadReckoning: UInt8 = 0

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
    }

    /// The bit of `acknowledgesAiding` in `mask`.
    public static let ackAidingMask: UInt16 = 0x400
    /// The bit of `autonomousAssistance` in `mask`.
    public static let autonomousMask: UInt16 = 0x4000
}
