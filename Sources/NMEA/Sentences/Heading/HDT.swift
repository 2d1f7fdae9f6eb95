// SPDX-License-Identifier: MIT

/// True heading: where the bow points, which is not where it goes.
///
///     $--HDT,x.x,T*hh
///     $HEHDT,123.4,T*2B
public struct HDT: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "HDT"

    /// Degrees true.
    public var heading: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&heading, unit: "T")
    }

    public func contribute(to epoch: inout Epoch) {
        epoch.fill(trueHeading: heading)
    }
}
