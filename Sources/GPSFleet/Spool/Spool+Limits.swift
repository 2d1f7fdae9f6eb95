// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

extension Spool {
    /// The tolerances of the levels of thinning in metres; older fixes have larger ones.
    private static let tolerances = [2.0, 10, 50, 250]
    /// The number of fixes thinned at once, which bounds memory.
    private static let window = 2000
    /// Milliseconds without a fix that end a piece of a track.
    private static let gap: Int64 = 60_000

    /// Returns the bytes of the file that are in use.
    package func size() throws(FleetError) -> Int64 {
        try wrapped { () throws(SQLiteDatabase.Failure) in
            let pages = try database.integer("PRAGMA page_count")
            let free = try database.integer("PRAGMA freelist_count")
            return (pages - free) * (try database.integer("PRAGMA page_size"))
        }
    }

    /// Enforces the limits: drops expired fixes, then thins the oldest ones, and drops the oldest
    /// as a last resort. Call it about once a second; `now` is in milliseconds of Unix time. Each
    /// call works for some tenths of a second at most.
    ///
    /// The newer half is never thinned. In the older half, fixes within 2 m of the track are
    /// removed; in the oldest quarter those within 10 m, and so on.
    package func keepLimits(now: Int64) throws(FleetError) {
        reserve.fill()
        try dropExpired(before: now - Int64(limits.age * 1000))
        var size = try size()
        if size > limits.size {
            try wrapped { () throws(SQLiteDatabase.Failure) in try forgetKept() }
            size = try self.size()
        }
        guard size > limits.size else { return try shrink() }
        // Slightly below the limit, so that there is room for some time.
        let goal = limits.size - limits.size / 32
        let ends = try levelEnds()
        var windows = 50
        var hasMore = true
        while size > goal, windows > 0, hasMore {
            hasMore = try thin(to: ends)
            windows -= 1
            size = try self.size()
        }
        // Fixes arrive faster than thinning removes them, or no more can be thinned.
        while size > (hasMore ? limits.size + limits.size / 8 : goal), count > 0 {
            try wrapped { () throws(SQLiteDatabase.Failure) in
                try dropOldest(max(100, count / 50))
            }
            size = try self.size()
        }
        try shrink()
    }

    /// Returns the sequence numbers up to which each level thins.
    private func levelEnds() throws(FleetError) -> [Int64] {
        try wrapped { () throws(SQLiteDatabase.Failure) in
            var ends: [Int64] = []
            for level in Self.tolerances.indices {
                let place = count >> (level + 1)
                ends.append(
                    try database.integer("SELECT seq FROM fix ORDER BY seq LIMIT 1 OFFSET \(place)")
                )
            }
            return ends
        }
    }

    /// Returns unused space to the file system.
    private func shrink() throws(FleetError) {
        try wrapped { () throws(SQLiteDatabase.Failure) in
            guard try database.integer("PRAGMA freelist_count") > 2000 else { return }
            // One step frees one page.
            try database.prepare("PRAGMA incremental_vacuum(1000)").run()
        }
    }

    private func dropExpired(before time: Int64) throws(FleetError) {
        try wrapped { () throws(SQLiteDatabase.Failure) in
            let statement = try database.prepare(
                """
                DELETE FROM fix WHERE seq IN (SELECT seq FROM fix ORDER BY seq LIMIT 1000)
                    AND coalesce(time,received)<?
                """)
            while count > 0 {
                try statement.run(time)
                let changed = database.changeCount
                count -= changed
                loss.expired += changed
                guard changed == 1000 else { return }
            }
        }
    }

    func dropOldest(_ number: Int) throws(SQLiteDatabase.Failure) {
        try database.prepare(
            "DELETE FROM fix WHERE seq IN (SELECT seq FROM fix ORDER BY seq LIMIT ?)"
        ).run(Int64(number))
        count -= database.changeCount
        loss.dropped += database.changeCount
    }

    /// Thins the next window of the first level that is not complete; returns `false` if all are.
    private func thin(to ends: [Int64]) throws(FleetError) -> Bool {
        if thinnedTo.isEmpty { thinnedTo = Self.tolerances.map { _ in 0 } }
        for (level, tolerance) in Self.tolerances.enumerated() {
            let end = ends[level]
            let start = thinnedTo[level] + 1
            guard start < end else { continue }
            let entries = try read(
                start...end, newestFirst: false, limit: Self.window, bit: -1)
            guard entries.count > 2, let last = entries.last else {
                thinnedTo[level] = end
                continue
            }
            thinnedTo[level] = entries.count < Self.window ? end : last.row.sequence
            try remove(Self.unneeded(entries, tolerance: tolerance), tolerance)
            return true
        }
        return false
    }

    private func remove(_ sequences: [Int64], _ tolerance: Double) throws(FleetError) {
        guard !sequences.isEmpty else { return }
        try wrapped { () throws(SQLiteDatabase.Failure) in
            let statement = try database.prepare("DELETE FROM fix WHERE seq=?")
            try database.transaction { () throws(SQLiteDatabase.Failure) in
                for sequence in sequences { try statement.run(sequence) }
            }
        }
        count -= sequences.count
        loss.thinned += sequences.count
        loss.tolerance = max(loss.tolerance, tolerance)
    }

    /// Returns the fixes that can be removed without changing the shape of each stream's track.
    private static func unneeded(_ entries: [Entry], tolerance: Double) -> [Int64] {
        var simplifier = LineSimplifier(tolerance: tolerance)
        var unneeded: [Int64] = []
        for (_, track) in Dictionary(grouping: entries, by: \.stream) {
            var segment: [FixRow] = []
            func end() {
                let places = places(segment)
                // Without positions only the first and the last fix are needed.
                if let places { simplifier.mark(places) }
                for (index, row) in segment.enumerated()
                where 0 < index && index < segment.count - 1 {
                    if places == nil || !simplifier.isKept[index] { unneeded.append(row.sequence) }
                }
                segment.removeAll(keepingCapacity: true)
            }
            for entry in track {
                if let last = segment.last, !last.isContinued(by: entry.row, gap: gap) { end() }
                segment.append(entry.row)
            }
            end()
        }
        return unneeded
    }

    /// Returns the fixes' positions on a plane; `nil` if they have none.
    private static func places(_ rows: [FixRow]) -> [LocalPlane.Place]? {
        let coordinates = rows.compactMap(\.coordinate)
        guard let first = coordinates.first, coordinates.count == rows.count else { return nil }
        let plane = LocalPlane(at: first)
        return coordinates.map { plane.place($0) }
    }
}

extension FixRow {
    /// The position; `nil` if there is none.
    var coordinate: Coordinate? {
        guard let latitude = value(FixColumn.latitude), let longitude = value(FixColumn.longitude)
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Returns whether the next fix belongs to the same piece of a track.
    fileprivate func isContinued(by next: FixRow, gap: Int64) -> Bool {
        (coordinate == nil) == (next.coordinate == nil)
            && abs((next.time ?? next.received) - (time ?? received)) <= gap
    }
}
