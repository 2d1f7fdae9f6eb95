// SPDX-License-Identifier: MIT
import GNSS

/// A `CFG` message of chips up to M8 whose fields have the values of keys in the configuration
/// database of later chips.
package protocol KeyedMessage: UBXMessage {
    /// The fields with keys. Each is listed once, for `configure` and for simulated chips.
    static var keyedFields: [KeyedField<Self>] { get }

    /// The bits of the mask that selects the fields that take effect.
    var selection: UInt32 { get set }
}

extension KeyedMessage {
    /// By default, every field takes effect.
    package var selection: UInt32 {
        get { .max }
        set {}
    }

    /// The values of all fields.
    package var allItems: [ConfigurationItem] { items(Self.keyedFields) }

    /// The values of the fields that take effect.
    package var selectedItems: [ConfigurationItem] {
        items(Self.keyedFields.filter { $0.mask & selection != 0 })
    }

    private func items(_ fields: [KeyedField<Self>]) -> [ConfigurationItem] {
        fields.compactMap { field in field.get(self).map { ConfigurationItem(field.key, $0) } }
    }

    /// Sets each field to the value that `value` returns for its key; `nil` leaves it as it is.
    package mutating func set(_ value: (ConfigurationKey) -> UInt64?) {
        for field in Self.keyedFields {
            if let value = value(field.key) { field.set(&self, value) }
        }
    }

    /// Selects only the fields with some keys.
    package mutating func select(_ keys: [ConfigurationKey]) {
        selection = Self.keyedFields.reduce(0) { $0 | (keys.contains($1.key) ? $1.mask : 0) }
    }
}

/// A field of a `CFG` message, and its key.
package struct KeyedField<Message>: Sendable {
    let key: ConfigurationKey
    /// The bits in the message's mask that select the field.
    let mask: UInt32
    /// Returns the value, in two's complement of the key's size; `nil` if the message has no such
    /// field, or if no key has the value.
    let get: @Sendable (Message) -> UInt64?
    let set: @Sendable (inout Message, UInt64) -> Void

    private init(
        _ key: UInt32, mask: UInt32, get: @escaping @Sendable (Message) -> UInt64?,
        set: @escaping @Sendable (inout Message, UInt64) -> Void
    ) {
        (self.key, self.mask, self.get, self.set) = (ConfigurationKey(key), mask, get, set)
    }

    /// Creates an integer field.
    fileprivate init<Value: FixedWidthInteger & Sendable>(
        _ key: ConfigurationKey, _ path: any WritableKeyPath<Message, Value> & Sendable,
        mask: UInt32 = .max
    ) {
        let bits = UInt64.max >> UInt64(64 - Value.bitWidth)
        self.init(key.rawValue, mask: mask) {
            UInt64(truncatingIfNeeded: $0[keyPath: path]) & bits
        } set: {
            $0[keyPath: path] = Value(truncatingIfNeeded: $1)
        }
    }

    /// Creates a fixed-point field, which counts fractions of a unit.
    fileprivate init<Wire: FixedWidthInteger & Sendable>(
        _ key: UInt32, _ path: any WritableKeyPath<Message, Double> & Sendable, _ wire: Wire.Type,
        per unit: Double, mask: UInt32
    ) {
        self.init(key, mask: mask) {
            Int64(exactly: ($0[keyPath: path] * unit).rounded()).map {
                UInt64(truncatingIfNeeded: $0) & UInt64.max >> UInt64(64 - Wire.bitWidth)
            }
        } set: {
            $0[keyPath: path] = Double(Wire(truncatingIfNeeded: $1)) / unit
        }
    }

    /// Creates a field of one bit.
    fileprivate init<Value: FixedWidthInteger & Sendable>(
        _ key: ConfigurationKey, _ path: any WritableKeyPath<Message, Value> & Sendable, bit: Int,
        mask: UInt32 = .max
    ) {
        self.init(key.rawValue, mask: mask) {
            $0[keyPath: path].hasBit(bit) ? 1 : 0
        } set: { message, value in
            let others = message[keyPath: path] & ~(1 << Value(bit))
            message[keyPath: path] = others | Value(truncatingIfNeeded: value & 1) << Value(bit)
        }
    }

    /// Creates a field of one byte in a list of bytes, which may be shorter.
    fileprivate init(
        _ key: ConfigurationKey, _ path: any WritableKeyPath<Message, [UInt8]> & Sendable,
        at index: Int
    ) {
        self.init(key.rawValue, mask: .max) {
            $0[keyPath: path].indices.contains(index) ? UInt64($0[keyPath: path][index]) : nil
        } set: { message, value in
            guard message[keyPath: path].indices.contains(index) else { return }
            message[keyPath: path][index] = UInt8(truncatingIfNeeded: value)
        }
    }

    /// Creates a field whose numbers differ from the values of the key.
    fileprivate init(
        _ key: ConfigurationKey, _ path: any WritableKeyPath<Message, UInt8> & Sendable,
        numbers: [(number: UInt8, value: UInt64)], unknown: UInt8
    ) {
        self.init(key.rawValue, mask: .max) { message in
            numbers.first { $0.number == message[keyPath: path] }?.value
        } set: { message, value in
            message[keyPath: path] = numbers.first { $0.value == value }?.number ?? unknown
        }
    }
}

extension CfgRATE: KeyedMessage {
    package static let keyedFields: [KeyedField<CfgRATE>] = [
        KeyedField(.measurementPeriod, \.measurementPeriod),
        KeyedField(.navigationRatio, \.navigationRatio),
        KeyedField(.timeReference, \.timeReference),
    ]
}

