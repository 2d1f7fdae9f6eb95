// SPDX-License-Identifier: MIT

// The stored forms of fixes and satellites. The compiler derives them from the properties of each
// type, with the functions below for their values. Unknown values are omitted.

/// A group of values that is omitted if none is known.
protocol StoredIfKnown: Codable, Equatable {
    static var unknown: Self { get }
}

extension Accuracy: StoredIfKnown { static var unknown: Self { Self() } }
extension Attitude: StoredIfKnown { static var unknown: Self { Self() } }
extension DilutionOfPrecision: StoredIfKnown { static var unknown: Self { Self() } }
extension Instruments: StoredIfKnown { static var unknown: Self { Self() } }
extension StandardDeviation: StoredIfKnown { static var unknown: Self { Self() } }

/// A number that may be NaN or infinite. JSON cannot represent these, so they are written as the
/// text `nan`, `inf` or `-inf`.
private struct StoredNumber: Codable {
    let value: Double

    init(_ value: Double) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            value = try container.decode(Double.self)
        } catch DecodingError.typeMismatch {
            value = try decoder.text("number") {
                ["nan", "inf", "-inf"].contains($0) ? Double($0) : nil
            }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if value.isFinite {
            try container.encode(value)
        } else {
            try container.encode("\(value)")
        }
    }
}

/// As an optional number. A group omits an unknown number.
extension Compact: Codable {
    /// Writes the number.
    public func encode(to encoder: any Encoder) throws {
        try wrappedValue.map { StoredNumber($0) }.encode(to: encoder)
    }

    /// Reads a number. Throws `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        self.init(try StoredNumber?(from: decoder)?.value)
    }
}

// In this module, the compiler uses these functions instead of the standard library's.

extension KeyedEncodingContainer {
    mutating func encode(_ number: Double, forKey key: Key) throws {
        try encode(StoredNumber(number), forKey: key)
    }

    mutating func encodeIfPresent(_ number: Double?, forKey key: Key) throws {
        try encodeIfPresent(number.map { StoredNumber($0) }, forKey: key)
    }

    mutating func encode(_ number: Compact, forKey key: Key) throws {
        try encodeIfPresent(number.wrappedValue, forKey: key)
    }

    mutating func encode(_ values: some StoredIfKnown, forKey key: Key) throws {
        try encodeIfPresent(values == .unknown ? nil : values, forKey: key)
    }
}

extension KeyedDecodingContainer {
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try decode(StoredNumber.self, forKey: key).value
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try decodeIfPresent(StoredNumber.self, forKey: key)?.value
    }

    func decode(_ type: Compact.Type, forKey key: Key) throws -> Compact {
        Compact(try decodeIfPresent(Double.self, forKey: key))
    }

    func decode<Values: StoredIfKnown>(_ type: Values.Type, forKey key: Key) throws -> Values {
        try decodeIfPresent(type, forKey: key) ?? .unknown
    }

    /// Reads a count or the number of a station. Throws `DecodingError` unless it has 32 bits.
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try decodeIfPresent(UInt32.self, forKey: key).map { Int($0) }
    }
}

/// A property of a fix with the name that the stored form and `dump` use.
private struct StoredProperty: Sendable {
    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    typealias Writer = KeyedEncodingContainer<Key>
    typealias Reader = KeyedDecodingContainer<Key>

    let name: String
    let value: @Sendable (Fix) -> Any
    let write: @Sendable (Fix, inout Writer) throws -> Void
    let read: @Sendable (inout Fix, Reader) throws -> Void

    typealias Path<Value> = WritableKeyPath<Fix, Value> & Sendable

    private init<Value>(
        _ name: String, _ path: any Path<Value>,
        _ write: @escaping @Sendable (Value, Key, inout Writer) throws -> Void,
        _ read: @escaping @Sendable (Key, Reader) throws -> Value
    ) {
        let key = Key(stringValue: name)
        self.name = name
        value = { $0[keyPath: path] }
        self.write = { try write($0[keyPath: path], key, &$1) }
        self.read = { $0[keyPath: path] = try read(key, $1) }
    }

    // Each calls the functions above for its type.

