// SPDX-License-Identifier: MIT

/// Garmin: the receiver's estimate of its position error.
///
/// Garmin does not document the probability of these values; they are commonly interpreted as 50 %.
///
///     $PGRME,x.x,M,x.x,M,x.x,M*hh
///     $PGRME,4.2,M,6.3,M,7.6,M*2C
public struct PGRME: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "PGRME"
    /// The horizontal error is required.
    public static let minimumFieldCount = 2

    /// The horizontal error in metres. Half of all positions are within this distance.
    public var horizontalError: Double?
    /// The vertical error in metres. Half of all altitudes are within this distance.
    public var verticalError: Double?
    /// The spherical error in metres. Half of all three-dimensional positions are within this
    /// distance.
    public var sphericalError: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&horizontalError, in: 0...1e9, unit: "M")
        coder.decimal(&verticalError, in: 0...1e9, unit: "M")
        coder.decimal(&sphericalError, in: 0...1e9, unit: "M")
    }

    /// The factor that converts a horizontal 50 % error to 68 %, for a normal distribution.
    private static let planeFactor = 1.29
    /// The factor that converts a vertical 50 % error to 68 %, for a normal distribution.
    private static let heightFactor = 1.48

    public func contribute(to epoch: inout Epoch) {
        epoch.fill(\.receiverAccuracy.horizontal, horizontalError.map { $0 * Self.planeFactor })
        epoch.fill(\.receiverAccuracy.vertical, verticalError.map { $0 * Self.heightFactor })
    }
}
