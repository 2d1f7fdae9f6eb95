// SPDX-License-Identifier: MIT
import GNSS

/// The statistics of a simulated receiver's measurement errors. Position errors, and the accuracies
/// that the receiver reports, are computed from these and the satellite geometry.
public struct ErrorModel: Hashable, Sendable {
    /// The standard deviation of a range error under open sky, in metres.
    ///
    /// The default is the value that `RangeError` assumes if a receiver reports only its DOPs.
    public var range = RangeError().autonomous
    // `urbanRange` and `multipathRange` are tuned so that a circle with the radius 1.07 × HDOP ×
    // `range` contains 68 % of the errors in urban surroundings, including bursts: 67 % where error
    // ellipses are round, 69 % where they are long.
    /// The standard deviation of a range error in urban surroundings, outside multipath bursts, in
    /// metres.
    public var urbanRange = 4.85
    /// The standard deviation of a range error during a multipath burst, in metres.
    public var multipathRange = 8.0
    // A real receiver underestimates multipath. (Also, a circle with a radius of 1.07 sigma
    // contains more than 68 % of the errors where ellipses are long.)
    /// In urban surroundings, the ratio of the real errors to the errors that the receiver reports.
    public var urbanUnderestimate = 1.02
    /// The average time between multipath bursts, in seconds.
    public var multipathInterval = 90.0
    /// The average duration of a multipath burst, in seconds.
    public var multipathDuration = 10.0
    /// The correlation time of the position error, in seconds.
    public var correlationTime = 15.0
    /// The fraction of the position error's variance that is white noise, 0 to 1. The other part is
    /// correlated in time.
    public var whiteNoiseFraction = 0.04
    /// The standard deviation of the velocity error in each direction, in metres per second.
    public var velocity = 0.05

    /// Creates the default model: a civil single-frequency receiver.
    public init() {}

    /// Returns a model with all errors multiplied by `factor`. A factor of 0 removes all errors.
    public func scaled(by factor: Double) -> ErrorModel {
        var scaled = self
        scaled.range *= factor
        scaled.urbanRange *= factor
        scaled.multipathRange *= factor
        scaled.velocity *= factor
        return scaled
    }
}

/// Generates the errors of successive epochs. The errors also advance without a fix, so that an
/// outage does not change the errors after it.
struct ErrorProcess: Sendable {
    /// The east, north and up errors before the geometry is applied. They are independent and have
    /// variance 1.
    private(set) var position = Vector(x: 0, y: 0, z: 0)
    /// The east, north and up errors of the velocity in metres per second.
    private(set) var velocity = Vector(x: 0, y: 0, z: 0)
    /// Whether a multipath burst is active. It only affects receivers in urban surroundings.
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

    /// Computes the errors at `seconds` after the start, `step` seconds after the previous errors.
    mutating func advance(to seconds: Double, step: Double) {
        if step != decay.step {
            // This is a Gauss-Markov process: the part that decays is replaced by new noise.
            let factor = PortableMath.exp(-step / max(1e-3, model.correlationTime))
            decay = (step, factor, (1 - factor * factor).squareRoot())
        }
        bias = Self.mix(bias, decay.factor, Self.vector(&random), decay.fresh)
        let white = min(1, max(0, model.whiteNoiseFraction))
        position = Self.mix(
            bias, (1 - white).squareRoot(), Self.vector(&random), white.squareRoot())
        velocity = Self.mix(velocity, 0, Self.vector(&random), model.velocity)
        // After a gap of months, do not simulate each burst in it.
        if seconds - change > 1e7 { change = seconds }
        while seconds >= change {
            isBurst.toggle()
            let mean = isBurst ? model.multipathDuration : model.multipathInterval
            change += max(0.01, mean * (0.5 + bursts.unit()))
        }
    }

    /// Returns the current standard deviation of a range error, in metres. `hasMultipath` is `true`
    /// in urban surroundings.
    func range(hasMultipath: Bool) -> Double {
        guard hasMultipath else { return model.range }
        return isBurst ? model.multipathRange : model.urbanRange
    }

    /// Returns the standard deviation of a range error that the receiver assumes, in metres. In
    /// urban surroundings, it is less than the real one.
    func believedRange(hasMultipath: Bool) -> Double {
        let range = range(hasMultipath: hasMultipath)
        return hasMultipath ? range / max(0.1, model.urbanUnderestimate) : range
    }

    private static func vector(_ random: inout SeededGenerator) -> Vector {
        let x = random.normal()
        let y = random.normal()
        return Vector(x: x, y: y, z: random.normal())
    }

    private static func mix(_ a: Vector, _ fraction: Double, _ b: Vector, _ other: Double) -> Vector
    {
        Vector(
            x: a.x * fraction + b.x * other, y: a.y * fraction + b.y * other,
            z: a.z * fraction + b.z * other)
    }
}
