// SPDX-License-Identifier: MIT

/// Magnetic heading.
///
///     $--HDM,x.x,M*hh
///     $HCHDM,238.5,M*25
public struct HDM: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "HDM"

    /// The heading in degrees magnetic.
    public var heading: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&heading, unit: "M")
    }

    public func contribute(to epoch: inout Epoch) {
        epoch.fill(magneticHeading: heading)
    }
}
