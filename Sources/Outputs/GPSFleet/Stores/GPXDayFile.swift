// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSIO
import Glibc

/// A GPX file with a receiver's points of one day, in order of time. Each time occurs only once.
final class GPXDayFile {
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
