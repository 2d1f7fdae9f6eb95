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
        case jamming, spoofing, interferenceLevel, correctionSource
        case jammedFrequency, gain, receiverClock, leapSeconds, integrity, vote, isStationary
    }

    /// Writes the known values.
    public func encode(to encoder: any Encoder) throws {
        var numbers = encoder.container(keyedBy: StoredName.self)
        for property in FixProperty.all where property.isStored {
            try numbers.write(number: property.value(self), StoredName(property.name))
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
        try values.encodeIfPresent(jamming, forKey: .jamming)
        try values.encodeIfPresent(spoofing, forKey: .spoofing)
        try values.encodeIfPresent(interferenceLevel, forKey: .interferenceLevel)
        try values.encodeIfPresent(correctionSource, forKey: .correctionSource)
        try values.encodeIfPresent(jammedFrequency, forKey: .jammedFrequency)
        try values.encodeIfPresent(gain, forKey: .gain)
        try values.encodeIfPresent(receiverClock, forKey: .receiverClock)
        try values.encodeIfPresent(leapSeconds, forKey: .leapSeconds)
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
            if let number = try numbers.number(StoredName(property.name)) {
                property.set(&self, number)
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
        jamming = try value(.jamming)
        spoofing = try value(.spoofing)
        interferenceLevel = try values.integer(.interferenceLevel, in: 0...255).map { UInt8($0) }
        correctionSource = try value(.correctionSource)
        jammedFrequency = try value(.jammedFrequency)
        gain = try value(.gain)
        receiverClock = try value(.receiverClock)
        leapSeconds = try value(.leapSeconds)
        integrity = try value(.integrity)
        vote = try value(.vote)
        isStationary = try value(.isStationary)
    }
}

extension FixMode: Codable {}
extension FixQuality: Codable {}
