// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The factory configuration of simulated u-blox chips.
enum ConfigurationDefaults {
    /// Returns all keys that a chip knows, with their factory values.
    static func values(of chip: UBXChip, _ personality: Personality) -> ConfigurationStore.Values {
        var values: ConfigurationStore.Values = [:]
        for (key, value) in common { values[ConfigurationKey(key)] = value }
        for (key, value) in chip.ownKeys { values[ConfigurationKey(key)] = value }
        values[.nmeaVersion] = personality.version.databaseValue
        addSignals(chip, personality.constellations, &values)
        for port in UBXPort.all where chip.has(port) { addPort(port, chip, &values) }
        return values
    }

    private static func addSignals(
        _ chip: UBXChip, _ enabled: [Constellation], _ values: inout ConfigurationStore.Values
    ) {
        for signal in SignalKey.signals where chip.signals.contains(signal.name) {
            let isOn = !chip.disabledSignals.contains(signal.name)
            values[signal.key] = isOn ? 1 : 0
        }
        for signal in SignalKey.constellations {
            guard let constellation = signal.constellation,
                chip.constellations.contains(constellation)
            else { continue }
            values[signal.key] = enabled.contains(constellation) ? 1 : 0
        }
    }

    private static func addPort(
        _ port: UBXPort, _ chip: UBXChip, _ values: inout ConfigurationStore.Values
    ) {
        let corrections = chip.hasDatabase ? ConfigurationKey.PortProtocol.rtcm3 : .rtcm2
        for kind in [.ubx, .nmea, corrections] { values[.input(kind, on: port)] = 1 }
        // UBX output is enabled too, but nothing is sent, because the rate of every UBX message is
        // 0.
        for kind in [ConfigurationKey.PortProtocol.ubx, .nmea] {
            values[.output(kind, on: port)] = 1
        }
        if chip.hasTwoUARTs { values[.output(.rtcm3, on: port)] = 1 }
        if let line = LineKeys(port) {
            values[line.baudRate] = UInt64(chip.baudRate)
            values[line.stopBits] = 1
            values[line.dataBits] = 0
            values[line.parity] = 0
            values[line.isEnabled] = 1
        }
        for message in MessageKeys.all where chip.knows(message.id) {
            values[message.key(on: port)] = MessageKeys.onByDefault.contains(message.id) ? 1 : 0
        }
    }

    /// The keys that every simulated chip knows, with their factory values. Most were read from a
    /// real M10 (SPG 5.10).
    private static let common: [(UInt32, UInt64)] = [
        // RATE
        (0x3021_0001, 1000), (0x3021_0002, 1), (0x2021_0003, 1),
        // NAVSPG
        (0x2011_0011, 3), (0x1011_0013, 0), (0x3011_0017, 0), (0x2011_001C, 0),
        (0x2011_0021, 0), (0x1011_0025, 0), (0x2011_00A1, 3), (0x2011_00A2, 32),
        (0x2011_00A3, 6), (0x2011_00A4, 5), (0x2011_00AA, 0), (0x2011_00AB, 0),
        (0x3011_00B1, 250), (0x3011_00B2, 250), (0x3011_00B3, 100), (0x3011_00B4, 350),
        (0x4011_00C1, 0), (0x4011_00C2, 10_000), (0x2011_00C4, 60), (0x2011_00D6, 0),
        // ANA
        (0x1023_0001, 0), (0x3023_0002, 100),
        // MOT
        (0x2025_0038, 0), (0x3025_003B, 0),
        // NMEA
        (0x2093_0002, 0), (0x1093_0003, 0), (0x1093_0004, 1), (0x1093_0005, 0),
        (0x1093_0006, 0), (0x2093_0007, 0), (0x2093_0031, 0), (0x2093_0032, 0),
        // SBAS
        (0x1036_0002, 0), (0x1036_0003, 1), (0x1036_0004, 1), (0x1036_0005, 0),
        (0x5036_0006, 0),
        // TP
        (0x3005_0001, 50), (0x4005_0002, 1_000_000), (0x4005_0003, 1_000_000),
        (0x4005_0004, 0), (0x4005_0005, 100_000), (0x1005_0007, 1), (0x1005_0008, 1),
        (0x1005_0009, 1), (0x1005_000A, 1), (0x1005_000B, 1), (0x2005_000C, 1),
        (0x2005_0023, 0), (0x4005_0024, 1), (0x4005_0025, 1), (0x5005_002A, 0),
        (0x5005_002B, 0x4024_0000_0000_0000), (0x2005_0030, 1),
        // USB
        (0x1065_0001, 1),
    ]
}

/// The configuration keys of a UART.
struct LineKeys {
    let baudRate, stopBits, dataBits, parity, isEnabled: ConfigurationKey

    /// Finds the keys for a port. Returns `nil` if it is not a UART.
    init?(_ port: UBXPort) {
        guard let rate = ConfigurationKey.baudRate(of: port) else { return nil }
        let group = rate.rawValue & 0x00FF_0000
        baudRate = rate
        stopBits = ConfigurationKey(0x2000_0002 | group)
        dataBits = ConfigurationKey(0x2000_0003 | group)
        parity = ConfigurationKey(0x2000_0004 | group)
        isEnabled = ConfigurationKey(0x1000_0005 | group)
    }
}

/// A sentence or UBX message that can be enabled, and the configuration keys for its rate on each
/// port.
struct MessageKeys {
    let id: UBXMessageID
    private let output: MessageOutput?
    /// The index of the message, from 0, among the messages without published keys; 0 for all other
    /// messages.
    private let number: UInt32

