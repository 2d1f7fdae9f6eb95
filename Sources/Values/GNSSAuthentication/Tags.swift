// SPDX-License-Identifier: MIT
import GNSSNavigation

/// The data that a tag authenticates (ADKD).
package enum TagKind: UInt8, Sendable {
    /// The orbit, the clock and the state of a satellite: words 1 to 5.
    case orbit = 0
    /// The differences to UTC and to GPS time: words 6 and 10.
    case timing = 4
    /// Like `orbit`, with a key that is sent 300 s later.
    case slowOrbit = 12

    /// How long after the tag its key is sent, in seconds.
    var delay: Int { self == .slowOrbit ? 330 : 30 }
}

/// The place of a tag in the order of a chain (MACLT).
enum TagSlot: Hashable {
    case own(TagKind)
    case any(TagKind)
    /// The tag says what it authenticates, and a further code (MACSEQ) proves that.
    case flexible

    /// The slots of the sub-frames that begin with a minute, and of the others.
    static func orders(_ number: UInt8) -> [[TagSlot]]? {
        let text: String? =
            switch number {
            case 27: "00S 00E 00E 00E 12S 00E / 00S 00E 00E 04S 12S 00E"
            case 28:
                "00S 00E 00E 00E 00S 00E 00E 12S 00E 00E / 00S 00E 00E 00S 00E 00E 04S 12S 00E 00E"
            case 31: "00S 00E 00E 12S 00E / 00S 00E 00E 12S 04S"
            case 33: "00S 00E 04S 00E 12S 00E / 00S 00E 00E 12S 00E 12E"
            case 34: "00S FLX 04S FLX 12S 00E / 00S FLX 00E 12S 00E 12E"
            case 35: "00S FLX 04S FLX 12S FLX / 00S FLX FLX 12S FLX FLX"
            case 36: "00S FLX 04S FLX 12S / 00S FLX 00E 12S 12E"
            case 37: "00S 00E 04S 00E 12S / 00S 00E 00E 12S 12E"
            case 38: "00S FLX 04S FLX 12S / 00S FLX FLX 12S FLX"
            case 39: "00S FLX 04S FLX / 00S FLX 00E 12S"
            case 40: "00S 00E 04S 12S / 00S 00E 00E 12E"
            case 41: "00S FLX 04S FLX / 00S FLX FLX 12S"
            default: nil
            }
        return text?.split(separator: "/").map { $0.split(separator: " ").map { slot($0) } }
    }

    private static func slot(_ text: Substring) -> TagSlot {
        guard let kind = UInt8(text.prefix(2)).flatMap({ TagKind(rawValue: $0) }) else {
            return .flexible
        }
        return text.hasSuffix("S") ? .own(kind) : .any(kind)
    }
}

/// A tag, and what it says it authenticates.
struct Tag {
    /// The place in the satellite's sub-frame, from 0.
    let index: Int
    let value: [UInt8]
    /// The satellite whose data it authenticates (PRN_D).
    let satellite: UInt8
    let kind: TagKind
    /// For how many sub-frames the data have not changed (COP): 0 for a dummy, 15 for 15 or more.
    let age: Int
    let isFlexible: Bool

    /// Returns what a tag authenticates before the data. It is sent by `sender` in the sub-frame at
    /// `start`, with the status of the service.
    static func message(
        at index: Int, about satellite: UInt8, by sender: UInt8, _ start: GalileoTime, status: UInt8
    ) -> BitString {
        var message = BitString(index == 0 ? [] : [satellite])
        message.append(UInt32(sender), width: 8)
        message.append(start.bits, width: 32)
        message.append(UInt32(index + 1), width: 8)
        message.append(UInt32(status), width: 2)
        return message
    }
}

/// The tags and the key that a satellite sent in a sub-frame (MACK).
struct TagSection: Hashable {
    /// The 32 bits of each page that was received.
    private var parts = [UInt32](repeating: 0, count: 15)
    private var received: UInt16 = 0

    mutating func set(_ bits: UInt32, page: Int) {
        guard parts.indices.contains(page) else { return }
        parts[page] = bits
        received |= 1 << UInt16(page)
    }

    /// Returns bits if all their pages were received, padded with zeros to whole bytes.
    private func bits(_ start: Int, _ width: Int) -> [UInt8]? {
        guard start >= 0, width > 0, start + width <= 480 else { return nil }
        for page in start / 32...(start + width - 1) / 32 where received >> UInt16(page) & 1 == 0 {
            return nil
        }
        var bits = BitString()
        var position = start
        while position < start + width {
            let count = min(32 - position % 32, start + width - position)
            bits.append(parts[position / 32] >> UInt32(32 - position % 32 - count), width: count)
            position += count
        }
        return bits.bytes
    }

    private func number(_ start: Int, _ width: Int) -> Int? {
        bits(start, width).map { bytes in
            bytes.reduce(0) { $0 << 8 | Int($1) } >> (bytes.count * 8 - width)
        }
    }

    private static func count(_ root: ChainRoot) -> Int {
        (480 - root.keySize) / (root.tagSize + 16)
    }

    /// The key that the sub-frame discloses, if its pages were received.
    func key(_ root: ChainRoot) -> [UInt8]? {
        bits(Self.count(root) * (root.tagSize + 16), root.keySize)
    }

    /// Returns the tags that were received, and how many do not fit their place in the order.
    func tags(
        of satellite: UInt8, _ root: ChainRoot, slots: [TagSlot]
    ) -> (tags: [Tag], misfits: Int) {
        var (tags, misfits): ([Tag], Int) = ([], 0)
        for (index, slot) in slots.prefix(Self.count(root)).enumerated() {
            let start = index * (root.tagSize + 16)
            guard let value = bits(start, root.tagSize), let info = number(start + root.tagSize, 16)
            else { continue }
            // In place of the satellite and the kind, the first tag is followed by the code of the
            // sequence.
            let about = index == 0 ? satellite : UInt8(info >> 8)
            let kind = index == 0 ? .orbit : TagKind(rawValue: UInt8(info >> 4 & 15))
            guard let kind, Self.fits(about, kind, slot, of: satellite) else {
                misfits += 1
                continue
            }
            tags.append(
                Tag(
                    index: index, value: value, satellite: about, kind: kind, age: info & 15,
                    isFlexible: slot == .flexible))
        }
        return (tags, misfits)
    }

    private static func fits(
        _ about: UInt8, _ kind: TagKind, _ slot: TagSlot, of satellite: UInt8
    ) -> Bool {
        let isAnyConstellation = about == 255 && kind == .timing
        guard 1...36 ~= about || isAnyConstellation else { return false }
        return switch slot {
        case .own(let own): kind == own && (about == satellite || isAnyConstellation)
        case .any(let any): kind == any
        case .flexible: true
        }
    }

    /// Returns the code of the sequence (MACSEQ), and what it authenticates after the satellite and
    /// the time, if all of it was received.
    func sequence(_ root: ChainRoot, slots: [TagSlot]) -> (code: Int, message: [UInt8])? {
        // The first tag and the code are received together.
        guard bits(0, root.tagSize) != nil, let code = number(root.tagSize, 12) else { return nil }
        var message: [UInt8] = []
        for (index, slot) in slots.prefix(Self.count(root)).enumerated() where slot == .flexible {
            let start = index * (root.tagSize + 16)
            guard let tag = bits(start, root.tagSize + 16) else { return nil }
            message += tag.suffix(2)
        }
        return (code, message)
    }
}
