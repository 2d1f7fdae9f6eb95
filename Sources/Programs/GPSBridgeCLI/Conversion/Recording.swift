// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSIO
import GPSReceivers
import Glibc
import NMEA
import Synchronization

/// A recording to convert: a file or standard input. It is read as fast as possible and
/// decompressed.
final class Recording {
    /// The error for compressed data that is damaged or truncated.
    struct DamageError: Error, CustomStringConvertible {
        let description: String
    }

    /// The number of bytes read at a time from a compressed file.
    private static let chunk = 1 << 16

    private let descriptor: CInt
    private var input = CompressedInput()
    private var isPlain = false
    private var isFirst = true
    private var isReadAhead = false
    /// The number of bytes read so far, before decompression.
    private(set) var count = 0
    /// The path given by the user.
    let name: String
    /// The identity of the file when it was opened; `nil` for a pipe or a terminal.
    let file: RegularFile?
    /// The size of the file in bytes; `nil` for a pipe or a terminal.
    var size: Int? { file?.size }

    /// Opens a file, or standard input for `-`.
    ///
    /// - Throws: `DeviceError` if the path is not a readable file.
    init(_ path: String) throws {
        name = path
        descriptor = path == "-" ? STDIN_FILENO : try Self.open(path)
        file = RegularFile(descriptor)
    }

    private static func open(_ path: String) throws -> CInt {
        _ = try DeviceSources.at(path)
        // The file is opened non-blocking, because a pipe may not have a writer yet. `read` waits
        // until data or a signal is received.
        let descriptor = Glibc.open(
            FileName.native(path), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw DeviceError.opening(path, errno: errno) }
        return descriptor
    }

    /// Returns the first bytes of a regular file, at most `limit`. The file's read position is
    /// unchanged.
    ///
    /// The corresponding C function is `pread`.
    func head(_ limit: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, limit, 0))
        }
    }

    /// The name and origin of a plain NMEA file, which can be read from any offset, for output
    /// formats that store them; `nil` for any other recording.
    private(set) lazy var sentenceSource: OutputSource? = {
        // A part of standard input may already have been read.
        guard size != nil, name != "-" else { return nil }
        let head = head(4096 + 64)
        guard !CompressedInput.isCompressed(head), ForeignCoding("", head: head) == nil,
            RecordedInput.isSentences(head[...])
        else { return nil }
        var source = OutputSource(opened: name, origin: .replay)
        source.origin = DataOrigin(recordingHead: head)
        return source
    }()

    /// Returns a piece of a plain NMEA file: `count` bytes, or fewer at the end of the file.
    /// Returns `nil` at the end, and for other files.
    ///
    /// The corresponding C function is `pread`.
    func piece(at position: ConversionPiece.Position, _ count: Int) -> ConversionPiece? {
        guard let size, position.offset < size, let sentenceSource else { return nil }
        let count = min(count, size - position.offset)
        posix_fadvise(descriptor, off_t(position.offset), off_t(count), POSIX_FADV_WILLNEED)
        return ConversionPiece(
            of: sentenceSource, at: position, count: count, isLast: position.offset + count == size
        ) { [descriptor] offset, buffer in
            pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
        }
    }

    /// Advances the read position of a plain file by the bytes of a piece that was converted.
    ///
    /// The corresponding C function is `lseek`.
    func skip(_ count: Int) {
        isPlain = true
        self.count += count
        lseek(descriptor, off_t(count), SEEK_CUR)
    }

    /// Returns to the start of a regular file, to read it again.
    ///
    /// The corresponding C function is `lseek`.
    func rewind() {
        lseek(descriptor, 0, SEEK_SET)
        input = CompressedInput()
        (isPlain, isFirst, count) = (false, true, 0)
    }

    /// Asks the kernel to prefetch the first megabyte of a regular file, once.
    ///
    /// The corresponding C function is `posix_fadvise`.
    fileprivate func readAhead() {
        guard !isReadAhead else { return }
        isReadAhead = true
        posix_fadvise(descriptor, 0, 1 << 20, POSIX_FADV_WILLNEED)
    }

    /// Reads the next decompressed bytes and returns their count; `nil` at the end.
    ///
    /// - Throws: `DamageError` if compressed data is damaged, `ForeignCoding` if another program
    ///   must decode the file first, and `CancellationError` on a signal.
    func read(into buffer: inout [UInt8]) throws -> Int? {
        while true {
            if isPlain {
                let count = try readBytes(into: &buffer)
                self.count += count ?? 0
                return count
            }
            while input.needsInput {
                var bytes = [UInt8](repeating: 0, count: Self.chunk)
                if let count = try readBytes(into: &bytes) {
                    self.count += count
                    if isFirst, let coding = ForeignCoding(name, head: bytes[..<count]) {
                        throw coding
                    }
                    isFirst = false
                    input.push(bytes[..<count])
                } else {
                    input.end()
                }
            }
            let count: Int
            do {
                count = try input.take(into: &buffer)
            } catch {
                let state = error.isUnsupported ? "cannot be read" : "is damaged"
                throw DamageError(description: "\(name) \(state): \(error)")
            }
            isPlain = input.isPassedThrough
            if count > 0 { return count }
            guard input.isOver else { continue }
            if input.isCutOff {
                throw DamageError(
                    description: "\(name) is cut off: the end of the compressed data is missing")
            }
            return nil
        }
    }

    private func readBytes(into buffer: inout [UInt8]) throws -> Int? {
        while true {
            try Signals.wait(for: descriptor, POLLIN)
            let count = buffer.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 { return count }
            if count == 0 { return nil }
            if errno != EINTR, errno != EAGAIN {
                throw DeviceError(of: .ioFailed, device: name, errno: errno)
            }
        }
    }
}

