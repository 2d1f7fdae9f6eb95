// SPDX-License-Identifier: MIT
import GNSSNavigation

/// Verifies the signatures of Galileo's navigation messages (OSNMA).
///
/// It receives pages in the order of time, and reports verdicts at the end of each sub-frame. It has no
/// clock and no library: pages come with what an independent clock says of them. The memory and the
/// work of a sub-frame are bounded, whatever the pages contain.
package struct Authenticator: Sendable {
    /// The pages of a satellite in the current sub-frame.
    private struct Satellite {
        var hkroot = [UInt8](repeating: 0, count: 15)
        /// The pages that came, and those with a field for authentication, as bits.
        var pages: UInt16 = 0
        var received: UInt16 = 0
        var section = TagSection()
        var synchronisation = Synchronisation.allTags

        /// All bytes of the sub-frame, if all pages were received.
        var block: [UInt8]? { received == 0x7FFF ? hkroot : nil }
        var header: ServiceHeader? {
            received & 1 == 1 ? ServiceHeader(byte: hkroot[0]) : nil
        }
    }

    /// The tags of a satellite's sub-frame that wait for the keys.
    private struct Pending {
        enum Sequence {
            case none
            case awaited(code: Int, about: [UInt8])
            case verified, wrong

            var isAwaited: Bool { if case .awaited = self { true } else { false } }
            var isVerified: Bool { if case .verified = self { true } else { false } }
        }

        let start: GalileoTime
        let satellite: UInt8
        let header: ServiceHeader?
        let synchronisation: Synchronisation
        let section: TagSection
        /// `nil` until the chain is known.
        var tags: [Tag]?
        var sequence = Sequence.none
        var isKeyChecked = false

        var isDone: Bool { isKeyChecked && tags?.isEmpty == true && !sequence.isAwaited }
    }

    /// The last check of a satellite's data.
    private struct Check {
        let data: OrbitData
        let isGood: Bool
        /// The sub-frame at whose end it was checked.
        let checked: GalileoTime
    }

    /// The seconds for which tags wait for a key, and for a root of their chain.
    private static let maximumWait = 3600
    private static let maximumCheckAge = 300
    /// The window of the latest data in sub-frames.
    private static let maximumAge = 15
    private static let maximumChecks = 8
    /// The work that a sub-frame may cost.
    private struct Budget {
        /// The hashes of keys: those of three days.
        var hashes = KeyChain.maximumHashes
        /// The signatures of roots. Twenty satellites send two roots in a sub-frame.
        var signatures = 8
    }

    private let cryptography: any Cryptography
    package private(set) var ring: KeyRing
    package private(set) var counts = AuthenticationCounts()

    private var current: GalileoTime?
    /// The last sub-frame that was ended.
    private var ended: GalileoTime?
    /// The pages of the current sub-frame.
    private var pages: [TimedPage] = []
    private var satellites: [Satellite?] = Array(repeating: nil, count: 37)
    private var collector = BlockCollector()
    private var history = WordHistory()
    private var pending: [Pending] = []
    private var checks: [[Check]] = Array(repeating: [], count: 37)
    /// When a satellite's own tags last were dummies.
    private var dummies: [GalileoTime?] = Array(repeating: nil, count: 37)
    private var chain: KeyChain?
    private var nextChain: KeyChain?
    private var header: ServiceHeader?
    /// The header that a root has verified.
    private var verifiedHeader: ServiceHeader?
    private var lastRoot: ChainRoot?
    private var lastKey: SentKey?
    /// The sub-frame of the latest key that was verified.
    private var latestKey: GalileoTime?
    private var budget = Budget()

    package init(_ ring: KeyRing, _ cryptography: some Cryptography) {
        (self.ring, self.cryptography) = (ring, cryptography)
        guard let stored = ring.chain, let chain = KeyChain(stored, ring, cryptography) else {
            return
        }
        (self.chain, verifiedHeader) = (chain, chain.root.header)
    }

    /// The state of the service that a root has verified; `nil` until one has.
    package var serviceHeader: ServiceHeader? { verifiedHeader }

    /// Adds a page. Pages of earlier sub-frames are ignored. The first page of a later one ends the
    /// current sub-frame.
    ///
    /// - Parameter synchronisation: The result of a clock that does not depend on Galileo.
    package mutating func push(
        _ page: TimedPage, _ synchronisation: Synchronisation,
        _ report: (AuthenticationEvent) -> Void
    ) {
        let start = page.start.subframe
        if let ended, start <= ended { return }
        if let current, start < current { return }
        let offset = page.start - start
        // Dummy pages have no data and no tags.
        guard 1...36 ~= page.svid, page.page.word.type != 63 else { return }
        if let current, start > current { finish(report) }
        current = start
        let (index, bit) = (Int(page.svid), UInt16(1) << UInt16(offset / 2))
        var satellite = satellites[index] ?? Satellite()
        defer { satellites[index] = satellite }
        // Pages begin in odd seconds.
        guard offset % 2 == 1, satellite.pages & bit == 0 else { return }
        satellite.pages |= bit
        // Their words are added at the end, because the tags are about earlier ones.
        pages.append(page)
        if page.page.osnma != 0 {
            satellite.hkroot[offset / 2] = UInt8(truncatingIfNeeded: page.page.osnma >> 32)
            satellite.section.set(UInt32(truncatingIfNeeded: page.page.osnma), page: offset / 2)
            satellite.received |= bit
            satellite.synchronisation = min(satellite.synchronisation, synchronisation)
        }
    }

    /// Ends the current sub-frame if all of its pages have been received at a time.
    package mutating func finish(at time: GalileoTime, _ report: (AuthenticationEvent) -> Void) {
        // The last page is received with the epoch a second after the end.
        if let current, time - current > GalileoTime.subframe + 1 { finish(report) }
    }

    /// Ends the current sub-frame.
    package mutating func finish(_ report: (AuthenticationEvent) -> Void) {
        guard let now = current else { return }
        counts.subframes += 1
        budget = Budget()
        readBlocks(now, report)
        addTags(now)
        verifyKeys()
        verifyTags(now)
        for page in pages { history.add(page) }
        pending.removeAll { $0.isDone || now - $0.start >= Self.maximumWait }
        let verdicts = satellites.indices.compactMap { index in
            satellites[index].map { (UInt8(index), verdict(of: index, $0, now)) }
        }
        report(.subframe(AuthenticationReport(start: now, verdicts: verdicts)))
        let oldest = pending.first?.start ?? now
        history.removeAll(before: oldest - Self.maximumAge * GalileoTime.subframe)
        satellites = Array(repeating: nil, count: satellites.count)
        pages.removeAll(keepingCapacity: true)
        (current, ended) = (nil, now)
    }

    // MARK: Signed messages

    private mutating func readBlocks(_ now: GalileoTime, _ report: (AuthenticationEvent) -> Void) {
        for satellite in satellites {
            guard let block = satellite?.block, let message = collector.add(block, at: now) else {
                continue
            }
            if SignedMessage.isKey(message.id) {
                if let key = SentKey(message) { receive(key, report) }
            } else if let root = ChainRoot(message, near: now) {
                receive(root, report)
            }
        }
    }

    private mutating func receive(_ sent: SentKey, _ report: (AuthenticationEvent) -> Void) {
        guard let root = sent.root(among: ring.roots, cryptography) else {
            counts.badPublicKeys += 1
            return
        }
        counts.publicKeys += 1
        if sent != lastKey { report(.publicKey(sent, isNewTree: root != ring.roots.first)) }
        lastKey = sent
        switch sent.content {
        case .alert: alert(report)
        case .key(let key):
            if let key = key.verified(by: sent.path, to: root, cryptography) { ring.add(key) }
        }
    }

    private mutating func receive(_ root: ChainRoot, _ report: (AuthenticationEvent) -> Void) {
        let candidates = ring.keys.filter { $0.id == root.publicKey }
        // Roots are sent again and again.
        guard candidates.count <= budget.signatures else { return }
        budget.signatures -= candidates.count
        guard let key = candidates.first(where: { root.isSigned(by: $0, cryptography) }) else {
            if candidates.isEmpty { counts.rootsWithoutKey += 1 } else { counts.badRoots += 1 }
            report(.badRoot(publicKey: root.publicKey, isKnown: !candidates.isEmpty))
            return
        }
        counts.roots += 1
        if root != lastRoot { report(.root(root)) }
        lastRoot = root
        verifiedHeader = root.header
        guard root.header.keyStatus != 7 else { return alert(report) }
        // A chain, or a public key with its chain, is revoked.
        let isRevoked = !root.header.isUsable && [3, 5].contains(root.header.keyStatus)
        if isRevoked { ring.chain = nil }
        if isRevoked, let number = chain?.root.chain, number == root.header.chain {
            chain = nil
            pending.removeAll { $0.header?.chain == number }
            report(.chainDropped(number))
        }
        let areKeysRevoked = isRevoked && root.header.keyStatus == 5
        for id in ring.replace(by: key, areRevoked: areKeysRevoked) {
            report(areKeysRevoked ? .publicKeyDropped(id) : .publicKeyReplaced(id, by: key.id))
        }
        if root.chain != root.header.chain {
            store(root, report)
        } else if !isRevoked {
            use(root, report)
        }
    }

    /// Stores the root of a chain that will be used later.
    private mutating func store(_ root: ChainRoot, _ report: (AuthenticationEvent) -> Void) {
        if nextChain?.root.chain == root.chain,
            nextChain?.update(root, cryptography, budget: &budget.hashes) == true
        {
            return
        }
        nextChain = KeyChain(root, isAnnounced: true)
        report(.chainStored(root.chain))
    }

    /// Uses the root of the chain in force.
    private mutating func use(_ root: ChainRoot, _ report: (AuthenticationEvent) -> Void) {
        let isNew = chain?.root.chain != root.chain
        if isNew, nextChain?.root.chain == root.chain { (chain, nextChain) = (nextChain, nil) }
        if chain?.root.chain != root.chain
            || chain?.update(root, cryptography, budget: &budget.hashes) != true
        {
            chain = KeyChain(root, isAnnounced: false)
        }
        // Each root is stored once, in an hour.
        if ring.chain?.root != root.bytes { ring.chain = chain?.stored }
        if isNew { report(.chainInUse(root.chain)) }
    }

    private mutating func alert(_ report: (AuthenticationEvent) -> Void) {
        ring.alert(ring.roots)
        (chain, nextChain, pending) = (nil, nil, [])
        report(.alert)
    }

    // MARK: Keys and tags

    /// Whether the announced chain is in force at a time; `nil` if no known chain is.
    private func isNextChain(at time: GalileoTime) -> Bool? {
        if let start = nextChain?.start, start <= time { return true }
        guard let chain, chain.start.map({ $0 <= time }) ?? true else { return nil }
        return false
    }

    private func chain(at time: GalileoTime) -> KeyChain? {
        isNextChain(at: time).flatMap { $0 ? nextChain : chain }
    }

    private mutating func addTags(_ now: GalileoTime) {
        var counts: [UInt8: Int] = [:]
        for satellite in satellites {
            if let header = satellite?.header { counts[header.byte, default: 0] += 1 }
        }
        let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        if let most { header = ServiceHeader(byte: most.key) }
        for (index, satellite) in satellites.enumerated() {
            guard let satellite, satellite.received != 0 else { continue }
            let header = satellite.header ?? header
            guard header?.isUsable ?? true else { continue }
            pending.append(
                Pending(
                    start: now, satellite: UInt8(index), header: header,
                    synchronisation: satellite.synchronisation, section: satellite.section))
        }
    }

    private mutating func verifyKeys() {
        for index in pending.indices where !pending[index].isKeyChecked {
            let item = pending[index]
            guard let isNext = isNextChain(at: item.start), let chain = isNext ? nextChain : chain,
                item.header.map({ $0.chain == chain.root.chain }) ?? true
            else { continue }
            pending[index].isKeyChecked = true
            if let slots = chain.slots(at: item.start), item.header != nil {
                let (tags, misfits) = item.section.tags(
                    of: item.satellite, chain.root, slots: slots)
                pending[index].tags = tags
                counts.misfits += misfits
                if let (code, about) = item.section.sequence(chain.root, slots: slots) {
                    pending[index].sequence = .awaited(code: code, about: about)
                }
            } else {
                pending[index].tags = []
            }
            guard let key = item.section.key(chain.root) else { continue }
            let isGood =
                isNext
                ? nextChain?.verify(key, at: item.start, cryptography, budget: &budget.hashes)
                : self.chain?.verify(key, at: item.start, cryptography, budget: &budget.hashes)
            guard isGood == true else {
                counts.badKeys += 1
                continue
            }
            counts.keys += 1
            if latestKey.map({ $0 < item.start }) ?? true {
                counts.distinctKeys += 1
                latestKey = item.start
            }
        }
    }

    private mutating func verifyTags(_ now: GalileoTime) {
        for index in pending.indices where pending[index].tags != nil {
            var item = pending[index]
            verifySequence(of: &item)
            let waiting = item.tags?.filter { tag in
                if tag.isFlexible, !item.sequence.isVerified { return item.sequence.isAwaited }
                let time = item.start + tag.kind.delay
                guard let chain = chain(at: time), chain.hasReceived(time) else { return true }
                if let key = chain.key(at: time) { verify(tag, item, key, chain.root, now) }
                return false
            }
            item.tags = waiting
            pending[index] = item
        }
    }

    private mutating func verifySequence(of item: inout Pending) {
        guard case .awaited(let code, let about) = item.sequence else { return }
        let time = item.start + TagKind.orbit.delay
        guard let chain = chain(at: time), chain.hasReceived(time), let key = chain.key(at: time)
        else { return }
        let message = [item.satellite] + item.start.bytes + about
        let mac = cryptography.code(chain.root.function, key: key, message)
        let isGood = mac.map { Int($0[0]) << 4 | Int($0[1] >> 4) == code } ?? false
        item.sequence = isGood ? .verified : .wrong
        if isGood { counts.sequences += 1 } else { counts.badSequences += 1 }
    }

    private mutating func verify(
        _ tag: Tag, _ item: Pending, _ key: [UInt8], _ root: ChainRoot, _ now: GalileoTime
    ) {
        guard item.synchronisation >= (tag.kind == .slowOrbit ? .slowTags : .allTags) else {
            counts.unsynchronisedTags[tag.kind] += 1
            return
        }
        func fits(_ append: (inout BitString) -> Void) -> Bool {
            var message = Tag.message(
                at: tag.index, about: tag.satellite, by: item.satellite, item.start,
                status: item.header?.status ?? 0)
            append(&message)
            let mac = cryptography.code(root.function, key: key, message.bytes)
            return mac?.starts(with: tag.value) == true
        }
        guard tag.age > 0 else {
            let size = tag.kind == .timing ? TimingData.size : OrbitData.size
            if tag.satellite == item.satellite { dummies[Int(item.satellite)] = item.start }
            if fits({ $0.append(zeros: size) }) {
                counts.dummies += 1
            } else {
                counts.badDummies += 1
            }
            return
        }
        let window = WordHistory.window(before: item.start, age: tag.age)
        if tag.kind == .timing {
            let satellite = tag.satellite == 255 ? item.satellite : tag.satellite
            guard let words = history.timing(of: satellite, in: window) else {
                counts.uncheckedTags += 1
                return
            }
            if fits({ $0.append(timing: words) }) {
                counts.tags.timing += 1
            } else {
                counts.badTags.timing += 1
            }
            return
        }
        let orbits = history.orbits(of: tag.satellite, in: window)
        guard let orbit = orbits.first else {
            counts.uncheckedTags += 1
            return
        }
        let fitting = orbits.firstIndex { data in fits { OrbitData.append(data.words, to: &$0) } }
        switch fitting {
        case 0: counts.tags[tag.kind] += 1
        case nil: counts.badTags[tag.kind] += 1
        default:
            counts.olderTags[tag.kind] += 1
            return
        }
        record(Check(data: orbit, isGood: fitting == 0, checked: now), of: Int(tag.satellite))
    }

    private mutating func record(_ check: Check, of satellite: Int) {
        if let known = checks[satellite].firstIndex(where: { $0.data == check.data }) {
            checks[satellite][known] = check
        } else {
            if checks[satellite].count == Self.maximumChecks { checks[satellite].removeFirst() }
            checks[satellite].append(check)
        }
    }

    // MARK: Verdicts

    private func verdict(
        of satellite: Int, _ received: Satellite, _ now: GalileoTime
    ) -> AuthenticationVerdict {
        if ring.isAlert { return .unknown(.alert) }
        if ring.isEmpty { return .unknown(.noKey) }
        guard let verifiedHeader else { return .unknown(.noRoot) }
        let header = received.header ?? header
        guard verifiedHeader.isUsable, header?.isUsable ?? true else { return .unknown(.doNotUse) }
        guard chain(at: now)?.slots(at: now) != nil else {
            return .unknown(chain(at: now) == nil ? .noRoot : .unknownOrder)
        }
        let window = WordHistory.window(before: now + GalileoTime.subframe, age: Self.maximumAge)
        guard let data = history.orbits(of: UInt8(satellite), in: window).first else {
            return .unknown(.newData)
        }
        let check = checks[satellite].first { $0.data == data }
        if let check, now - check.checked <= Self.maximumCheckAge {
            return check.isGood ? .authenticated : .failed
        }
        if received.synchronisation == .none { return .unknown(.noClock) }
        let isDummy = dummies[satellite].map { now - $0 <= Self.maximumCheckAge } ?? false
        if isDummy { return .unknown(.dummy) }
        let wasGood = checks[satellite].contains { $0.isGood }
        return .unknown(wasGood && check == nil ? .newData : .noTag)
    }
}
