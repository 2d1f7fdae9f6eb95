// SPDX-License-Identifier: MIT
import GNSS

/// A queue of complete fixes that have not been delivered. When a fix is delivered, its satellites
/// used, its DOPs and its time are copied to the satellite view.
struct CompleteFixes: Sendable {
    private struct Entry {
        var fix = Fix()
        /// The satellites that the fix uses.
        var used = SatelliteIDSet()
        /// Whether a complete satellite view of an earlier epoch must be delivered before the fix.
        var isAfterView = false
        /// Whether the fix was published because its epoch ended, rather than with the last
        /// sentence of the cycle.
        var isAtEnd = false

        /// Copies the satellites used, the DOPs and the time of the fix to the satellite view.
        func describe(_ satellites: inout SatelliteTracker) {
            satellites.describeEpoch(used: used, fix.dilution, hasFix: fix.mode > .noFix)
            satellites.setListTime(fix.time)
        }
    }

    /// The fixes in the queue, followed by unused elements. Elements are reused to avoid copies,
    /// because a fix is large.
    private var entries: [Entry] = []
    private var count = 0

    init() {
        entries.reserveCapacity(4)
    }

    var isEmpty: Bool { count == 0 }

    /// Adds a fix that `body` sets in place. `body` must set every value, because the element still
    /// contains an earlier fix.
    @inline(__always)
    mutating func append(
        using used: SatelliteIDSet, after isAfterView: Bool, isAtEnd: Bool,
        _ body: (inout Fix) -> Void
    ) {
        if count == entries.count { entries.append(Entry()) }
        entries[count].used = used
        entries[count].isAfterView = isAfterView
        entries[count].isAtEnd = isAtEnd
        body(&entries[count].fix)
        count += 1
    }

    /// Adds an instrument's attitude as a fix without other values.
    mutating func append(_ attitude: Attitude) {
        append(using: SatelliteIDSet(), after: false, isAtEnd: false) {
            $0 = Fix()
            $0.attitude = attitude
        }
    }

    mutating func removeFirst(_ satellites: inout SatelliteTracker) -> Fix? {
        guard !isEmpty else { return nil }
        entries[0].describe(&satellites)
        count -= 1
        return entries.removeFirst().fix
    }

    /// Delivers the fixes in order and removes them. Before a fix is delivered, its satellites
    /// used, its DOPs and its time are copied to the satellite view.
    mutating func take(
        _ satellites: inout SatelliteTracker,
        _ handle: (borrowing Fix, borrowing SatelliteView) -> Void,
        view handleView: (borrowing SatelliteView) -> Void
    ) {
        let indices = 0..<count
        count = 0
        let span = entries.span
        for index in indices {
            if span[index].isAfterView, satellites.takeRenewal(waitingForFix: false) {
                handleView(satellites.view)
            }
            span[index].describe(&satellites)
            handle(span[index].fix, satellites.view)
            if span[index].isAtEnd, satellites.takeLostFix(at: span[index].fix.time) {
                handleView(satellites.view)
            }
        }
    }
}
