// SPDX-License-Identifier: MIT

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
