// SPDX-License-Identifier: MIT

/// The reason why a file cannot be read, with the file's name and the line.
package struct InputError: Error, Hashable, CustomStringConvertible {
    /// The file's name as given.
    package let file: String
    /// The line number, from 1; `nil` if the error concerns the whole file.
    package let line: Int?
    /// The reason as text.
    package let reason: String

    package init(_ file: String, line: Int? = nil, _ reason: String) {
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// The error as text: `walk.gpx:12: the latitude is not a number from -90 to 90: "95"`.
    package var description: String {
        line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)"
    }
}
