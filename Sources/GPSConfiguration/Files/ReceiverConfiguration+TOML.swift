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
                    "'\(entry.key)' is not a setting (\(names))", at: entry)
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
        document.entries = Self.properties.compactMap { property in
            property.value(self).map {
                TOMLDocument.Entry(key: property.name, value: $0)
            }
        }
        return document
    }
}

extension ReceiverState {
    /// The settings in effect as a TOML file. The table `receiver` contains the model, firmware and
    /// port.
    public var toml: String {
        var document = configuration.document
        var names = [("model", "\(identity)"), ("firmware", identity.firmware)]
        if let port { names.append(("port", port)) }
        document.entries += names.map {
            TOMLDocument.Entry(table: "receiver", key: $0.0, value: .string($0.1))
        }
        return document.text
    }
}
