// SPDX-License-Identifier: MIT

/// Magnetic heading.
///
///     $--HDM,x.x,M*hh
///     $HCHDM,238.5,M*25
public struct HDM: DeclaredSentence, Hashable {
    /// `HDM`.
    public static let formatter: SentenceFormatter = "HDM"
    /// The heading.
    public static let minimumFieldCount = 1

    /// Degrees magnetic.
    public var heading: Double?

    /// Creates a sentence with all fields `nil`.
    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&heading, unit: "M")
    }

    /// The magnetic heading.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(magneticHeading: heading)
    }
}
