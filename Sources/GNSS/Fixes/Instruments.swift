// SPDX-License-Identifier: MIT

/// The values that the instruments of a vessel have sent since the previous fix, such as depth and
/// wind.
///
/// Headings are in `Fix.attitude`. Without values, this takes only one word of memory.
public struct Instruments: Hashable, Sendable {
    /// A measured quantity. Its raw value is its key in stored fixes.
    public enum Quantity: String, CaseIterable, Hashable, Sendable {
        /// The depth of the water below the transducer, in metres (DPT, DBT).
        case depth
        /// The distance from the transducer in metres: positive to the waterline, negative to the
        /// keel (DPT).
        case depthOffset
        /// The temperature of the water in degrees Celsius (MTW).
        case waterTemperature
        /// The direction from which the apparent wind comes, in degrees from the bow, 0 up to 360
        /// (MWV).
        case apparentWindAngle
        /// The speed of the apparent wind in metres per second (MWV).
        case apparentWindSpeed
        /// The direction from which the true wind comes, in degrees from the bow, 0 up to 360
        /// (MWV).
        case trueWindAngle
        /// The direction from which the true wind comes, in degrees from true north (MWD).
        case trueWindDirection
        /// The direction from which the true wind comes, in degrees from magnetic north (MWD).
        case magneticWindDirection
        /// The speed of the true wind in metres per second (MWD, MWV).
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

    /// One value for each quantity, in the order of `allCases`; empty while all are `nil`.
    private var values: [Double?] = []

    /// Creates instruments without values.
    public init() {}

    /// Whether no instrument has sent a value.
    public var isEmpty: Bool { values.isEmpty }

    /// The value of a quantity; `nil` if no instrument sent it. Setting `nil` has no effect.
    public subscript(quantity: Quantity) -> Double? {
        get { values.isEmpty ? nil : values[quantity.index] }
        set {
            guard let newValue else { return }
            if values.isEmpty {
                values = Array(repeating: nil, count: Quantity.allCases.count)
            }
            values[quantity.index] = newValue
        }
    }

    /// Sets the values that are missing here and known in `other`.
    package mutating func fillGaps(with other: Instruments) {
        guard !isEmpty else { return self = other }
        for (quantity, value) in other.known where self[quantity] == nil { self[quantity] = value }
    }

    /// The values that were sent, in the order of the quantities.
    package var known: [(quantity: Quantity, value: Double)] {
        guard !values.isEmpty else { return [] }
        return zip(Quantity.allCases, values).compactMap { quantity, value in
            value.map { (quantity, $0) }
        }
    }
}

extension Instruments.Quantity {
    private static let indices = Dictionary(
        uniqueKeysWithValues: zip(allCases, allCases.indices))

    fileprivate var index: Int { Self.indices[self] ?? 0 }
}

extension Instruments: Codable {
    /// Writes the values, with the raw values of their quantities as keys.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: StoredName.self)
        for (quantity, value) in known {
            try values.write(number: value, StoredName(quantity.rawValue))
        }
    }

    /// Reads the values of known quantities; other keys are ignored. Throws `DecodingError` if a
    /// value is not a number.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: StoredName.self)
        for quantity in Quantity.allCases {
            self[quantity] = try values.number(StoredName(quantity.rawValue))
        }
    }
}
