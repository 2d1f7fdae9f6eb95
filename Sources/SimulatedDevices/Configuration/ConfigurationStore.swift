// SPDX-License-Identifier: MIT
import UBX

/// The configuration of a simulated u-blox chip: a value for each key in each layer.
///
/// Chips up to M8 have no such database. Their `CFG` messages are views on the same keys.
struct ConfigurationStore: Sendable {
    /// The values of one layer.
    typealias Values = [ConfigurationKey: UInt64]

    /// The values of the firmware; its keys are those that the chip knows.
    let defaults: Values
    /// The values in effect.
    private(set) var ram: Values
    /// Values in memory that lasts while the backup battery does.
    private(set) var battery: Values = [:]
    /// Values in flash; `nil` for a module without flash.
    private(set) var flash: Values?

    /// Creates a store with the values of the firmware.
    init(defaults: Values, hasFlash: Bool) {
        self.defaults = defaults
        ram = defaults
        flash = hasFlash ? [:] : nil
    }

    /// The value in effect; 0 for an unknown key.
    subscript(key: ConfigurationKey) -> UInt64 { ram[key] ?? 0 }

    /// Whether the chip has the key.
    func knows(_ key: ConfigurationKey) -> Bool { defaults[key] != nil }

    /// Whether the module has the layers.
    func has(_ layers: ConfigurationLayers) -> Bool {
        layers.rawValue & ~7 == 0 && (flash != nil || !layers.contains(.flash))
    }

    /// The values of a layer; `nil` if the module does not have it.
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

    /// Sets values in some layers.
    mutating func set(_ items: some Sequence<ConfigurationItem>, in layers: ConfigurationLayers) {
        for item in items {
            if layers.contains(.ram) { ram[item.key] = item.value }
            if layers.contains(.battery) { battery[item.key] = item.value }
            if layers.contains(.flash) { flash?[item.key] = item.value }
        }
    }

    /// Deletes values from memory; those in effect stay until the next start.
    mutating func delete(_ keys: some Sequence<ConfigurationKey>, from layers: ConfigurationLayers)
    {
        for key in keys {
            if layers.contains(.battery) { battery[key] = nil }
            if layers.contains(.flash) { flash?[key] = nil }
        }
    }

    /// Saves values in effect.
    mutating func save(_ isSaved: (ConfigurationKey) -> Bool, in layers: ConfigurationLayers) {
        let items = ram.filter { isSaved($0.key) }.map { ConfigurationItem($0.key, $0.value) }
        set(items, in: layers)
    }

    /// Puts values from memory into effect: those of the firmware, over them flash, over them the
    /// battery-backed memory.
    mutating func load(_ isLoaded: (ConfigurationKey) -> Bool = { _ in true }) {
        for (key, value) in defaults where isLoaded(key) {
            ram[key] = battery[key] ?? flash?[key] ?? value
        }
    }

    /// Starts again after the power was off.
    mutating func restart(keepsBattery: Bool) {
        if !keepsBattery { battery = [:] }
        load()
    }
}
