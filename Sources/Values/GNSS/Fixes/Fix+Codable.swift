// SPDX-License-Identifier: MIT

/// The stored form of a fix. Unknown values are omitted.
///
///     {"time":"2026-03-21T10:15:20.250Z","timeOfDay":"10:15:20.250","mode":3,"quality":1,
///      "coordinate":{"latitude":48.2,"longitude":16.36},"altitude":170.5,"speed":10,
///      "dilution":{"hdop":0.9},"satellitesUsed":9}
extension Fix: Codable {
    private enum CodingKeys: String, CodingKey {
        case time, receivedDate, timeOfDay, mode, quality, coordinate, attitude, instruments
        case correctionStation, dilution, accuracy, standardDeviation
        case satellitesUsed, satellitesInView
        case covariance, velocityCovariance, protectionLevel
        case jammedFrequency, gain, receiverClock, integrity, vote, isStationary
    }

    /// Writes the known values.
    public func encode(to encoder: any Encoder) throws {
        var numbers = encoder.container(keyedBy: StoredName.self)
        for property in FixProperty.all where property.isStored {
            let name = StoredName(property.name)
            if property.words.isEmpty {
                try numbers.write(number: property.value(self), name)
            } else {
                try numbers.encodeIfPresent(property.word(self)?.name, forKey: name)
            }
        }
        let nothing = Fix()
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(time, forKey: .time)
        try values.encodeIfPresent(receivedDate, forKey: .receivedDate)
        try values.encodeIfPresent(timeOfDay, forKey: .timeOfDay)
        try values.encode(mode, forKey: .mode)
        try values.encode(quality, forKey: .quality)
        try values.encodeIfPresent(coordinate, forKey: .coordinate)
        try values.write(attitude, unless: nothing.attitude, .attitude)
        if !instruments.known.isEmpty { try values.encode(instruments, forKey: .instruments) }
        try values.encodeIfPresent(correctionStation, forKey: .correctionStation)
        try values.write(dilution, unless: nothing.dilution, .dilution)
        try values.write(accuracy, unless: nothing.accuracy, .accuracy)
        try values.write(standardDeviation, unless: nothing.standardDeviation, .standardDeviation)
        try values.encodeIfPresent(satellitesUsed, forKey: .satellitesUsed)
        try values.encodeIfPresent(satellitesInView, forKey: .satellitesInView)
        try values.encodeIfPresent(covariance, forKey: .covariance)
        try values.encodeIfPresent(velocityCovariance, forKey: .velocityCovariance)
        try values.encodeIfPresent(protectionLevel, forKey: .protectionLevel)
        try values.encodeIfPresent(jammedFrequency, forKey: .jammedFrequency)
        try values.encodeIfPresent(gain, forKey: .gain)
        try values.encodeIfPresent(receiverClock, forKey: .receiverClock)
        try values.encodeIfPresent(integrity, forKey: .integrity)
        try values.encodeIfPresent(vote, forKey: .vote)
        try values.encodeIfPresent(isStationary, forKey: .isStationary)
    }

    /// Reads a fix. Throws `DecodingError` if a value is not valid. Only mode and quality are
    /// required.
    public init(from decoder: any Decoder) throws {
        self.init()
        let numbers = try decoder.container(keyedBy: StoredName.self)
        for property in FixProperty.all where property.isStored {
            let name = StoredName(property.name)
            guard let number = try numbers.number(name, property.words) else { continue }
            property.set(&self, number)
            guard property.value(self) != nil else {
                throw DecodingError.dataCorruptedError(
                    forKey: name, in: numbers, debugDescription: "\(number) is not possible")
            }
        }
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
            try values.decodeIfPresent(Value.self, forKey: key)
        }
        time = try value(.time)
        receivedDate = try value(.receivedDate)
        timeOfDay = try value(.timeOfDay)
        mode = try values.decode(FixMode.self, forKey: .mode)
        quality = try values.decode(FixQuality.self, forKey: .quality)
        coordinate = try value(.coordinate)
        attitude = try value(.attitude) ?? attitude
        instruments = try value(.instruments) ?? instruments
        correctionStation = try value(.correctionStation)
        dilution = try value(.dilution) ?? dilution
        accuracy = try value(.accuracy) ?? accuracy
        standardDeviation = try value(.standardDeviation) ?? standardDeviation
        satellitesUsed = try values.integer(.satellitesUsed, in: 0...Int(UInt16.max))
        satellitesInView = try values.integer(.satellitesInView, in: 0...Int(UInt16.max))
        covariance = try value(.covariance)
        velocityCovariance = try value(.velocityCovariance)
        protectionLevel = try value(.protectionLevel)
        jammedFrequency = try value(.jammedFrequency)
        gain = try value(.gain)
        receiverClock = try value(.receiverClock)
        integrity = try value(.integrity)
        vote = try value(.vote)
        isStationary = try value(.isStationary)
    }
}

extension FixMode: Codable {}
extension FixQuality: Codable {}

// The stored forms of the structures in a fix. Unknown values are omitted.

extension Coordinate: Codable {
    private enum CodingKeys: String, CodingKey {
        case latitude, longitude
    }

