// SPDX-License-Identifier: MIT
import Glibc
import Synchronization

/// NTP's shared memory reference clock: a segment of 96 bytes that ntpd or chronyd reads.
package final class SharedMemoryClock: Sendable {
    private static let key = 0x4E54_5030
    private static let size = 96

    /// An address that stays valid: the segment is detached in `deinit`.
    private let segment: UInt

    /// Attaches to the segment of a unit, which is created if need be. Units 0 and 1 are root's alone.
    ///
    /// Throws a ``ServerError`` where the user may not. The corresponding C function is `shmget`.
    package init(unit: Int) throws(ServerError) {
        let mode = unit < 2 ? 0o600 : 0o666
        let id = shmget(key_t(Self.key + unit), Self.size, 0o1000 | CInt(mode))
        let address = id >= 0 ? shmat(id, nil, 0) : nil
        guard id >= 0, let address, UInt(bitPattern: address) != UInt.max else {
            throw ServerError("cannot use the shared memory of NTP unit \(unit)", errno: errno)
        }
        segment = UInt(bitPattern: address)
    }

    deinit {
        shmdt(UnsafeRawPointer(bitPattern: segment))
    }

    /// Writes a sample. The counter is odd meanwhile, so that a reader takes no half of it.
    package func write(_ sample: ClockSample) {
        guard let memory = UnsafeMutableRawPointer(bitPattern: segment) else { return }
        func store<Value>(_ value: Value, at offset: Int) {
            memory.storeBytes(of: value, toByteOffset: offset, as: Value.self)
        }
        let count = memory.load(fromByteOffset: 4, as: Int32.self)
        store(Int32(0), at: 48)  // valid
        store(Int32(1), at: 0)  // mode: the counter guards the fields
        store(count &+ 1, at: 4)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        for (time, offsets) in [
            (sample.trueTime, (8, 16, 52)), (sample.systemTime, (24, 32, 56)),
        ] {
            let seconds = floorDivided(time, 1_000_000_000)
            let nanoseconds = time - seconds * 1_000_000_000
            store(seconds, at: offsets.0)
            store(Int32(nanoseconds / 1000), at: offsets.1)
            store(UInt32(nanoseconds), at: offsets.2)
        }
        store(Int32(0), at: 36)  // leap
        store(Int32(sample.precision), at: 40)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        store(count &+ 2, at: 4)
        store(Int32(1), at: 48)
    }
}
