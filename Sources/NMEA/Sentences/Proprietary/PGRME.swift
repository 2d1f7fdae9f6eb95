// SPDX-License-Identifier: MIT

/// Garmin: how far off the receiver believes it is.
///
/// Garmin does not say what share of positions the figures hold; commonly they are taken for half.
///
///     $PGRME,x.x,M,x.x,M,x.x,M*hh
///     $PGRME,4.2,M,6.3,M,7.6,M*2C
public struct PGRME: Sentence, Hashable {
    /// `PGRME`.
    public static let formatter: SentenceFormatter = "PGRME"
    /// In the plane.
    public static let minimumFieldCount = 2

    /// Metres; half of all positions are nearer.
    public var horizontalError: Double?
    /// Metres; half of all altitudes are nearer.
    public var verticalError: Double?
    /// Metres; half of all positions in space are nearer.
    public var sphericalError: Double?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        horizontalError = fields.decimal(in: 0...1e9, unit: "M")
        verticalError = fields.decimal(in: 0...1e9, unit: "M")
        sphericalError = fields.decimal(in: 0...1e9, unit: "M")
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.decimal(horizontalError, decimals: 1, unit: "M")
        writer.decimal(verticalError, decimals: 1, unit: "M")
        writer.decimal(sphericalError, decimals: 1, unit: "M")
    }

    /// From half to 68 % in the plane, and in height, for a normal distribution.
    private static let planeFactor = 1.29
    private static let heightFactor = 1.48

    /// The accuracy.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(\.receiverAccuracy.horizontal, horizontalError.map { $0 * Self.planeFactor })
        epoch.fill(\.receiverAccuracy.vertical, verticalError.map { $0 * Self.heightFactor })
    }
}
