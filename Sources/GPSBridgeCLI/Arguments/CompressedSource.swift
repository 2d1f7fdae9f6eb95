// SPDX-License-Identifier: MIT
import Compression
import Devices
import Glibc
import Synchronization

/// A recording that is compressed by zstd, decompressed as it is read.
struct CompressedSource: DeviceSource {
    private let file: any DeviceSource

    /// Returns the source itself where it is no file, or not compressed.
    ///
    /// Throws a `ForeignCoding` where it is compressed otherwise.
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
        var head = [UInt8](repeating: 0, count: ForeignCoding.headCount)
        let count = head.withUnsafeMutableBytes {
            pread(descriptor, $0.baseAddress, $0.count, offset)
        }
        if let coding = ForeignCoding(source.name, head: head.prefix(max(0, count))) {
            throw coding
        }
        guard ZstdDecompressor.isZstd(head.prefix(max(0, count))) else { return source }
        return CompressedSource(file: source)
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

    func availability() -> (any DeviceAvailability)? { nil }
}

/// A connection that decompresses a recording.
private final class CompressedConnection: DeviceConnection {
    private static let chunk = 1 << 16

    private let connection: any DeviceConnection
    private let input = Mutex(ZstdInput())

    var name: String { connection.name }

    init(_ connection: any DeviceConnection) {
        self.connection = connection
    }

    /// Throws `.ioFailed` where it is damaged; one that is cut off ends there.
    func read(until deadline: ContinuousClock.Instant?) async throws(DeviceError) -> DeviceInput {
        while true {
            if input.withLock({ $0.isHungry }) {
                switch try await connection.read(until: deadline) {
                case .bytes(let bytes): input.withLock { $0.push(bytes[...]) }
                case .silence: return .silence
                case .end: input.withLock { $0.end() }
                }
            }
            if let next = try next() { return next }
        }
    }

    /// The next input; `nil` where more has to be read.
    private func next() throws(DeviceError) -> DeviceInput? {
        let result = input.withLock { input -> Result<DeviceInput?, ZstdError> in
            Result { () throws(ZstdError) in
                var room = [UInt8](repeating: 0, count: Self.chunk)
                let count = try input.take(into: &room)
                if count > 0 { return .bytes(Array(room.prefix(count))) }
                return input.isOver ? .end : nil
            }
        }
        do {
            return try result.get()
        } catch {
            throw DeviceError(.ioFailed, device: name, errno: EBADMSG)
        }
    }

    func close() {
        connection.close()
    }
}
