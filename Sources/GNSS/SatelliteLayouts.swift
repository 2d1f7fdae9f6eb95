// SPDX-License-Identifier: MIT

/// Where in the view the signals of each complete list went, so that the next list like it can be
/// put there without looking for the places again.
struct SatelliteLayouts: Sendable {
    private static let capacity = 16

    private var layouts: [Layout] = []
    private var nextIndex = 0
    /// The one that was asked for last.
    private var recent = 0

    private struct Layout {
        var talker: Contributor
        var signalIDs: UInt16
        var constellation: Constellation?
        /// Where the layout of the list that came after this one stands.
        var successor = 0
        /// Whether the view still has all of its signals, and no others that it would replace.
        var isValid = false
        /// For each signal in the list's own order.
        var places: [Place] = []

        /// Follows its signals to where they stand now.
        mutating func follow(_ moves: [Int32]) {
            let moves = moves.span
            var places = places.mutableSpan
            var gone: Int32 = 0
            for i in places.indices {
                places[i].position = moves[Int(places[i].position)]
                gone |= places[i].position
            }
            if gone < 0 { isValid = false }
        }
    }

    private struct Place {
        var key: UInt32
        var position: Int32
    }

    init() {
        layouts.reserveCapacity(Self.capacity)
    }

    /// Forgets the places: signals have left the view.
    mutating func invalidate() {
        for index in layouts.indices { layouts[index].isValid = false }
    }

    /// Follows the signals that a list, not like the one before it, has moved.
    ///
    /// What it adds may be another list's to replace only where one talker lists the same signals
    /// twice, or where the other list is empty; all else that it could be would have replaced that.
    mutating func follow(_ moves: [Int32], after set: inout PartialSatelliteSet) {
        for index in layouts.indices where layouts[index].isValid {
            let isRival =
                layouts[index].talker == set.talker
                && layouts[index].signalIDs & set.signalIDs != 0
            if isRival || layouts[index].places.isEmpty {
                layouts[index].isValid = false
            } else {
                layouts[index].follow(moves)
            }
        }
    }

    /// Puts the list's signals in their places; false where it is not like the one before.
    ///
    /// Where that shows late, some are renewed already; whoever merges the list will find them so.
    mutating func renew(
        _ signals: inout [SatelliteSignal], from set: inout PartialSatelliteSet,
        _ constellation: Constellation?
    ) -> Bool {
        guard let index = index(&set, constellation) else { return false }
        let layouts = layouts.span
        guard layouts[index].isValid, layouts[index].places.count == set.count else { return false }
        let places = layouts[index].places.span
        let listed = set.room.span
        var view = signals.mutableSpan
        for i in places.indices {
            guard places[i].key == listed[i].sortKey else { return false }
            view[Int(places[i].position)].renew(listed[i], from: set.talker)
        }
        return true
    }

    /// Remembers where the list's signals went.
    mutating func note(
        _ set: inout PartialSatelliteSet, _ constellation: Constellation?, at positions: [Int32]
    ) {
        let index = index(&set, constellation) ?? add(set, constellation)
        layouts[index].isValid = true
        layouts[index].places.removeAll(keepingCapacity: true)
        for i in 0..<set.count {
            let place = Place(key: set.room[i].sortKey, position: positions[i])
            layouts[index].places.append(place)
        }
    }

    /// Where the list's layout stands: nearly always it is the one that followed this one before.
    @inline(__always)
    private mutating func index(
        _ set: inout PartialSatelliteSet, _ constellation: Constellation?
    ) -> Int? {
        if recent < layouts.count {
            let successor = layouts.span[recent].successor
            if successor < layouts.count, isOf(&set, constellation, successor) {
                recent = successor
                return successor
            }
        }
        return search(&set, constellation)
    }

    @inline(never)
    private mutating func search(
        _ set: inout PartialSatelliteSet, _ constellation: Constellation?
    ) -> Int? {
        for index in 0..<layouts.count where isOf(&set, constellation, index) {
            if recent < layouts.count { layouts[recent].successor = index }
            recent = index
            return index
        }
        return nil
    }

    @inline(__always)
    private func isOf(
        _ set: inout PartialSatelliteSet, _ constellation: Constellation?, _ index: Int
    ) -> Bool {
        let layouts = layouts.span
        return layouts[index].talker == set.talker && layouts[index].signalIDs == set.signalIDs
            && layouts[index].constellation == constellation
    }

    private mutating func add(_ set: PartialSatelliteSet, _ constellation: Constellation?) -> Int {
        var layout = Layout(
            talker: set.talker, signalIDs: set.signalIDs, constellation: constellation)
        guard layouts.count == Self.capacity else {
            layout.places.reserveCapacity(PartialSatelliteSet.capacity)
            layouts.append(layout)
            return layouts.count - 1
        }
        defer { nextIndex = (nextIndex + 1) % Self.capacity }
        swap(&layout.places, &layouts[nextIndex].places)
        layouts[nextIndex] = layout
        return nextIndex
    }
}