extension ArraySlice<Recording> {
    /// Asks the kernel to prefetch the next recordings while one is converted. Otherwise,
    /// converting many short recordings would wait for the disk each time.
    func readAhead() {
        for recording in prefix(32) { recording.readAhead() }
    }
}

/// Decodes the bytes of a recording: sentences, or another format, which is detected from the first
/// bytes.
struct RecordedInput {
    private enum State {
        case detecting(InputDetector)
        case sentences
        case reader(any InputReader)
        /// The reader of a file that has been read completely.
        case finished(any InputReader)
    }

    private var state: State
    private var zeroPositions = ZeroPositions()

    /// Creates a decoder. `name` is the file's name for errors. Waypoints and routes are only
    /// passed on if `keepsWaypoints` is `true`.
    init(name: String, keepsWaypoints: Bool = false) {
        state = .detecting(InputDetector(file: name, keepsWaypoints: keepsWaypoints))
    }

    /// A decoder without format detection, for a file that is known to contain sentences.
    static var sentences: RecordedInput {
        var input = RecordedInput(name: "")
        input.state = .sentences
        return input
    }

    /// Returns the format of a file, determined from its first bytes; `nil` for NMEA and unknown
    /// formats.
    static func formatName(of head: [UInt8]) -> String? {
        var input = RecordedInput(name: "")
        // Errors are reported when the file is read.
        try? input.push(head[...], isLast: true, sentences: { _ in }, { _ in })
        return input.formatName
    }

    /// Returns whether a file with these first bytes is NMEA or has an unknown format.
    static func isSentences(_ head: ArraySlice<UInt8>) -> Bool {
        var detector = InputDetector(file: "")
        if case .sentences = detector.push(head) { return true }
        return false
    }

    /// The content of a file that has no positions, such as waypoints; `nil` if unknown.
    var unusableContent: String? { reader?.unusableContent }

    /// A warning about the content of a file that is not NMEA; `nil` if there is none.
    var warning: String? {
        [reader?.warning, leftOut.warning, zeroPositions.warning].warning
    }

