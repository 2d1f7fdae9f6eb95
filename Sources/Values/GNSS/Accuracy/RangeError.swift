// SPDX-License-Identifier: MIT

/// The assumed one-sigma range errors, in metres, for a receiver that reports only DOPs. The
/// accuracy is the DOP multiplied by the range error.
///
/// The defaults are for an open sky and a current receiver; you can set better values. Dead
/// reckoning and manual positions have no range error, so no accuracy is derived for them.
public struct RangeError: Hashable, Sendable {
    /// The range error without corrections. It is also used for precise (PPS) and simulated
    /// positions.
    public var autonomous = 5.0
    /// The range error with corrections, including SBAS.
    public var differential = 2.0
    /// The range error for RTK with floating ambiguities.
    public var rtkFloat = 0.5
    /// The range error for RTK with fixed ambiguities.
    public var rtkFixed = 0.02

    /// Creates the default assumptions.
    public init() {}

    /// Returns the range error for a quality in metres; `nil` for dead reckoning, manual positions
    /// and no fix.
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
