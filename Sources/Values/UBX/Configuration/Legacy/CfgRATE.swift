// SPDX-License-Identifier: MIT

/// The navigation rate, for chips up to M8: `CFG-RATE`.
public struct CfgRATE: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x08)

    /// The time between two measurements in milliseconds.
    public var measurementPeriod: UInt16 = 1000
    /// The number of measurements for each fix.
    public var navigationRatio: UInt16 = 1
    /// The time to which measurements are aligned: 0 UTC, 1 GPS, 2 GLONASS, 3 BeiDou, 4 Galileo.
    public var timeReference: UInt16 = 1

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&measurementPeriod)
        coder.integer(&navigationRatio)
        coder.integer(&timeReference)
    }
}
