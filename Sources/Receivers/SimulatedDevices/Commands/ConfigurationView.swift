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

/// A message whose fields are keys.
private protocol KeyedView: ConfigurationView, KeyedMessage {
    /// Returns the message with the fields that have no keys; `nil` if the chip does not have it.
    static func template(_ context: UBXConfigurator) -> Self?
}

extension KeyedView {
    fileprivate static func template(_ context: UBXConfigurator) -> Self? { Self() }

    static func answer(_ selector: [UInt8], _ context: UBXConfigurator) -> [UInt8]? {
        var message = template(context)
        message?.set { context.store[$0] }
        return message?.payload
    }

    func items(_ context: UBXConfigurator) -> [ConfigurationItem]? {
        Self.template(context) == nil ? nil : selectedItems
    }
}

/// The supported `CFG` messages that set keys. Of these, chips from M10 on only understand
/// `CFG-MSG`.
let configurationViews: [any ConfigurationView.Type] = [
    CfgPRT.self, CfgMSG.self, CfgRATE.self, CfgNAV5.self, CfgNAVX5.self, CfgGNSS.self,
    CfgNMEA.self, CfgSBAS.self, CfgITFM.self,
]

extension CfgRATE: KeyedView {}

extension CfgSBAS: KeyedView {}

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

extension CfgNAV5: KeyedView {
    fileprivate static func template(_ context: UBXConfigurator) -> CfgNAV5? {
        var message = CfgNAV5()
        message.mask = Mask(rawValue: 0x5FF)
        return message
    }
}

extension CfgNAVX5: KeyedView {
    fileprivate static func template(_ context: UBXConfigurator) -> CfgNAVX5? {
        var message = CfgNAVX5()
        message.version = context.chip.knows(NavPVT.id) ? 2 : 0
        return message
    }
}

extension CfgNMEA: KeyedView {
    fileprivate static func template(_ context: UBXConfigurator) -> CfgNMEA? {
        var message = CfgNMEA()
        // Up to generation 6, the message has 4 bytes; in generation 7, it has 12.
        if context.chip.knows(NavPVT.id) { message.details = [UInt8](repeating: 0, count: 8) }
        if context.chip.knows(NavEOE.id) {
            message.details.replaceSubrange(7..., with: [1, 0, 0, 0, 0, 0, 0, 0, 0])
        }
        return message
    }

    func items(_ context: UBXConfigurator) -> [ConfigurationItem]? {
        // A message with an unknown version is refused.
        selectedItems.contains { $0.key == .nmeaVersion } ? selectedItems : nil
    }
}

extension CfgITFM: KeyedView {
    fileprivate static func template(_ context: UBXConfigurator) -> CfgITFM? {
        guard context.store.knows(.jammingMonitor) else { return nil }
        var message = CfgITFM()
        message.configuration = 0x16B1_56F3 & 0x7FFF_FFFF
        message.configuration2 = 0x31E
        return message
    }
}
