// SPDX-License-Identifier: MIT

/// The values that the instruments of a vessel have sent since the previous fix, such as depth and
/// wind.
///
/// Headings are in `Fix.attitude`. A value of this type takes one word of memory while it is empty.
public struct Instruments: Hashable, Sendable {
    /// A measured quantity. Its raw value is its key in stored fixes.
    public enum Quantity: String, CaseIterable, Hashable, Sendable {
        /// The depth of the water below the transducer, in metres (DPT, DBT).
        case depth
        /// The distance from the transducer in metres: positive to the waterline, negative to the
        /// keel (DPT, DBK, DBS).
        case depthOffset
        /// The temperature of the water in degrees Celsius (MTW).
        case waterTemperature
        /// The direction from which the apparent wind comes, in degrees from the bow, 0 up to 360
        /// (MWV, VWR).
        case apparentWindAngle
        /// The speed of the apparent wind in metres per second (MWV, VWR).
        case apparentWindSpeed
        /// The direction from which the true wind comes, in degrees from the bow, 0 up to 360
        /// (MWV, VWT).
        case trueWindAngle
        /// The direction from which the true wind comes, in degrees from true north (MWD).
        case trueWindDirection
        /// The direction from which the true wind comes, in degrees from magnetic north (MWD).
        case magneticWindDirection
        /// The speed of the true wind in metres per second (MWD, MWV, VWT).
        case trueWindSpeed
        /// The speed through the water in metres per second (VHW).
        case waterSpeed
        /// The total distance through the water, in metres (VLW).
        case log
        /// The distance through the water since the log was reset, in metres (VLW).
        case tripLog
        /// The angle of the starboard or only rudder in degrees, negative to port (RSA).
        case rudder
        /// The speed of the starboard or only engine, in revolutions per minute (RPM).
        case engineSpeed
        /// The speed of the port engine, in revolutions per minute (RPM).
        case portEngineSpeed
    }

    private enum Reading: Hashable {
        case missing
        /// An instrument has marked its value as invalid.
        case invalid
        case value(Double)
    }

    /// One reading for each quantity, in the order of `allCases`; empty while all are missing.
    private var readings: [Reading] = []

    /// Creates instruments without values.
    public init() {}

    /// Whether no instrument has sent a value, or marked one as invalid.
    public var isEmpty: Bool { readings.isEmpty }

    /// The value of a quantity; `nil` if no instrument sent it, or if it is invalid. Setting `nil`
    /// has no effect.
    public subscript(quantity: Quantity) -> Double? {
        get {
            guard !isEmpty, case .value(let value) = readings[quantity.index] else { return nil }
            return value
        }
        set {
            if let newValue { store(.value(newValue), quantity) }
        }
    }

    /// Marks a quantity as invalid, because an instrument reported this. The previous value is
    /// discarded.
    package mutating func invalidate(_ quantity: Quantity) { store(.invalid, quantity) }

    private mutating func store(_ reading: Reading, _ quantity: Quantity) {
        if isEmpty { readings = Array(repeating: .missing, count: Quantity.allCases.count) }
        readings[quantity.index] = reading
    }

    /// Fills missing values with the values of `other`. A value that is marked as invalid is not
    /// missing.
    package mutating func fillGaps(with other: Instruments) {
        guard !other.isEmpty else { return }
        guard !isEmpty else { return self = other }
        readings = zip(readings, other.readings).map { $0 == .missing ? $1 : $0 }
    }

    /// The values that were sent, in the order of the quantities.
    package var known: [(quantity: Quantity, value: Double)] {
        zip(Quantity.allCases, readings).compactMap { quantity, reading in
            guard case .value(let value) = reading else { return nil }
            return (quantity, value)
        }
    }

    /// The quantities whose last values the instruments have marked as invalid.
    package var invalid: [Quantity] {
        zip(Quantity.allCases, readings).compactMap { $1 == .invalid ? $0 : nil }
    }
}

extension Instruments.Quantity {
    private static let indices = Dictionary(
        uniqueKeysWithValues: zip(allCases, allCases.indices))

    fileprivate var index: Int { Self.indices[self] ?? 0 }

}

