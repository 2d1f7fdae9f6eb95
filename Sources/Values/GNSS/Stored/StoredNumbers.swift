// SPDX-License-Identifier: MIT

/// The stored numbers of a type, each with its key.
typealias StoredNumbers<Value> = [(name: StoredName, number: WritableKeyPath<Value, Double?>)]

/// A type whose stored form is an object that contains only numbers.
protocol StoredByNumbers: Codable {
    /// The value with all numbers `nil`.
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

/// The key of a stored number.
struct StoredName: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringLiteral name: String) { stringValue = name }
    init?(stringValue name: String) { stringValue = name }
    init?(intValue: Int) { nil }
}

extension Encoder {
    /// Writes the numbers that are not `nil`.
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
