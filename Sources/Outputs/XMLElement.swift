// SPDX-License-Identifier: MIT

/// The tags of an element, made ready once.
struct XMLElement: Sendable {
    fileprivate let start: LongPiece
    fileprivate let end: LongPiece

    init(_ name: String) {
        start = LongPiece("<\(name)>")
        end = LongPiece("</\(name)>")
    }
}

extension JSONWriter {
    /// A number with 1 to 9 decimals; no element where it is not known.
    mutating func element(_ element: XMLElement, _ value: Double?, decimals: Int) {
        // What is not a number is not below the limit either.
        guard let value, value.magnitude < 1e9 else { return }
        put(element.start)
        decimal(value, decimals)
        put(element.end)
    }

    /// A whole number; no element where it is not known.
    mutating func element(_ element: XMLElement, _ value: Int?) {
        guard let value else { return }
        put(element.start)
        integer(value)
        put(element.end)
    }
}
