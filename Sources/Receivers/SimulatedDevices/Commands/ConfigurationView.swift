// SPDX-License-Identifier: MIT
import UBX

/// A `CFG` message of chips up to M8, which reads and writes several keys of the configuration.
protocol ConfigurationView: UBXMessage {
    /// Returns the payload of the answer to a poll with the payload `selector`; `nil` if the poll
    /// is refused.
    static func answer(_ selector: [UInt8], _ context: UBXConfigurator) -> [UInt8]?

    /// Returns whether a payload of `count` bytes is a poll. By default, only an empty payload is.
    static func isPoll(_ count: Int) -> Bool

    /// Returns the values that the message sets; `nil` if the message is refused.
    func items(_ context: UBXConfigurator) -> [ConfigurationItem]?
}

extension ConfigurationView {
    static func isPoll(_ count: Int) -> Bool { count == 0 }
}

/// The supported `CFG` messages that set keys. Of these, chips from M10 on only understand
/// `CFG-MSG`.
let configurationViews: [any ConfigurationView.Type] = [
    CfgPRT.self, CfgMSG.self, CfgRATE.self, CfgNAV5.self, CfgNAVX5.self, CfgGNSS.self,
    CfgNMEA.self, CfgSBAS.self, CfgITFM.self,
]

extension CfgRATE: ConfigurationView {
    static func answer(_ selector: [UInt8], _ context: UBXConfigurator) -> [UInt8]? {
        var message = CfgRATE()
        message.measurementPeriod = context.store.number(.measurementPeriod)
        message.navigationRatio = context.store.number(.navigationRatio)
        message.timeReference = context.store.number(.timeReference)
        return message.payload
    }

    func items(_ context: UBXConfigurator) -> [ConfigurationItem]? {
        [
            ConfigurationItem(.measurementPeriod, UInt64(measurementPeriod)),
            ConfigurationItem(.navigationRatio, UInt64(navigationRatio)),
            ConfigurationItem(.timeReference, UInt64(timeReference)),
        ]
    }
}

extension CfgMSG: ConfigurationView {
    static func isPoll(_ count: Int) -> Bool { count == 2 }

    static func answer(_ selector: [UInt8], _ context: UBXConfigurator) -> [UInt8]? {
        guard let message = CfgMSG(payload: selector.span),
            let keys = message.keys(context.chip)
        else { return nil }
        let rates = UBXPort.all.map { context.store.number(keys.key(on: $0)) as UInt8 }
        return selector + rates + [0]
    }

    func items(_ context: UBXConfigurator) -> [ConfigurationItem]? {
        guard let keys = keys(context.chip) else { return nil }
        switch rates.count {
        case 1: return [ConfigurationItem(keys.key(on: context.port), UInt64(rates[0]))]
        case 6:
            return zip(UBXPort.all, rates).filter { context.chip.has($0.0) }
                .map { ConfigurationItem(keys.key(on: $0), UInt64($1)) }
        default: return nil
        }
    }

    private func keys(_ chip: UBXChip) -> MessageKeys? {
        chip.knows(message) ? MessageKeys.keys(of: message) : nil
    }
}

extension CfgPRT: ConfigurationView {
    static func isPoll(_ count: Int) -> Bool { count <= 1 }

    static func answer(_ selector: [UInt8], _ context: UBXConfigurator) -> [UInt8]? {
        let port = selector.first.map(UBXPort.init) ?? context.port
        guard context.chip.has(port) else { return nil }
        let store = context.store
        var message = CfgPRT()
        message.port = port
        message.mode = 0
        if let line = LineKeys(port) {
            message.baudRate = store.number(line.baudRate)
            message.mode = Self.mode(line, store)
        }
        for (kind, bit) in Self.protocols {
            if store[.input(kind, on: port)] == 1 { message.input = message.input.union(bit) }
            if store[.output(kind, on: port)] == 1 { message.output = message.output.union(bit) }
        }
        return message.payload
    }

    func items(_ context: UBXConfigurator) -> [ConfigurationItem]? {
        guard context.chip.has(port) else { return nil }
        var items: [ConfigurationItem] = []
        if let line = LineKeys(port) {
            // A message for a UART is refused if it has no valid mode or no baud rate.
            guard let mode = Self.values(of: mode, line), baudRate > 0 else { return nil }
            items = mode + [ConfigurationItem(line.baudRate, UInt64(baudRate))]
        }
        for (kind, bit) in Self.protocols {
            items.append(ConfigurationItem(.input(kind, on: port), input.contains(bit)))
            items.append(ConfigurationItem(.output(kind, on: port), output.contains(bit)))
        }
        return items.filter { context.store.knows($0.key) }
    }

    private static let protocols: [(ConfigurationKey.PortProtocol, UBXProtocols)] = [
        (.ubx, .ubx), (.nmea, .nmea), (.rtcm2, .rtcm2), (.rtcm3, .rtcm3),
    ]

    private static func mode(_ line: LineKeys, _ store: ConfigurationStore) -> UInt32 {
        let length: UInt32 = store[line.dataBits] == 0 ? 0xC0 : 0x80
        let parity: [UInt32] = [0x800, 0x200, 0]
        let stop: [UInt32] = [0x3000, 0, 0x1000, 0x2000]
        return length | parity[Int(min(2, store[line.parity]))]
            | stop[Int(min(3, store[line.stopBits]))]
    }

