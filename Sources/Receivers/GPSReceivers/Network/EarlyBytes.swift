// SPDX-License-Identifier: MIT
import Synchronization

/// The bytes that a connection received while it was being opened. The first read returns them.
struct EarlyBytes: ~Copyable, Sendable {
    private let bytes: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) {
        self.bytes = Mutex(bytes)
    }

    /// Removes and returns the bytes; `nil` if there are none.
    func take() -> DeviceInput? {
        let taken = bytes.withLock { exchange(&$0, with: []) }
        return taken.isEmpty ? nil : .bytes(taken)
    }
}
