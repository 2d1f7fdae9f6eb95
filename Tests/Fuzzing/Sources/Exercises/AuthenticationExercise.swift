// SPDX-License-Identifier: MIT
import GNSSAuthentication
import GNSSNavigation
package import Synchronization

/// Functions that are fast and never secure, so that an input can contain right signatures.
private struct WeakCryptography: Cryptography {
    let acceptsSignatures: Bool

    func digest(_ function: HashFunction, _ message: [UInt8]) -> [UInt8]? {
        var state: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in message { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (0..<32).map { UInt8(truncatingIfNeeded: state >> UInt64($0 % 8 * 8)) }
    }

    func code(_ function: TagFunction, key: [UInt8], _ message: [UInt8]) -> [UInt8]? {
        digest(.sha256, key + message)
    }

    func verifies(_ signature: [UInt8], of message: [UInt8], _ curve: Curve, point: [UInt8]) -> Bool
    {
        acceptsSignatures
    }
}

/// Makes the pages of four satellites, with the root of a chain of keys, its keys, and other bits as an
/// input chooses them.
private struct SignedPages {
    private static let start = GalileoTime(week: 1400, timeOfWeek: 3600)
    private static let alpha: [UInt8] = [1, 2, 3, 4, 5, 6]
    static let subframes = 12
    private let cryptography = WeakCryptography(acceptsSignatures: true)
    /// The root, and the keys of the sub-frames.
    private let keys: [[UInt8]]
    private let root: [UInt8]

    init() {
        var keys = [[UInt8](repeating: 7, count: 16)]
        for index in (0..<Self.subframes).reversed() {
            let time = UInt64(1400) << 20 | UInt64(3600 + 30 * (index - 1))
            let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: time >> UInt64($0)) }
            let hash = cryptography.digest(.sha256, (keys.last ?? []) + bytes + Self.alpha) ?? []
            keys.append(Array(hash.prefix(16)))
        }
        self.keys = keys.reversed()
        let head: [UInt8] = [0x21, 0x50, 0x49, 34, 0x05, 0x78, 1]
        let signed = head + Self.alpha + self.keys[0]
        let signature = [UInt8](repeating: 9, count: 64)
        let padding = cryptography.digest(.sha256, [0x92] + signed.dropFirst() + signature) ?? []
        root = signed + signature + padding.prefix(11)
    }

    /// The field for authentication of a page: the header, the block and the key are right unless a
    /// byte of the input changes them.
    private func field(_ subframe: Int, _ satellite: Int, _ page: Int, _ fill: UInt64) -> UInt64 {
        let block = (subframe * 4 + satellite) % 8
        let hkroot: UInt8 =
            switch page {
            case 0: 0x92
            case 1: UInt8(0x20 | block)
            default: root[block * 13 + page - 2]
            }
        var section: UInt64 = fill & 0xFFFF_FFFF
        let position = page * 32
        for bit in 0..<32 where 336..<464 ~= position + bit {
            let index = position + bit - 336
            let isSet = keys[subframe + 1][index / 8] << UInt8(index % 8) & 0x80 != 0
            let mask = UInt64(1) << UInt64(31 - bit)
            section = isSet ? section | mask : section & ~mask
        }
        return UInt64(hkroot) << 32 | section
    }

    /// A page that is right if the choice is 0.
    func page(_ subframe: Int, _ satellite: Int, _ page: Int, _ choice: UInt8, _ filling: UInt8)
        -> TimedPage?
    {
        let fill = UInt64(filling) &* 0x0101_0101_0101_0101
        let types: [UInt64] = [2, 4, 6, 0, 0, 10, 0, 0, 0, 0, 1, 3, 5, 0, 0]
        let type = choice & 0x40 == 0 ? types[page] : fill & 63
        let word = INAVWord(high: type << 58 | 5 << 48 | fill & 0xFFFF, low: fill)
        var field = field(subframe, satellite, page, fill)
        if choice & 0x80 != 0 { field ^= 1 << (fill & 63) & 0xFF_FFFF_FFFF }
        let late = choice & 0x20 == 0 ? 0 : Int(fill & 63) - 32
        guard choice & 0x10 == 0 else { return nil }
        return TimedPage(
            svid: UInt8(1 + satellite), start: Self.start + 30 * subframe + 2 * page + 1 + late,
            page: INAVPage(word: word, osnma: field))
    }
}