extension Instruments: Codable {
    /// The raw value of a quantity.
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ quantity: Quantity) { stringValue = quantity.rawValue }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Writes the values, with the raw values of their quantities as keys.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        for (quantity, value) in known { try values.encode(value, forKey: Key(quantity)) }
    }

    /// Reads the values of known quantities; other keys are ignored. Throws `DecodingError` if a
    /// value is not a number.
    public init(from decoder: any Decoder) throws {
        self.init()
        let values = try decoder.container(keyedBy: Key.self)
        for quantity in Quantity.allCases {
            self[quantity] = try values.decodeIfPresent(Double.self, forKey: Key(quantity))
        }
    }
}

/// The orientation of a vehicle, measured by a compass, several antennas or an inertial unit. It
/// can differ from the direction of motion.
public struct Attitude: Hashable, Sendable, Codable {
    /// The direction of the bow in degrees from true north, 0 up to 360.
    @Compact public var heading: Double?

    /// The direction of the bow in degrees from magnetic north, 0 up to 360.
    @Compact public var magneticHeading: Double?

    /// The 68 % accuracy of `heading` in degrees; `nil` if the receiver does not send it.
    @Compact public var headingAccuracy: Double?

    /// The pitch in degrees; positive if the bow is up.
    @Compact public var pitch: Double?

    /// The roll in degrees; positive to starboard.
    @Compact public var roll: Double?

    /// The heave in metres; positive upwards.
    @Compact public var heave: Double?

    /// The rate of turn in degrees per second; positive to starboard.
    @Compact public var rateOfTurn: Double?

    /// Creates an attitude with all values `nil`.
    public init() {}

    /// Whether a true or a magnetic heading is known.
    package var hasHeading: Bool { heading != nil || magneticHeading != nil }

    /// Fills missing values from an earlier attitude, except `headingAccuracy`.
    package mutating func fillGaps(with earlier: Attitude) {
        heading = heading ?? earlier.heading
        magneticHeading = magneticHeading ?? earlier.magneticHeading
        pitch = pitch ?? earlier.pitch
        roll = roll ?? earlier.roll
        heave = heave ?? earlier.heave
        rateOfTurn = rateOfTurn ?? earlier.rateOfTurn
    }
}

/// The state of a receiver's jamming detector.
public enum JammingState: String, CaseIterable, Hashable, Sendable, Codable {
    /// No significant interference.
    case none
    /// Interference is present, but the receiver has a fix.
    case warning
    /// Interference is present and prevents a fix.
    case critical
}

/// The state of a receiver's spoofing detector.
///
/// Detectors notice the change from authentic signals to false ones. `none` means that no spoofing
/// is detected now. It does not mean that the signals are authentic.
public enum SpoofingState: String, CaseIterable, Hashable, Sendable, Codable {
    /// No spoofing is detected in this epoch.
    case none
    /// One detector indicates spoofing.
    case indicated
    /// Several detectors indicate spoofing.
    case affirmed
}

/// The source of the corrections that a solution uses.
public enum CorrectionSource: String, CaseIterable, Hashable, Sendable, Codable {
    /// WAAS, EGNOS and other satellite-based augmentation systems.
    case sbas
    /// RTCM messages, from a base station or a network.
    case rtcm
    /// SPARTN messages.
    case spartn
    /// The sub-metre augmentation service of QZSS.
    case slas
    /// The centimetre augmentation service of QZSS.
    case clas
    /// Corrections from BeiDou.
    case beiDou
    /// The high-accuracy service of Galileo.
    case has
}

/// The state of a receiver's own clock, as computed with its position.
///
/// The receiver compares its oscillator with the satellites' time in every epoch. The rate of the
/// oscillator changes slowly with the temperature. A sudden change indicates that the signals come
/// from another source.
public struct ReceiverClock: Hashable, Sendable, Codable {
    /// The clock's offset from the satellites' time in nanoseconds, modulo one millisecond.
    public var bias: Int32?

    /// The signed rate error of the clock, in nanoseconds per second.
    public var drift: Int32?

    /// The offset as the receiver reports it, in nanoseconds. `bias` is computed from the time of the
    /// solution.
    package var reportedBias: Int32?

    /// Creates a clock state. Omitted values are unknown.
    package init(bias: Int32? = nil, drift: Int32? = nil) {
        self.bias = bias
        self.drift = drift
    }
}
