// SPDX-License-Identifier: MIT

/// A fuzz target: code that accepts any bytes, and guarantees that it checks.
///
/// The fuzzers call it with new inputs, and the ordinary tests with inputs that broke a guarantee
/// before.
package struct Exercise: Sendable {
    /// The name, with which the names of its files begin: `framing-…`.
    package let name: String

    /// Runs the exercise. Throws if a guarantee is broken.
    package let run: @Sendable ([UInt8]) throws(Broken) -> Void

    /// Every exercise.
    package static let all = [framing, assembly, writing, messages, frames]

    /// Returns the exercise with a name; `nil` if there is none.
    package static func named(_ name: String) -> Exercise? { all.first { $0.name == name } }
}

/// The error for a broken guarantee.
package struct Broken: Error, CustomStringConvertible {
    /// The guarantee, and the input that broke it.
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Throws an error if a guarantee is broken.
func expect(_ isKept: Bool, _ promise: @autoclosure () -> String) throws(Broken) {
    guard isKept else { throw Broken(promise()) }
}
