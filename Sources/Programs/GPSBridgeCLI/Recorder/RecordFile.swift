// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSFiles
import GPSFormats
import GPSIO
import GPSReceivers
import Glibc

/// A file that is complete after every write: it ends with the closing text, which the next write
/// overwrites.
struct RecordFile: ~Copyable {
    /// The error for a file that cannot be recorded to.
    struct Failure: Error, CustomStringConvertible {
        let description: String
        /// Whether recording failed because the existing file cannot be continued.
        private(set) var isForeign = false
        /// Whether recording failed because the disk has no space.
        private(set) var isFull = false

        init(_ path: String, errno: CInt) {
            self.init(path, IOError.reason(errno, writing: path))
            isFull = errno == ENOSPC || errno == EDQUOT
        }

        init(_ path: String, _ reason: String) {
            description = "cannot record to \(path): \(reason)"
        }

        /// Creates the error for existing content that cannot be continued.
        static func foreign(_ path: String, _ reason: String) -> Failure {
            var failure = Failure(path, reason)
            failure.isForeign = true
            return failure
        }
    }

    let path: String
    /// Where an existing file ends, if it is continued; otherwise `nil`.
    var continued: String?
    private var descriptor: CInt
    /// The offset of the closing text, where new data is written.
    private(set) var end = 0
    private var closing: [UInt8] = []
    private var isSynced = true

    /// Whether the file was new or empty when it was opened. Such a file is deleted if nothing is
    /// written.
    private var wasEmpty = false

    /// Whether the existing file had been truncated or not closed correctly.
    private(set) var isTorn = false

    /// Whether the path leads to the open file. Some file systems give a file another identity
    /// each time, so that this cannot be determined.
    private var isIdentifiable = false

    /// Whether bytes were written to the file, or removed from it.
    private(set) var isChanged = false

    /// Opens or creates a file. An existing file is continued at the position that `resume`
    /// returns.
    ///
    /// - Throws: `Failure`, for example if another program records to the file.
    init(_ path: String, resume: (FileBytes) throws -> RecordEnding?) throws {
        self.path = path
        let mode = O_RDWR | O_CREAT | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
        let new = open(FileName.native(path), mode | O_EXCL, 0o666)
        descriptor = new >= 0 ? new : open(FileName.native(path), mode, 0o666)
        guard descriptor >= 0 else { throw Failure(path, errno: errno) }
        guard RegularFile(descriptor) != nil else {
            throw Failure(path, "it is not a regular file: give another name")
        }
        try lock()
        isIdentifiable = RegularFile(descriptor) == RegularFile(path: path)
        let file = FileBytes(
            descriptor: descriptor, path: path, size: Int(lseek(descriptor, 0, SEEK_END)))
        wasEmpty = file.size == 0
        guard !wasEmpty else { return }
        guard let ending = try resume(file) else {
            throw Failure.foreign(
                path, "it exists and is not a recording that can be continued: give another name")
        }
        end = ending.kept
        closing = file.read(end, file.size - end)
        isTorn = ending.isTorn
    }

    /// The time limit for the lock. A killed recorder holds it until its last write is on the
    /// disk.
    private static let timeout = Duration.seconds(3)

