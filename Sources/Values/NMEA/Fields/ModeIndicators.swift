// SPDX-License-Identifier: MIT
public import GNSS

/// The mode letters of a GNS sentence, one for each of up to six constellations.
public struct ModeIndicators: Hashable, Sendable {
    /// The constellations in wire order.
    package static let order = Constellation.bySystemID

    private var letters: UInt64 = 0

    /// The number of constellations that have a letter.
    public private(set) var count = 0

    /// Creates an empty list.
    public init() {}

    /// Creates a list from qualities in wire order.
    public init(_ qualities: some Sequence<FixQuality>) {
        for quality in qualities { append(letter: quality.modeLetter) }
    }

    mutating func append(letter: UInt8) {
        guard count < 6 else { return }
        letters |= UInt64(letter) << UInt64(8 * count)
        count += 1
    }

    func letter(at index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: letters >> UInt64(8 * index))
    }

    /// The mode of a constellation; `nil` if its letter is missing or unknown.
    public subscript(constellation: Constellation) -> FixQuality? {
        guard let index = Self.order.firstIndex(of: constellation), index < count else {
            return nil
        }
        return FixQuality(modeLetter: letter(at: index))
    }

    /// Whether any constellation has a mode letter that reports a fix.
    public var hasFix: Bool {
        (0..<count).contains { letter(at: $0) != UInt8(ascii: "N") }
    }
}

extension FieldReader {
    /// Reads one mode letter for each constellation.
    mutating func modes() -> ModeIndicators {
        var modes = ModeIndicators()
        let field = next()
        for index in field.start..<min(field.end, field.start + 6) {
            modes.append(letter: bytes[index])
        }
        return modes
    }
}
