// SPDX-License-Identifier: MIT
import GNSS

/// The errors of ranges and speeds. The errors of positions, and those that the receiver reports,
/// follow from them and the geometry.
public struct ErrorModel: Hashable, Sendable {
    /// Standard deviation of a range under open sky, in metres.
    ///
    /// The default is the value that `RangeError` assumes if a receiver reports only its DOPs.
    public var range = RangeError().autonomous
    // Tuned so that 1.07 HDOP x `range` holds 68 % in the mixture with the bursts, too: 67 % where
    // error ellipses are round, 69 % where they are long.
    /// Standard deviation of a range between walls, outside of multipath bursts, in metres.
    public var urbanRange = 4.85
    /// Standard deviation of a range during a multipath burst, in metres.
    public var multipathRange = 8.0
    // Reflections are never all known. (And 1.07 sigma hold more than 68 % where ellipses are long.)
    /// The ratio of the real errors to those that the receiver reports, between walls.
    public var urbanUnderestimate = 1.02
    /// Average time between multipath bursts, in seconds.
    public var multipathInterval = 90.0
    /// Average duration of a burst, in seconds.
    public var multipathDuration = 10.0
    /// Correlation time of a position's error, in seconds.
    public var correlationTime = 15.0
    /// The share of the position's variance that is white noise, 0 to 1.
    public var whiteShare = 0.04
    /// Standard deviation of the velocity in each direction, in metres per second.
    public var velocity = 0.05

    /// Creates the default model: a civil single-frequency receiver.
    public init() {}

    /// Returns a model with all errors multiplied by `factor`; 0 for a receiver without errors.
    public func scaled(by factor: Double) -> ErrorModel {
        var scaled = self
        scaled.range *= factor
        scaled.urbanRange *= factor
        scaled.multipathRange *= factor
        scaled.velocity *= factor
        return scaled
    }
}

/// The errors from epoch to epoch. They continue to change without a fix, so that a gap does not
/// affect the errors after it.
struct ErrorProcess: Sendable {
    /// East, north and up before the geometry is applied: independent, with variance 1.
    private(set) var position = Vector(x: 0, y: 0, z: 0)
    /// East, north and up in metres per second.
    private(set) var velocity = Vector(x: 0, y: 0, z: 0)
    /// Whether there is a multipath burst, which affects receivers between walls.
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

    /// Advances by `step` seconds to `seconds` after the start.
    mutating func advance(to seconds: Double, step: Double) {
        if step != decay.step {
            // A Gauss-Markov process: the part that decays is replaced by new noise.
            let factor = PortableMath.exp(-step / max(1e-3, model.correlationTime))
            decay = (step, factor, (1 - factor * factor).squareRoot())
        }
        bias = Self.mix(bias, decay.factor, Self.vector(&random), decay.fresh)
        let white = min(1, max(0, model.whiteShare))
        position = Self.mix(
            bias, (1 - white).squareRoot(), Self.vector(&random), white.squareRoot())
        velocity = Self.mix(velocity, 0, Self.vector(&random), model.velocity)
        // After a gap of months the number of bursts does not matter.
        if seconds - change > 1e7 { change = seconds }
        while seconds >= change {
            isBurst.toggle()
            let mean = isBurst ? model.multipathDuration : model.multipathInterval
            change += max(0.01, mean * (0.5 + bursts.unit()))
        }
    }

    /// Returns the current standard deviation of a range, in metres.
    func range(hasMultipath: Bool) -> Double {
        guard hasMultipath else { return model.range }
        return isBurst ? model.multipathRange : model.urbanRange
    }

    /// Returns the standard deviation of a range that the receiver assumes, in metres.
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
