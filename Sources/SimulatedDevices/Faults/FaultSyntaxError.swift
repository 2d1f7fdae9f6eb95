// SPDX-License-Identifier: MIT

/// A fault that cannot be understood: what, where, and what to write instead.
public struct FaultSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is the matter, and what to write instead.
    public let message: String
    /// From 1.
    public let column: Int
    /// From 1, in a script; `nil` for a single fault.
    public let line: Int?

    init(_ message: String, column: Int, line: Int? = nil) {
        self.message = message
        self.column = column
        self.line = line
    }

    /// Place and message in one line.
    public var description: String {
        let place = line.map { "line \($0), column \(column)" } ?? "column \(column)"
        return "\(place): \(message)"
    }
}
