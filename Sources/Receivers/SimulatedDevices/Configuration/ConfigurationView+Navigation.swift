// SPDX-License-Identifier: MIT
import UBX

extension ConfigurationKey {
    static let utcStandard = ConfigurationKey(0x2011_001C)
    static let requires3DFirst = ConfigurationKey(0x1011_0013)
    static let cn0SatelliteCount = ConfigurationKey(0x2011_00AA)
    static let cn0Threshold = ConfigurationKey(0x2011_00AB)
    static let maximumTDOP = ConfigurationKey(0x3011_00B2)
    static let maximumTimeAccuracy = ConfigurationKey(0x3011_00B4)
    static let fixedAltitude = ConfigurationKey(0x4011_00C1)
    static let fixedAltitudeVariance = ConfigurationKey(0x4011_00C2)
    static let attenuationCompensation = ConfigurationKey(0x2011_00D6)
    static let maximumOrbitError = ConfigurationKey(0x3023_0002)
    static let sbasTestMode = ConfigurationKey(0x1036_0002)
}

extension CfgNAV5: ConfigurationView {
    static func answer(_ selector: [UInt8], _ context: UBXConfigurator) -> [UInt8]? {
        let store = context.store
        var message = CfgNAV5()
        message.mask = Mask(rawValue: 0x5FF)
        message.dynamicModel = store.number(.dynamicModel)
        message.fixMode = store.number(.fixMode)
        message.fixedAltitude = Double(store.number(.fixedAltitude) as Int32) / 100
        message.fixedAltitudeVariance = Double(store[.fixedAltitudeVariance]) / 10_000
        message.minimumElevation = store.number(.minimumElevation)
        message.maximumPDOP = Double(store[.maximumPDOP]) / 10
        message.maximumTDOP = Double(store[.maximumTDOP]) / 10
        message.maximumPositionAccuracy = store.number(.maximumPositionAccuracy)
        message.maximumTimeAccuracy = store.number(.maximumTimeAccuracy)
        message.staticHoldSpeed = store.number(.staticHoldSpeed)
        message.correctionTimeout = store.number(.correctionTimeout)
        message.cn0SatelliteCount = store.number(.cn0SatelliteCount)
        message.cn0Threshold = store.number(.cn0Threshold)
        message.staticHoldDistance = store.number(.staticHoldDistance)
        message.utcStandard = store.number(.utcStandard)
        return message.payload
    }

    func items(_ context: UBXConfigurator) -> [ConfigurationItem]? {
        let fields: [(mask: UInt16, key: ConfigurationKey, value: Int64)] = [
            (0x1, .dynamicModel, Int64(dynamicModel)),
            (0x2, .minimumElevation, Int64(minimumElevation)),
            (0x4, .fixMode, Int64(fixMode)),
            (0x4, .fixedAltitude, Int64((fixedAltitude * 100).rounded())),
            (0x4, .fixedAltitudeVariance, Int64((fixedAltitudeVariance * 10_000).rounded())),
            (0x10, .maximumPDOP, Int64((maximumPDOP * 10).rounded())),
            (0x10, .maximumPositionAccuracy, Int64(maximumPositionAccuracy)),
            (0x20, .maximumTDOP, Int64((maximumTDOP * 10).rounded())),
            (0x20, .maximumTimeAccuracy, Int64(maximumTimeAccuracy)),
            (0x40, .staticHoldSpeed, Int64(staticHoldSpeed)),
            (0x40, .staticHoldDistance, Int64(staticHoldDistance)),
            (0x80, .correctionTimeout, Int64(correctionTimeout)),
            (0x100, .cn0SatelliteCount, Int64(cn0SatelliteCount)),
            (0x100, .cn0Threshold, Int64(cn0Threshold)),
            (0x400, .utcStandard, Int64(utcStandard)),
        ]
        return fields.filter { mask.rawValue & $0.mask != 0 }
            .map { ConfigurationItem($0.key, signed: $0.value) }
    }
}

extension CfgNAVX5: ConfigurationView {
    static func answer(_ selector: [UInt8], _ context: UBXConfigurator) -> [UInt8]? {
        let store = context.store
        var message = CfgNAVX5()
        message.version = context.chip.knows(NavPVT.id) ? 2 : 0
        message.minimumSatellites = store.number(.minimumSatellites)
        message.maximumSatellites = store.number(.maximumSatellites)
        message.minimumCN0 = store.number(.minimumCN0)
        message.requires3DFirst = store.number(.requires3DFirst)
        message.acknowledgesAiding = store.number(.acknowledgesAiding)
        message.weekNumberRollover = store.number(.weekNumberRollover)
        message.attenuationCompensation = store.number(.attenuationCompensation)
        message.autonomousAssistance = store.number(.autonomousAssistance)
        message.maximumOrbitError = store.number(.maximumOrbitError)
        return message.payload
    }

