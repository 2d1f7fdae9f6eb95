// SPDX-License-Identifier: MIT
import UBX

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
    private(set) var ram: Values
    /// The values stored in the battery-backed memory (BBR layer).
    private(set) var battery: Values = [:]
    /// The values stored in flash; `nil` for a module without flash.
    private(set) var flash: Values?

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
