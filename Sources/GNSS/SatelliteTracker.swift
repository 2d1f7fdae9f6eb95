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

    /// The set of the talker who spoke last; the others', since sets may be interleaved.
    private var current = PartialSatelliteSet(talker: Contributor(rawValue: 0))
    private var others: [PartialSatelliteSet] = []
    private var isOpen = false
    /// Where the next `signals` are put together; it keeps its room.
    private var scratch: [SatelliteSignal] = []
    private var places: [Place] = []
    private var order = SatelliteOrder(capacity: Self.setCapacity)
    private var groups: [Group] = []
    private var renewed: UInt32 = 0
    private var expected: UInt32 = 0
    private var isDirty = false
    private var isRenewed = false
    private var hasView = false
    private var viewTime: UTCTime?
    private var clock: Int64 = 0

    /// Where a signal of the current set stands in the view.
    private struct Place {
        var position: Int
        var index: Int
    }

    /// One talker's list for one signal: what is renewed, and expires, as one.
    private struct Group {
        var talker: Contributor
        var signal: UInt8
        var renewedAt: Int64
        var interval: Int64
        var isExpired = false
    }

    init() {
        signals.reserveCapacity(Self.setCapacity)
        scratch.reserveCapacity(Self.setCapacity)
        places.reserveCapacity(Self.setCapacity)
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
        isOpen = false
        guard total >= 1, number >= 1, number <= total else {
            incompleteSets += 1
            return false
        }
        if current.talker != talker { turn(to: talker) }
        if number == 1 {
            if current.next > 1 { incompleteSets += 1 }
            current.total = total
            current.next = 1
            current.signalIDs = 0
            current.signals.removeAll(keepingCapacity: true)
        }
        guard current.next == number, current.total == total else {
            incompleteSets += 1
            current.next = 1
            current.total = 0
            return false
        }
        isOpen = true
        return true
    }

    /// Adds a satellite to the part that is open.
    public mutating func add(_ signal: SatelliteSignal) {
        guard isOpen, current.signals.count < Self.setCapacity else { return }
        current.signals.append(signal)
    }

    /// Closes the part that is open; the last one completes the set.
    ///
    /// `constellation` is the talker's own, for sets that list nothing.
    public mutating func end(signal: UInt8, constellation: Constellation?) {
        guard isOpen else { return }
        isOpen = false
        current.signalIDs |= 1 << UInt16(signal & 15)
        current.next += 1
        guard current.next > current.total else { return }
        current.next = 1
        current.total = 0
        replace(constellation)
        renew(current.talker, current.signalIDs)
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

    /// Makes the talker's set the current one.
    private mutating func turn(to talker: Contributor) {
        if let index = others.firstIndex(where: { $0.talker == talker }) {
            return swap(&current, &others[index])
        }
        if others.count == Self.groupCapacity { others.removeFirst() }
        others.append(current)
        current = PartialSatelliteSet(talker: talker)
        current.signals.reserveCapacity(Self.setCapacity)
    }

    /// Puts the set in the place of what the talker listed before, and of what others listed of the
    /// same constellations and signals.
    private mutating func replace(_ constellation: Constellation?) {
        let replaced = ReplacedSignals(current, constellation)
        order.begin(current.signals)
        if !renew(replaced) { merge(replaced) }
        hasView = true
        viewTime = time
    }

    /// Renews the signals where they are, if the same ones are listed as before: they nearly always
    /// are.
    private mutating func renew(_ replaced: ReplacedSignals) -> Bool {
        places.removeAll(keepingCapacity: true)
        for position in signals.indices where replaced.contains(signals[position]) {
            let key = signals[position].sortKey
            guard let index = order.next(), current.signals[index].sortKey == key else {
                return false
            }
            places.append(Place(position: position, index: index))
        }
        guard order.next() == nil else { return false }
        for place in places {
            signals[place.position] = current.signals[place.index]
            signals[place.position].source = current.talker
        }
        return true
    }

    private mutating func merge(_ replaced: ReplacedSignals) {
        order.rewind()
        scratch.removeAll(keepingCapacity: true)
        for old in signals where !replaced.contains(old) {
            while let index = order.next(before: old.sortKey) { take(index) }
            scratch.append(old)
        }
        while let index = order.next() { take(index) }
        swap(&signals, &scratch)
    }

    private mutating func take(_ index: Int) {
        var signal = current.signals[index]
        signal.source = current.talker
        scratch.append(signal)
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
        for i in groups.indices where !groups[i].isExpired {
            let group = groups[i]
            guard clock - group.renewedAt > max(5 * group.interval, 10_000_000_000) else {
                continue
            }
            groups[i].isExpired = true
            signals.removeAll { $0.source == group.talker && $0.signal == group.signal }
        }
    }
}
