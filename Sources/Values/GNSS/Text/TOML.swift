// SPDX-License-Identifier: MIT

/// A TOML file, limited to the subset of TOML that settings need.
///
/// Table names and keys are bare and not dotted, strings are in double quotes on one line, and
/// numbers are decimal.
package struct TOMLDocument: Sendable {
    /// A key with its value.
    package struct Entry: Sendable {
        /// The name of the entry's table; empty for a key before the first table.
        package var table: String
        /// The key, without its table.
        package var key: String
        /// The value of the key.
        package var value: TOMLValue
        /// The line, from 1.
        package var line = 1
        /// The column of the value, from 1.
        package var column = 1
        /// The column of the key, from 1.
        package var keyColumn = 1
    }

    /// The entries in the order of the file.
    package var entries: [Entry] = []

    /// Creates a document without entries.
    package init() {}

    /// Appends an entry. Add all entries without a table before the entries with a table.
    package mutating func add(_ key: String, _ value: TOMLValue, table: String = "") {
        entries.append(Entry(table: table, key: key, value: value))
    }

    /// Reads the text of a file. Throws the first error in it.
    package init(_ text: String) throws(TOMLError) {
        let (document, errors) = Self.reading(text)
        if let error = errors.first { throw error }
        self = document
    }

    /// Reads the text of a file and returns all errors in it. After an error, reading continues on
    /// the next line.
    package static func reading(_ text: String) -> (document: TOMLDocument, errors: [TOMLError]) {
        var reader = TOMLReader(text)
        var document = TOMLDocument()
        var errors: [TOMLError] = []
        var table = ""
        var keys: Set<[String]> = []
        while true {
            do throws(TOMLError) {
                guard reader.skipToContent() else { return (document, errors) }
                guard let entry = try reader.line(&table) else { continue }
                guard keys.insert([entry.table, entry.key]).inserted else {
                    throw TOMLError("'\(entry.key)' is given twice", entry.line, entry.keyColumn)
                }
                document.entries.append(entry)
            } catch {
                errors.append(error)
                reader.skipLine()
            }
        }
    }

    /// The entry with a key before the first table; `nil` if there is none.
    package subscript(key: String) -> Entry? {
        entries.first { $0.table.isEmpty && $0.key == key }
    }

    /// The text of the file.
    package var text: String {
        var text = ""
        var table = ""
        for entry in entries {
            if entry.table != table {
                table = entry.table
                text += "\n[\(table)]\n"
            }
            text += "\(entry.key) = \(entry.value.text)\n"
        }
        return text
    }
}

/// An error in a TOML file, with its line and column.
package struct TOMLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, without the position.
    package let reason: String
    /// The line, from 1.
    package let line: Int
    /// The column, from 1.
    package let column: Int

    /// Creates an error.
    package init(_ reason: String, _ line: Int, _ column: Int) {
        (self.reason, self.line, self.column) = (reason, line, column)
    }

    /// The line, the column and the reason: `line 3, column 1: expected a name`.
    package var description: String { "line \(line), column \(column): \(reason)" }
}
