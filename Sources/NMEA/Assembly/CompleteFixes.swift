// SPDX-License-Identifier: MIT
import GNSS

/// A queue of complete fixes that have not been delivered. Each is stored with the data of its
/// epoch that is copied to the satellite view on delivery.
struct CompleteFixes: Equatable, Sendable {
    private struct Entry: Equatable {
        var fix: Fix
        /// The satellites that the fix uses.
        var used: SatelliteIDSet
        /// Whether a complete view of an earlier epoch must be delivered before the fix.
        var isAfterView: Bool
        /// Whether the fix was published at the end of its epoch, rather than with the last
        /// sentence of the cycle.
        var isAtEnd: Bool
    }

    private var entries: [Entry] = []

    init() {
        entries.reserveCapacity(4)
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Adds a fix and calls `complete` to complete it in place. A fix has half a kilobyte, so
    /// copies are avoided.
    @inline(__always)
    mutating func append(
        _ fix: Fix, using used: SatelliteIDSet, after isAfterView: Bool, isAtEnd: Bool,
        _ complete: (inout Fix) -> Void
    ) {
        let index = entries.count
        entries.append(Entry(fix: fix, used: used, isAfterView: isAfterView, isAtEnd: isAtEnd))
        complete(&entries[index].fix)
    }

    /// Adds an instrument's attitude as a fix without other values.
    mutating func append(_ attitude: Attitude) {
        append(Fix(), using: SatelliteIDSet(), after: false, isAtEnd: false) {
            $0.attitude = attitude
        }
    }

    mutating func removeFirst(_ satellites: inout SatelliteTracker) -> Fix? {
        guard !entries.isEmpty else { return nil }
        describe(0, &satellites)
        return entries.removeFirst().fix
    }

    /// Delivers the fixes in order and removes them. Before a fix is delivered, its satellites
    /// used, its DOPs and its time are copied to the view.
    mutating func take(
        _ satellites: inout SatelliteTracker,
        _ handle: (borrowing Fix, borrowing SatelliteView) -> Void,
        view handleView: (borrowing SatelliteView) -> Void
    ) {
        for index in entries.indices {
            if entries[index].isAfterView, satellites.takeRenewal(waitingForFix: false) {
                handleView(satellites.view)
            }
            describe(index, &satellites)
            handle(entries[index].fix, satellites.view)
            if entries[index].isAtEnd, satellites.takeLostFix(at: entries[index].fix.time) {
                handleView(satellites.view)
            }
        }
        entries.removeAll(keepingCapacity: true)
    }

    private func describe(_ index: Int, _ satellites: inout SatelliteTracker) {
        satellites.describeEpoch(
            used: entries[index].used, entries[index].fix.dilution,
            hasFix: entries[index].fix.mode > .noFix)
        satellites.setListTime(entries[index].fix.time)
    }
}
