// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import GPSReceivers
import Synchronization

/// The updates that a recorder has not written yet, so that a slow disk does not delay reading.
///
/// A file or a pipe pauses when too much waits. For a receiver, the oldest bytes are dropped and counted.
final class RecorderInbox: Sendable {
    enum Input: Sendable {
        /// An update of the receiver.
        case update(ReceiverUpdate)
        /// The origin of the bytes has been determined, or has changed.
        case origin(DataOrigin)
        /// Bytes and the time at which they were read.
        case bytes([UInt8], at: UTCTime)
        /// The number of bytes that were dropped here.
        case overflow(Int)
    }

    fileprivate struct Contents {
        var inputs: [Input] = []
        var byteCount = 0
    }

    /// The number of waiting bytes above which a source that can pause does so.
    private static let pauseLimit = 1 << 18
    /// The maximum number of waiting bytes: hours of a receiver.
    private static let limit = 1 << 24

    /// The inbox as a member of its session.
    let member = SessionMember()
    private let inbox: Inbox<Contents>
    private let origin = Mutex<DataOrigin?>(nil)

    /// Creates an inbox; throws a `DeviceError` if the process has no descriptors left.
    init() throws(DeviceError) {
        let flow = member.flow
        inbox = try DeviceError.converted { () throws(IOError) in
            try Inbox(
                Contents(), isFull: { $0.byteCount > Self.pauseLimit }, setFull: flow.setFull)
        }
    }

    /// Appends an update.
    func append(_ update: ReceiverUpdate) {
        switch update {
        // The raw bytes contain them.
        case .satellites: break
        case .epoch(let epoch):
            let isNew = origin.withLock { origin in
                defer { origin = epoch.origin }
                return origin != epoch.origin
            }
            if isNew { append(.origin(epoch.origin), byteCount: 0) }
        default: append(.update(update), byteCount: 0)
        }
    }

    /// Appends bytes that have just been read.
    func append(bytes: [UInt8]) {
        guard let now = SystemClock.now else { return }
        append(.bytes(bytes, at: now), byteCount: bytes.count)
    }

    private func append(_ input: Input, byteCount: Int) {
        inbox.change { contents in
            contents.inputs.append(input)
            contents.byteCount += byteCount
            contents.dropOldest(above: Self.limit)
        }
    }

    /// Returns the updates since the last call; waits for one until the deadline, or until cancellation.
    func next(until deadline: MonotonicInstant?) async -> [Input] {
        await inbox.next(until: deadline).inputs
    }
}

extension RecorderInbox.Contents {
    /// Drops the oldest bytes while more than `limit` wait.
    fileprivate mutating func dropOldest(above limit: Int) {
        guard byteCount > limit else { return }
        var dropped = 0
        inputs.removeAll { input in
            switch input {
            case .bytes(let bytes, _) where byteCount > limit / 2:
                byteCount -= bytes.count
                dropped += bytes.count
                return true
            case .overflow(let count):
                dropped += count
                return true
            default: return false
            }
        }
        inputs.insert(.overflow(dropped), at: 0)
    }
}
