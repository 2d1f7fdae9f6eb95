// SPDX-License-Identifier: MIT
import AIS
import GNSS
import GPSFormats
import GPSIO
import GPSReceivers
import Synchronization

extension ServedReceiver {
    /// The time without further bytes after which the beginning of a message is sent.
    private static let messagePause = Duration.milliseconds(100)

    /// Counts bytes from the receiver, and queues complete messages for clients of raw data. They
    /// are not queued during an integrity alarm if the alarm policy is to drop positions.
    func receive(bytes: [UInt8]) {
        // The bytes of a source that can wait are received long before they are due, so a pause
        // between them does not mean that a message remains incomplete.
        let deadline: MonotonicInstant? =
            canWait ? nil : session.poller.now + Self.messagePause
        let (path, messages, needsTimer) = state.withLock { state -> (String, [UInt8], Bool) in
            state.metrics.byteCount += bytes.count
            state.clock.receive(byteCount: bytes.count, baudRate: state.device.baudRate)
            guard passesBytes(state) else {
                (state.messages, state.messageDeadline) = (MessageBuffer(), nil)
                return (state.device.path, [], false)
            }
            let messages = state.messages.push(bytes)
            state.messageDeadline = state.messages.isEmpty ? nil : deadline
            let needsTimer = state.messageDeadline != nil && !state.hasMessageTimer
            state.hasMessageTimer = state.hasMessageTimer || needsTimer
            return (state.device.path, messages, needsTimer)
        }
        if !messages.isEmpty { hub.append(Report(.bytes, device: path, bytes: messages)) }
        if needsTimer { startMessageTimer() }
    }

    /// Returns whether raw bytes are sent now.
    private func passesBytes(_ state: State) -> Bool {
        state.wantsBytes && !(state.hasAlarm && pool.alarmPolicy == .drop)
    }

    /// Removes the bytes of the incomplete message and returns them as a report; `nil` if there are
    /// none, or if no raw bytes are sent.
    private func restOfMessages(_ state: inout State) -> Report? {
        let rest = state.messages.silence()
        guard !rest.isEmpty, passesBytes(state) else { return nil }
        return Report(.bytes, device: state.device.path, bytes: rest)
    }

    /// Starts the task that sends the beginning of a message after a pause. It ends when no message
    /// is incomplete.
    private func startMessageTimer() {
        Task(executorPreference: session.poller) { [weak self, poller = session.poller] in
            while let deadline = self?.sendIncompleteMessage(at: poller.now) {
                guard await poller.sleep(until: deadline) == .timedOut else { return }
            }
        }
    }

    /// Sends the beginning of a message if its deadline has passed. Otherwise returns the deadline;
    /// `nil` if no message is incomplete.
    private func sendIncompleteMessage(at now: MonotonicInstant) -> MonotonicInstant? {
        let (report, next) = state.withLock { state -> (Report?, MonotonicInstant?) in
            if let deadline = state.messageDeadline, deadline > now { return (nil, deadline) }
            let isDue = state.messageDeadline != nil
            (state.messageDeadline, state.hasMessageTimer) = (nil, false)
            return (isDue ? restOfMessages(&state) : nil, nil)
        }
        if let report { hub.publish(report) }
        return next
    }

    /// Sends the beginning of a message whose end will not be received, because the receiver is
    /// closed.
    func endMessage() {
        let report = state.withLock { state -> Report? in
            let report = restOfMessages(&state)
            (state.messages, state.messageDeadline) = (MessageBuffer(), nil)
            return report
        }
        if let report { hub.publish(report) }
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
