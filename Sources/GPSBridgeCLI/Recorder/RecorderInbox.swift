// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import GPSReceivers
import Synchronization

/// Updates that a recorder has not written yet, so that a slow disk does not delay the reading.
///
/// A file or a pipe is read no further while much waits. Of a receiver the oldest bytes are dropped where
/// too much does, and counted.
final class RecorderInbox: Sendable {
    enum Input: Sendable {
        /// An update of the receiver.
        case update(ReceiverUpdate)
        /// Where the bytes come from has been found out, or has changed.
        case origin(DataOrigin)
        /// Bytes, and when they were read.
        case bytes([UInt8], at: UTCTime)
        /// So many bytes have been dropped here.
        case overflow(Int)
    }

    fileprivate struct Contents {
        var inputs: [Input] = []
        var byteCount = 0
    }

    /// A source that can pause does so while more waits.
    private static let pauseLimit = 1 << 18
    /// The most that waits: hours of a receiver.
    private static let limit = 1 << 24

    /// The inbox as a member of its session.
    let member = SessionMember()
    private let inbox: Inbox<Contents>
    private let origin = Mutex<DataOrigin?>(nil)

    /// Throws a `DeviceError` if the process has no descriptors left.
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
        // The recording is made of the bytes.
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
    /// Drops the oldest bytes as long as more than `limit` wait.
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
