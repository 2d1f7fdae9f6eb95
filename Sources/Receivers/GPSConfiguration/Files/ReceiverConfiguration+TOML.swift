// SPDX-License-Identifier: MIT
import GNSS

extension ReceiverConfiguration {
    /// Parses settings from a TOML file. The table `receiver`, which describes the receiver, is
    /// ignored.
    ///
    /// - Throws: `ConfigurationError` with `.malformedFile`, the line and the column.
    public init(toml text: String) throws(ConfigurationError) {
        self.init()
        for entry in try TOMLDocument(settings: text).entries where entry.table != "receiver" {
            guard let property = Self.properties.first(where: { $0.name == entry.key }),
                entry.table.isEmpty
            else {
                let names = Self.properties.map(\.name).joined(separator: ", ")
                throw ConfigurationError(
                    "'\(entry.key)' is not a setting (known: \(names))", at: entry)
            }
            do {
                try property.set(&self, entry.value)
            } catch {
                throw ConfigurationError("\(entry.key): \(error.reason)", at: entry)
            }
        }
    }

    /// The settings as a TOML file.
    public var toml: String { document.text }

    fileprivate var document: TOMLDocument {
        var document = TOMLDocument()
        for property in Self.properties {
            if let value = property.value(self) { document.add(property.name, value) }
        }
        return document
    }
}

extension ReceiverState {
    /// The settings in effect as a TOML file. The table `receiver` contains the model, firmware and
    /// port.
    public var toml: String {
        var document = configuration.document
        document.add("model", .string("\(identity)"), table: "receiver")
        document.add("firmware", .string(identity.firmware), table: "receiver")
        if let port { document.add("port", .string(port), table: "receiver") }
        return document.text
    }
}