    /// Writes latitude and longitude.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.write(number: latitude, .latitude)
        try values.write(number: longitude, .longitude)
    }

    /// Reads latitude and longitude without checking their ranges; see `isValid`. Throws
    /// `DecodingError` if either is not a number.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func half(_ key: CodingKeys) throws -> Double {
            // If the number is missing, `decode` throws the standard error.
            try values.number(key) ?? values.decode(Double.self, forKey: key)
        }
        self.init(latitude: try half(.latitude), longitude: try half(.longitude))
    }
}

extension Attitude: StoredByNumbers {
    static var unknown: Self { Self() }
    static var numbers: StoredNumbers<Attitude> {
        [
            ("heading", \.heading), ("magneticHeading", \.magneticHeading),
            ("headingAccuracy", \.headingAccuracy), ("pitch", \.pitch), ("roll", \.roll),
            ("heave", \.heave), ("rateOfTurn", \.rateOfTurn),
        ]
    }
}

extension DilutionOfPrecision: StoredByNumbers {
    static var unknown: Self { Self() }
    static var numbers: StoredNumbers<DilutionOfPrecision> {
        [("hdop", \.hdop), ("vdop", \.vdop), ("pdop", \.pdop)]
    }
}

extension StandardDeviation: StoredByNumbers {
    static var unknown: Self { Self() }
    static var numbers: StoredNumbers<StandardDeviation> {
        [
            ("latitude", \.latitude), ("longitude", \.longitude), ("altitude", \.altitude),
            ("semiMajor", \.semiMajor), ("semiMinor", \.semiMinor),
            ("orientation", \.orientation), ("range", \.range),
        ]
    }
}

extension Accuracy: Codable {
    private enum CodingKeys: String, CodingKey {
        case source
    }

    private static var numbers: StoredNumbers<Accuracy> {
        [
            ("horizontal", \.horizontal), ("vertical", \.vertical), ("spherical", \.spherical),
            ("speed", \.speed), ("course", \.course), ("time", \.time),
        ]
    }

    /// Writes the known values.
    public func encode(to encoder: any Encoder) throws {
        try encoder.write(Self.numbers, of: self)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(source, forKey: .source)
    }

    /// Reads an accuracy. Throws `DecodingError` if a value is not valid.
    public init(from decoder: any Decoder) throws {
        self.init()
        try decoder.read(Self.numbers, into: &self)
        let values = try decoder.container(keyedBy: CodingKeys.self)
        source = try values.decodeIfPresent(Source.self, forKey: .source)
    }
}

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

/// The stored form is the name: `"standardDeviations"`.
extension Accuracy.Source: Codable {}

extension Satellite: Codable, CustomStringConvertible {
    private enum CodingKeys: String, CodingKey {
        case id, elevation, azimuth, cn0, isUsed, signals
    }

    /// Creates a satellite, for example for a test. Omitted values are unknown.
    public init(
        id: SatelliteID, elevation: Double? = nil, azimuth: Double? = nil, cn0: Double? = nil,
        isUsed: Bool, signals: some Collection<SatelliteSignal>
    ) {
        self.id = id
        self.elevation = elevation
        self.azimuth = azimuth
        self.cn0 = cn0
        self.isUsed = isUsed
        self.signals = ArraySlice(signals)
    }

    /// Writes the known values.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.write(number: elevation, .elevation)
        try values.write(number: azimuth, .azimuth)
        try values.write(number: cn0, .cn0)
        try values.encode(isUsed, forKey: .isUsed)
        try values.encode(Array(signals), forKey: .signals)
    }

    /// Reads a satellite. Throws `DecodingError` if a value is missing or not valid.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try values.decode(SatelliteID.self, forKey: .id),
            elevation: try values.number(.elevation),
            azimuth: try values.number(.azimuth),
            cn0: try values.number(.cn0),
            isUsed: try values.decode(Bool.self, forKey: .isUsed),
            signals: try values.decode([SatelliteSignal].self, forKey: .signals))
    }

    /// The satellite on one line: `G05 elevation 45° azimuth 123° 42 dB-Hz, used`.
    public var description: String {
        var text = "\(id)"
        if let elevation { text += " elevation \(elevation)°" }
        if let azimuth { text += " azimuth \(azimuth)°" }
        if let cn0 { text += " \(cn0) dB-Hz" }
        return isUsed ? text + ", used" : text
    }
}

extension SatelliteSignal: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, signal, elevation, azimuth, cn0
    }

    /// Writes the known values.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        if signal > 0 { try values.encode(signal, forKey: .signal) }
        try values.write(number: elevation, .elevation)
        try values.write(number: azimuth, .azimuth)
        try values.write(number: cn0, .cn0)
    }

    /// Reads a signal. Throws `DecodingError` if a value is not valid.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try values.decode(SatelliteID.self, forKey: .id),
            signal: UInt8(try values.integer(.signal, in: 0...15) ?? 0),
            elevation: try values.number(.elevation),
            azimuth: try values.number(.azimuth),
            cn0: try values.number(.cn0))
    }
}

