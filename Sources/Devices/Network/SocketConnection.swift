// SPDX-License-Identifier: MIT
import Glibc

/// A socket that is read.
final class SocketConnection: DeviceConnection {
    let name: String
    private let descriptor: Descriptor
    private let isStream: Bool

    init(_ descriptor: Descriptor, name: String, isStream: Bool) {
        self.descriptor = descriptor
        self.name = name
        self.isStream = isStream
    }

    deinit { close() }

    func read(until deadline: ContinuousClock.Instant?) async throws(DeviceError) -> DeviceInput {
        while true {
            switch await descriptor.read(atMost: 65_536, until: deadline) {
            case .bytes(let bytes): return .bytes(bytes)
            case .silence: return .silence
            case .end where !isStream: continue  // an empty datagram
            case .end, .hangup:
                close()
                throw DeviceError(.disconnected, device: name)
            case .cancelled:
                close()
                throw DeviceError(.cancelled, device: name)
            case .failed(let error):
                close()
                let isGone = [ECONNRESET, ETIMEDOUT, EPIPE, EHOSTUNREACH, ENETDOWN].contains(error)
                throw DeviceError(isGone ? .disconnected : .ioFailed, device: name, errno: error)
            }
        }
    }

    func close() {
        descriptor.close()
    }
}
