// SPDX-License-Identifier: MIT

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