    init(_ name: String, _ path: any Path<Double?>) {
        self.init(
            name, path, { try $2.encodeIfPresent($0, forKey: $1) },
            { try $1.decodeIfPresent(Double.self, forKey: $0) })
    }

    init(_ name: String, _ path: any Path<Int?>) {
        self.init(
            name, path, { try $2.encodeIfPresent($0, forKey: $1) },
            { try $1.decodeIfPresent(Int.self, forKey: $0) })
    }

    init<Value: Codable & SendableMetatype>(_ name: String, _ path: any Path<Value?>) {
        self.init(
            name, path, { try $2.encodeIfPresent($0, forKey: $1) },
            { try $1.decodeIfPresent(Value.self, forKey: $0) })
    }

    init<Values: StoredIfKnown & SendableMetatype>(_ name: String, _ path: any Path<Values>) {
        self.init(
            name, path, { try $2.encode($0, forKey: $1) },
            { try $1.decode(Values.self, forKey: $0) })
    }

    init<Value: Codable & SendableMetatype>(required name: String, _ path: any Path<Value>) {
        self.init(
            name, path, { try $2.encode($0, forKey: $1) },
            { try $1.decode(Value.self, forKey: $0) })
    }

    static let all: [StoredProperty] = [
        StoredProperty("time", \.time),
        StoredProperty("receivedDate", \.receivedDate),
        StoredProperty("timeOfDay", \.timeOfDay),
        StoredProperty(required: "mode", \.mode),
        StoredProperty(required: "quality", \.quality),
        StoredProperty("coordinate", \.coordinate),
        StoredProperty("altitude", \.altitude),
        StoredProperty("ellipsoidalAltitude", \.ellipsoidalAltitude),
        StoredProperty("geoidSeparation", \.geoidSeparation),
        StoredProperty("speed", \.speed),
        StoredProperty("course", \.course),
        StoredProperty("climb", \.climb),
        StoredProperty("magneticCourse", \.magneticCourse),
        StoredProperty("magneticVariation", \.magneticVariation),
        StoredProperty("attitude", \.attitude),
        StoredProperty("instruments", \.instruments),
        StoredProperty("correctionAge", \.correctionAge),
        StoredProperty("correctionStation", \.correctionStation),
        StoredProperty("dilution", \.dilution),
        StoredProperty("accuracy", \.accuracy),
        StoredProperty("standardDeviation", \.standardDeviation),
        StoredProperty("covariance", \.covariance),
        StoredProperty("velocityCovariance", \.velocityCovariance),
        StoredProperty("protectionLevel", \.protectionLevel),
        StoredProperty("jamming", \.jamming),
        StoredProperty("spoofing", \.spoofing),
        StoredProperty("interferenceLevel", \.interferenceLevel),
        StoredProperty("jammedFrequency", \.jammedFrequency),
        StoredProperty("gain", \.gain),
        StoredProperty("antenna", \.antenna),
        StoredProperty("temperature", \.temperature),
        StoredProperty("receiverClock", \.receiverClock),
        StoredProperty("leapSeconds", \.leapSeconds),
        StoredProperty("authentication", \.authentication),
        StoredProperty("receiverAuthentication", \.receiverAuthentication),
        StoredProperty("integrity", \.integrity),
        StoredProperty("vote", \.vote),
        StoredProperty("isStationary", \.isStationary),
        StoredProperty("correctionSource", \.correctionSource),
        StoredProperty("satellitesUsed", \.satellitesUsed),
        StoredProperty("satellitesInView", \.satellitesInView),
        StoredProperty("followsRepeatedTimes", \.followsRepeatedTimes),
        StoredProperty("correctionReport", \.correctionReport),
        StoredProperty("solutionDetails", \.solutionDetails),
    ]
}

extension Fix: Codable, CustomReflectable {
    /// Writes the known values.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: StoredProperty.Key.self)
        for property in StoredProperty.all { try property.write(self, &values) }
    }

    /// Reads a fix. Throws `DecodingError` if a value is not valid, or if mode or quality is missing.
    public init(from decoder: any Decoder) throws {
        self.init()
        let values = try decoder.container(keyedBy: StoredProperty.Key.self)
        for property in StoredProperty.all { try property.read(&self, values) }
    }

    /// Every property, by its name.
    public var customMirror: Mirror {
        Mirror(
            self, children: StoredProperty.all.map { (label: $0.name, value: $0.value(self)) },
            displayStyle: .struct)
    }
}

