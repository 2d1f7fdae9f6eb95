// SPDX-License-Identifier: MIT
import GNSS

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
        renewed &= ~(1 << UInt32(oldest))
        expected &= ~(1 << UInt32(oldest))
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