    /// Locks the file. Throws a `Failure` if another program still records to it.
    private func lock() throws {
        let deadline = MonotonicInstant.now + Self.timeout
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, .now < deadline else {
                throw Failure(
                    path, "another program records to it: stop that program, or give another name")
            }
            try Signals.sleep(milliseconds: 20)
        }
    }

    deinit {
        if descriptor >= 0 { Self.close(descriptor, path, removing: wasEmpty && size == 0) }
    }

    /// Closes the file so that it can be opened again.
    mutating func close() {
        Self.close(descriptor, path, removing: wasEmpty && size == 0)
        descriptor = -1
    }

    // Deletes the file if it is empty. An empty file is not a valid recording, and other programs
    // would report it as damaged.
    private static func close(_ descriptor: CInt, _ path: String, removing: Bool) {
        if removing, RegularFile(descriptor) == RegularFile(path: path) {
            unlink(FileName.native(path))
        }
        Glibc.close(descriptor)
    }

    /// The identity of the file, for comparison with other files.
    var file: RegularFile? { RegularFile(descriptor) }

    /// What another program has done to the file.
    enum Change {
        /// It was deleted, so that nothing that is written can be read.
        case deleted
        /// It has another name, and there may be another file at the path.
        case moved
        /// Its size is another one. Data written at `end` would leave a hole, or overwrite data.
        case resized

        /// What happened to the file, in words.
        var text: String {
            switch self {
            case .deleted: "was deleted or replaced, and its data is lost"
            case .moved: "was renamed or replaced"
            case .resized: "was truncated or changed by another program"
            }
        }
    }

    /// What another program has done to the file; `nil` if it has done nothing.
    var change: Change? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        // Some file systems report a link count of 0 for every file, so the file at the path is
        // compared, too.
        if isIdentifiable, RegularFile(path: path) != file {
            return status.st_nlink == 0 ? .deleted : .moved
        }
        return Int(status.st_size) == size ? nil : .resized
    }

    /// Whether the file was truncated between `change` and `append`: then it begins with a hole. In
    /// that case, it is emptied, because it contains only the bytes that were just written.
    mutating func emptyIfTruncated() -> Bool {
        guard end > 0, RegularFile.read(descriptor, at: 0, 1).bytes == [0] else { return false }
        ftruncate(descriptor, 0)
        return true
    }

    /// The size of the file in bytes, including the closing text.
    var size: Int { end + closing.count }

    /// Writes bytes, followed by the closing text. Returns `false` and leaves the file unchanged if
    /// the disk is full.
    ///
    /// - Throws: `Failure` for any other error.
    mutating func append(_ bytes: [UInt8], closing: [UInt8]) throws -> Bool {
        // Checking this first avoids a partial write, which would leave the file incomplete for a
        // moment.
        if let room, bytes.count + closing.count > room { return false }
        let error = RegularFile.write(bytes + closing, to: descriptor, at: end)
        guard error == 0 else {
            // Restores the overwritten text immediately, before other files use the space.
            _ = RegularFile.write(self.closing, to: descriptor, at: end)
            ftruncate(descriptor, off_t(size))
            guard error == ENOSPC || error == EDQUOT else { throw Failure(path, errno: error) }
            return false
        }
        let old = size
        end += bytes.count
        self.closing = closing
        if size < old { ftruncate(descriptor, off_t(size)) }
        (isSynced, isChanged) = (false, true)
        return true
    }

    /// The number of bytes for which the disk has space after `end`; `nil` if it is not known.
    var room: Int? {
        var status = stat()
        var disk = statvfs()
        guard fstat(descriptor, &status) == 0, fstatvfs(descriptor, &disk) == 0, disk.f_blocks > 0
        else { return nil }
        // A file system that compresses or allocates late reports fewer blocks than were written.
        let held = max(Int(status.st_blocks) * 512, Int(status.st_size))
        let blocks = geteuid() == 0 ? disk.f_bfree : disk.f_bavail
        let (free, isHuge) = Int(clamping: blocks).multipliedReportingOverflow(
            by: Int(clamping: disk.f_frsize))
        let (room, isLarger) = free.addingReportingOverflow(held - end)
        return isHuge || isLarger ? nil : room
    }

    /// Flushes the file to the disk. Returns `false` if the disk was full, so that the data written
    /// since the last flush may be lost: some file systems, such as NFS, report that only here.
    ///
    /// The corresponding C function is `fdatasync`.
    ///
    /// - Throws: `Failure` for any other error, such as that of a broken disk.
    mutating func sync() throws -> Bool {
        guard !isSynced else { return true }
        // The system reports each error only once.
        isSynced = true
        while fdatasync(descriptor) != 0 {
            switch errno {
            case EINTR: continue
            case ENOSPC, EDQUOT: return false
            // The file system has nothing to flush.
            case EINVAL, EROFS: return true
            case let error: throw Failure(path, errno: error)
            }
        }
        return true
    }
}

/// Derives the names of files from a given path. A time, with a number if necessary, or another
/// suffix is inserted before the extension: `track-20260321T120000Z.gpx`.
struct RecordName {
    private let stem: Substring
    private let ending: Substring

    init(_ path: String) {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        // The extension begins at the first dot, so that `.nmea.zst` stays together. A dot at the
        // start of the name is not an extension.
        let name = path[start...]
        let dot = name.dropFirst().firstIndex(of: ".") ?? path.endIndex
        stem = path[..<dot]
        ending = path[dot...]
    }

    /// Creates the folder of the files, with its parents.
    ///
    /// - Throws: `RecordFile.Failure` if this fails. The corresponding C function is `mkdir`.
    func makeFolder() throws {
        var end = stem.startIndex
        while let slash = stem[end...].firstIndex(of: "/") {
            end = stem.index(after: slash)
            let folder = String(stem[..<slash])
            guard !folder.isEmpty, mkdir(FileName.native(folder), 0o777) != 0 else { continue }
            // `mkdir` also fails if the folder exists and the user may not create folders there.
            let error = errno
            guard access(FileName.native(folder), F_OK) == 0 else {
                throw RecordFile.Failure(folder, errno: error)
            }
        }
    }

    /// Returns the path of the file that begins at a time. `number` distinguishes files with the
    /// same time.
    func path(at time: UTCTime, number: Int) -> String {
        let text = time.description.prefix(19).filter { $0 != "-" && $0 != ":" }
        return "\(stem)-\(text)Z" + (number > 1 ? "-\(number)" : "") + ending
    }

    /// Returns the path of the file with an individual suffix, such as `track-001.gpx`.
    func path(_ own: String) -> String { "\(stem)-\(own)\(ending)" }