extension FixMode: Codable {}
extension FixQuality: Codable {}
extension Accuracy.Source: Codable {}

/// The stored form: the six numbers of the upper triangle, row by row.
extension Covariance: Codable {
    /// Writes the six numbers.
    public func encode(to encoder: any Encoder) throws {
        var numbers = encoder.unkeyedContainer()
        for number in rows { try numbers.encode(number) }
    }

    /// Reads the six numbers. Throws `DecodingError` if they are not a valid covariance.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let covariance = Covariance(rows: try container.decode([Float].self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not the six numbers of a covariance")
        }
        self = covariance
    }
}

extension Satellite: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, elevation, azimuth, cn0, isUsed, signals
    }

    /// Writes the known values.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encodeIfPresent(elevation, forKey: .elevation)
        try values.encodeIfPresent(azimuth, forKey: .azimuth)
        try values.encodeIfPresent(cn0, forKey: .cn0)
        try values.encode(isUsed, forKey: .isUsed)
        try values.encode(Array(signals), forKey: .signals)
    }

    /// Reads a satellite. Throws `DecodingError` if a value is missing or not valid.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try values.decode(SatelliteID.self, forKey: .id),
            elevation: try values.decodeIfPresent(Double.self, forKey: .elevation),
            azimuth: try values.decodeIfPresent(Double.self, forKey: .azimuth),
            cn0: try values.decodeIfPresent(Double.self, forKey: .cn0),
            isUsed: try values.decode(Bool.self, forKey: .isUsed),
            signals: try values.decode([SatelliteSignal].self, forKey: .signals))
    }
}

extension SatelliteSignal: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, signal, elevation, azimuth, cn0
        case residual, quality, isHealthy, number, frequency
    }

    /// Writes the known values.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        if signal > 0 { try values.encode(signal, forKey: .signal) }
        try values.encodeIfPresent(elevation, forKey: .elevation)
        try values.encodeIfPresent(azimuth, forKey: .azimuth)
        try values.encodeIfPresent(cn0, forKey: .cn0)
        try values.encodeIfPresent(state.residual, forKey: .residual)
        try values.encodeIfPresent(state.quality, forKey: .quality)
        try values.encodeIfPresent(state.isHealthy, forKey: .isHealthy)
        try values.encodeIfPresent(state.number, forKey: .number)
        try values.encodeIfPresent(state.frequency, forKey: .frequency)
    }

    /// Reads a signal. Throws `DecodingError` if a value is not valid.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let signal = try values.decodeIfPresent(UInt8.self, forKey: .signal) ?? 0
        guard signal < 16 else {
            throw DecodingError.dataCorruptedError(
                forKey: .signal, in: values, debugDescription: "\(signal) is not a signal")
        }
        var state = SignalState()
        state.residual = try values.decodeIfPresent(Double.self, forKey: .residual)
        state.quality = try values.decodeIfPresent(Int.self, forKey: .quality)
        state.isHealthy = try values.decodeIfPresent(Bool.self, forKey: .isHealthy)
        state.number = try values.decodeIfPresent(Int.self, forKey: .number)
        state.frequency = try values.decodeIfPresent(Int.self, forKey: .frequency)
        self.init(
            id: try values.decode(SatelliteID.self, forKey: .id), signal: signal,
            elevation: try values.decodeIfPresent(Double.self, forKey: .elevation),
            azimuth: try values.decodeIfPresent(Double.self, forKey: .azimuth),
            cn0: try values.decodeIfPresent(Double.self, forKey: .cn0), state: state)
    }
}

extension SatelliteIDSet: Codable {
    /// Writes the ids in sorted order: `["G05","R24"]`.
    public func encode(to encoder: any Encoder) throws {
        var ids = encoder.unkeyedContainer()
        for constellation in Constellation.allCases {
            for svid in 1...158 {
                if let id = SatelliteID(constellation, svid), contains(id) { try ids.encode(id) }
            }
        }
    }

