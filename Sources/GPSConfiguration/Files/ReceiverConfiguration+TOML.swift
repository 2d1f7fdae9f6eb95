// SPDX-License-Identifier: MIT

extension ReceiverConfiguration {
    /// Reads settings of a TOML file. The table `receiver`, which names the receiver that was read, is
    /// ignored.
    ///
    /// - Throws: `ConfigurationError` with `.malformedFile`, the line and the column.
    public init(toml text: String) throws(ConfigurationError) {
        self.init()
        for entry in try TOMLDocument(text).entries where entry.table != "receiver" {
            guard let property = Self.properties.first(where: { $0.name == entry.key }),
                entry.table.isEmpty
            else {
                let names = Self.properties.map(\.name).joined(separator: ", ")
                throw TOMLDocument.error(
                    "'\(entry.key)' is not a setting (\(names))", entry.line, entry.column)
            }
            do {
                try property.set(&self, entry.value)
            } catch {
                throw TOMLDocument.error(
                    "\(entry.key): \(error.reason)", entry.line, entry.column)
            }
        }
    }

    /// The settings as a TOML file.
    public var toml: String { document.text }

    fileprivate var document: TOMLDocument {
        var document = TOMLDocument()
        document.entries = Self.properties.compactMap { property in
            property.value(self).map {
                TOMLDocument.Entry(table: "", key: property.name, value: $0)
            }
        }
        return document
    }
}

extension ReceiverState {
    /// The settings in effect as a TOML file, with the receiver in a table of its own.
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
