// SPDX-License-Identifier: MIT
import GNSS

/// Distance travelled, in nautical miles.
///
///     $--VLW,x.x,N,x.x,N,x.x,N,x.x,N*hh
///     $VWVLW,2514.6,N,12.7,N,2533.0,N,12.9,N*41
public struct VLW: InstrumentSentence, Hashable {
    public static let formatter: SentenceFormatter = "VLW"
    /// The distances through the water are required.
    public static let minimumFieldCount = 4

    /// The total distance through the water in nautical miles.
    public var totalWater: Double?
    /// The distance through the water since the last reset, in nautical miles.
    public var tripWater: Double?
    /// The total distance over ground in nautical miles, in later versions.
    public var totalGround: Double?
    /// The distance over ground since the last reset in nautical miles, in later versions.
    public var tripGround: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&totalWater, in: 0...1e9, unit: "N")
        coder.decimal(&tripWater, in: 0...1e9, unit: "N")
        coder.decimal(&totalGround, in: 0...1e9, unit: "N")
        coder.decimal(&tripGround, in: 0...1e9, unit: "N")
    }

    /// Sets the distances through the water.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(.log, totalWater.map { $0 * 1852 })
        epoch.fill(.tripLog, tripWater.map { $0 * 1852 })
    }
}
