// SPDX-License-Identifier: MIT
public import GNSS

/// GNS field 6: one mode letter a constellation, up to six.
public struct ModeIndicators: Hashable, Sendable {
    /// The order on the wire.
    package static let order = Constellation.bySystemID

    private var letters: UInt64 = 0

    /// How many constellations have a letter.
    public private(set) var count = 0

    /// Creates an empty list.
    public init() {}

    /// Creates a list in the order on the wire.
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

    /// The mode of a constellation; `nil` where it has none, or a letter of the receiver's own.
    public subscript(constellation: Constellation) -> FixQuality? {
        guard let index = Self.order.firstIndex(of: constellation), index < count else {
            return nil
        }
        return FixQuality(modeLetter: letter(at: index))
    }

    /// Whether any letter but `N` is there: that is a fix.
    public var hasFix: Bool {
        (0..<count).contains { letter(at: $0) != UInt8(ascii: "N") }
    }
}

extension FieldReader {
    /// One mode letter a constellation.
    mutating func modes() -> ModeIndicators {
        var modes = ModeIndicators()
        let field = next()
        for index in field.start..<min(field.end, field.start + 6) {
            modes.append(letter: bytes[index])
        }
        return modes
    }
}
