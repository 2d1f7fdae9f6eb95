// SPDX-License-Identifier: MIT

/// One list of satellites under way: the parts of a talker follow each other.
@usableFromInline
package struct PartialSatelliteSet: Sendable {
    /// More satellites than any receiver lists in one set.
    static let capacity = 128

    var talker: Contributor
    var total = 0
    var next = 1
    var signalIDs: UInt16 = 0
    /// The first `count` are listed; the array keeps its size.
    @usableFromInline package var room: [SatelliteSignal]
    @usableFromInline package var count = 0
    /// How many were listed when the part that is open began.
    private var partStart = 0

    init(talker: Contributor) {
        self.talker = talker
        let nothing = SatelliteSignal(id: SatelliteID(known: 1, .gps))
        room = Array(repeating: nothing, count: Self.capacity)
    }

    /// The signals listed so far.
    var signals: ArraySlice<SatelliteSignal> { room[..<count] }

    mutating func begin(_ total: Int) {
        self.total = total
        next = 1
        signalIDs = 0
        count = 0
    }

    mutating func beginPart() {
        partStart = count
    }

    /// Adds a satellite, as long as there is room.
    @inlinable
    mutating func add(_ signal: SatelliteSignal) {
        guard count < room.count else { return }
        room[count] = signal
        count &+= 1
    }

    /// So many signals are listed now; the part's have been put into the room with all that they need.
    package mutating func fill(_ newCount: Int) {
        count = newCount
        partStart = newCount
    }

    /// Ends the part: all of it is the same signal's.
    mutating func endPart(_ signal: UInt8) {
        signalIDs |= 1 << UInt16(signal & 15)
        next += 1
        guard signal != 0 else { return }
        for index in partStart..<count { room[index].signal = signal }
    }
}
