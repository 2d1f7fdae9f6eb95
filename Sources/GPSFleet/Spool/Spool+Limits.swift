// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

extension Spool {
    /// Metres that a fix may lie off the line, level by level: the older, the more.
    private static let tolerances = [2.0, 10, 50, 250]
    /// How many fixes are thinned at once; memory does not grow with the spool.
    private static let window = 2000
    /// Seconds without a fix that break a track.
    private static let gap: Int64 = 60_000

    /// Bytes of the file that are in use.
    package func size() throws(FleetError) -> Int64 {
        try wrapped { () throws(SQLiteDatabase.Failure) in
            let pages = try database.integer("PRAGMA page_count")
            let free = try database.integer("PRAGMA freelist_count")
            return (pages - free) * (try database.integer("PRAGMA page_size"))
        }
    }

    /// Keeps the limits: drops what is too old, then thins the oldest fixes, and as a last resort drops them.
    /// Call it every second or so, `now` in milliseconds of Unix time: it works for some tenths of a second.
    ///
    /// The newer half is never thinned. Of the older half fixes within 2 m of the track are left out, of the
    /// oldest quarter those within 10 m, and so on.
    package func keepLimits(now: Int64) throws(FleetError) {
        reserve.fill()
        try dropExpired(before: now - Int64(limits.age * 1000))
        var size = try size()
        if size > limits.size {
            try wrapped { () throws(SQLiteDatabase.Failure) in try forgetKept() }
            size = try self.size()
        }
        guard size > limits.size else { return try shrink() }
        // Somewhat below the limit, so that there is room for some time.
        let goal = limits.size - limits.size / 32
        let ends = try levelEnds()
        var windows = 50
        var hasMore = true
        while size > goal, windows > 0, hasMore {
            hasMore = try thin(to: ends)
            windows -= 1
            size = try self.size()
        }
        // Too fast for thinning, or thinned as far as can be.
        while size > (hasMore ? limits.size + limits.size / 8 : goal), count > 0 {
            try wrapped { () throws(SQLiteDatabase.Failure) in
                try dropOldest(max(100, count / 50))
            }
            size = try self.size()
        }
        try shrink()
    }

    /// The sequence numbers up to which each level thins.
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

    /// Gives space that is not used back to the disk.
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

    /// Thins the next window of the first level that has not come to its end; `false` where all have.
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

    /// The fixes without which each stream keeps its shape.
    private static func unneeded(_ entries: [Entry], tolerance: Double) -> [Int64] {
        var simplifier = LineSimplifier(tolerance: tolerance)
        var unneeded: [Int64] = []
        for (_, track) in Dictionary(grouping: entries, by: \.stream) {
            var segment: [FixRow] = []
            func end() {
                let places = places(segment)
                // Without positions only the first and the last are needed.
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

    /// Where the fixes are on a plane; `nil` where they have no positions.
    private static func places(_ rows: [FixRow]) -> [LocalPlane.Place]? {
        let coordinates = rows.compactMap(\.coordinate)
        guard let first = coordinates.first, coordinates.count == rows.count else { return nil }
        let plane = LocalPlane(at: first)
        return coordinates.map { plane.place($0) }
    }
}

extension FixRow {
    /// The position; `nil` where there is none.
    var coordinate: Coordinate? {
        guard let latitude = value(FixColumn.latitude), let longitude = value(FixColumn.longitude)
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Whether the next fix belongs to the same piece of a track.
    fileprivate func isContinued(by next: FixRow, gap: Int64) -> Bool {
        (coordinate == nil) == (next.coordinate == nil)
            && abs((next.time ?? next.received) - (time ?? received)) <= gap
    }
}
