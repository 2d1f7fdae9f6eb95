// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSReceivers
import Glibc
import NMEA
import Synchronization

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
            if let error = error as? InputError { StandardError.print(error.description) }
            throw DeviceError(.ioFailed, device: name, errno: EBADMSG)
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
            case .segment, .waypoint, .route: break
            }
        }
    }
}
