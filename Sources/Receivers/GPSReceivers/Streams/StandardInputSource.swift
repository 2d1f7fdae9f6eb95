// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO
import Glibc

/// Standard input: a terminal, a pipe or a file. The descriptor's status flags are not changed,
/// because other processes share them.
public struct StandardInputSource: DeviceSource {
    private let descriptor: CInt
    /// The kind of node behind the descriptor; `nil` if the descriptor is closed. It is determined
    /// only once, because a disk may be slow.
    private let fileKind: Node.Kind?
    package var poller = Poller.shared

    /// The replay speed of a regular file as a factor of the recorded speed; infinity means as fast
    /// as possible.
    public let replaySpeed: Double

    /// Whether the data is known to come from a live receiver.
    public var isLive = false

    /// Creates a source that reads standard input.
    public init(speed: Double = 1) {
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
