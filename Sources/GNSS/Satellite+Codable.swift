// SPDX-License-Identifier: MIT

extension Satellite: Codable, CustomStringConvertible {
    private enum CodingKeys: String, CodingKey {
        case id, elevation, azimuth, cn0, isUsed, signals
    }

    /// Creates a satellite, as for a test; what is left out is not known.
    public init(
        id: SatelliteID, elevation: Double? = nil, azimuth: Double? = nil, cn0: Double? = nil,
        isUsed: Bool, signals: some Collection<SatelliteSignal>
    ) {
        self.id = id
        self.elevation = elevation
        self.azimuth = azimuth
        self.cn0 = cn0
        self.isUsed = isUsed
        self.signals = .init(signals)
    }

    /// Writes what is known.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encodeIfPresent(elevation, forKey: .elevation)
        try values.encodeIfPresent(azimuth, forKey: .azimuth)
        try values.encodeIfPresent(cn0, forKey: .cn0)
        try values.encode(isUsed, forKey: .isUsed)
        try values.encode(Array(signals), forKey: .signals)
    }

    /// Reads a satellite; throws `DecodingError`.
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

    /// One line: `G05 elevation 45° azimuth 123° 42 dB-Hz, used`.
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

    /// Writes what is known.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        if signal > 0 { try values.encode(signal, forKey: .signal) }
        try values.encodeIfPresent(elevation, forKey: .elevation)
        try values.encodeIfPresent(azimuth, forKey: .azimuth)
        try values.encodeIfPresent(cn0, forKey: .cn0)
    }

    /// Reads a signal; throws `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try values.decode(SatelliteID.self, forKey: .id),
            signal: try values.decodeIfPresent(UInt8.self, forKey: .signal) ?? 0,
            elevation: try values.decodeIfPresent(Double.self, forKey: .elevation),
            azimuth: try values.decodeIfPresent(Double.self, forKey: .azimuth),
            cn0: try values.decodeIfPresent(Double.self, forKey: .cn0))
    }
}

extension SatelliteID: Codable {
    /// Writes the id as receiver manuals do: `"G05"`.
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
                in: value, debugDescription: "no satellite: \(text)")
        }
        self = id
    }
}
