// SPDX-License-Identifier: MIT
import GNSS
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
        return DeviceError(.disconnected, device: name, errno: errno)
    }

    private func failed(_ code: DeviceError.Code, _ errno: CInt?) -> DeviceError {
        close()
        return DeviceError(code, device: name, errno: errno)
    }
}