    /// Returns the key for the message's rate on a port.
    func key(on port: UBXPort) -> ConfigurationKey {
        // u-blox has not published keys for these messages. Only chips without a database have
        // them, so the invented key is only used internally.
        output?.key(on: port) ?? ConfigurationKey(0x2091_0F00 + number * 5 + UInt32(port.rawValue))
    }

    /// All messages that a simulated chip can send.
    static let all =
        MessageOutput.all.map { MessageKeys(id: $0.id, output: $0, number: 0) }
        + [NavSVINFO.id, NavSOL.id, TimTM2.id].enumerated().map {
            MessageKeys(id: $1, output: nil, number: UInt32($0))
        }

    /// Returns the keys of a message; `nil` if no simulated chip can send it.
    static func keys(of id: UBXMessageID) -> MessageKeys? { all.first { $0.id == id } }

    /// The sentences that u-blox chips send by default: RMC, VTG, GGA, GSA, GSV and GLL.
    static let onByDefault = Set([4, 5, 0, 2, 3, 1].map { UBXMessageID(0xF0, $0) })
}

extension SignalKey {
    /// Returns the key that enables a constellation, given by u-blox's `gnssId`; `nil` for an
    /// unknown number.
    static func constellation(_ gnssID: UInt8) -> ConfigurationKey? {
        constellations.first { $0.gnssID == gnssID }?.key
    }
}

extension Personality.Version {
    private static let databaseValues: [Personality.Version: UInt64] = [
        .v2_0: 21, .v2_3: 23, .v4_0: 40, .v4_10: 41, .v4_11: 42,
    ]

    /// The value of the key `CFG-NMEA-PROTVER` for this version.
    var databaseValue: UInt64? { Self.databaseValues[self] }

    /// Creates the version from a value of the key `CFG-NMEA-PROTVER`. Returns `nil` for an unknown
    /// value.
    init?(databaseValue: UInt64) {
        guard let found = Self.databaseValues.first(where: { $0.value == databaseValue }) else {
            return nil
        }
        self = found.key
    }
}

/// The configuration of a simulated u-blox chip: a value for each key in each layer.
///
/// Chips up to M8 have no such database. Their `CFG` messages are simulated as reading and writing
/// the same keys.
struct ConfigurationStore: Sendable {
    /// The values of one layer, by key.
    typealias Values = [ConfigurationKey: UInt64]

    /// The factory values. They contain every key that the chip knows.
    let defaults: Values
    /// The values in effect (RAM layer).
    private var ram: Values
    /// The values stored in the battery-backed memory (BBR layer).
    private var battery: Values = [:]
    /// The values stored in flash; `nil` for a module without flash.
    private var flash: Values?

    /// Creates a store in which the factory values are in effect.
    init(defaults: Values, hasFlash: Bool) {
        self.defaults = defaults
        ram = defaults
        flash = hasFlash ? [:] : nil
    }

    /// The value in effect for a key; 0 for an unknown key.
    subscript(key: ConfigurationKey) -> UInt64 { ram[key] ?? 0 }

    /// Returns whether the chip has the key.
    func knows(_ key: ConfigurationKey) -> Bool { defaults[key] != nil }

    /// Returns whether the module has all of the layers.
    func has(_ layers: ConfigurationLayers) -> Bool {
        layers.rawValue & ~7 == 0 && (flash != nil || !layers.contains(.flash))
    }

    /// Returns the values of a layer; `nil` if the module does not have the layer.
    func values(of layer: ConfigurationLayer) -> Values? {
        switch layer {
        case .ram: ram
        case .battery: battery
        case .flash: flash
        case .defaults: defaults
        default: nil
        }
    }

    // MARK: Changes

    /// Sets values in each of the layers. A layer that the module does not have is ignored.
    mutating func set(_ items: some Sequence<ConfigurationItem>, in layers: ConfigurationLayers) {
        for item in items {
            if layers.contains(.ram) { ram[item.key] = item.value }
            if layers.contains(.battery) { battery[item.key] = item.value }
            if layers.contains(.flash) { flash?[item.key] = item.value }
        }
    }

    /// Deletes stored values from the battery-backed memory and flash. The values in effect do not
    /// change until the next start.
    mutating func delete(_ keys: some Sequence<ConfigurationKey>, from layers: ConfigurationLayers)
    {
        for key in keys {
            if layers.contains(.battery) { battery[key] = nil }
            if layers.contains(.flash) { flash?[key] = nil }
        }
    }

    /// Stores the values in effect in the given layers, for all keys for which `isSaved` returns
    /// `true`.
    mutating func save(_ isSaved: (ConfigurationKey) -> Bool, in layers: ConfigurationLayers) {
        let items = ram.filter { isSaved($0.key) }.map { ConfigurationItem($0.key, $0.value) }
        set(items, in: layers)
    }

    /// Reloads the values in effect, for all keys for which `isLoaded` returns `true`. A value in
    /// the battery-backed memory has priority over flash, and flash over the factory value.
    mutating func load(_ isLoaded: (ConfigurationKey) -> Bool = { _ in true }) {
        for (key, value) in defaults where isLoaded(key) {
            ram[key] = battery[key] ?? flash?[key] ?? value
        }
    }

    /// Loads all values as after a power failure. If `keepsBattery` is `false`, first clears the
    /// battery-backed memory.
    mutating func restart(keepsBattery: Bool) {
        if !keepsBattery { battery = [:] }
        load()
    }
}
