// SPDX-License-Identifier: MIT

/// The one-sigma range error assumed where a receiver reports only its DOPs, in metres.
///
/// These are assumptions for an open sky and a receiver of today; better ones can be set.
/// Nothing is assumed for dead reckoning and typed-in positions, whose error does not come from
/// ranges.
public struct RangeError: Hashable, Sendable {
    /// Satellites alone, precise and simulated positioning included.
    public var autonomous = 5.0
    /// With corrections, SBAS included.
    public var differential = 2.0
    /// RTK, ambiguities floating.
    public var rtkFloat = 0.5
    /// RTK, ambiguities fixed.
    public var rtkFixed = 0.02

    /// Creates the default assumptions.
    public init() {}

    /// Metres; `nil` if the error does not follow from DOP.
    public func assumed(for quality: FixQuality) -> Double? {
        switch quality {
        case .autonomous, .precise, .simulated: autonomous
        case .differential: differential
        case .rtkFloat: rtkFloat
        case .rtkFixed: rtkFixed
        case .invalid, .estimated, .manual: nil
        }
    }
}
