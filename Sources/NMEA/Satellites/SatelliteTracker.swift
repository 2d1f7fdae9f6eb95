// SPDX-License-Identifier: MIT
package import GNSS

/// Assembles lists of satellites, which are received in parts, into complete views. A list is only
/// shown once all its parts are received.
package struct SatelliteTracker: Sendable {
    private static let groupCapacity = 32
    /// Nanoseconds for which a list is shown at least.
    private static let leastExpiry: Int64 = 10_000_000_000

    /// The current view: the last complete lists.
    package internal(set) var view = SatelliteView()

    /// The number of lists dropped because a part was missing.
    package private(set) var incompleteSets = 0

    /// The number of satellites in view; `nil` until a list was complete.
    private(set) var count: Int?

    var time: UTCTime?

    /// The list of the talker whose part was received last. `others` has the other talkers' lists, since
    /// lists may be interleaved.
    private var current = SatelliteList(talker: 0)
    private var others: [SatelliteList] = []
    private var isOpen = false
    /// For each signal of the view, the list it is from.
    private var origins: [ListOrigin] = []
    /// Storage for merging the next view.
    private var merged: [SatelliteSignal] = []
    private var mergedOrigins: [ListOrigin] = []
    private var layouts: [SatelliteLayout] = []
    private var groups: [Group] = []
    private var renewed: UInt32 = 0
    private var expected: UInt32 = 0
    private var isDirty = false
    private var isRenewed = false
    /// Whether a complete view no longer waits for a fix: its epoch is over, or the same list was received
    /// again.
    private var isOverdue = false
    /// Whether the fix has been lost since a view was taken.
    private var hasLostFix = false
    /// Nanoseconds elapsed according to the times of the epochs.
    private(set) var clock: Int64 = 0
    /// When the last list of all satellites was received; lists in parts are ignored for a while.
    private var completeListTime: Int64?
    /// The clock stops after 36 years. Expiry times are calculated from it, and the input controls it.
    private static let longestClock = Int64.max / 8
    /// No list expires before this time.
    private var firstExpiry: Int64 = 0

    /// One talker's list for one signal; it is renewed and expires as a unit.
    private struct Group {
        var talker: UInt16
        var signal: UInt8
        var renewedAt: Int64
        var interval: Int64
        /// Whether the list has all satellites and signals.
        var isComplete = false
        var isExpired = false
    }

    init() {
        view.signals.reserveCapacity(SatelliteList.capacity)
        origins.reserveCapacity(SatelliteList.capacity)
        merged.reserveCapacity(SatelliteList.capacity)
        mergedOrigins.reserveCapacity(SatelliteList.capacity)
        groups.reserveCapacity(Self.groupCapacity)
    }

    /// Whether the same lists produce the same views from both trackers.
    func hasSameState(with other: SatelliteTracker) -> Bool {
        // `merged` is scratch storage; `firstExpiry` is only the earliest time at which `expire` has work.
        view == other.view && origins == other.origins && count == other.count && time == other.time
            && isOpen == other.isOpen
            && renewed == other.renewed && expected == other.expected && isDirty == other.isDirty
            && completeListTime.map { clock - $0 }
                == other.completeListTime.map { other.clock - $0 }
            && isRenewed == other.isRenewed && isOverdue == other.isOverdue
            && hasLostFix == other.hasLostFix && current == other.current
            // Which list is the current one may differ. The order of the others only matters if there are
            // more than `groupCapacity`.
            && others.count == other.others.count && others.count < Self.groupCapacity
            && others.allSatisfy { other.others.contains($0) }
            && layouts.elementsEqual(other.layouts) { $0.hasSameState(with: $1) }
            && groups.elementsEqual(other.groups) { own, others in
                own.talker == others.talker && own.signal == others.signal
                    && own.isComplete == others.isComplete && own.interval == others.interval
                    && own.isExpired == others.isExpired
                    && clock - own.renewedAt == other.clock - others.renewedAt
            }
    }

    // MARK: Out

    /// Whether silence would complete a view: some lists were received and more may follow, or a complete
    /// view waits for a fix.
    var awaitsSilence: Bool { renewed != 0 && isDirty || isRenewed || hasLostFix }

    /// Whether there is a complete view that has not been taken.
    @inline(__always)
    var hasRenewal: Bool { isRenewed }

    /// Whether there is a complete view whose epoch is over.
    var hasOverdueRenewal: Bool { isRenewed && isOverdue }

    /// Returns whether a new view has been completed since the last call. A view that waits for a fix is held
    /// back unless it is overdue.
    mutating func takeRenewal(waitingForFix isWaiting: Bool) -> Bool {
        guard isRenewed, !isWaiting || isOverdue else { return false }
        isRenewed = false
        isOverdue = false
        hasLostFix = false
        return true
    }

    // MARK: In

    /// Opens part `number` of a list of `total` parts, all for one signal id (0 if not reported); returns
    /// `false` if it does not follow the previous part.
    package mutating func begin(
        part number: Int, of total: Int, signal: UInt8, from address: Address
    ) -> Bool {
        isOpen = false
        if let completeListTime, clock - completeListTime <= Self.leastExpiry { return true }
        guard total >= 1, number >= 1, number <= total else {
            incompleteSets += 1
            return false
        }
        if current.talker != address.talkerKey { select(to: address.talkerKey) }
        if number == 1, current.isUnderWay { incompleteSets += 1 }
        isOpen = current.begin(part: number, of: total, signal: signal)
        if !isOpen { incompleteSets += 1 }
        return isOpen
    }

    /// Adds a satellite to the open part and gives it the part's signal id.
    @inline(__always)
    package mutating func add(_ signal: SatelliteSignal) {
        if isOpen { current.add(signal) }
    }

    /// Closes the open part; the last one completes the list.
    ///
    /// `constellation` is the talker's own, for lists without satellites.
    package mutating func end(constellation: Constellation?) {
        guard isOpen else { return }
        isOpen = false
        guard current.end() else { return }
        replace(constellation)
        renew(current.talker, current.origin.signalIDs)
    }

    /// Replaces the view with a list of all satellites of all constellations, received as a whole. For
    /// a while, lists in parts are ignored.
    mutating func replaceAll(with signals: [SatelliteSignal], from address: Address) {
        if current.talker != address.talkerKey { select(to: address.talkerKey) }
        current.replaceAll(with: signals)
        completeListTime = clock
        replace(nil)
        renew(current.talker, 1, isComplete: true)
    }

    /// Sets the satellites and dilutions of the epoch's fix, which may be reported before or after the
    /// lists.
    mutating func describeEpoch(used: SatelliteIDSet, _ dilution: DilutionOfPrecision, hasFix: Bool)
    {
        let isUnknown = dilution == DilutionOfPrecision()
        let wasUsed = !view.used.isEmpty && used.isEmpty
        let wasKnown = view.dilution != DilutionOfPrecision() && isUnknown
        if !hasFix, !view.signals.isEmpty, wasUsed || wasKnown {
            hasLostFix = true
        } else if !used.isEmpty {
            hasLostFix = false
        }
        view.used = used
        view.dilution = dilution
    }

    /// Forgets the data of the last epoch.
    mutating func forgetEpoch() {
        view.used = SatelliteIDSet()
        view.dilution = DilutionOfPrecision()
        hasLostFix = false
        time = nil
    }

    /// Sets the time of the epoch whose lists wait for its fix.
    mutating func setListTime(_ time: UTCTime?) {
        if isRenewed || renewed != 0 && isDirty { view.time = time }
    }

    /// Reports a lost fix in an epoch without a list; returns `true` the first time.
    mutating func takeLostFix(at time: UTCTime?) -> Bool {
        guard hasLostFix, !isRenewed else { return false }
        hasLostFix = false
        view.time = time
        return true
    }

    /// Ends an epoch, `elapsed` nanoseconds after the previous one; `nil` if unknown.
    mutating func endEpoch(after elapsed: Int64?) {
        clock = min(Self.longestClock, clock + max(0, elapsed ?? 0))
        if renewed != 0 {
            if isDirty { announce() }
            expected = renewed
            renewed = 0
        }
        if hasLostFix {
            // No list has been received that shows the satellites as unused.
            view.time = time
            announce()
        }
        expireLists()
    }

    /// Drops expired lists once a view that has them is taken.
    mutating func expireLists() {
        if clock > firstExpiry, !isRenewed { expire() }
    }

    /// Ends a complete view's wait for a fix: its epoch is over.
    mutating func release() {
        isOverdue = isRenewed
    }

    /// Makes the talker's list the current one.
    private mutating func select(to talker: UInt16) {
        if let index = others.firstIndex(where: { $0.talker == talker }) {
            return swap(&current, &others[index])
        }
        if others.count == Self.groupCapacity { others.removeFirst() }
        others.append(current)
        current = SatelliteList(talker: talker)
    }

    /// Puts the list into the ordered view in place of the signals it replaces.
    private mutating func replace(_ constellation: Constellation?) {
        view.time = time
        let layout = layoutIndex()
        if layouts[layout].renew(&view.signals, from: current) { return }
        let replaced = ReplacedSignals(current, constellation)
        let isEmpty = current.signals.isEmpty && count != nil
        let old = zip(view.signals, origins)
        if isEmpty, !old.contains(where: { replaced.contains($0, of: $1.talker) }) { return }
        merge(without: replaced)
        layouts[layout].note(current, in: view.signals)
        count = view.counts.inView
    }

    /// The index of the list's layout.
    private mutating func layoutIndex() -> Int {
        let index = layouts.firstIndex { $0.origin == current.origin }
        if let index { return index }
        if layouts.count == Self.groupCapacity { layouts.removeFirst() }
        layouts.append(SatelliteLayout(current))
        return layouts.count - 1
    }

    /// Merges the list into the signals that it does not replace. The last of several signals with the
    /// same key is kept.
    private mutating func merge(without replaced: ReplacedSignals) {
        merged.removeAll(keepingCapacity: true)
        mergedOrigins.removeAll(keepingCapacity: true)
        var index = 0
        for signal in current.signals {
            while index < view.signals.count, view.signals[index].sortKey < signal.sortKey {
                keep(index, unless: replaced)
                index += 1
            }
            insert(signal)
        }
        for index in index..<view.signals.count { keep(index, unless: replaced) }
        swap(&view.signals, &merged)
        swap(&origins, &mergedOrigins)
    }

    /// Appends a signal of the view that is not replaced; the list of a replaced one loses its layout.
    @inline(__always)
    private mutating func keep(_ index: Int, unless replaced: ReplacedSignals) {
        let (signal, origin) = (view.signals[index], origins[index])
        guard replaced.contains(signal, of: origin.talker) else {
            merged.append(signal)
            return mergedOrigins.append(origin)
        }
        guard origin != current.origin else { return }
        for index in layouts.indices where layouts[index].origin == origin {
            layouts[index].forget()
        }
    }

    /// Puts a signal of the current list into its place; it replaces one with the same key.
    private mutating func insert(_ signal: SatelliteSignal) {
        let key = signal.sortKey
        // Most lists are ordered like the view.
        guard let last = merged.last, last.sortKey >= key else {
            merged.append(signal)
            return mergedOrigins.append(current.origin)
        }
        var index = merged.count - 1
        while index > 0, merged[index - 1].sortKey >= key { index -= 1 }
        if merged[index].sortKey == key {
            merged[index] = signal
            mergedOrigins[index] = current.origin
        } else {
            merged.insert(signal, at: index)
            mergedOrigins.insert(current.origin, at: index)
        }
    }

    /// Records that a talker's lists of some signals have been renewed.
    private mutating func renew(
        _ talker: UInt16, _ signalIDs: UInt16, isComplete: Bool = false
    ) {
        var left = signalIDs
        while left != 0 {
            let signal = UInt8(truncatingIfNeeded: left.trailingZeroBitCount)
            left &= left - 1
            let index = group(talker, signal)
            groups[index].isComplete = isComplete
            let bit = UInt32(1) << UInt32(index)
            if renewed & bit != 0 {
                // If no other sentences are received, only this separates one view from the next.
                isOverdue = isRenewed
                endEpoch(after: nil)
            }
            renewed |= bit
        }
        isDirty = true
        if expected != 0, renewed & expected == expected { announce() }
    }

    private mutating func group(_ talker: UInt16, _ signal: UInt8) -> Int {
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
        let least = Self.leastExpiry
        firstExpiry = clock + least
        for i in groups.indices where !groups[i].isExpired {
            let group = groups[i]
            let expiry = group.renewedAt + max(5 * group.interval, least)
            guard clock > expiry else {
                firstExpiry = min(firstExpiry, expiry)
                continue
            }
            groups[i].isExpired = true
            for index in origins.indices.reversed()
            where origins[index].talker == group.talker
                && (group.isComplete || view.signals[index].signal == group.signal)
            {
                view.signals.remove(at: index)
                origins.remove(at: index)
            }
            count = view.counts.inView
        }
    }
}