    /// The parts of a file that are left out because they cannot be read.
    var leftOut: LeftOut { reader?.leftOut ?? LeftOut() }

    /// Whether the rest of the file may contain waypoints or routes.
    var mayHavePlaces: Bool {
        switch state {
        case .detecting: true
        case .reader(let reader): reader.mayHavePlaces
        case .sentences, .finished: false
        }
    }

    /// The name of the format; `nil` for NMEA, and until the format is detected.
    var formatName: String? { reader?.formatName }

    private var reader: (any InputReader)? {
        switch state {
        case .reader(let reader), .finished(let reader): reader
        case .detecting, .sentences: nil
        }
    }

    /// Decodes bytes. Calls `sentences` with bytes of NMEA, and `receive` with the content of other
    /// formats. `isLast` marks the end of the file. `isCutOff` also does, if the rest of the file is
    /// lost, because compressed data is damaged or cut off.
    ///
    /// - Throws: `InputError` if the file is damaged. All data before the damage is passed on
    ///   first.
    mutating func push(
        _ bytes: ArraySlice<UInt8>, isLast: Bool = false, isCutOff: Bool = false,
        sentences: (ArraySlice<UInt8>) -> Void, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        switch state {
        case .detecting(var detector):
            switch detector.push(bytes, isLast: isLast || isCutOff) {
            case .undecided where !isCutOff: return state = .detecting(detector)
            case .undecided, .sentences: state = .sentences
            case .reader(let reader): state = .reader(reader)
            }
            try push(
                detector.bytes[...], isLast: isLast, isCutOff: isCutOff, sentences: sentences,
                receive)
        case .sentences: sentences(bytes)
        case .reader(var reader):
            defer { state = isLast || isCutOff ? .finished(reader) : .reader(reader) }
            var zeroPositions = self.zeroPositions
            defer { self.zeroPositions = zeroPositions }
            try reader.push(bytes) { zeroPositions.pass($0, receive) }
            if isCutOff {
                reader.finishDamaged { zeroPositions.pass($0, receive) }
            } else if isLast {
                try reader.finish { zeroPositions.pass($0, receive) }
            }
            if isCutOff || isLast { zeroPositions.finish(receive) }
        case .finished: break
        }
    }
}

/// A recording that is compressed with zstd or gzip, or that is not NMEA. It is decompressed while
/// it is read. Fixes in other formats are converted to sentences.
struct CompressedSource: DeviceSource {
    private let file: any DeviceSource
    /// The name of the format, such as GPX; `nil` for NMEA.
    let format: String?

    /// Wraps the source of a recording, if the recording must be decompressed or converted. Other
    /// sources are returned unchanged.
    ///
    /// - Throws: `ForeignCoding` if another program must decode the recording first.
    static func decompressing(_ source: any DeviceSource) throws -> any DeviceSource {
        let descriptor: CInt
        var offset: off_t = 0
        guard source.capabilities.contains(.replaySpeed) else { return source }
        if source.identity == StandardInputSource().identity {
            descriptor = dup(STDIN_FILENO)
            offset = lseek(descriptor, 0, SEEK_CUR)
        } else {
            descriptor = Glibc.open(
                FileName.native(source.name), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        }
        guard descriptor >= 0 else { return source }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: 4096)
        let count = head.withUnsafeMutableBytes {
            pread(descriptor, $0.baseAddress, $0.count, offset)
        }
        let start = head.prefix(max(0, count))
        if let coding = ForeignCoding(source.name, head: start) { throw coding }
        let format = RecordedInput.formatName(of: CompressedInput.beginning(of: start))
        if !CompressedInput.isCompressed(start), format == nil { return source }
        return CompressedSource(file: source, format: format)
    }

    var name: String { file.name }
    var origin: DataOrigin { file.origin }
    var kind: SourceKind { file.kind }
    var capabilities: SourceCapabilities { file.capabilities }
    var identity: SourceIdentity { file.identity }
    var replaySpeed: Double { file.replaySpeed }