    func items(_ context: UBXConfigurator) -> [ConfigurationItem]? {
        let fields: [(mask: UInt32, key: ConfigurationKey, value: UInt64)] = [
            (0x4, .minimumSatellites, UInt64(minimumSatellites)),
            (0x4, .maximumSatellites, UInt64(maximumSatellites)),
            (0x8, .minimumCN0, UInt64(minimumCN0)),
            (0x40, .requires3DFirst, UInt64(requires3DFirst & 1)),
            (0x200, .weekNumberRollover, UInt64(weekNumberRollover)),
            (UInt32(Self.ackAidingMask), .acknowledgesAiding, UInt64(acknowledgesAiding & 1)),
            (UInt32(Self.autonomousMask), .autonomousAssistance, UInt64(autonomousAssistance & 1)),
            (UInt32(Self.autonomousMask), .maximumOrbitError, UInt64(maximumOrbitError)),
        ]
        return fields.filter { UInt32(mask) & $0.mask != 0 }
            .map { ConfigurationItem($0.key, $0.value) }
    }
}

extension CfgNMEA: ConfigurationView {
    static func answer(_ selector: [UInt8], _ context: UBXConfigurator) -> [UInt8]? {
        let store = context.store
        var message = CfgNMEA()
        message.nmeaVersion = versions.first { $0.key == store[.nmeaVersion] }?.byte ?? 0x40
        message.maximumSatellites = store.number(.nmeaMaximumSatellites)
        for (bit, key) in flagKeys where store[key] == 1 { message.flags |= 1 << bit }
        // Up to generation 6, the message has 4 bytes; in generation 7, it has 12.
        guard context.chip.knows(NavPVT.id) else { return message.payload }
        message.details = [0, 0, 0, 0]
        let bytes: [ConfigurationKey] = [
            .nmeaSatelliteNumbering, .nmeaMainTalker, .nmeaSatelliteTalker,
        ]
        message.details += bytes.map { store.number($0) }
        guard context.chip.knows(NavEOE.id) else { return message.payload + [0] }
        message.details += [1, 0, 0, 0, 0, 0, 0, 0, 0]
        return message.payload
    }

    func items(_ context: UBXConfigurator) -> [ConfigurationItem]? {
        guard let version = Self.versions.first(where: { $0.byte == nmeaVersion }) else {
            return nil
        }
        var items = [
            ConfigurationItem(.nmeaVersion, version.key),
            ConfigurationItem(.nmeaMaximumSatellites, UInt64(maximumSatellites)),
        ]
        for (bit, key) in Self.flagKeys {
            items.append(ConfigurationItem(key, flags >> bit & 1 == 1))
        }
        guard details.count >= 7 else { return items }
        return items + [
            ConfigurationItem(.nmeaSatelliteNumbering, UInt64(details[4])),
            ConfigurationItem(.nmeaMainTalker, UInt64(details[5])),
            ConfigurationItem(.nmeaSatelliteTalker, UInt64(details[6])),
        ]
    }

    private static let versions: [(byte: UInt8, key: UInt64)] = [
        (0x21, 21), (0x23, 23), (0x40, 40), (0x41, 41), (0x4B, 42),
    ]
    private static let flagKeys: [(bit: UInt8, key: ConfigurationKey)] = [
        (0, .nmeaCompatible), (1, .nmeaConsidersSatellites), (2, .nmeaLimit82),
        (3, .nmeaHighPrecision),
    ]
}

extension CfgSBAS: ConfigurationView {
    static func answer(_ selector: [UInt8], _ context: UBXConfigurator) -> [UInt8]? {
        let store = context.store
        var message = CfgSBAS()
        let isOn = SignalKey.constellation(1).map { store[$0] } ?? 0
        message.mode = UInt8(isOn & 1 | store[.sbasTestMode] << 1 & 2)
        for (bit, key) in usageKeys where store[key] == 1 { message.usage |= 1 << bit }
        message.scannedPRNs = store.number(.sbasPRNs)
        message.scannedPRNs2 = UInt8(truncatingIfNeeded: store[.sbasPRNs] >> 32)
        return message.payload
    }

    func items(_ context: UBXConfigurator) -> [ConfigurationItem]? {
        guard let enabled = SignalKey.constellation(1) else { return nil }
        let prns = UInt64(scannedPRNs2) << 32 | UInt64(scannedPRNs)
        return [
            ConfigurationItem(enabled, mode & 1 == 1),
            ConfigurationItem(.sbasTestMode, mode & 2 == 2), ConfigurationItem(.sbasPRNs, prns),
        ] + Self.usageKeys.map { ConfigurationItem($0.key, usage >> $0.bit & 1 == 1) }
    }

    private static let usageKeys: [(bit: UInt8, key: ConfigurationKey)] = [
        (0, .sbasRanging), (1, .sbasCorrections), (2, .sbasIntegrity),
    ]
}

extension CfgITFM: ConfigurationView {
    static func answer(_ selector: [UInt8], _ context: UBXConfigurator) -> [UInt8]? {
        guard context.store.knows(.jammingMonitor) else { return nil }
        var message = CfgITFM()
        message.configuration = 0x16B1_56F3 & 0x7FFF_FFFF
        message.configuration2 = 0x31E
        message.isEnabled = context.store[.jammingMonitor] == 1
        return message.payload
    }

    func items(_ context: UBXConfigurator) -> [ConfigurationItem]? {
        guard context.store.knows(.jammingMonitor) else { return nil }
        return [ConfigurationItem(.jammingMonitor, isEnabled)]
    }
}

extension ConfigurationItem {
    /// Creates an item with a signed value, as two's complement in the key's number of bytes.
    init(_ key: ConfigurationKey, signed value: Int64) {
        let bits = UInt64(bitPattern: value)
        self.init(key, key.size >= 8 ? bits : bits & (1 << UInt64(key.size * 8) - 1))
    }
}
