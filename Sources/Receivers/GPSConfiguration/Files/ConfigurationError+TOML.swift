// SPDX-License-Identifier: MIT
import GNSS

extension TOMLDocument {
    /// Parses the TOML text of a settings file.
    ///
    /// - Throws: `ConfigurationError` with `.malformedFile`; the message contains the line and the
    ///   column.
    init(settings text: String) throws(ConfigurationError) {
        do {
            self = try TOMLDocument(text)
        } catch {
            throw ConfigurationError(.malformedFile, error.description)
        }
    }
}

extension ConfigurationError {
    /// Creates an error about the value of an entry; the message contains its line and column.
    init(_ reason: String, at entry: TOMLDocument.Entry) {
        self.init(.malformedFile, TOMLError(reason, entry.line, entry.column).description)
    }
}