    /// Reads ids in any order. Throws `DecodingError` if one is not valid.
    public init(from decoder: any Decoder) throws {
        self.init()
        var ids = try decoder.unkeyedContainer()
        while !ids.isAtEnd { insert(try ids.decode(SatelliteID.self)) }
    }
}

extension SatelliteID: Codable {
    /// Writes the id in the form used by receiver manuals: `"G05"`.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }

    /// Reads an id such as `"G05"`; throws `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text = try value.decode(String.self)
        guard
            let constellation = Constellation.allCases.first(where: { $0.letter == text.first }),
            let svid = Int(text.dropFirst()), let id = SatelliteID(constellation, svid)
        else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "not a satellite: '\(text)'")
        }
        self = id
    }
}

extension UTCTime: Codable {
    /// Writes the time in ISO 8601, with three decimals or, if they are not exact, nine:
    /// `"2026-03-21T10:15:20.250Z"`.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(iso8601)
    }

    /// Reads a time in ISO 8601, in UTC or with an offset from UTC. Throws `DecodingError` if the
    /// text is not valid.
    public init(from decoder: any Decoder) throws {
        self = try decoder.text("time") { UTCTime(iso8601: $0) }
    }

    private var iso8601: String {
        let decimals = time.nanosecond % 1_000_000 == 0 ? 3 : 9
        return TextBuffer.text { $0.append(iso8601: self, decimals: decimals) }
    }

    fileprivate static let dateLength = 10
    fileprivate static let epochDay = "1970-01-01T"

    fileprivate var dateText: String { String(iso8601.prefix(Self.dateLength)) }

    fileprivate var timeText: String { String(iso8601.dropFirst(Self.dateLength + 1).dropLast()) }
}

extension CalendarDate: Codable {
    /// Writes the date in ISO 8601: `"2026-03-21"`.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(UTCTime(date: self, time: TimeOfDay(wrapping: 0)).dateText)
    }

    /// Reads a date as written by `encode(to:)`. Throws `DecodingError` for any other text.
    public init(from decoder: any Decoder) throws {
        self = try decoder.text("date") { text in
            text.utf8.count == UTCTime.dateLength
                ? UTCTime(iso8601: text + "T00:00:00Z")?.date : nil
        }
    }
}

extension TimeOfDay: Codable {
    /// Writes the time of day in ISO 8601, with three decimals or, if they are not exact, nine:
    /// `"10:15:20.250"`.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(
            CalendarDate(daysSince1970: 0).map { UTCTime(date: $0, time: self).timeText })
    }

    /// Reads a time of day as written by `encode(to:)`. Throws `DecodingError` for any other text.
    public init(from decoder: any Decoder) throws {
        self = try decoder.text("time of day") { text in
            // An offset is not accepted, because the time might then belong to another day.
            let isPlain = text.utf8.allSatisfy { UInt8(ascii: ".")...UInt8(ascii: ":") ~= $0 }
            return isPlain ? UTCTime(iso8601: UTCTime.epochDay + text)?.time : nil
        }
    }
}

extension Decoder {
    /// Reads a string and converts it with `read`. Throws `DecodingError` if `read` returns `nil`.
    fileprivate func text<Value>(_ name: String, _ read: (String) -> Value?) throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = read(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a \(name): '\(text)'")
        }
        return value
    }
}

/// A state that `gpsbridge-fleet` transmits and stores as a number: `firstNumber` plus its index in
/// the list of states.
package protocol NumberedState: CaseIterable, Equatable where AllCases == [Self] {
    /// The number of the first state. Default: 0.
    static var firstNumber: Int { get }
}

extension NumberedState {
    package static var firstNumber: Int { 0 }

    /// The state's position in the list of all states, counted from the first number.
    // Inlined, because the search would otherwise be generic code, and tables use it in each epoch.
    @inline(__always)
    package var number: Int {
        var number = Self.firstNumber
        for state in Self.allCases {
            if state == self { return number }
            number += 1
        }
        return Self.firstNumber
    }

    /// Creates a state from its number. Returns `nil` for an unknown number.
    package init?(number: Double) {
        guard let state = Self.allCases.first(where: { Double($0.number) == number }) else {
            return nil
        }
        self = state
    }
}

extension Integrity.State: NumberedState {}
extension Vote.State: NumberedState {}
extension AnchorState.Condition: NumberedState {}
