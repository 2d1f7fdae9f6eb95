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
