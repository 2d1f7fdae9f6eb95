// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
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

/// A GPX file with a receiver's points of one day, in order of time. Each time occurs only once.
private final class GPXDayFile {
    /// The time between two points, in milliseconds, above which a new segment begins.
    private static let gap: Int64 = 300_000

    private let path: String
    private let name: String
    private var descriptor: CInt
    private var format = GPXFormat()
    /// The origin of the points; `nil` until points are added to the file that was just opened.
    private var origin: DataOrigin?
    /// The offset of the closing lines, where the next points are written.
    private var end: off_t = 0
    private var size = 0
    private var times: Set<Int64> = []
    private var last = Int64.min

    /// Opens a file, or creates it. If the file is truncated, writing the next points repairs it.
    ///
    /// Throws an error if it cannot be read or was not written by this program.
    init(_ path: String, name: String) throws(StoreError) {
        self.path = path
        self.name = name
        descriptor = -1
        try reopen()
    }

    deinit { close(descriptor) }

    private func reopen() throws(StoreError) {
        close(descriptor)
        descriptor = Glibc.open(FileName.native(path), O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw StoreError(file: path, errno) }
        (format, origin, times, last, end) = (GPXFormat(), nil, [], Int64.min, 0)
        let bytes = try contents()
        size = bytes.count
        guard !bytes.isEmpty else { return }
        let tail = Array(bytes.suffix(65_536))
        guard let kept = format.resume(head: Array(bytes.prefix(4096)), end: tail) else {
            throw StoreError(
                .permanent,
                "\(path) is not a GPX file that gpsbridge wrote: move it to another folder")
        }
        end = off_t(bytes.count - tail.count + kept)
        for fix in Self.fixes(bytes.prefix(Int(end)), closing: format.closing) {
            guard let time = fix.milliseconds else { continue }
            times.insert(time)
            last = max(last, time)
        }
    }

    private func contents() throws(StoreError) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw StoreError(file: path, errno) }
        let size = Int(status.st_size)
        let (bytes, error) = RegularFile.read(descriptor, at: 0, size)
        guard bytes.count == size else { throw StoreError(file: path, error != 0 ? error : EIO) }
        return bytes
    }

    /// Returns the points of a file, in file order.
    private static func fixes(_ bytes: ArraySlice<UInt8>, closing: [UInt8]) -> [Fix] {
        var detector = InputDetector(file: "")
        guard case .reader(var reader) = detector.push(bytes.prefix(4096), isLast: true) else {
            return []
        }
        var fixes: [Fix] = []
        func receive(_ event: InputEvent) {
            if case .fix(let fix, _) = event { fixes.append(fix) }
        }
        // Reading stops at damaged data. The points before the damage are used.
        try? reader.push(bytes, receive)
        try? reader.push(closing[...], receive)
        try? reader.finish(receive)
        return fixes
    }

    /// Whether another program has truncated, deleted, renamed or replaced the file.
    private var isChanged: Bool {
        guard let file = RegularFile(descriptor) else { return false }
        return file.size != size || RegularFile(path: path) != file
    }

    /// Adds points whose times the file does not contain yet. Returns their number after they have
    /// been written to disk.
    func add(_ fixes: [Fix], origin: DataOrigin) throws(StoreError) -> Int {
        if isChanged { try reopen() }
        let new = Self.sorted(
            fixes.filter { $0.milliseconds.map { times.insert($0).inserted } ?? false })
        guard let first = new.first?.milliseconds else { return 0 }
        if first > last { try append(new, origin) } else { try merge(new, origin) }
        return new.count
    }

    private static func sorted(_ fixes: [Fix]) -> [Fix] {
        fixes.sorted { ($0.milliseconds ?? 0) < ($1.milliseconds ?? 0) }
    }

    /// Returns points as GPX text, with a new segment after each gap. `last` is the time of the
    /// previous point in milliseconds of Unix time, or `Int64.min` if there is none. It becomes the
    /// time of the last point in `fixes`.
    private static func text(
        of fixes: [Fix], _ format: inout GPXFormat, after last: inout Int64
    ) -> [UInt8] {
        for fix in fixes {
            let time = fix.milliseconds ?? last
            if last != Int64.min, time - last > gap { format.beginSegment() }
            format.write(fix)
            last = time
        }
        var text: [UInt8] = []
        format.drain { span in span.withUnsafeBytes { text += $0 } }
        return text
    }

    private func append(_ new: [Fix], _ origin: DataOrigin) throws(StoreError) {
        if self.origin == nil {
            // Points continue the track of a reopened file, which has the same origin.
            let source = OutputSource(name: name, origin: origin)
            if end > 0 { format.continueTrack(of: source) } else { format.begin(source) }
        }
        self.origin = origin
        let text = Self.text(of: new, &format, after: &last)
        let closing = format.closing
        let error = RegularFile.write(text + closing, to: descriptor, at: Int(end))
        guard error == 0 else { throw StoreError(file: path, error) }
        guard ftruncate(descriptor, end + off_t(text.count + closing.count)) == 0,
            fdatasync(descriptor) == 0
        else { throw StoreError(file: path, errno) }
        end += off_t(text.count)
        size = Int(end) + closing.count
    }

    /// Rewrites the file to insert points between existing ones.
    private func merge(_ new: [Fix], _ origin: DataOrigin) throws(StoreError) {
        let old = Self.fixes(try contents().prefix(Int(end)), closing: format.closing)
        let all = Self.sorted(old + new)
        var format = GPXFormat()
        format.begin(OutputSource(name: name, origin: origin))
        var last = Int64.min
        let text = Self.text(of: all, &format, after: &last)
        try StoreError.replacing(path, with: text + format.closing)
        try reopen()
    }
}

extension Fix {
    /// The time in milliseconds of Unix time, the precision of messages.
    fileprivate var milliseconds: Int64? { time.map { $0.unixNanoseconds / 1_000_000 } }
}
