// SPDX-License-Identifier: MIT
import GNSS

/// Finds the copies of positions in KML. Some programs write one track in several ways, in any
/// order: as a `gx:Track`, as points, and as a line, perhaps with fewer digits.
///
/// Positions with a time are passed on at once, so lines and points without a time are held until
/// the end of the file, up to 100,000 positions. Then these are left out: a line whose positions
/// have been read with times, and a point that is on a line. So a line with points at its start and
/// its end is only that line.
struct KMLCopies {
    /// The part of the surface in which two positions are the same one: about 2 m.
    private struct Cell: Hashable {
        private static let perDegree = 5e4
        /// Half a cell in degrees.
        static let radius = 0.5 / perDegree

        let latitude: Int32
        let longitude: Int32

        init(_ latitude: Double, _ longitude: Double) {
            // Coordinates are at most 180 degrees.
            self.latitude = Int32((latitude * Self.perDegree).rounded(.down))
            self.longitude = Int32((longitude * Self.perDegree).rounded(.down))
        }

        init(_ position: Coordinate) { self.init(position.latitude, position.longitude) }
    }

    private struct Cells {
        private var cells: Set<Cell> = []
        var isFull: Bool { cells.count >= KMLCopies.maximumCount }

        mutating func insert(_ position: Coordinate) {
            if !isFull { cells.insert(Cell(position)) }
        }

        func contains(_ position: Coordinate) -> Bool {
            for north in [-Cell.radius, Cell.radius] {
                for east in [-Cell.radius, Cell.radius] {
                    let cell = Cell(position.latitude + north, position.longitude + east)
                    if cells.contains(cell) { return true }
                }
            }
            return false
        }

        /// Returns whether nearly all positions of a line are in the cells. If there are too many
        /// cells to know, the first two positions decide.
        func cover(_ line: [Position]) -> Bool {
            let known = isFull ? line.prefix(2) : line[...]
            let count = known.count { contains($0.coordinate) }
            return !known.isEmpty && count * 10 >= known.count * 9
        }
    }

    private struct TimedCell: Hashable {
        let cell: Cell
        let second: Int64

        init?(_ fix: Fix) {
            guard let position = fix.coordinate, let time = fix.time?.unixNanoseconds else {
                return nil
            }
            (cell, second) = (Cell(position), time / 1_000_000_000)
        }
    }

    /// A position that is held. A fix would need much more memory.
    private struct Position {
        var coordinate: Coordinate
        var altitude: Double?
    }

    private struct Piece {
        var isLine: Bool
        var positions: [Position]
    }

    private static let maximumCount = 100_000

    /// The positions with a time, and those of tracks.
    private var timed = Cells()
    private var trackPoints: Set<TimedCell> = []
    private var timedPoints: Set<TimedCell> = []
    private var held: [Piece] = []
    private var heldCount = 0
    /// Whether there were too many positions to hold. Then nothing else is held.
    private var isExceeded = false

    /// Adds a position of a `gx:Track`. Returns `false` if it is a copy of a point with a time.
    mutating func isNew(ofTrack fix: Fix) -> Bool {
        guard let position = fix.coordinate else { return true }
        timed.insert(position)
        guard let cell = TimedCell(fix) else { return true }
        if trackPoints.count < Self.maximumCount { trackPoints.insert(cell) }
        return timedPoints.isEmpty || !timedPoints.contains(cell)
    }

    /// Adds a point with a time. Returns `false` if it is a copy of a position of a `gx:Track`.
    mutating func isNew(point fix: Fix) -> Bool {
        guard let position = fix.coordinate else { return true }
        timed.insert(position)
        guard let cell = TimedCell(fix) else { return true }
        if timedPoints.count < Self.maximumCount { timedPoints.insert(cell) }
        return trackPoints.isEmpty || !trackPoints.contains(cell)
    }

    /// Begins a line without times.
    mutating func beginLine() { held.append(Piece(isLine: true, positions: [])) }

    /// Adds a position of the line.
    mutating func add(toLine fix: Fix, _ events: inout [InputEvent]) {
        if isExceeded { return events.append(.fix(fix)) }
        hold(fix, &events)
    }

    /// Adds a point without a time.
    mutating func add(point fix: Fix, _ events: inout [InputEvent]) {
        if isExceeded { return events.append(.fix(fix)) }
        if held.last?.isLine != false { held.append(Piece(isLine: false, positions: [])) }
        hold(fix, &events)
    }

    private mutating func hold(_ fix: Fix, _ events: inout [InputEvent]) {
        guard let position = fix.coordinate, !held.isEmpty else { return }
        held[held.count - 1].positions.append(
            Position(coordinate: position, altitude: fix.altitude))
        heldCount += 1
        guard heldCount > Self.maximumCount else { return }
        finish(&events)
        isExceeded = true
    }

    /// Passes on the lines and points that are no copies.
    mutating func finish(_ events: inout [InputEvent]) {
        held.removeAll { $0.isLine && timed.cover($0.positions) }
        var lines = Cells()
        for piece in held where piece.isLine {
            for position in piece.positions { lines.insert(position.coordinate) }
        }
        for piece in held {
            var isFirst = true
            for position in piece.positions {
                let isCopy =
                    !piece.isLine
                    && (lines.contains(position.coordinate) || timed.contains(position.coordinate))
                if isCopy { continue }
                if isFirst { events.append(.segment) }
                isFirst = false
                var fix = Fix()
                (fix.coordinate, fix.altitude) = (position.coordinate, position.altitude)
                fix.complete(mode: nil, quality: nil)
                events.append(.fix(fix))
            }
        }
        (held, heldCount) = ([], 0)
    }
}
