// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO
import Glibc

/// Standard input: a terminal, a pipe or a file. Its flags, which other processes share, are not
/// changed.
public struct StandardInputSource: DeviceSource {
    private let descriptor: CInt
    /// The kind of file; `nil` if it is closed. Determined once, since a disk may be slow.
    private let fileKind: Node.Kind?
    package var poller = Poller.shared

    /// The replay speed of a regular file as a factor; infinity means as fast as possible.
    public let replaySpeed: Double

    /// Whether a receiver is known to write to the pipe.
    public var isLive = false

    /// Creates a source that reads standard input.
    public init(speed: Double = 1) {
        self.init(descriptor: STDIN_FILENO, speed: speed)
    }

    /// Creates a source that reads another open descriptor, without closing it.
    package init(descriptor: CInt, speed: Double = 1) {
        self.descriptor = descriptor
        fileKind = Node.Kind(of: descriptor)
        replaySpeed = speed
    }

    /// `-`.
    public var name: String { "-" }
    /// A recording for a regular file; live if `isLive`; else unknown until a position's time is
    /// compared with the clock.
    public var origin: DataOrigin {
        fileKind == .regularFile ? .replay : isLive ? .live : .unknown
    }
    /// Equal for all sources of the descriptor: the bytes can be read only once.
    public var identity: SourceIdentity { SourceIdentity("descriptor \(descriptor)") }

    /// Starts at the current position.
    ///
    /// Throws `.ioFailed` if standard input is closed, and `.isDirectory`.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        switch fileKind {
        case nil: throw DeviceError(.ioFailed, device: name, errno: EBADF)
        case .folder: throw DeviceError(.isDirectory, device: name)
        case .regularFile:
            // Continues at the shared file position.
            return FileConnection(
                Descriptor(descriptor, owned: false, poller: poller), name: name)
        case .pipe, .characterDevice:
            // Open a separate file description that may be non-blocking: with the shared one,
            // read(2) would block if another reader takes the bytes first.
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

    /// A terminal is a serial line; anything else can pause.
    public var capabilities: SourceCapabilities {
        if isatty(descriptor) == 1 { return .serialLine }
        return fileKind == .regularFile ? [.replaySpeed, .pausing] : .pausing
    }

    /// `nil`: standard input cannot be reopened after its end.
    public func availability() -> (any DeviceAvailability)? { nil }
}

extension DeviceSource where Self == StandardInputSource {
    /// Standard input.
    public static var standardInput: StandardInputSource { StandardInputSource() }
}
