// SPDX-License-Identifier: MIT
import GNSS

/// How far off ranges and speeds are. Positions follow from it and the geometry, and so does what
/// the receiver says of its errors.
public struct ErrorModel: Hashable, Sendable {
    /// Metres, one sigma, of a range in the open.
    ///
    /// The default is what `RangeError` assumes where a receiver tells only its DOPs.
    public var range: Double
    /// Metres, one sigma, of a range between walls while there is no burst.
    public var urbanRange: Double
    /// Metres, one sigma, of a range while reflections come in.
    public var multipathRange: Double
    /// How many times as large as the receiver believes its errors are between walls.
    public var urbanUnderestimate: Double
    /// Seconds between bursts of multipath, on average.
    public var multipathInterval: Double
    /// Seconds that a burst lasts, on average.
    public var multipathDuration: Double
    /// Seconds after which a position's error has changed by most of itself.
    public var correlationTime: Double
    /// How much of the position's variance is new with every epoch, 0 to 1.
    public var whiteShare: Double
    /// Metres per second, one sigma, in each direction.
    public var velocity: Double

    /// Makes the default: a receiver for civil use on one frequency.
    public init() {
        range = RangeError().autonomous
        // Tuned so that 1.07 HDOP x `range` holds 68 % in the mixture with the bursts, too: 67 % where
        // error ellipses are round, 69 % where they are long.
        urbanRange = 4.85
        multipathRange = 8
        // Reflections are never all known. (And 1.07 sigma hold more than 68 % where ellipses are long.)
        urbanUnderestimate = 1.02
        multipathInterval = 90
        multipathDuration = 10
        correlationTime = 15
        whiteShare = 0.04
        velocity = 0.05
    }

    /// Errors that scale with this: 0 for a receiver that is always right.
    public func scaled(by factor: Double) -> ErrorModel {
        var scaled = self
        scaled.range *= factor
        scaled.urbanRange *= factor
        scaled.multipathRange *= factor
        scaled.velocity *= factor
        return scaled
    }
}
