// SPDX-License-Identifier: MIT

/// Distance travelled, in nautical miles.
///
///     $--VLW,x.x,N,x.x,N,x.x,N,x.x,N*hh
///     $VWVLW,2514.6,N,12.7,N,2533.0,N,12.9,N*41
public struct VLW: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "VLW"
    /// Through the water.
    public static let minimumFieldCount = 4

    /// In all, through the water.
    public var totalWater: Double?
    /// Since reset, through the water.
    public var tripWater: Double?
    /// In all, over ground; later versions.
    public var totalGround: Double?
    /// Since reset, over ground; later versions.
    public var tripGround: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&totalWater, in: 0...1e9, unit: "N")
        coder.decimal(&tripWater, in: 0...1e9, unit: "N")
        coder.decimal(&totalGround, in: 0...1e9, unit: "N")
        coder.decimal(&tripGround, in: 0...1e9, unit: "N")
    }
}
