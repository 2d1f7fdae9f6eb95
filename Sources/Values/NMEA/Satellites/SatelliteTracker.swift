// SPDX-License-Identifier: MIT
package import GNSS

/// Assembles satellite lists, which are received in parts, into satellite views. A list is used
/// only when all its parts have been received.
package struct SatelliteTracker: Sendable {
    private static let groupCapacity = 32
    /// The minimum time after which a list that is not renewed expires, in nanoseconds.
    private static let minimumExpiry: Int64 = 10_000_000_000

    /// The current satellite view. It consists of the last complete list of each talker and signal.
    package internal(set) var view = SatelliteView()

    /// The number of lists dropped because a part was missing, not valid, or repeated with other
    /// content.
    private(set) var incompleteSets = 0

    /// The number of satellites in view; `nil` until the first list is complete.
    var count: Int?

    var time: UTCTime?

    /// Whether the line has epochs: a sentence or message with a time has been received.
    var hasEpochs = false

    /// Whether anything reads the satellites. Otherwise, only the parts of lists are counted: `view`
    /// stays empty, and `count` is `nil`.
    var isWanted = true

    /// The list of the talker that sent the most recent part. Lists may be interleaved, so `others`
    /// contains the lists of the other talkers.
    private var current = SatelliteList(talker: 0)
    private var others: [SatelliteList] = []
    private var isOpen = false
    /// For each signal in `view`, the satellite list that it was received in.
    private var origins: [ListOrigin] = []
    /// Scratch storage for merging a satellite list into `view`.
    private var merged: [SatelliteSignal] = []
    private var mergedOrigins: [ListOrigin] = []
    private var layouts: [SatelliteLayout] = []
    private var groups: [ListGroup] = []
    /// The lists received in this epoch: bit i is that of `groups[i]`.
    private var receivedGroups: UInt32 = 0
    /// The lists that the last epoch with lists contained. When they have been received, the view is
    /// complete.
    var expectedGroups: UInt32 = 0
    /// Whether a list has been received since the last complete view.
    private var hasNewLists = false
    /// Whether there is a complete view that has not been delivered.
    private var isViewReady = false
    /// Whether a complete satellite view may be delivered without waiting for a fix, because its
    /// epoch is over or the same list was received again.
    private var needsNoFix = false
    /// Whether the fix has been lost since the last satellite view was delivered.
    private var hasLostFix = false
    /// The sum of the times between epochs, in nanoseconds. It serves as a clock for the expiry of
    /// lists.
    private(set) var clock: Int64 = 0
    /// The value of `clock` when the last list of all satellites (UBX) was received. In the ten
    /// seconds after it, lists in parts (GSV) are ignored.
    private var completeListTime: Int64?
    /// The value of `clock` when the last part of a list (GSV) was received, even if it was ignored.
    var partTime: Int64?
    /// The largest value of `clock`: 36 years, in nanoseconds. The input controls the clock, and
    /// expiry times are added to it, so without this limit a sum could overflow.
    private static let maximumClock = Int64.max / 8
    /// The earliest value of `clock` at which a list may expire.
    private var firstExpiry: Int64 = 0

    init() {
        view.signals.reserveCapacity(SatelliteList.usualCapacity)
        origins.reserveCapacity(SatelliteList.usualCapacity)
        merged.reserveCapacity(SatelliteList.usualCapacity)
        mergedOrigins.reserveCapacity(SatelliteList.usualCapacity)
        groups.reserveCapacity(Self.groupCapacity)
    }

    /// Returns whether the same satellite lists produce the same views from both trackers.
    func hasSameState(with other: SatelliteTracker) -> Bool {
        // `merged` is scratch storage, and `firstExpiry` is only the earliest time at which
        // `expire` has an effect.
        view == other.view && origins == other.origins && count == other.count && time == other.time
            && isOpen == other.isOpen && hasEpochs == other.hasEpochs
            && receivedGroups == other.receivedGroups && expectedGroups == other.expectedGroups
            && hasNewLists == other.hasNewLists
            && completeListTime.map { clock - $0 }
                == other.completeListTime.map { other.clock - $0 }
            && partAge == other.partAge
            && isViewReady == other.isViewReady && needsNoFix == other.needsNoFix
            && hasLostFix == other.hasLostFix && current == other.current
            // Both trackers have the same current list. The order of the other lists matters only
            // when there are `groupCapacity` of them, because then the first one is dropped.
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

    /// Whether silence would complete a satellite view: lists were received and more may follow, a
    /// complete view waits for a fix, or a fix was lost.
    var awaitsSilence: Bool { receivedGroups != 0 && hasNewLists || isViewReady || hasLostFix }

    /// Whether there is a complete satellite view that has not been delivered.
    @inline(__always)
    var hasRenewal: Bool { isViewReady }

    /// Whether there is an undelivered complete satellite view that does not wait for a fix.
    var hasOverdueRenewal: Bool { isViewReady && needsNoFix }

    /// Returns `true` once for each complete satellite view. If `isWaiting` is `true`, a view is
    /// held back until its fix is published or its epoch is over.
    mutating func takeRenewal(waitingForFix isWaiting: Bool) -> Bool {
        guard isViewReady, !isWaiting || needsNoFix else { return false }
        isViewReady = false
        needsNoFix = false
        hasLostFix = false
        return true
    }

    // MARK: In

    /// Begins part `number` of a satellite list with `total` parts. `total` may be `nil` after the
    /// first. `inView` is the number of satellites in view, `signal` the signal ID of the part's
    /// satellites, 0 if not reported, and `system` the system ID, if the sentence contains it.
    /// Returns `false` if the part does not follow the previous one, or if its number is not valid.
    package mutating func begin(
        part number: Int, of total: Int?, inView: Int? = nil, signal: UInt8, system: UInt8? = nil,
        from address: Address
    ) -> Bool {
        isOpen = false
        partTime = clock
        if let completeListTime, clock - completeListTime <= Self.minimumExpiry { return true }
        let talker = UInt32(address.talkerKey) | UInt32(system ?? 0) << 16
        if !isContinued(by: talker, part: number, of: total, inView: inView) { select(to: talker) }
        let total = total ?? (number > 1 ? current.total : 0)
        guard total >= 1, number >= 1, number <= total else {
            incompleteSets += 1
            return false
        }
        isOpen = current.begin(
            part: number, of: total, inView: inView, signal: signal, isRead: isWanted,
            hasEpochs: hasEpochs)
        if !isOpen { incompleteSets += 1 }
        return isOpen
    }

    /// Returns whether a part continues the list of the previous part, although it has another
    /// talker. A Trimble R2 numbers the parts across talkers: GPGSV 1 and 2, GLGSV 3, GAGSV 4. All
    /// parts have the same number of satellites in view.
    private func isContinued(
        by talker: UInt32, part number: Int, of total: Int?, inView: Int?
    ) -> Bool {
        guard number > 1, talker != current.talker, let total, inView != nil,
            current.expects(part: number, of: total, inView: inView)
        else { return false }
        // Lists may be interleaved, so the talker's own list takes precedence.
        return !others.contains {
            $0.talker == talker && $0.expects(part: number, of: total, inView: inView)
        }
    }

    /// Adds a satellite to the current part, with the signal ID of the part if `signal` has none.
    @inline(__always)
    package mutating func add(_ signal: SatelliteSignal) {
        if isOpen { current.add(signal) }
    }

    /// Ends the current part. The last part completes the list. Returns `false` if the part has the
    /// number of the previous one, but different content.
    ///
    /// `constellation` is the constellation of the talker. It is needed for a list without
    /// satellites, which removes the signals of that constellation.
    @discardableResult
    package mutating func end(constellation: Constellation?) -> Bool {
        guard isOpen else { return true }
        isOpen = false
        let progress = current.end()
        if current.takeInterruption() { incompleteSets += 1 }
        switch progress {
        case .complete where isWanted:
            replace(constellation)
            renew(current.talker, current.origin.signalIDs)
        case .incomplete, .complete: break
        case .dropped:
            incompleteSets += 1
            return false
        }
        return true
    }

    /// Replaces `view` with all satellites of all constellations, received in one UBX message. In
    /// the ten seconds after it, lists in parts (GSV) are ignored.
    mutating func replaceAll(with signals: [SatelliteSignal], from address: Address) {
        select(to: UInt32(address.talkerKey))
        current.replaceAll(with: signals)
        completeListTime = clock
        guard isWanted else { return }
        replace(nil)
        renew(current.talker, 1, isComplete: true)
    }

    /// Sets the satellites used and the DOPs of the epoch's fix, which may be reported before or
    /// after the satellite lists.
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

    /// Removes the satellites and everything learned about their lists. Only `incompleteSets` and
    /// `isWanted` are kept.
    mutating func restart() {
        let (count, isWanted) = (incompleteSets, isWanted)
        self = SatelliteTracker()
        (incompleteSets, self.isWanted) = (count, isWanted)
    }

    /// Removes the satellites and everything learned about their lists, but not the time.
    mutating func dropLists() {
        let (clock, time, hasEpochs) = (clock, time, hasEpochs)
        restart()
        (self.clock, self.time, self.hasEpochs) = (clock, time, hasEpochs)
    }

    /// Sets the time of `view`, if satellite lists have been received that are not yet delivered.
    mutating func setListTime(_ time: UTCTime?) {
        if isViewReady || receivedGroups != 0 && hasNewLists { view.time = time }
    }

    /// Returns `true` once after the fix was lost, if no new satellite list has been received. The
    /// view, now without used satellites, must then be delivered.
    mutating func takeLostFix(at time: UTCTime?) -> Bool {
        guard hasLostFix, !isViewReady else { return false }
        hasLostFix = false
        view.time = time
        return true
    }

    /// Adds the time between two epochs, in nanoseconds, to `clock`.
    mutating func advanceClock(by elapsed: Int64) {
        clock = min(Self.maximumClock, clock + max(0, elapsed))
    }

    /// Ends an epoch. `elapsed` is the time from it to the next one in nanoseconds, or `nil` if
    /// unknown.
    mutating func endEpoch(after elapsed: Int64?) {
        advanceClock(by: elapsed ?? 0)
        current.endRepetition()
        if receivedGroups != 0 {
            if hasNewLists { announce() }
            expectedGroups = receivedGroups
            receivedGroups = 0
        }
        if hasLostFix {
            // Without new lists, the view delivered last still shows the satellites as used. It
            // must be delivered again.
            view.time = time
            announce()
        }
        expireLists()
    }

    /// Drops expired satellite lists, unless an undelivered complete view contains them.
    mutating func expireLists() {
        if clock > firstExpiry, !isViewReady { expire() }
    }

    /// Allows a complete satellite view to be delivered without a fix. Call it when its epoch is
    /// over.
    mutating func release() {
        needsNoFix = isViewReady
    }

    /// Makes the satellite list of a talker the current one.
    private mutating func select(to talker: UInt32) {
        guard current.talker != talker else { return }
        current.endRepetition()
        if let index = others.firstIndex(where: { $0.talker == talker }) {
            return swap(&current, &others[index])
        }
        if others.count == Self.groupCapacity { others.removeFirst() }
        others.append(current)
        current = SatelliteList(talker: talker)
    }

    /// Inserts the current list into the sorted signals of `view`, and removes those that it
    /// replaces.
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

    /// Returns the index in `layouts` of the current list's layout, after adding one if necessary.
    private mutating func layoutIndex() -> Int {
        let index = layouts.firstIndex { $0.origin == current.origin }
        if let index { return index }
        if layouts.count == Self.groupCapacity { layouts.removeFirst() }
        layouts.append(SatelliteLayout(current))
        return layouts.count - 1
    }

    /// Merges the current list with the signals of `view` that it does not replace. If several
    /// signals have the same sort key, the last one is kept.
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

    /// Copies a signal of `view` to `merged`, unless the current list replaces it. If it does,
    /// resets the layout of the list in which the signal was received.
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

    /// Inserts a signal of the current list into `merged` in sorted order. It replaces a signal
    /// with the same sort key.
    private mutating func insert(_ signal: SatelliteSignal) {
        let key = signal.sortKey
        // Most lists have the same order as the view.
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

    /// Records that a talker's lists for some signals have been renewed.
    private mutating func renew(
        _ talker: UInt32, _ signalIDs: UInt16, isComplete: Bool = false
    ) {
        var left = signalIDs
        while left != 0 {
            let signal = UInt8(truncatingIfNeeded: left.trailingZeroBitCount)
            left &= left - 1
            let index = group(talker, signal)
            groups[index].isComplete = isComplete
            let bit = UInt32(1) << UInt32(index)
            if receivedGroups & bit != 0, !isComplete {
                // The list was already received in this epoch, so a new epoch begins: nothing else
                // separates the views of a receiver that sends only GSV. UBX lists have a time.
                needsNoFix = isViewReady
                endEpoch(after: nil)
            }
            receivedGroups |= bit
        }
        hasNewLists = true
        if expectedGroups != 0, receivedGroups & expectedGroups == expectedGroups { announce() }
    }

    private mutating func announce() {
        hasNewLists = false
        isViewReady = true
    }
}

/// The expiry of satellite lists that are no longer renewed.
extension SatelliteTracker {
    /// The time since the last part of a list (GSV) in nanoseconds; `nil` if no part was received
    /// in the last ten seconds.
    var partAge: Int64? {
        partTime.map { clock - $0 }.flatMap { $0 <= Self.minimumExpiry ? $0 : nil }
    }

    /// Drops the list of all satellites (UBX), so that the GSV sentences that follow are used.
    mutating func acceptParts() {
        guard completeListTime != nil else { return }
        completeListTime = nil
        for index in groups.indices where groups[index].isComplete && !groups[index].isExpired {
            groups[index].isExpired = true
            removeSignals(of: groups[index])
        }
    }

    /// Records that a talker's list for a signal was renewed, and returns its index in `groups`.
    /// Adds it if necessary. If there are too many lists, the new one replaces the list that was
    /// renewed the longest time ago.
    mutating func group(_ talker: UInt32, _ signal: UInt8) -> Int {
        if let i = groups.firstIndex(where: { $0.talker == talker && $0.signal == signal }) {
            groups[i].interval = clock - groups[i].renewedAt
            groups[i].renewedAt = clock
            groups[i].isExpired = false
            return i
        }
        let new = ListGroup(talker: talker, signal: signal, renewedAt: clock, interval: 0)
        guard groups.count == Self.groupCapacity else {
            groups.append(new)
            return groups.count - 1
        }
        let oldest = groups.indices.min { groups[$0].renewedAt < groups[$1].renewedAt } ?? 0
        if !groups[oldest].isExpired { removeSignals(of: groups[oldest]) }
        receivedGroups &= ~(1 << UInt32(oldest))
        expectedGroups &= ~(1 << UInt32(oldest))
        groups[oldest] = new
        return oldest
    }

    /// Drops each list that was not renewed for five times its usual interval and for at least ten
    /// seconds.
    mutating func expire() {
        let minimum = Self.minimumExpiry
        firstExpiry = clock + minimum
        for i in groups.indices where !groups[i].isExpired {
            let group = groups[i]
            let expiry = group.renewedAt + max(5 * group.interval, minimum)
            guard clock > expiry else {
                firstExpiry = min(firstExpiry, expiry)
                continue
            }
            groups[i].isExpired = true
            removeSignals(of: group)
        }
    }

    private mutating func removeSignals(of group: ListGroup) {
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
