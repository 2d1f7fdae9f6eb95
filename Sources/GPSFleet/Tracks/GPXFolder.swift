// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import Glibc

/// Writes batches of fixes to GPX files, one a day: `FOLDER/FLEET/BRIDGE/RECEIVER/2026-11-21.gpx`.
///
/// There is no other state: the times in the files show which fixes are stored. Killing the program
/// at any time therefore neither loses nor duplicates fixes.
package final class GPXFolder: FixStore {
    /// The maximum number of open files.
    private static let openFileLimit = 200

    private let folder: String
    private let today: @Sendable () -> Int
    private var files: [String: (file: GPXDayFile, lastUse: Int)] = [:]
    private var useCount = 0

    /// Creates a store in a folder, which is created when needed. `today` returns days since 1970.
    package init(_ folder: String, today: @escaping @Sendable () -> Int) {
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
        var points: [String: (member: MemberName, origin: DataOrigin, fixes: [Fix])] = [:]
        for batch in batches {
            for row in batch.rows {
                var fix = row.fix
                guard fix.coordinate != nil else { continue }
                // GPX has no field for a sequence number: a fix without a date is identified by its
                // time of reception.
                if fix.time == nil {
                    fix.time = UTCTime(
                        unixNanoseconds: row.received.multipliedReportingOverflow(by: 1_000_000)
                            .partialValue)
                }
                guard let date = fix.time?.date else { continue }
                let path = Self.path(of: batch.member, date)
                points[path, default: (batch.member, batch.origin, [])].fixes.append(fix)
            }
        }
        do {
            for (path, day) in points.sorted(by: { $0.key < $1.key }) {
                let file = try file(path, day.member)
                let new = try file.add(day.fixes, origin: day.origin)
                count.new += new
                count.duplicates += day.fixes.count - new
            }
            for message in rejected { try keep(message) }
            return count
        } catch {
            // The files are read again, to find the points that were written.
            files = [:]
            throw error
        }
    }

    package func dropDays(olderThan days: Int) throws(StoreError) -> Int {
        let nanoseconds = Int64(today() - days) * 86_400_000_000_000
        guard let first = UTCTime(unixNanoseconds: nanoseconds)?.date else { return 0 }
        let limit = TextBuffer.text { $0.append(date: first) }
        files = [:]
        var count = 0
        for fleet in Self.entries(folder) {
            for bridge in Self.entries("\(folder)/\(fleet)") {
                for receiver in Self.entries("\(folder)/\(fleet)/\(bridge)") {
                    let path = "\(folder)/\(fleet)/\(bridge)/\(receiver)"
                    for file in Self.entries(path)
                    where file.hasSuffix(".gpx") && file.count == 14 && file < "\(limit).gpx" {
                        if unlink(FileName.native("\(path)/\(file)")) == 0 { count += 1 }
                    }
                }
            }
        }
        return count
    }

    private static func entries(_ path: String) -> [String] {
        Folder.names(in: path).filter { !$0.hasPrefix(".") }
    }

    private static func path(of member: MemberName, _ date: CalendarDate) -> String {
        let day = TextBuffer.text { $0.append(date: date) }
        return "\(member.fleet)/\(member.bridge)/\(member.receiver)/\(day).gpx"
    }

    /// Returns an open file; closes others if too many are open.
    private func file(_ path: String, _ member: MemberName) throws(StoreError) -> GPXDayFile {
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
        let file = try GPXDayFile("\(folder)/\(path)", name: member.description)
        files[path] = (file, useCount)
        return file
    }

    private static func makeFolder(_ path: String) throws(StoreError) {
        guard mkdir(FileName.native(path), 0o777) == 0 || errno == EEXIST else {
            throw StoreError(file: path, errno)
        }
    }

    /// Stores a message that is not a batch, unchanged.
    private func keep(_ message: RejectedMessage) throws(StoreError) {
        try Self.makeFolder("\(folder)/rejected")
        let path = "\(folder)/rejected/\(message.stream)-\(message.sequence)"
        try StoreError.replacing(path, with: message.bytes)
    }
}

extension StoreError {
    /// Replaces a file atomically.
    static func replacing(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        do throws(DraftFile.Failure) {
            let file = try DraftFile(replacing: path)
            try file.write(bytes)
            try file.commit()
        } catch {
            throw StoreError(file: path, error.errno)
        }
    }

    /// Creates the error of a file operation.
    init(file path: String, _ errno: CInt) {
        // A full disk may get space again, and a network file system may come back.
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
