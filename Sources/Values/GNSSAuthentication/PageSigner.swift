// SPDX-License-Identifier: MIT
package import GNSSNavigation

/// The words of a satellite that tags of the next sub-frame authenticate.
package struct SignedWords: Sendable {
    let orbit, timing: [INAVWord]
    /// The number of sub-frames for which the orbit has not changed.
    let age: Int

    /// Creates the data: words 1 to 5, and words 6 and 10.
    package init(orbit: [INAVWord], timing: [INAVWord], age: Int) {
        (self.orbit, self.timing, self.age) = (orbit, timing, age)
    }
}

/// A change of the chain of keys that simulated satellites announce.
package struct ChainChange: Hashable, Sendable {
    let announced: GalileoTime
    /// When the next chain comes into force: at the next full hour, but after ten minutes, which receivers
    /// need for its root.
    let start: GalileoTime
    /// Whether the chain before is not used any more.
    let isRevocation: Bool

    package init(announced: GalileoTime, isRevocation: Bool) {
        (self.announced, self.isRevocation) = (announced, isRevocation)
        start = (announced + 600 + PageSigner.hour - 1).hour
    }
}

extension GalileoTime {
    /// The start of the hour that contains the instant.
    fileprivate var hour: GalileoTime {
        GalileoTime(seconds: seconds / PageSigner.hour * PageSigner.hour)
    }
}