/// The stored form of a view: its signals and the ids of the satellites used; also the DOPs
/// and the time, if known.
extension SatelliteView: Codable {
    private enum CodingKeys: String, CodingKey {
        case signals, used, dilution, time
    }

    /// Writes the known values.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(signals, forKey: .signals)
        try values.encode(used, forKey: .used)
        if dilution != DilutionOfPrecision() { try values.encode(dilution, forKey: .dilution) }
        try values.encodeIfPresent(time, forKey: .time)
    }

    /// Reads a view. Throws `DecodingError` if a value is not valid.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            signals: try values.decode([SatelliteSignal].self, forKey: .signals),
            used: try values.decode(SatelliteIDSet.self, forKey: .used),
            dilution: try values.decodeIfPresent(DilutionOfPrecision.self, forKey: .dilution)
                ?? DilutionOfPrecision(),
            time: try values.decodeIfPresent(UTCTime.self, forKey: .time))
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

/// A state that `gpsbridge-fleet` transmits and stores as a number: its index in the list of
/// states.
package protocol NumberedState: CaseIterable, Equatable where AllCases == [Self] {}

extension NumberedState {
    /// The number of the state, from 0.
    package var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Creates a state from its number. Returns `nil` for an unknown number.
    package init?(number: Double) {
        guard let index = Int(exactly: number), Self.allCases.indices.contains(index) else {
            return nil
        }
        self = Self.allCases[index]
    }
}

extension Integrity.State: NumberedState {}
extension Vote.State: NumberedState {}
extension AnchorState.Condition: NumberedState {}

typealias StoredNumbers<Value> = [(name: StoredName, number: WritableKeyPath<Value, Double?>)]

/// A type whose stored form is an object that contains only numbers.
protocol StoredByNumbers: Codable {
    static var unknown: Self { get }
    static var numbers: StoredNumbers<Self> { get }
}

extension StoredByNumbers {
    /// Writes the numbers that are not `nil`.
    public func encode(to encoder: any Encoder) throws {
        try encoder.write(Self.numbers, of: self)
    }

    /// Reads the numbers. Missing numbers become `nil`. Throws `DecodingError` if a value is not a
    /// number.
    public init(from decoder: any Decoder) throws {
        self = .unknown
        try decoder.read(Self.numbers, into: &self)
    }
}

struct StoredName: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringLiteral name: String) { stringValue = name }
    init?(stringValue name: String) { stringValue = name }
    init?(intValue: Int) { nil }
}

extension Encoder {
    func write<Value>(_ numbers: StoredNumbers<Value>, of value: Value) throws {
        var values = container(keyedBy: StoredName.self)
        for (name, number) in numbers {
            try values.write(number: value[keyPath: number], name)
        }
    }
}

extension Decoder {
    /// Reads the numbers. Missing numbers become `nil`. Throws `DecodingError` if a value is not a
    /// number.
    func read<Value>(_ numbers: StoredNumbers<Value>, into value: inout Value) throws {
        let values = try container(keyedBy: StoredName.self)
        for (name, number) in numbers {
            value[keyPath: number] = try values.number(name)
        }
    }
}

extension KeyedEncodingContainer {
    /// Writes a number unless it is `nil`. JSON cannot represent NaN and infinity, so they are
    /// written as the text `nan`, `inf` or `-inf`.
    mutating func write(number: Double?, _ key: Key) throws {
        guard let number else { return }
        if number.isFinite {
            try encode(number, forKey: key)
        } else {
            try encode("\(number)", forKey: key)
        }
    }

    /// Writes a value unless it equals `nothing`.
    mutating func write<Value: Encodable & Equatable>(
        _ value: Value, unless nothing: Value, _ key: Key
    ) throws {
        if value != nothing { try encode(value, forKey: key) }
    }
}

extension KeyedDecodingContainer {
    /// Reads a number, or the text for NaN or infinity. Returns `nil` if the key is missing or its
    /// value is `null`.
    ///
    /// Throws `DecodingError` for anything else.
    func number(_ key: Key) throws -> Double? {
        do {
            return try decodeIfPresent(Double.self, forKey: key)
        } catch DecodingError.typeMismatch {
            let text = try decode(String.self, forKey: key)
            guard ["nan", "inf", "-inf"].contains(text), let number = Double(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: self, debugDescription: "not a number: '\(text)'")
            }
            return number
        }
    }

    /// Reads a number or, if there are words for numbers, the number of a word. Returns `nil` if the
    /// key is missing.
    ///
    /// Throws `DecodingError` for anything else.
    func number(_ key: Key, _ words: [FixProperty.Word]) throws -> Double? {
        guard !words.isEmpty else { return try number(key) }
        guard let name = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let word = words.first(where: { $0.name == name }) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "not a known word: '\(name)'")
        }
        return Double(word.number)
    }

    /// Reads an integer within `range`; returns `nil` if the key is missing.
    ///
    /// Throws `DecodingError` for anything else.
    func integer(_ key: Key, in range: ClosedRange<Int>) throws -> Int? {
        guard let number = try decodeIfPresent(Int.self, forKey: key) else { return nil }
        guard range ~= number else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "\(number) is not within \(range)")
        }
        return number
    }
}
