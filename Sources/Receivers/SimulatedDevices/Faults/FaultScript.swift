// SPDX-License-Identifier: MIT

/// The faults of a simulation. The same script and seed have the same effects.
///
/// ```swift
/// configuration.faults = try FaultScript("""
///     30s: jam for 20s                 # the fix is lost, and comes back
///     1min: bad-checksums 5% for 10s
///     90s: unplug as gps1 for 5s
///     """)
/// ```
public struct FaultScript: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// The faults, in the order in which they are applied if several are active.
    public var faults: [Fault]

    /// Creates a script from faults.
    public init(_ faults: [Fault] = []) {
        self.faults = faults
    }

    /// Creates a script from an array literal of faults.
    public init(arrayLiteral faults: Fault...) {
        self.faults = faults
    }

    /// Parses a script with one fault per line. Empty lines and text after `#` are ignored.
    ///
    /// Throws a ``FaultSyntaxError`` with the position of the error.
    public init(_ text: String) throws(FaultSyntaxError) {
        faults = []
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            let words = line.prefix { $0 != "#" }
            guard words.contains(where: { !$0.isWhitespace }) else { continue }
            do {
                faults.append(try FaultParser(String(words)).parse())
            } catch {
                throw FaultSyntaxError(error.message, column: error.column, line: number)
            }
        }
    }
}

extension Fault {
    /// Parses a fault from one line, such as `30s: jam for 20s`.
    ///
    /// Throws a ``FaultSyntaxError`` with the position of the error.
    public init(_ text: String) throws(FaultSyntaxError) {
        self = try FaultParser(text).parse()
    }
}
