// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO
import Glibc

/// Standard input: a terminal, a pipe or a file. Its flags, which others share, are left alone.
public struct StandardInputSource: DeviceSource {
    private let descriptor: CInt
    /// `nil` where it is closed. Found once: a file's disk may be slow.
    private let fileKind: Node.Kind?
    package var poller = Poller.shared

    /// How many times faster than recorded a regular file is read; infinite is as fast as it can be.
    public let replaySpeed: Double

    /// Whether it is known that a receiver writes into the pipe.
    public var isLive = false

    /// Names standard input.
    public init(speed: Double = 1) {
        self.init(descriptor: STDIN_FILENO, speed: speed)
    }

    /// Reads any other open descriptor in the same way, without closing it.
    package init(descriptor: CInt, speed: Double = 1) {
        self.descriptor = descriptor
        fileKind = Node.Kind(of: descriptor)
        replaySpeed = speed
    }

    /// `-`.
    public var name: String { "-" }
    /// A recording if it is a regular file; else unknown until there is a position, whose time is compared with
    /// the clock; live if that is known.
    public var origin: DataOrigin {
        fileKind == .regularFile ? .replay : isLive ? .live : .unknown
    }
    /// The same for all of these: the bytes can be read only once.
    public var identity: SourceIdentity { SourceIdentity("descriptor \(descriptor)") }

    /// Starts reading at the present position.
    ///
    /// Throws `.ioFailed` where standard input is closed, and `.isDirectory`.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        switch fileKind {
        case nil: throw DeviceError(.ioFailed, device: name, errno: EBADF)
        case .folder: throw DeviceError(.isDirectory, device: name)
        case .regularFile:
            // Continues at the shared position.
            return FileConnection(
                Descriptor(descriptor, owned: false, poller: poller), name: name)
        case .pipe, .characterDevice:
            // A description of our own, which may be non-blocking: with the shared one, another
            // reader that was faster would make us wait inside read(2).
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

    /// What is typed on a terminal has a rate; everything else waits until it is read.
    public var capabilities: SourceCapabilities {
        if isatty(descriptor) == 1 { return .serialLine }
        return fileKind == .regularFile ? [.replaySpeed, .pausing] : .pausing
    }

    /// `nil`: its end is the end.
    public func availability() -> (any DeviceAvailability)? { nil }
}

extension DeviceSource where Self == StandardInputSource {
    /// Standard input.
    public static var standardInput: StandardInputSource { StandardInputSource() }
}
