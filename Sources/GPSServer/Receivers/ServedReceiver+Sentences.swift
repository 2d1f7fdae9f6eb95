// SPDX-License-Identifier: MIT
import AIS
import GNSS
import GPSFormats
import GPSIO
import GPSReceivers
import Synchronization

extension ServedReceiver {
    /// Counts bytes from the receiver, and queues them for clients of raw data. They are not queued
    /// during an integrity alarm if the alarm policy is to drop positions.
    func receive(bytes: [UInt8]) {
        let dropsAlarms = pool.alarmPolicy == .drop
        let (path, isWanted) = state.withLock { state in
            state.metrics.byteCount += bytes.count
            state.clock.receive(byteCount: bytes.count, baudRate: state.device.baudRate)
            return (state.device.path, state.wantsBytes && !(dropsAlarms && state.hasAlarm))
        }
        if isWanted { hub.append(Report(.bytes, device: path, bytes: bytes)) }
    }

    /// Queues a sentence, and the Signal K message created from it, for clients.
    func receive(sentence: [UInt8]) {
        let isProprietary = sentence.count < 7 || sentence[1] == UInt8(ascii: "P")
        let formatter = isProprietary ? "" : String(decoding: sentence[3..<6], as: UTF8.self)
        let line = sentence + [0x0D, 0x0A]
        hub.append(Report(.sentence(formatter: formatter), device: path, bytes: line))
        let now = session.poller.now
        guard isOriginKnown(at: now) else { return }
        let delta = delta { $0.delta(ofSentence: sentence, time: $1, now: now) }
        if let delta { hub.append(delta) }
    }

    /// Returns whether Signal K messages may be sent. Their `$source` states whether the data is
    /// simulated, which is known from the first epoch on. A line with only instruments has no
    /// epochs, so its values are held back for ten seconds from its first sentence on.
    private func isOriginKnown(at now: MonotonicInstant) -> Bool {
        state.withLock { state in
            guard state.device.origin == .unknown, state.device.driver == nil else { return true }
            guard let first = state.firstSentence else {
                state.firstSentence = now
                return false
            }
            return now - first > .seconds(10)
        }
    }

    /// Queues the AIS objects decoded from an encapsulated sentence (`!AIVDM`) for clients.
    func receive(vessel sentence: [UInt8]) {
        let options = hub.vesselOptions
        let isAIS = ["VDM", "VDO"].contains { sentence.dropFirst(3).starts(with: $0.utf8) }
        // The baud rate is detected later than the first message. An epoch also reports it.
        let rate = isAIS && device.baudRate == nil ? session.line?.knownBaudRate : nil
        let (path, notice, objects) = state.withLock { state in
            let isFirst = isAIS && !exchange(&state.device.hasVessels, with: true)
            if let rate { state.device.baudRate = rate.rawValue }
            let isNew = isFirst || rate != nil
            return (
                state.device.path, isNew ? Self.notice(state.device) : nil,
                state.vessels.objects(of: sentence, options)
            )
        }
        if let notice { hub.append(notice) }
        for (options, object) in objects {
            let line = Array(object.utf8) + [0x0D, 0x0A]
            hub.append(Report(.vessel(options), device: path, bytes: line))
        }
    }
}
