// SPDX-License-Identifier: MIT

// The values of a fix. A missing value has no key.

extension Coordinate: Codable {
    private enum CodingKeys: String, CodingKey {
        case latitude, longitude
    }

    /// Writes both halves.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.write(number: latitude, .latitude)
        try values.write(number: longitude, .longitude)
    }

    /// Reads both halves as they are, see `isValid`; throws `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func half(_ key: CodingKeys) throws -> Double {
            // If there is no number, this throws the standard error.
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

    /// Writes what is known.
    public func encode(to encoder: any Encoder) throws {
        try encoder.write(Self.numbers, of: self)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(source, forKey: .source)
    }

    /// Reads an accuracy; throws `DecodingError`.
    public init(from decoder: any Decoder) throws {
        self.init()
        try decoder.read(Self.numbers, into: &self)
        let values = try decoder.container(keyedBy: CodingKeys.self)
        source = try values.decodeIfPresent(Source.self, forKey: .source)
    }
}

/// Stored as the six numbers of its upper triangle, row by row.
extension Covariance: Codable {
    /// Writes the numbers.
    public func encode(to encoder: any Encoder) throws {
        var numbers = encoder.unkeyedContainer()
        for number in rows { try numbers.encode(number) }
    }

    /// Reads the numbers; throws `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let covariance = Covariance(rows: try container.decode([Float].self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not the six numbers of a covariance")
        }
        self = covariance
    }
}

/// Stored by its name: `"standardDeviations"`.
extension Accuracy.Source: Codable {}
