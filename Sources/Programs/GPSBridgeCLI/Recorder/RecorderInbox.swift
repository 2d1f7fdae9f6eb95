// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import GPSReceivers
import Synchronization

/// The data that a recorder has not written yet. It is stored here, so that a slow disk does not
/// delay reading.
///
/// If too much data waits, a source that can pause is paused. For a receiver, the oldest data is
/// dropped and counted instead.
final class RecorderInbox: Sendable {
    enum Input: Sendable {
        /// An update of the receiver. Of the epochs, only those with another integrity verdict than
        /// the epoch before are updates.
        case update(ReceiverUpdate)
        /// The origin of the bytes has been determined, or has changed.
        case origin(DataOrigin)
        /// Bytes, with the time at which they were read.
        case bytes([UInt8], at: UTCTime)
        /// A fix, with the time at which it was received.
        case fix(Fix, at: UTCTime)
        /// Data was dropped before the next input.
        case overflow(Loss)
    }

    /// The amount of data that was dropped.
    struct Loss: Sendable {
        var bytes = 0
        var fixes = 0

        static func += (a: inout Loss, b: Loss) {
            a.bytes += b.bytes
            a.fixes += b.fixes
        }

        /// The amount in words, such as `12 fixes`; `nil` if nothing was dropped.
        var text: String? {
            let parts = [(fixes, "fixes"), (bytes, "bytes")].filter { $0.0 > 0 }
            return parts.isEmpty ? nil : parts.map { "\($0) \($1)" }.joined(separator: " and ")
        }
    }

    fileprivate struct Contents {
        var inputs: [Input] = []
        var byteCount = 0
    }

    /// The number of waiting bytes above which sources that can pause are paused.
    private static let pauseLimit = 1 << 18
    /// The maximum number of waiting bytes: hours of a receiver's data.
    private static let limit = 1 << 24
    /// The approximate size in bytes of a fix or a satellite view.
    fileprivate static let fixSize = 1 << 11

    /// Whether the receiver's bytes are stored. Otherwise, its fixes and satellites are stored.
    private let hasBytes: Bool
    /// The inbox's membership in the session of the receiver. Through it, the inbox pauses a source
    /// that can pause.
    let member = SessionMember()
    private let inbox: Inbox<Contents>
    private let origin = Mutex<DataOrigin?>(nil)
    /// The integrity verdict of the last epoch; `nil` before the first one.
    private let integrity = Mutex<Integrity?>(nil)

    /// Creates an inbox. Throws a `DeviceError` if no file descriptor is available.
    init(forBytes hasBytes: Bool) throws(DeviceError) {
        self.hasBytes = hasBytes
        let flow = member.flow
        inbox = try DeviceError.converted { () throws(IOError) in
            try Inbox(
                Contents(), isFull: { $0.byteCount > Self.pauseLimit }, setFull: flow.setFull)
        }
    }

    /// Appends an update.
    func append(_ update: ReceiverUpdate) {
        switch update {
        case .satellites:
            guard !hasBytes else { return }
            append(.update(update), byteCount: Self.fixSize)
        case .epoch(let epoch):
            let isNew = origin.withLock { exchange(&$0, with: epoch.origin) != epoch.origin }
            if isNew { append(.origin(epoch.origin), byteCount: 0) }
            if isNewVerdict(epoch.fix.integrity) { append(.update(update), byteCount: 0) }
            guard !hasBytes, let now = SystemClock.now else { return }
            append(.fix(epoch.fix, at: now), byteCount: Self.fixSize)
        default: append(.update(update), byteCount: 0)
        }
    }

    /// Stores an integrity verdict. Returns whether it differs from the previous one, so that it
    /// may have to be reported.
    private func isNewVerdict(_ new: Integrity?) -> Bool {
        guard let new else { return false }
        return integrity.withLock { last -> Bool in
            defer { last = new }
            return last.map { !new.isSameVerdict(as: $0) } ?? true
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

    /// Removes and returns the waiting inputs. If there are none, waits for one until the deadline
    /// or cancellation.
    func next(until deadline: MonotonicInstant?) async -> [Input] {
        await inbox.next(until: deadline).inputs
    }
}

extension RecorderInbox.Contents {
    /// If more than `limit` bytes wait, drops the oldest data until half of `limit` remains.
    fileprivate mutating func dropOldest(above limit: Int) {
        guard byteCount > limit else { return }
        var dropped = RecorderInbox.Loss()
        inputs.removeAll { input in
            switch input {
            case .bytes(let bytes, _) where byteCount > limit / 2:
                byteCount -= bytes.count
                dropped.bytes += bytes.count
                return true
            case .fix where byteCount > limit / 2:
                byteCount -= RecorderInbox.fixSize
                dropped.fixes += 1
                return true
            case .update(.satellites) where byteCount > limit / 2:
                byteCount -= RecorderInbox.fixSize
                return true
            case .overflow(let earlier):
                dropped += earlier
                return true
            case .update, .origin, .bytes, .fix: return false
            }
        }
        inputs.insert(.overflow(dropped), at: 0)
    }
}