    /// Returns an unused path for a file that begins at a time.
    func unusedPath(at time: UTCTime) -> String {
        var number = 1
        while access(FileName.native(path(at: time, number: number)), F_OK) == 0 { number += 1 }
        return path(at: time, number: number)
    }

    /// Returns the newest existing file, and the time in its name; `nil` if there is none.
    func newest() -> (path: String, begun: UTCTime)? {
        let folderEnd = stem.lastIndex(of: "/")
        let folder = folderEnd.map { String(stem[...$0]) } ?? "."
        let start = (folderEnd.map { stem[stem.index(after: $0)...] } ?? stem) + "-"
        var newest: (name: String, begun: UTCTime, number: Int)?
        for name in Folder.names(in: folder) where name.hasPrefix(start) && name.hasSuffix(ending) {
            let parts = name.dropFirst(start.count).dropLast(ending.count).split(separator: "-")
            guard let begun = parts.first.flatMap(Self.time) else { continue }
            let number = parts.count > 1 ? Int(parts[1]) ?? 0 : 1
            if let newest {
                let last = (newest.begun.unixNanoseconds, newest.number)
                guard (begun.unixNanoseconds, number) > last else { continue }
            }
            newest = (name, begun, number)
        }
        return newest.map { (folderEnd == nil ? $0.name : folder + $0.name, $0.begun) }
    }

    /// Parses a time such as `20260321T120000Z`.
    private static func time(_ text: Substring) -> UTCTime? {
        let (digits, clock) = (text.prefix(8), text.dropFirst(9).prefix(6))
        guard digits.count == 8, text.dropFirst(8).first == "T", let number = Int(digits),
            let date = CalendarDate(
                year: number / 10_000, month: number / 100 % 100, day: number % 100),
            clock.count == 6, let seconds = Int(clock)
        else { return nil }
        return TimeOfDay(
            hour: seconds / 10_000, minute: seconds / 100 % 100, second: seconds % 100
        ).map { UTCTime(date: date, time: $0) }
    }
}

/// Describes the file to record to: its name, format, compression and rotation.
struct RecordedFile: Sendable {
    /// The path of the file without the time, which is inserted if files are rotated, or if the
    /// user gave no name.
    let path: String
    /// Whether the user gave no name, so that the name contains the time at which the file begins.
    let isNamedByTime: Bool
    /// The output format; `nil` for the receiver's bytes.
    let format: (any OutputFormat.Type)?
    /// The kind of RINEX file, and what its header says; `nil` for another format.
    var rinex: (kind: RINEXKind, description: RINEXDescription)?
    let compression: CompressionFormat?
    let rotation: Rotation?
    let selection: FixSelection
    /// Additional columns of CSV.
    let columns: OutputColumns

    /// Creates the encoder of the file's format. `isCopy` states whether a recording is copied as
    /// fast as possible, so that the times of arrival have no meaning.
    func content(isCopy: Bool = false) -> any RecordContent {
        if let rinex { return RINEXContent(rinex.kind, rinex.description) }
        return format.map { FixContent(to: $0, selecting: selection, columns: columns) }
            ?? RawContent(isCopy: isCopy)
    }

    /// Opens the file. `inputs` are the paths of the recordings that are read, which must not be
    /// overwritten.
    ///
    /// - Throws: `RecordFile.Failure`, or `UsageError` if the system's clock is not set.
    func target(
        _ content: any RecordContent, avoiding inputs: [String] = []
    ) throws -> RecordTarget {
        guard let now = SystemClock.now else {
            throw UsageError("the system's clock is not set: set it with `sudo date --set=TIME`")
        }
        let path =
            isNamedByTime && rotation == nil ? RecordName(self.path).unusedPath(at: now) : self.path
        return try RecordTarget.begin(
            path, rotation, content, compression.map(CompressedCoding.init) ?? PlainCoding(),
            avoiding: try inputs.compactMap { try Recording($0).file }, at: now)
    }

    /// Records the receiver of a source until `work`, which also reads it, ends.
    ///
    /// - Throws: The error of `work` or of the recording. If recording fails, `work` is cancelled.
    ///   If both are cancelled, `CancellationError`, or the `ExitStatus` that one of them throws.
    func record(
        _ source: any DeviceSource, while work: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            let subscribed = Promise<Void>()
            group.addTask {
                let content = content()
                let target = try target(content)
                var recorder = Recorder(
                    source, messages: .ofFile, isShared: true, content: content, target: target)
                try await recorder.run { subscribed.fulfill(()) }
                return false
            }
            group.addTask {
                try await subscribed.value
                try await work()
                return true
            }
            defer { group.cancelAll() }
            do {
                while let isWork = try await group.next() {
                    if isWork { group.cancelAll() }
                }
            } catch is CancellationError {
                // The recording ends after `work`, and only then reports whether bytes were lost.
                try await group.endCancelled()
            }
        }
    }
}
