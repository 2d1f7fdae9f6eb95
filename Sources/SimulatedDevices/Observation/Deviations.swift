// SPDX-License-Identifier: MIT

/// One-sigma errors, in metres: what GST tells.
public struct Deviations: Hashable, Sendable {
    /// Of the ranges to the satellites.
    public var range: Double
    /// East or west.
    public var east: Double
    /// North or south.
    public var north: Double
    /// Up or down; `nil` in two dimensions.
    public var up: Double?
    /// Along the major axis of the error ellipse.
    public var semiMajor: Double
    /// Along the minor axis.
    public var semiMinor: Double
    /// Degrees true of the major axis, 0 up to 180.
    public var orientation: Double

    /// Makes deviations.
    public init(
        range: Double, east: Double, north: Double, up: Double?, semiMajor: Double,
        semiMinor: Double, orientation: Double
    ) {
        self.range = range
        self.east = east
        self.north = north
        self.up = up
        self.semiMajor = semiMajor
        self.semiMinor = semiMinor
        self.orientation = orientation
    }
}
