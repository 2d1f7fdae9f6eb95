// SPDX-License-Identifier: MIT
import UBX

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