extension CfgNAV5: KeyedMessage {
    package var selection: UInt32 {
        get { UInt32(mask.rawValue) }
        set { mask = Mask(rawValue: UInt16(truncatingIfNeeded: newValue)) }
    }

    package static let keyedFields: [KeyedField<CfgNAV5>] = [
        KeyedField(.dynamicModel, \.dynamicModel, mask: 0x1),
        KeyedField(.minimumElevation, \.minimumElevation, mask: 0x2),
        KeyedField(.fixMode, \.fixMode, mask: 0x4),
        KeyedField(0x4011_00C1, \.fixedAltitude, Int32.self, per: 100, mask: 0x4),
        KeyedField(0x4011_00C2, \.fixedAltitudeVariance, UInt32.self, per: 10_000, mask: 0x4),
        KeyedField(0x3011_00B1, \.maximumPDOP, UInt16.self, per: 10, mask: 0x10),
        KeyedField(.maximumPositionAccuracy, \.maximumPositionAccuracy, mask: 0x10),
        KeyedField(0x3011_00B2, \.maximumTDOP, UInt16.self, per: 10, mask: 0x20),
        KeyedField(ConfigurationKey(0x3011_00B4), \.maximumTimeAccuracy, mask: 0x20),
        KeyedField(.staticHoldSpeed, \.staticHoldSpeed, mask: 0x40),
        KeyedField(.staticHoldDistance, \.staticHoldDistance, mask: 0x40),
        KeyedField(.correctionTimeout, \.correctionTimeout, mask: 0x80),
        KeyedField(ConfigurationKey(0x2011_00AA), \.cn0SatelliteCount, mask: 0x100),
        KeyedField(ConfigurationKey(0x2011_00AB), \.cn0Threshold, mask: 0x100),
        KeyedField(ConfigurationKey(0x2011_001C), \.utcStandard, mask: 0x400),
    ]
}

extension CfgNAVX5: KeyedMessage {
    package var selection: UInt32 {
        get { UInt32(mask) }
        set { (mask, mask2) = (UInt16(truncatingIfNeeded: newValue), 0) }
    }

    package static let keyedFields: [KeyedField<CfgNAVX5>] = [
        KeyedField(.minimumSatellites, \.minimumSatellites, mask: 0x4),
        KeyedField(.maximumSatellites, \.maximumSatellites, mask: 0x4),
        KeyedField(.minimumCN0, \.minimumCN0, mask: 0x8),
        KeyedField(ConfigurationKey(0x1011_0013), \.requires3DFirst, bit: 0, mask: 0x40),
        KeyedField(.weekNumberRollover, \.weekNumberRollover, mask: 0x200),
        KeyedField(.acknowledgesAiding, \.acknowledgesAiding, bit: 0, mask: 0x400),
        KeyedField(.autonomousAssistance, \.autonomousAssistance, bit: 0, mask: 0x4000),
        KeyedField(ConfigurationKey(0x3023_0002), \.maximumOrbitError, mask: 0x4000),
        // `mask2` selects it, so it is only read.
        KeyedField(ConfigurationKey(0x2011_00D6), \.attenuationCompensation, mask: 0),
    ]
}

extension CfgNMEA: KeyedMessage {
    package static let keyedFields: [KeyedField<CfgNMEA>] = [
        KeyedField(
            .nmeaVersion, \.nmeaVersion,
            numbers: [(0x21, 21), (0x23, 23), (0x40, 40), (0x41, 41), (0x4B, 42)], unknown: 0x40),
        KeyedField(.nmeaMaximumSatellites, \.maximumSatellites),
        KeyedField(.nmeaCompatible, \.flags, bit: 0),
        KeyedField(.nmeaConsidersSatellites, \.flags, bit: 1),
        KeyedField(.nmeaLimit82, \.flags, bit: 2),
        KeyedField(.nmeaHighPrecision, \.flags, bit: 3),
        KeyedField(.nmeaSatelliteNumbering, \.details, at: 4),
        KeyedField(.nmeaMainTalker, \.details, at: 5),
        KeyedField(.nmeaSatelliteTalker, \.details, at: 6),
    ]
}

extension CfgSBAS: KeyedMessage {
    /// The satellites to search for, one bit for each PRN; bit 0 is PRN 120.
    private var allPRNs: UInt64 {
        get { UInt64(scannedPRNs2) << 32 | UInt64(scannedPRNs) }
        set {
            scannedPRNs = UInt32(truncatingIfNeeded: newValue)
            scannedPRNs2 = UInt8(truncatingIfNeeded: newValue >> 32)
        }
    }

    package static let keyedFields: [KeyedField<CfgSBAS>] = [
        KeyedField(ConfigurationKey(0x1031_0020), \.mode, bit: 0),
        KeyedField(ConfigurationKey(0x1036_0002), \.mode, bit: 1),
        KeyedField(.sbasRanging, \.usage, bit: 0), KeyedField(.sbasCorrections, \.usage, bit: 1),
        KeyedField(.sbasIntegrity, \.usage, bit: 2), KeyedField(.sbasPRNs, \.allPRNs),
    ]
}

extension CfgITFM: KeyedMessage {
    package static let keyedFields: [KeyedField<CfgITFM>] = [
        KeyedField(.jammingMonitor, \.configuration, bit: 31)
    ]
}