    func open() async throws(DeviceError) -> any DeviceConnection {
        CompressedConnection(try await file.open())
    }
}

/// A connection that reads a recording as sentences.
private final class CompressedConnection: DeviceConnection {
    private static let chunk = 1 << 16

    fileprivate struct State {
        var input = CompressedInput()
        var content: RecordedInput
        var writer = SentenceWriter()
        var hasSentences = false
        /// Whether an altitude above mean sea level was computed with the model of the geoid.
        var hasModelledAltitude = false
        /// The time of the last position.
        var last: (time: UTCTime?, timeOfDay: TimeOfDay?) = (nil, nil)
        /// The error for damaged data, to throw after all data before the damage has been returned.
        var failure: InputError?
    }

    private let connection: any DeviceConnection
    private let state: Mutex<State>

    var name: String { connection.name }

    init(_ connection: any DeviceConnection) {
        self.connection = connection
        state = Mutex(State(content: RecordedInput(name: FileName.shown(connection.name))))
    }

    /// Reads the next sentences. A truncated recording ends at the truncation, which is reported.
    ///
    /// - Throws: `.ioFailed` if the file is damaged, and `.noTrack` at the end of a file in another
    ///   format that contains no position.
    func read(until deadline: MonotonicInstant?) async throws(DeviceError) -> DeviceInput {
        while true {
            if state.withLock({ $0.input.needsInput }) {
                switch try await connection.read(until: deadline) {
                case .bytes(let bytes): state.withLock { $0.input.push(bytes[...]) }
                case .silence: return .silence
                case .end: state.withLock { $0.input.end() }
                }
            }
            if let next = try next() { return next }
        }
    }

    /// Returns the next input; `nil` if more bytes must be read first.
    private func next() throws(DeviceError) -> DeviceInput? {
        let result = state.withLock { state in
            Result { () throws -> DeviceInput? in
                var room = [UInt8](repeating: 0, count: Self.chunk)
                let count = try state.input.take(into: &room)
                let isLast = count == 0 && state.input.isOver
                guard count > 0 || isLast else { return nil }
                if let failure = state.failure { throw failure }
                let sentences = state.sentences(room[..<count], isLast: isLast)
                if !sentences.isEmpty {
                    state.hasSentences = true
                    return .bytes(sentences)
                }
                if let failure = state.failure { throw failure }
                if isLast, state.input.isCutOff {
                    StandardError.printWarning(
                        "is cut off: the end of the compressed data is missing", in: name)
                }
                if isLast, state.hasModelledAltitude {
                    StandardError.print(ConversionWork.modelledAltitudes)
                }
                if isLast, let warning = state.content.warning {
                    StandardError.printWarning(warning, in: name)
                }
                if isLast, let unusableContent = state.unusableContent {
                    throw DeviceError(.noTrack, device: name, detail: .reported(unusableContent))
                }
                return isLast ? .end : nil
            }
        }
        do {
            return try result.get()
        } catch {
            if let error = error as? DeviceError { throw error }
            var defect: DeviceError.Detail?
            if let error = error as? CompressionError, error.isUnsupported {
                defect = .reported(error.description)
            }
            if let error = error as? InputError {
                if error.isOfWholeFile {
                    defect = .reported(error.reason)
                } else {
                    StandardError.print(error.description)
                }
            }
            throw DeviceError(.ioFailed, device: name, errno: EBADMSG, detail: defect)
        }
    }

    func close() {
        connection.close()
    }
}

extension CompressedConnection.State {
    /// The content of a file without positions, for the error message, such as "waypoints, but no
    /// track and no route"; `nil` if the file contains sentences or has an unknown format.
    fileprivate var unusableContent: String? {
        guard !hasSentences, let format = content.formatName else { return nil }
        return content.unusableContent ?? "no position (it is \(format))"
    }

