// SPDX-License-Identifier: MIT

/// Lists of satellites in parts in, complete views out: a half-received list is never shown.
public struct SatelliteTracker: Sendable {
    private static let groupCapacity = 32

    /// The view as it stands: the last complete sets.
    public internal(set) var view = SatelliteView()

    /// How many sets were dropped because a part was missing.
    public private(set) var incompleteSets = 0

    var time: UTCTime?

    /// The set of the talker who spoke last; the others', since sets may be interleaved.
    @usableFromInline package var current = PartialSatelliteSet(talker: Contributor(rawValue: 0))
    private var others: [PartialSatelliteSet] = []
    @usableFromInline var isOpen = false
    private var merge = SatelliteMerge()
    private var layouts = SatelliteLayouts()
    private var groups: [Group] = []
    private var renewed: UInt32 = 0
    private var expected: UInt32 = 0
    private var isDirty = false
    @usableFromInline var isRenewed = false
    /// How many satellites are in view; `nil` until a list was complete.
    private(set) var count: Int?
    /// Nanoseconds by the epochs' own times.
    private var clock: Int64 = 0
    /// It stops after 36 years: what expires is reckoned from it, and any sender may let it run.
    private static let longestClock = Int64.max / 8
    /// Before this no list expires.
    private var firstExpiry: Int64 = 0

    /// One talker's list for one signal: what is renewed, and expires, as one.
    private struct Group {
        var talker: Contributor
        var signal: UInt8
        var renewedAt: Int64
        var interval: Int64
        var isExpired = false
    }

    init() {
        view.signals.reserveCapacity(PartialSatelliteSet.capacity)
        groups.reserveCapacity(Self.groupCapacity)
    }

    // MARK: Out

    /// Whether a new view is complete since this was asked last.
    @inlinable
    @inline(__always)
    public mutating func takeRenewal() -> Bool {
        guard isRenewed else { return false }
        isRenewed = false
        return true
    }

    // MARK: In

    /// Opens part `number` of a set of `total`; false where it does not follow the part before.
    public mutating func begin(part number: Int, of total: Int, from talker: Contributor) -> Bool {
        isOpen = false
        guard total >= 1, number >= 1, number <= total else {
            incompleteSets += 1
            return false
        }
        if current.talker != talker { turn(to: talker) }
        if number == 1 {
            if current.next > 1 { incompleteSets += 1 }
            current.begin(total)
        }
        guard current.next == number, current.total == total else {
            incompleteSets += 1
            current.next = 1
            current.total = 0
            return false
        }
        current.beginPart()
        isOpen = true
        return true
    }

    /// Adds a satellite to the part that is open; `end` tells its signal.
    @inlinable
    public mutating func add(_ signal: SatelliteSignal) {
        guard isOpen else { return }
        current.add(signal)
    }

    /// Closes the part that is open; the last one completes the set.
    ///
    /// `constellation` is the talker's own, for sets that list nothing.
    public mutating func end(signal: UInt8, constellation: Constellation?) {
        guard isOpen else { return }
        isOpen = false
        current.endPart(signal)
        guard current.next > current.total else { return }
        current.next = 1
        current.total = 0
        replace(constellation)
        renew(current.talker, current.signalIDs)
    }

    /// Ends an epoch, `elapsed` nanoseconds after the one before where that is known.
    mutating func endEpoch(after elapsed: Int64?) {
        clock = min(Self.longestClock, clock + max(0, elapsed ?? 0))
        if renewed != 0 {
            if isDirty { announce() }
            expected = renewed
            renewed = 0
        }
        if clock > firstExpiry { expire() }
    }

    /// Makes the talker's set the current one.
    private mutating func turn(to talker: Contributor) {
        if let index = others.firstIndex(where: { $0.talker == talker }) {
            return swap(&current, &others[index])
        }
        if others.count == Self.groupCapacity { others.removeFirst() }
        others.append(current)
        current = PartialSatelliteSet(talker: talker)
    }

    /// Puts the set in the place of what the talker listed before, and of what others listed of the
    /// same constellations and signals.
    private mutating func replace(_ constellation: Constellation?) {
        view.time = time
        // The same ones are listed as before: they nearly always are.
        if layouts.renew(&view.signals, from: &current, constellation) { return }
        if merge.merge(&current, constellation, into: &view.signals) {
            layouts.follow(merge.moves, after: &current)
            recount()
        }
        if count == nil { count = 0 }
        layouts.note(&current, constellation, at: merge.places)
    }

    /// How many satellites the signals are of.
    private mutating func recount() {
        var satellites = 0
        var last: SatelliteID?
        for signal in view.signals where signal.id != last {
            satellites += 1
            last = signal.id
        }
        count = satellites
    }

    private mutating func renew(_ talker: Contributor, _ signalIDs: UInt16) {
        var rest = signalIDs
        while rest != 0 {
            let bit = UInt32(1) << UInt32(group(talker, UInt8(rest.trailingZeroBitCount)))
            rest &= rest &- 1
            if renewed & bit != 0 { endEpoch(after: nil) }
            renewed |= bit
        }
        isDirty = true
        if expected != 0, renewed & expected == expected { announce() }
    }

    private mutating func group(_ talker: Contributor, _ signal: UInt8) -> Int {
        if let i = groups.firstIndex(where: { $0.talker == talker && $0.signal == signal }) {
            groups[i].interval = clock - groups[i].renewedAt
            groups[i].renewedAt = clock
            groups[i].isExpired = false
            return i
        }
        guard groups.count < Self.groupCapacity else { return Self.groupCapacity - 1 }
        groups.append(Group(talker: talker, signal: signal, renewedAt: clock, interval: 0))
        return groups.count - 1
    }

    private mutating func announce() {
        isDirty = false
        isRenewed = true
    }

    /// Drops lists not renewed for five of their own intervals, at least ten seconds.
    private mutating func expire() {
        let least: Int64 = 10_000_000_000
        firstExpiry = clock + least
        for i in groups.indices where !groups[i].isExpired {
            let group = groups[i]
            let expiry = group.renewedAt + max(5 * group.interval, least)
            guard clock > expiry else {
                firstExpiry = min(firstExpiry, expiry)
                continue
            }
            groups[i].isExpired = true
            view.signals.removeAll { $0.source == group.talker && $0.signal == group.signal }
            layouts.invalidate()
            recount()
        }
    }
}
