// SPDX-License-Identifier: MIT

/// Something that any bytes may be given to, and what must hold whatever they are.
///
/// The fuzzers give it what they find, the ordinary tests what was found before.
package struct Exercise: Sendable {
    /// How its files begin: `framing-…`.
    package let name: String

    /// Does it; throws where a promise is broken.
    package let run: @Sendable ([UInt8]) throws(Broken) -> Void

    /// Every exercise.
    package static let all = [framing, assembly, writing, messages, frames]

    /// The exercise of that name.
    package static func named(_ name: String) -> Exercise? { all.first { $0.name == name } }
}

/// A promise that was not kept.
package struct Broken: Error, CustomStringConvertible {
    /// Which, and by what.
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Throws unless the promise was kept.
func expect(_ isKept: Bool, _ promise: @autoclosure () -> String) throws(Broken) {
    guard isKept else { throw Broken(promise()) }
}