/// Makes the fields with which simulated satellites of Galileo sign their messages: the reverse of
/// `Authenticator`.
///
/// The fields depend only on the time and the data, so that they can be made for any sub-frame. They
/// begin two hours before the simulation and last for three days.
package struct PageSigner: Sendable {
    /// The keys of a chain.
    private struct Chain: Sendable {
        static let keySize = 16
        private static let lifetime = 3 * 86_400
        static let alpha: [UInt8] = Array("simula".utf8)

        /// The time of the first key. The root is the key before it.
        let start: GalileoTime
        /// The keys from the last one to the root.
        private let keys: [UInt8]

        init?(_ number: Int, from start: GalileoTime, seed: UInt64, _ cryptography: Libcrypto) {
            self.start = start
            let text = "simulated chain \(number) of \(seed)"
            var key = cryptography.digest(.sha256, Array(text.utf8))?.prefix(Self.keySize)
            var keys: [UInt8] = []
            var time = start + Self.lifetime - GalileoTime.subframe
            while time >= start, let current = key {
                keys += current
                time = time - GalileoTime.subframe
                let message = current + time.bytes + Self.alpha
                key = cryptography.digest(.sha256, Array(message))?.prefix(Self.keySize)
            }
            guard let root = key else { return nil }
            self.keys = keys + root
        }

        /// The key that is sent at a time; `nil` before the root, and after the last one.
        func key(at time: GalileoTime) -> [UInt8]? {
            let index = (start + Self.lifetime - time) / GalileoTime.subframe - 1
            let first = index * Self.keySize
            guard time >= start - GalileoTime.subframe, index >= 0,
                first + Self.keySize <= keys.count
            else { return nil }
            return Array(keys[first..<first + Self.keySize])
        }
    }

    /// The state of the service, and the root, that satellites announce in a sub-frame.
    private struct Service {
        let header: ServiceHeader
        /// The root that is sent: the number of its chain, and the time of the key after it.
        let root: (chain: Int, start: GalileoTime)

        init(at time: GalileoTime, _ changes: [ChainChange]) {
            let past = changes.filter { $0.start <= time }
            let next = changes.first { $0.announced <= time && time < $0.start }
            let isRecent = past.last.map { time - $0.start < PageSigner.hour } ?? false
            let keyStatus: UInt8 =
                if let next {
                    next.isRevocation ? 3 : 2
                } else {
                    isRecent && past.last?.isRevocation == true ? 3 : 1
                }
            let status: UInt8 = next?.isRevocation == true ? 3 : 2
            let chain = UInt8(truncatingIfNeeded: past.count % 4)
            header = ServiceHeader(byte: status << 6 | chain << 4 | keyStatus << 1)
            if let next, next.isRevocation || time.seconds / 240 % 2 == 1 {
                root = (past.count + 1, next.start)
            } else {
                root = (past.count, time.hour)
            }
        }
    }

    private struct RootName: Hashable {
        let header: ServiceHeader
        let chain: Int
        let start: GalileoTime
    }

    static let hour = 3600
    /// The order of tags of Galileo in 2026.
    private static let tagOrder: UInt8 = 34
    private static let slots = TagSlot.orders(tagOrder) ?? []
    private static let tagSize = 5
    private static let blockCount = 8
    private static let satelliteCount: UInt8 = 24

    private let testKey: TestKey
    private let start: GalileoTime
    private let seed: UInt64
    private let cryptography = Libcrypto()
    /// The chains by their numbers.
    private var chains: [Int: Chain] = [:]
    private var roots: [RootName: [UInt8]] = [:]

    /// Creates the signer of a simulation that begins at a time.
    package init(_ testKey: TestKey, from time: GalileoTime, seed: UInt64) {
        (self.testKey, self.seed) = (testKey, seed)
        start = time.hour - 2 * Self.hour
    }

    /// Returns the fields of a satellite's fifteen pages, each with 40 bits. They are 0 if it does not
    /// sign.
    ///
    /// - Parameter words: Returns what a satellite has sent in the sub-frame before.
    package mutating func fields(
        of satellite: UInt8, at time: GalileoTime, _ changes: [ChainChange],
        words: (UInt8) -> SignedWords?
    ) -> [UInt64] {
        let changes = changes.sorted { $0.start < $1.start }
        let service = Service(at: time, changes)
        guard let root = root(of: service, changes),
            let section = section(of: satellite, at: time, service.header, changes, words)
        else { return [UInt64](repeating: 0, count: 15) }
        // Satellites send different blocks at the same time.
        let block =
            (time.seconds / GalileoTime.subframe * 3 + Int(satellite) + Int(satellite) / 8 * 3)
            % Self.blockCount
        // The number of the message changes with the root, every hour.
        let number = service.root.start.seconds / Self.hour % 12
        let bytes =
            [service.header.byte, UInt8(truncatingIfNeeded: number << 4 | block)]
            + root.dropFirst(block * SignedMessage.blockSize).prefix(SignedMessage.blockSize)
        return bytes.enumerated().map { page, byte in
            UInt64(byte) << 32 | UInt64(section.number(32 * page, 32))
        }
    }

    // MARK: The chain

    private mutating func chain(_ number: Int, _ changes: [ChainChange]) -> Chain? {
        if let known = chains[number] { return known }
        let start = number == 0 ? start : changes[number - 1].start
        let chain = Chain(number, from: start, seed: seed, cryptography)
        chains[number] = chain
        return chain
    }

    /// The key that is sent at a time.
    private mutating func key(at time: GalileoTime, _ changes: [ChainChange]) -> [UInt8]? {
        chain(changes.count { $0.start <= time }, changes)?.key(at: time)
    }

    /// The message with a root, and its signature.
    private mutating func root(of service: Service, _ changes: [ChainChange]) -> [UInt8]? {
        let (number, start) = service.root
        let name = RootName(header: service.header, chain: number, start: start)
        if let known = roots[name] { return known }
        guard let key = chain(number, changes)?.key(at: start - GalileoTime.subframe) else {
            return nil
        }
        // Chain, SHA-256 and HMAC; keys of 128 and tags of 40 bits; order, week and hour.
        let week = UInt16(truncatingIfNeeded: start.weekNumber & 0xFFF)
        let head: [UInt8] =
            [UInt8(truncatingIfNeeded: number % 4) << 6 | 1 << 4, 0x49, Self.tagOrder]
            + [UInt8(week >> 8), UInt8(week & 0xFF)]
            + [UInt8(truncatingIfNeeded: start.timeOfWeek / Self.hour)]
        let signed = [service.header.byte] + head + Chain.alpha + key
        guard let signature = testKey.signature(of: signed),
            let padding = cryptography.digest(.sha256, signed + signature)
        else { return nil }
        let content = [0x20 | testKey.key.id] + signed.dropFirst() + signature
        let size = Self.blockCount * SignedMessage.blockSize
        let root = content + padding.prefix(size - content.count)
        if roots.count > 8 { roots = [:] }
        roots[name] = root
        return root
    }

    // MARK: Tags

    /// The tags of a satellite, and the key.
    private mutating func section(
        of satellite: UInt8, at time: GalileoTime, _ header: ServiceHeader,
        _ changes: [ChainChange], _ words: (UInt8) -> SignedWords?
    ) -> BitString? {
        guard let sent = key(at: time, changes) else { return nil }
        var section = BitString()
        var sequence: [UInt8] = []
        var tags: [(value: [UInt8], info: UInt16)] = []
        for (index, slot) in Self.slots[time.seconds % 60 == 0 ? 0 : 1].enumerated() {
            // The tags about others are about its neighbours, in the order of their numbers.
            let neighbour = (satellite - 1 + UInt8(index)) % Self.satelliteCount + 1
            let (kind, about): (TagKind, UInt8) =
                switch slot {
                case .own(let kind): (kind, satellite)
                case .any(let kind): (kind, neighbour)
                case .flexible: (.orbit, neighbour)
                }
            let words = words(about)
            let age = kind == .timing ? min(1, words?.age ?? 0) : min(15, words?.age ?? 0)
            var message = Tag.message(
                at: index, about: about, by: satellite, time, status: header.status)
            switch (kind, words) {
            case (.timing, let words?) where age > 0: message.append(timing: words.timing)
            case (_, let words?) where age > 0: OrbitData.append(words.orbit, to: &message)
            case (.timing, _): message.append(zeros: TimingData.size)
            default: message.append(zeros: OrbitData.size)
            }
            guard let key = key(at: time + kind.delay, changes),
                let value = cryptography.code(.hmac, key: key, message.bytes)
            else { return nil }
            let info = UInt16(about) << 8 | UInt16(kind.rawValue) << 4 | UInt16(age)
            tags.append((Array(value.prefix(Self.tagSize)), info))
            if slot == .flexible { sequence += [UInt8(info >> 8), UInt8(info & 0xFF)] }
        }
        guard let key = key(at: time + TagKind.orbit.delay, changes),
            let code = cryptography.code(.hmac, key: key, [satellite] + time.bytes + sequence)
        else { return nil }
        for (index, tag) in tags.enumerated() {
            for byte in tag.value { section.append(UInt32(byte), width: 8) }
            guard index == 0 else {
                section.append(UInt32(tag.info), width: 16)
                continue
            }
            section.append(UInt32(code[0]) << 4 | UInt32(code[1] >> 4), width: 12)
            section.append(UInt32(tag.info & 15), width: 4)
        }
        for byte in sent { section.append(UInt32(byte), width: 8) }
        return section
    }
}