/// Authenticators that have received some right sub-frames, so that an execution needs only one more.
private struct PreparedStates: Sendable {
    static let shared = PreparedStates()
    let pages = SignedPages()
    /// By the number of sub-frames.
    private(set) var accepting: [Authenticator] = []
    private(set) var refusing: [Authenticator] = []

    private init() {
        var ring = KeyRing()
        if let root = MerkleRoot([UInt8](repeating: 1, count: 32)) { ring.add(root) }
        if let key = Key<Unverified>(
            id: 1, curve: .p256, point: [2] + [UInt8](repeating: 0, count: 32))
        {
            ring.add(key.installed(in: ring.roots.first))
        }
        for accepts in [true, false] {
            var authenticator = Authenticator(ring, WeakCryptography(acceptsSignatures: accepts))
            var states = [authenticator]
            for subframe in 0..<SignedPages.subframes - 2 {
                for index in 0..<60 {
                    guard let page = pages.page(subframe, index % 4, index / 4, 0, 0) else {
                        continue
                    }
                    authenticator.push(page, .allTags) { _ in }
                }
                authenticator.finish { _ in }
                states.append(authenticator)
            }
            if accepts { accepting = states } else { refusing = states }
        }
    }
}

extension Exercise {
    /// The number of executions, of which an input of `authentication` has many.
    package static let authenticationCount = Atomic(0)

    /// Pages of Galileo with any content. The same pages have the same verdicts, and without a verified
    /// signature, none is authenticated or fails.
    ///
    /// An execution takes three bytes: the state to begin with, and the numbers of the next sub-frames and
    /// of pages that differ. Each of these takes three: its place, what differs, and other content.
    package static let authentication = Exercise(name: "authentication") { input throws(Broken) in
        let states = PreparedStates.shared
        var source = ByteSource(input)
        for _ in 0..<200 where !source.isEmpty {
            authenticationCount.add(1, ordering: .relaxed)
            let (state, length) = (
                source.number(below: states.accepting.count), 1 + source.number(below: 2)
            )
            var changes: [Int: (choice: UInt8, fill: UInt8)] = [:]
            for _ in 0...source.number(below: 16) {
                let place = source.number(below: 60 * length)
                changes[place] = (source.byte(), source.byte())
            }
            func run(_ authenticator: inout Authenticator) -> (verdicts: String, hasVerdict: Bool) {
                var (text, hasVerdict) = ("", false)
                func note(_ event: AuthenticationEvent) {
                    guard case .subframe(let report) = event else { return }
                    for (satellite, verdict) in report.verdicts {
                        text += "\(satellite)\(verdict.letter)"
                        hasVerdict = hasVerdict || verdict.letter != "U"
                    }
                }
                for index in 0..<60 * length {
                    let change = changes[index] ?? (choice: 0, fill: 0)
                    let (subframe, rest) = (state + index / 60, index % 60)
                    let page = states.pages.page(
                        subframe, rest % 4, rest / 4, change.choice, change.fill)
                    if let page { authenticator.push(page, .allTags, note) }
                }
                authenticator.finish(note)
                return (text, hasVerdict)
            }
            var first = states.accepting[state]
            let before = first.counts.badKeys
            let verdicts = run(&first).verdicts
            try expect(
                first.counts.badKeys - before <= changes.count,
                "right keys are wrong: \(first.counts.badKeys)")
            // Twice as slow, so one in eight.
            guard changes.count & 7 == 1 else { continue }
            var second = states.accepting[state]
            let other = run(&second).verdicts
            try expect(verdicts == other, "\(verdicts) differs from \(other)")
            try expect(first.counts == second.counts, "the counts of the same pages differ")
            var refusing = states.refusing[state]
            try expect(
                !run(&refusing).hasVerdict, "there is a verdict without a verified signature")
            try expect(refusing.counts.roots == 0 && refusing.counts.keys == 0, "a key is right")
        }
    }
}
