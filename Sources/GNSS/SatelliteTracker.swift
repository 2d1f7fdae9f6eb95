// SPDX-License-Identifier: MIT

/// Lists of satellites in parts in, complete views out: a half-received list is never shown.
public struct SatelliteTracker: Sendable {
    /// More satellites than any receiver lists in one set.
    private static let setCapacity = 128
    private static let groupCapacity = 32

    /// The signals of the last complete sets, ordered by satellite.
    public private(set) var signals: [SatelliteSignal] = []

    /// How many sets were dropped because a part was missing.
    public private(set) var incompleteSets = 0

    var used = SatelliteIDSet()
    var time: UTCTime?

    private var sets: [PartialSet] = []
    private var open: Int?
    private var groups: [Group] = []
    private var renewed: UInt32 = 0
    private var expected: UInt32 = 0
    private var isDirty = false
    private var isRenewed = false
    private var hasView = false
    private var viewTime: UTCTime?
    private var clock: Int64 = 0

    /// One set under way: the parts of a talker follow each other.
    private struct PartialSet {
        var talker: Contributor
        var total = 0
        var next = 1
        var signalIDs: UInt16 = 0
        var signals: [SatelliteSignal] = []
    }

    /// One talker's list for one signal: what is renewed, and expires, as one.
    private struct Group {
        var talker: Contributor
        var signal: UInt8
        var renewedAt: Int64
        var interval: Int64
    }

    init() {
        signals.reserveCapacity(Self.setCapacity)
        groups.reserveCapacity(Self.groupCapacity)
    }

    // MARK: Out

    /// The view as it stands.
    public var view: SatelliteView {
        SatelliteView(signals: signals, used: used, time: viewTime)
    }

    /// How many satellites are in view; `nil` until a list was complete.
    var count: Int? {
        guard hasView else { return nil }
        var count = 0
        var last: SatelliteID?
        for signal in signals where signal.id != last {
            count += 1
            last = signal.id
        }
        return count
    }

    /// Whether a new view is complete since this was asked last.
    public mutating func takeRenewal() -> Bool {
        defer { isRenewed = false }
        return isRenewed
    }

    // MARK: In

    /// Opens part `number` of a set of `total`; false where it does not follow the part before.
    public mutating func begin(part number: Int, of total: Int, from talker: Contributor) -> Bool {
        open = nil
        guard total >= 1, number >= 1, number <= total else {
            incompleteSets += 1
            return false
        }
        let index = set(of: talker)
        if number == 1 {
            if sets[index].next > 1 { incompleteSets += 1 }
            sets[index].total = total
            sets[index].next = 1
            sets[index].signalIDs = 0
            sets[index].signals.removeAll(keepingCapacity: true)
        }
        guard sets[index].next == number, sets[index].total == total else {
            incompleteSets += 1
            sets[index].next = 1
            sets[index].total = 0
            return false
        }
        open = index
        return true
    }

    /// Adds a satellite to the part that is open.
    public mutating func add(_ signal: SatelliteSignal) {
        guard let open, sets[open].signals.count < Self.setCapacity else { return }
        var signal = signal
        signal.source = sets[open].talker
        sets[open].signals.append(signal)
    }

    /// Closes the part that is open; the last one completes the set.
    ///
    /// `constellation` is the talker's own, for sets that list nothing.
    public mutating func end(signal: UInt8, constellation: Constellation?) {
        guard let index = open else { return }
        open = nil
        sets[index].signalIDs |= 1 << UInt16(signal & 15)
        sets[index].next += 1
        guard sets[index].next > sets[index].total else { return }
        sets[index].next = 1
        sets[index].total = 0
        replace(with: index, constellation)
        renew(sets[index].talker, sets[index].signalIDs)
    }

    /// Ends an epoch, `elapsed` nanoseconds after the one before where that is known.
    mutating func endEpoch(after elapsed: Int64?) {
        clock += max(0, elapsed ?? 0)
        if renewed != 0 {
            if isDirty { announce() }
            expected = renewed
            renewed = 0
        }
        expire()
    }

    private mutating func set(of talker: Contributor) -> Int {
        if let index = sets.firstIndex(where: { $0.talker == talker }) { return index }
        if sets.count == Self.groupCapacity { sets.removeFirst() }
        var fresh = PartialSet(talker: talker)
        fresh.signals.reserveCapacity(Self.setCapacity)
        sets.append(fresh)
        return sets.count - 1
    }

    /// Takes out what the talker listed before, and what others listed of the same satellites.
    private mutating func replace(with index: Int, _ constellation: Constellation?) {
        let talker = sets[index].talker
        let ids = sets[index].signalIDs
        let replacesAll = sets[index].signals.isEmpty && ids == 1
        var kept = 0
        for i in signals.indices {
            let old = signals[i]
            let isSameList = old.source == talker && ids & (1 << UInt16(old.signal & 15)) != 0
            let isCleared =
                sets[index].signals.isEmpty && old.id.constellation == constellation
                && (replacesAll || ids & (1 << UInt16(old.signal & 15)) != 0)
            let isSameKey = sets[index].signals.contains {
                $0.id.constellation == old.id.constellation && $0.signal == old.signal
            }
            if isSameList || isCleared || isSameKey { continue }
            signals[kept] = old
            kept += 1
        }
        signals.removeLast(signals.count - kept)
        for signal in sets[index].signals { insert(signal) }
        hasView = true
        viewTime = time
    }

    private mutating func insert(_ new: SatelliteSignal) {
        var position = signals.endIndex
        while position > 0 {
            let other = signals[position - 1]
            if other.id == new.id, other.signal == new.signal {
                signals[position - 1] = new
                return
            }
            if other.id < new.id || (other.id == new.id && other.signal < new.signal) { break }
            position -= 1
        }
        signals.insert(new, at: position)
    }

    private mutating func renew(_ talker: Contributor, _ signalIDs: UInt16) {
        for signal in 0..<UInt8(16) where signalIDs & (1 << UInt16(signal)) != 0 {
            let bit = UInt32(1) << UInt32(group(talker, signal))
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
        for group in groups
        where clock - group.renewedAt > max(5 * group.interval, 10_000_000_000) {
            signals.removeAll { $0.source == group.talker && $0.signal == group.signal }
        }
    }
}
