// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSIO
import Glibc

extension Spool {
    /// The tolerance of each level of thinning: the maximum distance of a removed fix from the
    /// track, in metres. Level 0 thins the older half of the fixes, level 1 the oldest quarter, and
    /// so on.
    private static let tolerances = [2.0, 10, 50, 250]
    /// The number of fixes that are thinned at once. It limits the memory.
    private static let window = 2000
    /// The time between two fixes, in milliseconds, above which a new segment of the track begins.
    private static let gap: Int64 = 60_000

    /// Returns the number of used bytes in the file, without free pages.
    package func size() throws(FleetError) -> Int64 {
        let pages = try database.integer("PRAGMA page_count")
        let free = try database.integer("PRAGMA freelist_count")
        return (pages - free) * (try database.integer("PRAGMA page_size"))
    }

    /// Enforces the limits: drops expired fixes; above the maximum size, removes kept messages,
    /// then thins older fixes, and as a last resort drops the oldest ones. Call it about once a
    /// second. A call takes at most some tenths of a second. `now` is in milliseconds of Unix time,
    /// by the bridge's clock.
    ///
    /// `runtime` is the time in seconds since the spool was opened. A fix appended since then does
    /// not count as older than `runtime`, because its time is wrong if the bridge's clock was not
    /// set yet.
    ///
    /// Thinning never removes fixes from the newer half. In the older half, it removes fixes within
    /// 2 m of the track, in the oldest quarter within 10 m, and so on (see `tolerances`).
    package func keepLimits(now: Int64, runtime: Double = .infinity) throws(FleetError) {
        reserve.fill()
        let mayBeUnset = runtime < limits.age
        let newest = try newestTime(upTo: mayBeUnset ? lastBefore : 0) ?? now
        try dropExpired(
            before: min(now, newest) - Int64(limits.age * 1000),
            upTo: mayBeUnset ? lastBefore : .max)
        var size = try size()
        if size > limits.size {
            try forgetKept()
            size = try self.size()
        }
        guard size > limits.size else { return try shrink() }
        // The goal is slightly below the limit, so that the next thinning is not needed
        // immediately.
        let goal = limits.size - limits.size / 32
        let ends = try levelEnds()
        var windows = 50
        var hasMore = true
        while size > goal, windows > 0, hasMore {
            hasMore = try thin(to: ends)
            windows -= 1
            size = try self.size()
        }
        // If all levels are thinned, the oldest fixes are dropped down to the goal. Otherwise, they
        // are only dropped if fixes arrive so fast that the size is an eighth above the limit.
        while size > (hasMore ? limits.size + limits.size / 8 : goal), count > 0 {
            try dropOldest(max(100, count / 50), counting: \.dropped)
            size = try self.size()
        }
        try shrink()
    }

    /// Returns for each level the sequence number of the newest fix that it may thin.
    private func levelEnds() throws(FleetError) -> [Int64] {
        var ends: [Int64] = []
        for level in Self.tolerances.indices {
            let offset = count >> (level + 1)
            ends.append(
                try database.integer(
                    "SELECT seq FROM fix ORDER BY seq LIMIT 1 OFFSET \(offset)")
            )
        }
        return ends
    }

    /// Returns up to 1000 free pages to the file system if there are many.
    private func shrink() throws(FleetError) {
        guard try database.integer("PRAGMA freelist_count") > 2000 else { return }
        // One step frees one page.
        try database.prepare("PRAGMA incremental_vacuum(1000)").run()
    }

    /// Returns the latest time that receivers have reported in the newest 1000 fixes. If they have
    /// reported none, returns the latest time of the newest 1000 fixes with a sequence number up to
    /// `last`, or that of their reception; `nil` without such fixes. It limits the time of the
    /// bridge's clock, which may be years ahead before NTP has set it. Otherwise, all fixes would
    /// then seem to be too old.
    private func newestTime(upTo last: Int64) throws(FleetError) -> Int64? {
        let statement = try database.prepare(
            """
            SELECT coalesce(
                (SELECT max(time) FROM (SELECT time FROM fix ORDER BY seq DESC LIMIT 1000)),
                (SELECT max(coalesce(time,received)) FROM (
                    SELECT time,received FROM fix WHERE seq<=?1 ORDER BY seq DESC LIMIT 1000)))
            """)
        statement.bind(1, last)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// Drops the fixes that are older than `time`, in milliseconds of Unix time. Fixes with a
    /// sequence number above `last` are not dropped.
    private func dropExpired(before time: Int64, upTo last: Int64) throws(FleetError) {
        // The later one of both times counts. A fix of a replayed recording is as old as its
        // time of reception. Before NTP has set the clock, that time is too early.
        let statement = try database.prepare(
            """
            DELETE FROM fix WHERE seq IN (SELECT seq FROM fix ORDER BY seq LIMIT 1000)
                AND max(coalesce(time,received),received)<?1 AND seq<=?2
            """)
        while count > 0 {
            try statement.run(time, last)
            let changed = database.changeCount
            count -= changed
            loss.expired += changed
            guard changed == 1000 else { return }
        }
    }

    /// Removes the `number` oldest fixes. `reason` is the property of `SpoolLoss` that counts them.
    func dropOldest(
        _ number: Int, counting reason: WritableKeyPath<SpoolLoss, Int>
    ) throws(FleetError) {
        try database.prepare(
            "DELETE FROM fix WHERE seq IN (SELECT seq FROM fix ORDER BY seq LIMIT ?)"
        ).run(Int64(number))
        count -= database.changeCount
        loss[keyPath: reason] += database.changeCount
    }

    /// Thins the next window of fixes, in the lowest level that is not complete. Returns `false` if
    /// all levels are complete.
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
        let statement = try database.prepare("DELETE FROM fix WHERE seq=?")
        try database.transaction { () throws(FleetError) in
            for sequence in sequences { try statement.run(sequence) }
        }
        count -= sequences.count
        loss.thinned += sequences.count
        loss.tolerance = max(loss.tolerance, tolerance)
    }

