// SPDX-License-Identifier: MIT
import Synchronization

/// A regular file, a pipe or a terminal that is read to its end.
final class StreamConnection: DeviceConnection {
    let name: String
    private let descriptor: Descriptor
    private let chunk: Int
    private let isAtEnd = Atomic<Bool>(false)

    init(_ descriptor: Descriptor, name: String, chunk: Int = 4096) {
        self.descriptor = descriptor
        self.name = name
        self.chunk = chunk
    }

    func read(until deadline: ContinuousClock.Instant?) async throws(DeviceError) -> DeviceInput {
        if isAtEnd.load(ordering: .relaxed) { return .end }
        switch await descriptor.read(atMost: chunk, until: deadline) {
        case .bytes(let bytes): return .bytes(bytes)
        case .silence: return .silence
        case .end, .hangup:
            isAtEnd.store(true, ordering: .relaxed)
            close()
            return .end
        case .cancelled:
            close()
            throw DeviceError(.cancelled, device: name)
        case .failed(let error):
            close()
            throw DeviceError(.ioFailed, device: name, errno: error)
        }
    }

    func close() {
        descriptor.close()
    }
}
