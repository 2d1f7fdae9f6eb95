// SPDX-License-Identifier: MIT
import Glibc
import Synchronization

/// Writes samples to NTP's shared memory reference clock: a segment of 96 bytes that ntpd or
/// chronyd reads.
package final class SharedMemoryClock: Sendable {
    private static let key = 0x4E54_5030
    private static let size = 96

    /// The valid unit numbers.
    package static let units = 0...255

    /// The unit number of the segment. The segment's key is the key of unit 0 plus this number.
    package let unit: Int
    /// The address of the attached segment, which is detached in `deinit`.
    private let segment: UInt

    /// Attaches the segment of a unit, and creates it if necessary. Units 0 and 1 require root,
    /// unless the segment exists and other users may write to it.
    ///
    /// Throws a ``ServerError`` if the unit is not valid or the user has no access. The
    /// corresponding C functions are `shmget` and `shmat`.
    package init(unit: Int) throws(ServerError) {
        func failed(_ error: CInt) -> ServerError {
            ServerError(.useSharedMemory(unit: unit), errno: error)
        }
        guard Self.units.contains(unit) else { throw failed(EDOM) }
        let isRoots = unit < 2
        // A segment that another user creates there could not be used by root's programs.
        let creates = isRoots && geteuid() != 0 ? 0 : 0o1000 | CInt(isRoots ? 0o600 : 0o666)
        let id = shmget(key_t(Self.key + unit), Self.size, creates)
        guard id >= 0 else { throw failed(isRoots && errno == ENOENT ? EACCES : errno) }
        let address = shmat(id, nil, 0)
        guard let address, UInt(bitPattern: address) != UInt.max else { throw failed(errno) }
        self.unit = unit
        segment = UInt(bitPattern: address)
    }

    deinit {
        shmdt(UnsafeRawPointer(bitPattern: segment))
    }

    /// Writes a sample. The counter is odd during the write, so that a reader discards a partial
    /// sample.
    ///
    /// Returns whether a program has read the previous sample; `false` for the first sample.
    @discardableResult
    package func write(_ sample: ClockSample) -> Bool {
        guard let memory = UnsafeMutableRawPointer(bitPattern: segment) else { return false }
        // The flag at offset 48 (`valid`) is cleared by a reader. It is also clear before the first
        // sample, when the count is 0.
        let isRead =
            memory.load(fromByteOffset: 4, as: Int32.self) != 0
            && memory.load(fromByteOffset: 48, as: Int32.self) == 0
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
            let (seconds, nanoseconds) = ClockSample.divided(time)
            store(seconds, at: offsets.0)
            store(Int32(nanoseconds / 1000), at: offsets.1)
            store(UInt32(nanoseconds), at: offsets.2)
        }
        store(Int32(0), at: 36)  // leap
        store(Int32(sample.precision), at: 40)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        store(count &+ 2, at: 4)
        store(Int32(1), at: 48)
        return isRead
    }
}
