// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// A difference between two configurations in one setting.
public struct ConfigurationChange: Hashable, Sendable, CustomStringConvertible {
    /// The name of the setting, as in a file.
    public let name: String
    /// The value before the change, as in a file; `nil` if it is not known.
    public let old: String?
    /// The value after the change, as in a file.
    public let new: String

    /// The change as a line such as `rate: 1 → 10` or `messages: GGA, GLL → NAV-DOP`.
    public var description: String {
        "\(name): \(old.map(Self.plain) ?? "?") → \(Self.plain(new))"
    }

    /// Returns a value without TOML punctuation: `gps, glonass`; `none` for an empty list.
    static func plain(_ value: String) -> String {
        let text = value.filter { !"[]\"".contains($0) }
        return text.isEmpty ? "none" : text
    }
}

extension ReceiverConfiguration {
    /// Returns the settings of `requested` that differ from these settings.
    public func differences(to requested: ReceiverConfiguration) -> [ConfigurationChange] {
        Self.properties.compactMap { property in
            guard let new = property.value(requested) else { return nil }
            let old = property.value(self)
            return old == new
                ? nil : ConfigurationChange(name: property.name, old: old?.text, new: new.text)
        }
    }

    /// A setting: its name in a file, and its conversion from and to a file's value.
    struct Property: Sendable {
        let name: String
        let value: @Sendable (ReceiverConfiguration) -> TOMLValue?
        let set: @Sendable (inout ReceiverConfiguration, TOMLValue) throws(TOMLMismatch) -> Void
        let copy: @Sendable (ReceiverConfiguration, inout ReceiverConfiguration) -> Void

        init<Value>(
            _ name: String, _ path: any WritableKeyPath<ReceiverConfiguration, Value?> & Sendable,
            write: @escaping @Sendable (Value) -> TOMLValue,
            read: @escaping @Sendable (TOMLValue) throws(TOMLMismatch) -> Value
        ) {
            self.name = name
            value = { $0[keyPath: path].map(write) }
            set = { (configuration, value) throws(TOMLMismatch) in
                configuration[keyPath: path] = try read(value)
            }
            copy = { if let value = $0[keyPath: path] { $1[keyPath: path] = value } }
        }
    }

    /// All settings, in the order of a file.
    static let properties: [Property] = [
        Property("rate", \.rate, write: { .number($0) }) { (value) throws(TOMLMismatch) in
            try value.number(in: 0.01...100, "fixes per second")
        },
        Property("baud", \.baudRate, write: { .integer($0) }) { (value) throws(TOMLMismatch) in
            try value.integer(in: 1200...4_000_000, "bits per second")
        },
        Property(
            "constellations", \.constellations,
            write: { constellations in
                .array(constellations.sorted { $0.gnssID < $1.gnssID }.map { .string($0.fileName) })
            }
        ) { (value) throws(TOMLMismatch) in
            var constellations: Set<Constellation> = []
            for name in try value.strings("names of constellations") {
                guard let found = Constellation(fileName: name) else {
                    let known = Constellation.allCases.map(\.fileName).joined(separator: ", ")
                    throw TOMLMismatch("'\(name)' is not one of \(known)")
                }
                constellations.insert(found)
            }
            return constellations
        },
        Property("messages", \.messages, write: \.fileValue) { (value) throws(TOMLMismatch) in
            try MessageSelection(fileValue: value)
        },
        Property("dynamics", \.dynamics, write: { .string("\($0)") }) {
            (value) throws(TOMLMismatch) in
            try value.choice(DynamicModel.allCases) { "\($0)" }
        },
        Property("elevation", \.minimumElevation, write: { .integer($0) }) {
            (value) throws(TOMLMismatch) in
            try value.integer(in: -10...90, "degrees")
        },
        Property("nmea-version", \.nmeaVersion, write: { .string($0.rawValue) }) {
            (value) throws(TOMLMismatch) in
            try value.choice(NMEAVersion.allCases) { $0.rawValue }
        },
        Property("static-hold", \.staticHoldSpeed, write: { .number($0) }) {
            (value) throws(TOMLMismatch) in
            try value.number(in: 0...2.55, "metres per second")
        },
        Property("autonomous-assistance", \.autonomousAssistance, write: { .boolean($0) }) {
            (value) throws(TOMLMismatch) in
            try value.boolean()
        },
    ]
}

extension ReceiverConfiguration {
    /// Throws an error if a value is outside of the range for files. A program can set any value.
    func checkRanges() throws(TOMLMismatch) {
        for property in Self.properties where property.name != "messages" {
            guard let value = property.value(self) else { continue }
            var copy = self
            do throws(TOMLMismatch) {
                try property.set(&copy, value)
            } catch {
                throw TOMLMismatch("\(property.name): \(error.reason)")
            }
        }
        // An interval of 0 is allowed here: it switches the message off.
        let intervals = messages?.intervals ?? [:]
        if let wrong = intervals.first(where: { !(0...255).contains($0.value) }) {
            throw TOMLMismatch("messages: expected 0 to 255 fixes for \(wrong.key)")
        }
    }
}

extension Constellation {
    /// The name of the constellation in files and options: `gps`, `beidou`.
    package var fileName: String { name.lowercased() }

    /// Creates the constellation from its name in files and options, in upper or lower case; `nil`
    /// for any other name.
    package init?(fileName: String) {
        guard let found = Self.allCases.first(where: { $0.fileName == fileName.lowercased() })
        else { return nil }
        self = found
    }
}