    private static func values(of mode: UInt32, _ line: LineKeys) -> [ConfigurationItem]? {
        let length = mode >> 6 & 3
        guard length >= 2 else { return nil }
        // Parity bit 2 means no parity, regardless of bit 0.
        let parity: UInt64 = mode >> 9 & 4 != 0 ? 0 : mode >> 9 & 1 == 1 ? 1 : 2
        let stop: [UInt64] = [1, 2, 3, 0]
        return [
            ConfigurationItem(line.dataBits, length == 3 ? 0 : 1),
            ConfigurationItem(line.parity, parity),
            ConfigurationItem(line.stopBits, stop[Int(mode >> 12 & 3)]),
        ]
    }
}

extension ConfigurationStore {
    /// Returns the value in effect for a key, truncated to the type of a message's field.
    func number<Value: FixedWidthInteger>(_ key: ConfigurationKey) -> Value {
        Value(truncatingIfNeeded: self[key])
    }
}

extension CfgGNSS: ConfigurationView {
    /// The constant parts of a constellation's block in `CFG-GNSS`: the minimum and maximum number
    /// of channels, the flag bits of its signals, and the other flags.
    private struct Form {
        let gnssID: UInt8
        let channels: (UInt8, UInt8)
        let signals: [(bit: UInt32, name: String)]
        var constant: UInt32 = 0x0100_0000
    }

    // A real M8 reports these numbers.
    private static let forms: [Form] = [
        Form(
            gnssID: 0, channels: (8, 16),
            signals: [(0x01, "GPS_L1CA"), (0x10, "GPS_L2C"), (0x20, "GPS_L5")]),
        Form(gnssID: 1, channels: (1, 3), signals: [(0x01, "SBAS_L1CA")]),
        Form(
            gnssID: 2, channels: (4, 8),
            signals: [(0x01, "GAL_E1"), (0x10, "GAL_E5A"), (0x20, "GAL_E5B")]),
        Form(
            gnssID: 3, channels: (8, 16),
            signals: [(0x01, "BDS_B1"), (0x10, "BDS_B2"), (0x80, "BDS_B2A")]),
        // IMES has no key, so it is always off.
        Form(gnssID: 4, channels: (0, 8), signals: [], constant: 0x0301_0000),
        Form(
            gnssID: 5, channels: (0, 3),
            signals: [
                (0x01, "QZSS_L1CA"), (0x04, "QZSS_L1S"), (0x10, "QZSS_L2C"), (0x20, "QZSS_L5"),
            ], constant: 0x0500_0000),
        Form(
            gnssID: 6, channels: (8, 14), signals: [(0x01, "GLO_L1"), (0x10, "GLO_L2")]
        ),
    ]

    static func answer(_ selector: [UInt8], _ context: UBXConfigurator) -> [UInt8]? {
        let store = context.store
        var message = CfgGNSS()
        message.hardwareChannels = 32
        message.usedChannels = 32
        for form in forms {
            guard form.gnssID == 4 || SignalKey.constellation(form.gnssID).map(store.knows) == true
            else { continue }
            var block = Block()
            block.gnssID = form.gnssID
            (block.minimumChannels, block.maximumChannels) = form.channels
            block.flags = form.constant
            for (bit, name) in form.signals {
                if let key = SignalKey.named(name)?.key, store[key] == 1 {
                    block.flags |= bit << 16
                }
            }
            if let key = SignalKey.constellation(form.gnssID) { block.isEnabled = store[key] == 1 }
            message.blocks.append(block)
        }
        return message.payload
    }

    func items(_ context: UBXConfigurator) -> [ConfigurationItem]? {
        guard version == 0 else { return nil }
        var items: [ConfigurationItem] = []
        for block in blocks {
            guard let form = Self.forms.first(where: { $0.gnssID == block.gnssID }) else {
                return nil
            }
            guard let key = SignalKey.constellation(block.gnssID), context.store.knows(key) else {
                // IMES, or a constellation that the chip does not have, can only be disabled.
                if block.isEnabled { return nil }
                continue
            }
            items.append(ConfigurationItem(key, block.isEnabled))
            for (bit, name) in form.signals {
                guard let key = SignalKey.named(name)?.key, context.store.knows(key) else {
                    continue
                }
                items.append(ConfigurationItem(key, block.flags >> 16 & bit != 0))
            }
        }
        return items
    }
}

extension SignalKey {
    /// Returns the signal with a name such as `GPS_L1CA`; `nil` if there is none.
    static func named(_ name: String) -> SignalKey? { signals.first { $0.name == name } }
}

extension MonGNSS {
    /// Creates the `MON-GNSS` message of a chip: the constellations that it can receive, the
    /// constellations enabled by default, and the constellations enabled now.
    init(_ chip: UBXChip, _ store: ConfigurationStore) {
        self.init()
        supported = Self.set { store.knows($0) }
        defaults = Self.set { store.defaults[$0] == 1 }
        enabled = Self.set { store[$0] == 1 }
        simultaneous = UInt8(chip.maximumConstellations ?? 4)
    }

    private static func set(_ contains: (ConfigurationKey) -> Bool) -> Constellations {
        let bits: [(UInt8, UInt8)] = [(0, 0), (6, 1), (3, 2), (2, 3)]
        return Constellations(
            rawValue: bits.reduce(0) { sum, bit in
                let isSet = SignalKey.constellation(bit.0).map(contains) ?? false
                return sum | (isSet ? 1 << bit.1 : 0)
            })
    }
}

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
