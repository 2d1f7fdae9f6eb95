// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import Glibc

/// Writes batches of fixes to GPX files, one for each receiver and day:
/// `FOLDER/FLEET/BRIDGE/RECEIVER/2026-11-21.gpx`. Points without a date are in
/// `2026-11-21-undated.gpx`, with the times and the day of their reception.
///
/// Whether a fix is already stored is determined only from the times in the files. Therefore, the
/// program can be killed at any time without losing or duplicating fixes.
package final class GPXFolder: FixStore {
    /// The maximum number of open files.
    private static let openFileLimit = 200
    /// The part of the names of files with points without a date. Their times are those of
    /// reception.
    private static let undated = "-undated"
    /// The end of the names of tracks with points without a date.
    private static let undatedName = ", times of reception"

    private let folder: String
    private let today: @Sendable () -> Int
    private var files: [String: (file: GPXDayFile, lastUse: Int)] = [:]
    private var useCount = 0

    /// Creates a store in a folder. `open` creates the folder. `today` returns the current day as
    /// days since 1970.
    package init(
        _ folder: String, today: @escaping @Sendable () -> Int = { BridgeClock.today }
    ) {
        self.folder = folder
        self.today = today
    }

    package var name: String { folder }

    package func open() throws(StoreError) {
        try Self.makeFolder(folder)
    }

    package func store(
        _ batches: [FixBatch], rejected: [RejectedMessage]
    ) throws(StoreError) -> StoredCount {
        var count = StoredCount()
        var points: [String: (name: String, origin: DataOrigin, fixes: [Fix])] = [:]
        for batch in batches {
            for row in batch.rows {
                var fix = row.fix
                guard fix.coordinate != nil else { continue }
                var name = batch.member.description
                var ending = Self.ending(batch.origin)
                // GPX has no field for a sequence number, so a fix without a date is identified by
                // its time of reception, in a file that has only such times.
                if fix.time == nil {
                    name += Self.undatedName
                    ending = Self.undated + ending
                    let (time, isOver) = row.received.multipliedReportingOverflow(by: 1_000_000)
                    guard !isOver else { continue }
                    fix.time = UTCTime(unixNanoseconds: time)
                }
                guard let date = fix.time?.date else { continue }
                let path = Self.path(of: batch.member, date, ending)
                points[path, default: (name, batch.origin, [])].fixes.append(fix)
            }
        }
        do {
            for (path, day) in points.sorted(by: { $0.key < $1.key }) {
                let file = try file(path, day.name)
                let new = try file.add(day.fixes, origin: day.origin)
                count.new += new
                count.duplicates += day.fixes.count - new
            }
            for message in rejected { try keep(message) }
            return count
        } catch {
            // Some points may have been written, so all files are opened and read again with the
            // next call.
            files = [:]
            throw error
        }
    }

    package func dropDays(olderThan days: Int, engineDay: Int?) throws(StoreError) -> Int {
        guard let engineDay else { return 0 }
        let nanoseconds = Int64(min(today(), engineDay) - days) * TimeOfDay.day
        guard let first = UTCTime(unixNanoseconds: nanoseconds)?.date else { return 0 }
        let limit = TextBuffer.text { $0.append(date: first) }
        let dated = [DataOrigin.live, .replay, .simulated].map(Self.ending)
        let endings = dated + dated.map { Self.undated + $0 }
        files = [:]
        // A day has files for each receiver and kind of origin.
        var removed: Set<Substring> = []
        for fleet in Self.entries(folder) {
            for bridge in Self.entries("\(folder)/\(fleet)") {
                for receiver in Self.entries("\(folder)/\(fleet)/\(bridge)") {
                    let path = "\(folder)/\(fleet)/\(bridge)/\(receiver)"
                    for file in Self.entries(path)
                    where file.prefix(10) < limit && endings.contains(String(file.dropFirst(10))) {
                        guard unlink(FileName.native("\(path)/\(file)")) == 0 else { continue }
                        removed.insert(file.prefix(10))
                    }
                }
            }
        }
        return removed.count
    }

    private static func entries(_ path: String) -> [String] {
        Folder.names(in: path).filter { !$0.hasPrefix(".") }
    }

    private static func path(
        of member: MemberName, _ date: CalendarDate, _ ending: String
    ) -> String {
        let day = TextBuffer.text { $0.append(date: date) }
        return "\(member.fleet)/\(member.bridge)/\(member.receiver)/\(day)" + ending
    }

    /// Returns the suffix of the names of files with points of an origin. Points that may be live
    /// are never in the same file as others.
    private static func ending(_ origin: DataOrigin) -> String {
        origin.mayBeLive ? ".gpx" : "-\(origin).gpx"
    }

    /// Returns the file with this path, and opens it if necessary. If too many files are open,
    /// closes the least recently used file.
    private func file(_ path: String, _ name: String) throws(StoreError) -> GPXDayFile {
        useCount += 1
        files[path]?.lastUse = useCount
        if let file = files[path]?.file { return file }
        if files.count >= Self.openFileLimit,
            let oldest = files.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
        {
            files[oldest] = nil
        }
        var parent = folder
        for part in path.split(separator: "/").dropLast() {
            parent += "/\(part)"
            try Self.makeFolder(parent)
        }
        let file = try GPXDayFile("\(folder)/\(path)", name: name)
        files[path] = (file, useCount)
        return file
    }

    private static func makeFolder(_ path: String) throws(StoreError) {
        guard mkdir(FileName.native(path), 0o777) == 0 || errno == EEXIST else {
            throw StoreError(file: path, errno)
        }
    }

    /// Stores a rejected message unchanged, in the folder `rejected`.
    private func keep(_ message: RejectedMessage) throws(StoreError) {
        try Self.makeFolder("\(folder)/rejected")
        let path = "\(folder)/rejected/\(message.stream)-\(message.sequence)"
        try StoreError.replacing(path, with: message.bytes)
    }
}

extension StoreError {
    /// Replaces a file's contents atomically.
    static func replacing(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        do throws(DraftFile.Failure) {
            try DraftFile.replace(path, with: bytes)
        } catch {
            throw StoreError(file: path, error.errno)
        }
    }

    /// Creates an error from the `errno` of a file operation.
    init(file path: String, _ errno: CInt) {
        // These errors may disappear, because a full disk may get free space and a network file
        // system may become reachable again.
        let mayPass = [ENOSPC, EDQUOT, EIO, EMFILE, ENFILE, ESTALE, EINTR].contains(errno)
        self.init(
            mayPass ? .passing : .permanent, "\(path): \(String(cString: strerror(errno)))")
    }
}

extension TextBuffer {
    /// Appends a date in the form `2026-11-21`.
    fileprivate mutating func append(date: CalendarDate) {
        append(integer: date.year, width: 4)
        append(character: "-")
        append(integer: date.month, width: 2)
        append(character: "-")
        append(integer: date.day, width: 2)
    }
}
