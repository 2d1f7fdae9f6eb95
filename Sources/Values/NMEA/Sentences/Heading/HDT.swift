// SPDX-License-Identifier: MIT

/// True heading: the direction of the bow, which can differ from the course.
///
///     $--HDT,x.x,T*hh
///     $HEHDT,123.4,T*2B
public struct HDT: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "HDT"

    /// The heading in degrees true.
    public var heading: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&heading, unit: "T")
    }

    public func contribute(to epoch: inout Epoch) {
        epoch.fill(trueHeading: heading)
    }
}