    /// Returns the sentences in decompressed bytes, converted from other formats if necessary.
    /// Errors are stored in `failure`.
    fileprivate mutating func sentences(
        _ bytes: ArraySlice<UInt8>, isLast: Bool
    ) -> [UInt8] {
        var sentences: [UInt8] = []
        do throws(InputError) {
            try read(bytes, isLast: isLast, &sentences)
        } catch {
            failure = error
            if error.isOfWholeFile {
                writer.removeAll()
                return []
            }
        }
        sentences += writer.bytes
        writer.removeAll()
        return sentences
    }

    private mutating func read(
        _ bytes: ArraySlice<UInt8>, isLast: Bool, _ sentences: inout [UInt8]
    ) throws(InputError) {
        try content.push(bytes, isLast: isLast) {
            sentences += $0
        } _: { event in
            switch event {
            case .fix(let fix, let view):
                if fix.coordinate != nil, fix.timeOfDay != nil {
                    // FIT has whole seconds. Sentences with a repeated time would mean that the
                    // receiver's clock has stopped, so that its position is lost.
                    guard last != (fix.time, fix.timeOfDay) else { return }
                    last = (fix.time, fix.timeOfDay)
                }
                let modelled = fix.withModelledAltitude
                if modelled != nil { hasModelledAltitude = true }
                var fix = modelled ?? fix
                // Errors that the receiver has measured would otherwise be lost.
                if fix.accuracy.source == .receiver, fix.standardDeviation == StandardDeviation() {
                    fix.standardDeviation = StandardDeviation(equivalentTo: fix.accuracy)
                }
                writer.write(fix, used: view?.used ?? SatelliteIDSet())
                if let view { writer.write(view) }
            case .satellites(let view): writer.write(view)
            case .segment, .track, .waypoint, .route: break
            }
        }
    }
}

/// The error for a recording in an encoding that gpsbridge recognises but cannot decode.
private struct ForeignCoding: Error, CustomStringConvertible {
    private struct Known {
        let start: [UInt8]
        let name: String
        let command: String
    }

    private static let known = [
        Known(
            start: [0xFD, 0x37, 0x7A, 0x58, 0x5A], name: "is compressed with xz", command: "xzcat"),
        Known(start: [0x42, 0x5A, 0x68], name: "is compressed with bzip2", command: "bzcat"),
        Known(start: [0xFF, 0xFE], name: "is UTF-16", command: "iconv -f UTF-16 -t UTF-8"),
        Known(start: [0xFE, 0xFF], name: "is UTF-16", command: "iconv -f UTF-16 -t UTF-8"),
    ]

    /// The number of bytes at the start of a file that are examined.
    private static let headCount = 8

    private let file: String
    private let kind: Known

    /// Examines the first bytes of the file at path `file`. Returns `nil` unless they indicate an
    /// encoding that gpsbridge cannot decode.
    init?(_ file: String, head: some Collection<UInt8>) {
        let head = Array(head.prefix(Self.headCount))
        guard
            let kind = Self.known.first(where: { head.starts(with: $0.start) }) ?? Self.utf16(head)
        else { return nil }
        self.file = file
        self.kind = kind
    }

    /// Recognises UTF-16 without a byte order mark: every other byte of ASCII text is 0.
    private static func utf16(_ head: [UInt8]) -> Known? {
        guard head.count == headCount else { return nil }
        let zeros = head.indices.filter { head[$0] == 0 }
        guard zeros.count == head.count / 2, let first = zeros.first, first < 2,
            zeros.allSatisfy({ $0 % 2 == first })
        else { return nil }
        let name = first == 0 ? "UTF-16BE" : "UTF-16LE"
        return Known(start: [], name: "is UTF-16", command: "iconv -f \(name) -t UTF-8")
    }

    var description: String {
        let name = file == "-" ? "standard input" : file
        let quoted = file.contains(" ") ? "'\(file)'" : file
        let command = file == "-" ? kind.command : "\(kind.command) \(quoted)"
        return "\(name) \(kind.name): read it with `\(command) | gpsbridge ... -`"
    }
}