    /// Returns the sequence numbers of fixes that can be removed without moving a stream's track by
    /// more than `tolerance` metres.
    private static func unneeded(_ entries: [Entry], tolerance: Double) -> [Int64] {
        var simplifier = LineSimplifier(tolerance: tolerance)
        var unneeded: [Int64] = []
        for (_, track) in Dictionary(grouping: entries, by: \.stream) {
            var segment: [FixRow] = []
            func end() {
                let points = points(segment)
                // In a segment without positions, only the first and the last fix are needed.
                if let points { simplifier.mark(points) }
                for (index, row) in segment.enumerated()
                where 0 < index && index < segment.count - 1 {
                    if points == nil || !simplifier.isKept[index] { unneeded.append(row.sequence) }
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

    /// Returns the fixes' positions on a plane; `nil` if any of them has no position.
    private static func points(_ rows: [FixRow]) -> [LocalPlane.Point]? {
        let coordinates = rows.compactMap(\.coordinate)
        guard let first = coordinates.first, coordinates.count == rows.count else { return nil }
        let plane = LocalPlane(at: first)
        return coordinates.map { plane.point(at: $0) }
    }
}

extension FixRow {
    /// The columns of states, each with the highest number that is neither a warning nor an alarm.
    private static let harmless: [(column: Int, number: Int64)] = [
        (FixColumn.integrity, Int64(Integrity.State.ok.number)),
        (FixColumn.vote, Int64(Vote.State.agreed.number)),
        (FixColumn.anchor, Int64(AnchorState.Condition.ok.number)),
    ]

    /// Returns whether the next fix belongs to the same segment of a track. A segment ends where a
    /// warning, an alarm or a disputed vote begins or ends, because the first and the last fix of a
    /// segment are never removed. `gap` is in milliseconds.
    fileprivate func isContinued(by next: FixRow, gap: Int64) -> Bool {
        (coordinate == nil) == (next.coordinate == nil)
            && abs((next.time ?? next.received) - (time ?? received)) <= gap
            && Self.harmless.allSatisfy { column, number in
                max(self[column], number) == max(next[column], number)
            }
    }
}

/// The limits of a spool's size and age.
package struct SpoolLimits: Hashable, Sendable {
    /// The maximum size in bytes, without free pages in the file.
    package var size: Int64 = 256 << 20
    /// The maximum age of a fix in seconds. Older fixes are dropped. The age begins at the
    /// receiver's time or the time of reception, whichever is later. It ends at the bridge's
    /// current time or the latest time that receivers have reported (see `Spool.keepLimits`),
    /// whichever is earlier.
    package var age: Double = 30 * 86_400
    /// The maximum size of kept messages (see `KeptMessage`) in bytes.
    var keptSize: Int64 { min(32 << 20, size / 8) }
    /// The maximum size of refused messages in bytes.
    var refusedSize: Int64 { min(8 << 20, size / 32) }

    /// Creates the default limits: 256 MiB, enough for about a month at 1 Hz, and 30 days.
    package init() {}
}

/// The numbers of fixes that a spool has dropped, by reason.
package struct SpoolLoss: Hashable, Sendable {
    /// The number of fixes removed by thinning, because they were close to the line between their
    /// neighbours.
    package var thinned = 0
    /// The largest tolerance used for thinning, in metres. All removed fixes were closer than this
    /// to the line between their neighbours.
    var tolerance = 0.0
    /// The number of fixes dropped because they were the oldest and the spool had reached its
    /// maximum size.
    package var dropped = 0
    /// The number of fixes dropped because they were the oldest and the disk was full.
    package var droppedByDisk = 0
    /// The number of fixes that were dropped from memory, because the spool could not store them.
    var unstored = 0
    /// The number of fixes dropped because of their age.
    package var expired = 0
    /// The number of fixes dropped because they waited only for targets that were removed.
    package var untargeted = 0
    /// The number of fixes that a server has finally refused and whose messages were stored.
    package var refused = 0
    /// The number of fixes that a server has finally refused and whose messages are not stored,
    /// because the disk was full.
    package var refusedLost = 0

    /// Returns a description for the log, which names the reason of each loss. Counts of 0 are
    /// omitted.
    package func text(path: String) -> String {
        let refusals = (one: "fix was refused, and is", many: "fixes were refused, and are")
        let others: [(count: Int, words: (one: String, many: String), rest: String)] = [
            (droppedByDisk, Self.oldest, " dropped because the disk is full: free some space"),
            (
                unstored,
                (
                    "fix was dropped because the spool could not store it",
                    "fixes were dropped because the spool could not store them"
                ), ": an earlier message gives the reason"
            ),
            (
                expired,
                ("fix was dropped because it was", "fixes were dropped because they were"),
                " older than --spool-age: raise it to keep fixes longer"
            ),
            (
                untargeted,
                ("fix was dropped because its", "fixes were dropped because their"),
                " target was removed"
            ),
            (refused, refusals, " in the table refused of \(path)"),
            (refusedLost, refusals, " not stored because the disk was full"),
        ]
        let texts = others.filter { $0.count > 0 }.map { count, words, rest in
            Plural.text(count, words.one, words.many) + rest
        }
        let full = limited.isEmpty ? [] : ["the spool is full (--spool-size): \(limited)"]
        return (full + texts).joined(separator: "; ")
    }

    /// The description of the losses that the maximum size has caused; empty if there are none.
    private var limited: String {
        var parts: [String] = []
        if thinned > 0 {
            let distance = "within \(Int(tolerance)) m of the track"
            parts.append(
                Plural.text(thinned, "fix \(distance) was", "fixes \(distance) were") + " left out")
        }
        if dropped > 0 {
            parts.append(Plural.text(dropped, Self.oldest.one, Self.oldest.many) + " dropped")
        }
        return parts.joined(separator: ", ")
    }

    private static let oldest = (one: "of the oldest fixes was", many: "of the oldest fixes were")
}

/// A lock that prevents other gpsbridge processes from using the same spool. Other programs may
/// still read the database.
///
/// It locks a separate file, because closing the database file elsewhere in the process would
/// release SQLite's locks.
final class SpoolLock: Sendable {
    private let descriptor: CInt
    private let path: String
    /// Whether the lock file did not exist before. If so, no spool was opened at this path before.
    let isNew: Bool

    /// Acquires the lock.
    ///
    /// Throws an error if another process holds it, the folder cannot be written, or `path` is not
    /// a regular file. The corresponding C function is `flock`.
    init(_ path: String) throws(FleetError) {
        try Self.check(path)
        self.path = path + "-lock"
        isNew = access(FileName.native(self.path), F_OK) != 0
        descriptor = open(FileName.native(self.path), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw FleetError(spool: path, String(cString: strerror(errno)))
        }
        // If the initializer throws, `deinit` closes the file.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw FleetError("\(path) is used by another gpsbridge: choose another --spool FILE")
        }
    }

    deinit { close(descriptor) }

    /// Throws an error if `path` is not a regular file.
    static func check(_ path: String) throws(FleetError) {
        // Without this check, root could create the lock and SQLite's files beside a device. A path
        // without a file is permitted, because the spool may not exist yet.
        if let kind = try? Node(path).kind(), kind != .regularFile {
            throw FleetError("\(path) is not a regular file: choose another --spool FILE")
        }
    }

    /// Deletes the lock's file.
    func remove() {
        unlink(FileName.native(path))
    }
}

/// A file that only occupies disk space. The spool removes it when the disk is full.
///
/// Without it, a full disk would permanently stop the spool: SQLite could neither move the
/// write-ahead log into the database nor record the removal of fixes.
struct SpoolReserve {
    /// The size of the file in bytes. It is larger than the maximum size of SQLite's write-ahead
    /// log.
    private static let size = 6 << 20

    private let spool: [CChar]
    private let path: [CChar]

    /// Creates the reserve for the spool with this path, without allocating it.
    init(of spool: String) {
        self.spool = FileName.native(spool)
        path = FileName.native(spool + "-reserve")
    }

    /// Whether the file exists.
    var exists: Bool { access(path, F_OK) == 0 }

    /// Allocates the reserve if it does not exist and the disk has three times as much free space.
    ///
    /// The corresponding C function is `posix_fallocate`.
    func fill() {
        var status = statvfs()
        // Some network file systems report huge numbers, so they are not multiplied.
        guard !exists, statvfs(spool, &status) == 0, status.f_frsize > 0,
            status.f_bavail > 3 * UInt(Self.size) / status.f_frsize
        else { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if posix_fallocate(descriptor, 0, off_t(Self.size)) != 0 { unlink(path) }
    }

    /// Removes the file, which releases its space.
    func release() { unlink(path) }
}
