// SPDX-License-Identifier: MIT
public import GNSS
import GPSIO
import Glibc
import Synchronization

/// A connection that reads a descriptor: a file, a pipe, a terminal, a tty or a socket.
final class DescriptorConnection: PolledConnection {
    /// How to interpret a read that returns no bytes.
    enum EndMeaning: Sendable {
        /// The source has ended, as at the end of a file.
        case end
        /// The device or the peer has disconnected, as for a tty or a TCP connection.
        case disconnected
        /// An empty datagram was received, which is ignored.
        case emptyDatagram
    }

    let name: String
    var poller: Poller { descriptor.poller }
    private let descriptor: Descriptor
    private let chunk: Int
    private let meaning: EndMeaning
    private let beforeClose: @Sendable (CInt) -> Void
    private let isAtEnd = Atomic<Bool>(false)

    /// Creates a connection that owns the descriptor.
    ///
    /// `beforeClose` is called with the open descriptor when the connection is closed, unless the
    /// device is disconnected.
    init(
        _ descriptor: Descriptor, name: String, chunk: Int = 4096, end meaning: EndMeaning = .end,
        beforeClose: @escaping @Sendable (CInt) -> Void = { _ in }
    ) {
        self.descriptor = descriptor
        self.name = name
        self.chunk = chunk
        self.meaning = meaning
        self.beforeClose = beforeClose
    }

    deinit { close() }

    func read(
        until deadline: MonotonicInstant?,
        each handle: @escaping @Sendable (DeviceInput) -> Poller.HandlerResult
    ) async throws(DeviceError) {
        while !isAtEnd.load(ordering: .relaxed) {
            let last = await descriptor.read(atMost: chunk, until: deadline) { [meaning] input in
                switch input {
                case .bytes(let bytes): handle(.bytes(bytes))
                case .silence: handle(.silence)
                case .end where meaning == .emptyDatagram: .unchanged
                default: .end
                }
            }
            switch (last, meaning) {
            case (.bytes, _), (.silence, _): return
            case (.end, .end), (.hangup, .end):
                isAtEnd.store(true, ordering: .relaxed)
                close()
            case (.end, _), (.hangup, _): throw closeDisconnected(nil)
            case (.cancelled, _): throw failed(.cancelled, nil)
            case (.failed(let error), _):
                let isGone = [ECONNRESET, ETIMEDOUT, EPIPE, EHOSTUNREACH, ENETDOWN].contains(error)
                throw isGone ? closeDisconnected(error) : failed(.ioFailed, error)
            }
        }
        _ = handle(.end)
    }

    func close() {
        descriptor.close(beforeClose: beforeClose)
    }

    /// Closes the descriptor without calling `beforeClose`, because the device is disconnected.
    /// Returns the error to throw.
    private func closeDisconnected(_ errno: CInt?) -> DeviceError {
        descriptor.close()
        return DeviceError(of: .disconnected, device: name, errno: errno)
    }

    private func failed(_ code: DeviceError.Code, _ errno: CInt?) -> DeviceError {
        close()
        return DeviceError(of: code, device: name, errno: errno)
    }
}

/// A named pipe. The source ends when the last writer closes the pipe.
package struct PipeSource: DeviceSource {
    package let path: String
    /// Whether the pipe's data is known to come from a live receiver.
    package var isLive = false
    private var poller = Poller.shared

    /// Creates a source; `open()` opens the pipe.
    package init(_ path: String) {
        self.path = path
    }

    /// The path as given.
    package var name: String { path }
    /// The origin: live if `isLive` is `true`, otherwise unknown until a position's time is
    /// compared with the clock.
    package var origin: DataOrigin { isLive ? .live : .unknown }
    /// The identity: equal for all paths and links to the same pipe, because its bytes can be read
    /// only once.
    package var identity: SourceIdentity { SourceIdentity(path: path) }

    /// Opens the pipe without waiting for a writer.
    ///
    /// Throws `.notFound`, `.permissionDenied`, `.isDirectory`, or `.notADevice` if it is not a
    /// pipe.
    package func open() async throws(DeviceError) -> any DeviceConnection {
        DescriptorConnection(
            try await Node(path).openForReading(as: .pipe, poller: poller), name: path)
    }

    /// The capabilities: reading can pause, because the pipe keeps the unread bytes.
    package var capabilities: SourceCapabilities { .pausing }
}

extension DeviceSource where Self == PipeSource {
    /// A named pipe.
    package static func pipe(_ path: String) -> PipeSource { PipeSource(path) }
}

/// Standard input: a terminal, a pipe or a file. The descriptor's status flags are not changed,
/// because other processes share them.
public struct StandardInputSource: DeviceSource {
    private let descriptor: CInt
    /// The kind of node behind the descriptor; `nil` if the descriptor is closed. It is determined
    /// only once, because a disk may be slow.
    private let fileKind: Node.Kind?
    private var poller = Poller.shared

    /// The replay speed of a regular file as a factor of the recorded speed; infinity means as fast
    /// as possible.
    public let replaySpeed: Double

    /// Whether the data is known to come from a live receiver.
    var isLive = false

    /// Creates a source that reads standard input.
    package init(speed: Double = 1) {
        self.init(descriptor: STDIN_FILENO, speed: speed)
    }

    /// Creates a source that reads another open descriptor. The source does not close it.
    package init(descriptor: CInt, speed: Double = 1) {
        self.descriptor = descriptor
        fileKind = Node.Kind(of: descriptor)
        replaySpeed = speed
    }

    /// The source's name, which is always `-`.
    public var name: String { "-" }
    /// The origin: a recording for a regular file, live if `isLive` is `true`, otherwise unknown
    /// until a position's time is compared with the clock.
    public var origin: DataOrigin {
        fileKind == .regularFile ? .replay : isLive ? .live : .unknown
    }
    /// The identity: equal for all sources of the descriptor, because its bytes can be read only
    /// once.
    public var identity: SourceIdentity { SourceIdentity("descriptor \(descriptor)") }

    /// Opens the descriptor at its current position.
    ///
    /// Throws `.ioFailed` if standard input is closed, or `.isDirectory`.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        switch fileKind {
        case nil: throw DeviceError(.ioFailed, device: name, errno: EBADF)
        case .folder: throw DeviceError(.isDirectory, device: name)
        case .regularFile:
            // Reading continues at the file position, which other processes may share.
            return FileConnection(
                Descriptor(descriptor, owned: false, poller: poller), name: name)
        case .pipe, .characterDevice:
            // Open a separate, non-blocking file description. With the shared one, read(2) would
            // block if another reader took the bytes first.
            let own = Glibc.open(
                "/proc/self/fd/\(descriptor)", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
            if own >= 0 { return DescriptorConnection(Descriptor(own, poller: poller), name: name) }
            return DescriptorConnection(
                Descriptor(descriptor, owned: false, poller: poller), name: name)
        case .socket, .other:
            let shared = Descriptor(
                descriptor, owned: false, isSharedSocket: fileKind == .socket, poller: poller)
            return DescriptorConnection(shared, name: name)
        }
    }

    /// The capabilities: a serial line for a terminal; otherwise reading can be paused. For a
    /// regular file, the replay speed can also be set.
    public var capabilities: SourceCapabilities {
        if isatty(descriptor) == 1 { return .serialLine }
        return fileKind == .regularFile ? [.replaySpeed, .pausing] : .pausing
    }
}

extension DeviceSource where Self == StandardInputSource {
    /// Standard input.
    public static var standardInput: StandardInputSource { StandardInputSource() }
}
