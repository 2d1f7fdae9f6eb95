// SPDX-License-Identifier: MIT
import GNSS

/// How far off ranges and speeds are. Positions follow from it and the geometry, and so do the errors
/// that the receiver reports.
public struct ErrorModel: Hashable, Sendable {
    /// Metres, one sigma, of a range in the open.
    ///
    /// The default is what `RangeError` assumes where a receiver reports only its DOPs.
    public var range = RangeError().autonomous
    // Tuned so that 1.07 HDOP x `range` holds 68 % in the mixture with the bursts, too: 67 % where
    // error ellipses are round, 69 % where they are long.
    /// Metres, one sigma, of a range between walls outside of bursts.
    public var urbanRange = 4.85
    /// Metres, one sigma, of a range while reflections come in.
    public var multipathRange = 8.0
    // Reflections are never all known. (And 1.07 sigma hold more than 68 % where ellipses are long.)
    /// How many times as large as the receiver believes its errors are between walls.
    public var urbanUnderestimate = 1.02
    /// Seconds between bursts of multipath, on average.
    public var multipathInterval = 90.0
    /// Seconds that a burst lasts, on average.
    public var multipathDuration = 10.0
    /// Seconds after which a position's error has changed by most of itself.
    public var correlationTime = 15.0
    /// How much of the position's variance is new with every epoch, 0 to 1.
    public var whiteShare = 0.04
    /// Metres per second, one sigma, in each direction.
    public var velocity = 0.05

    /// Creates the default: a receiver for civil use on one frequency.
    public init() {}

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

/// The development of errors from epoch to epoch. It continues without a fix, so that a gap does not change
/// the errors after it.
struct ErrorProcess: Sendable {
    /// East, north and up before the geometry: independent, variance 1.
    private(set) var position = Vector(x: 0, y: 0, z: 0)
    /// East, north and up in metres per second.
    private(set) var velocity = Vector(x: 0, y: 0, z: 0)
    /// Whether reflections come in, where there are walls.
    private(set) var isBurst = false

    private let model: ErrorModel
    private var random: SeededGenerator
    private var bursts: SeededGenerator
    private var bias: Vector
    private var change: Double
    private var decay = (step: 0.0, factor: 1.0, fresh: 0.0)

    init(_ model: ErrorModel, seed: UInt64) {
        self.model = model
        random = SeededGenerator(seed: seed ^ 0x5EED_0E44_0450_0001)
        bursts = SeededGenerator(seed: seed ^ 0x5EED_0E44_0450_0002)
        bias = Self.vector(&random)
        change = model.multipathInterval * (0.5 + bursts.unit())
    }

    /// Goes on by `step` seconds to the epoch that is `seconds` after the start.
    mutating func advance(to seconds: Double, step: Double) {
        if step != decay.step {
            // A Gauss-Markov process: what is forgotten is replaced.
            let factor = Portable.exp(-step / max(1e-3, model.correlationTime))
            decay = (step, factor, (1 - factor * factor).squareRoot())
        }
        bias = Self.mix(bias, decay.factor, Self.vector(&random), decay.fresh)
        let white = min(1, max(0, model.whiteShare))
        position = Self.mix(
            bias, (1 - white).squareRoot(), Self.vector(&random), white.squareRoot())
        velocity = Self.mix(velocity, 0, Self.vector(&random), model.velocity)
        // After months away, it does not matter how many bursts there would have been.
        if seconds - change > 1e7 { change = seconds }
        while seconds >= change {
            isBurst.toggle()
            let mean = isBurst ? model.multipathDuration : model.multipathInterval
            change += max(0.01, mean * (0.5 + bursts.unit()))
        }
    }

    /// Metres, one sigma, of a range now.
    func range(hasMultipath: Bool) -> Double {
        guard hasMultipath else { return model.range }
        return isBurst ? model.multipathRange : model.urbanRange
    }

    /// Metres, one sigma, that the receiver believes a range to be off.
    func believedRange(hasMultipath: Bool) -> Double {
        let range = range(hasMultipath: hasMultipath)
        return hasMultipath ? range / max(0.1, model.urbanUnderestimate) : range
    }

    private static func vector(_ random: inout SeededGenerator) -> Vector {
        let x = random.normal()
        let y = random.normal()
        return Vector(x: x, y: y, z: random.normal())
    }

    private static func mix(_ a: Vector, _ share: Double, _ b: Vector, _ other: Double) -> Vector {
        Vector(
            x: a.x * share + b.x * other, y: a.y * share + b.y * other,
            z: a.z * share + b.z * other)
    }
}
