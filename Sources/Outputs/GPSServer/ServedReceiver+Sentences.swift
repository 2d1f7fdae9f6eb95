// SPDX-License-Identifier: MIT
import AIS
import Delegation
import GNSS
import GPSFormats
import GPSIO
import GPSReceivers
import NMEA
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
        let wanted = hub.wantedObjects
        var objects: [Report] = []
        let (path, messages, needsTimer) = state.withLock { state -> (String, [UInt8], Bool) in
            state.counts.bytes += bytes.count
            if wanted.any, !dropsData(state) {
                let path = state.device.path
                state.raw.push(bytes, device: path, subframes: wanted.subframes) {
                    objects.append(Report($1 ? .subframe : .object, device: path, bytes: $0))
                }
            } else if state.raw.isActive {
                state.raw = RawReports()
            }
            if let message = state.pulseMessages?.push(bytes) { clocks.receive(message) }
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
        for object in objects { hub.append(object) }
        if !messages.isEmpty { hub.append(Report(.bytes, device: path, bytes: messages)) }
        if needsTimer { startMessageTimer() }
    }

    /// Returns whether raw bytes are sent now.
    private func passesBytes(_ state: State) -> Bool {
        state.wantsBytes && !dropsData(state)
    }

    /// Returns whether nothing may be sent from which a position could be computed.
    private func dropsData(_ state: State) -> Bool {
        state.receiver.integrity?.state == .alarm && pool.alarmPolicy == .drop
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

extension ServedReceiver.State {
    /// The current time; for a recording, the time of its last fix. `nil` if the time is unknown.
    fileprivate var time: UTCTime? { device.origin == .replay ? lastTime : SystemClock.now }
}

extension ServedReceiver {
    /// Reports to Signal K clients and on NMEA 2000 that the position and other values are no
    /// longer known. If the loss is expected, as when a client removes the receiver, it is not an
    /// alarm.
    func publishLoss(isExpected: Bool = false) {
        if let delta = delta({ $0.lost(time: $1) }) { hub.publish(delta) }
        publishAlarms { $0.alarmsOfLoss(isExpected: isExpected, time: $1) }
        nmea2000?.lost()
    }

    /// Sends the Signal K message about changed alarms that `make` creates, and stores the active
    /// alarms for new clients. `make` receives the message's time. It is called even if there are
    /// no clients. After a call with `isLast`, further calls have no effect.
    func publishAlarms(
        isLast: Bool = false, _ make: (inout SignalKDeltas, UTCTime?) -> [UInt8]?
    ) {
        // The lock is held until the alarms are stored, so that older ones never replace newer ones.
        state.withLock { state in
            guard !state.hasEndedAlarms else { return }
            state.hasEndedAlarms = isLast
            let time = state.time
            guard let line = make(&state.signalK, time) else { return }
            hub.setAlarms(state.signalK.activeAlarms(time: time), of: source.name)
            hub.publish(Report(.signalK, device: state.device.path, bytes: line))
        }
    }

    /// Returns the Signal K message that `make` creates; `nil` if there are no Signal K clients or
    /// nothing has changed. `make` receives the message's time.
    func delta(_ make: (inout SignalKDeltas, UTCTime?) -> [UInt8]?) -> Report? {
        guard hub.wantsSignalK else { return nil }
        return state.withLock { state in
            let time = state.time
            return make(&state.signalK, time).map {
                Report(.signalK, device: state.device.path, bytes: $0)
            }
        }
    }
}

extension ServedReceiver {
    /// The mutable state of a served receiver.
    struct State {
        var receiver: ReceiverModel
        var place: Place
        var device: ServedDevice
        var reports: GPSDReports
        var vessels: AISReports
        var signalK: SignalKDeltas
        /// The state of the live page; `nil` without a page.
        var page: PageState?
        var lastTime: UTCTime?
        var clock = ClockSampler(obstacle: nil)
        /// Whether reading the line's PPS signal is to begin, with the first valid fix.
        var hasPulses = false
        /// Finds messages about pulses; `nil` if there can be no pulses of this receiver.
        var pulseMessages: PulseMessages?
        /// Whether the receiver was removed, and its alarms have ended.
        var hasEndedAlarms = false
        /// Whether any client receives raw bytes. If not, bytes are only counted and timed.
        var wantsBytes = false
        /// Finds raw data while a client receives objects.
        var raw = RawReports()
        /// The incomplete message that clients of raw bytes have not received.
        var messages = MessageBuffer()
        /// The time at which the bytes in `messages` are sent even if the message is incomplete;
        /// `nil` if there are none, or if the source can wait.
        var messageDeadline: MonotonicInstant?
        /// Whether a task waits for `messageDeadline`.
        var hasMessageTimer = false
        var counts = ReceiverCounts()
        var firstSentence: MonotonicInstant?
        /// Whether a change that a client requested is in progress.
        var isChanging = false
        var subscriptions: [ScopedSubscription] = []
        /// The subscription of the session's sentences; `nil` while no client needs them.
        var sentences: ScopedSubscription?
        /// The sentence that `sentenceFeed` sends next, if it was generated from UBX messages;
        /// otherwise `nil`.
        var generated: [UInt8]?
        /// The subscriptions of `sentenceFeed`; empty while it has no viewers.
        var pageSubscriptions: [ScopedSubscription] = []
        var pulses: PulseLine?
        /// The task that runs the warm starts.
        var warmStarting: Task<Void, Never>?

        /// Processes an update. Returns the message for the log, whether the update is the first
        /// epoch since the device was opened, and whether `DEVICE` has changed with this epoch.
        mutating func receive(
            _ update: ReceiverUpdate, at now: MonotonicInstant
        ) -> (output: ReceiverModel.Output?, isFirstEpoch: Bool, isNewDevice: Bool) {
            let isFirst = receiver.sendsUBX == nil
            let (subtype, driver) = (device.origin.subtype, device.driver)
            let output = receiver.receive(update, at: now)
            device.update(from: receiver)
            let isNew = isFirst || device.origin.subtype != subtype || device.driver != driver
            return (output, isFirst, isNew)
        }

        /// Discards the last fix. Returns the lines that report the loss to clients.
        mutating func endFix() -> [[UInt8]] {
            (device.lastReports, lastTime) = ([:], nil)
            reports.removeAll()
            var fix = Fix()
            // libgps reads members of nested objects as members of the report, up to the first
            // list. The list of a verdict's reasons precedes the anchor and the waypoint, so libgps
            // does not read their members.
            if reports.navigation != nil { fix.integrity = Integrity() }
            reports.report(fix)
            return reports.lines
        }

        /// Stores the report lines of a fix for `POLL`. Also counts the fix and measures the cycle.
        mutating func count(_ fix: Fix, tpv: [UInt8]?, gst: [UInt8]?) {
            device.lastReports[.tpv] = tpv.map(ServedReceiver.object)
            device.lastReports[.gst] = gst.map(ServedReceiver.object)
            counts.fixes[max(fix.mode.rawValue, 1), default: 0] += 1
            if let time = fix.time, let last = lastTime {
                let period = Double(time.unixNanoseconds &- last.unixNanoseconds) / 1e9
                if 0.01...60 ~= period { device.cycle = period }
            }
            lastTime = fix.time
        }
    }

    /// The receiver's place among the server's receivers.
    struct Place {
        var index: Int
        var count: Int

        /// The index for the clock services; `nil` for the only receiver.
        var clockIndex: Int? { count == 1 ? nil : index }
    }

    /// Sets the receiver's place among the server's receivers. Logs a message if clock services
    /// begin or stop to use this receiver's time because of the new place.
    func move(to place: Place) {
        let (old, device, isUsed) = state.withLock { state in
            state.page?.move(to: place)
            return (exchange(&state.place, with: place), state.device, state.clock.isUsed)
        }
        guard clocks.usesTime(of: old.clockIndex) != clocks.usesTime(of: place.clockIndex) else {
            return
        }
        if device.activated != nil, isUsed == true { reportClock(.used, of: device.path) }
    }

    private static func object(_ line: [UInt8]) -> String {
        String(decoding: line.dropLast(2), as: UTF8.self)
    }
}

/// Divides a receiver's bytes between two messages, never within one, so that a client can receive
/// other data between two pieces.
///
/// A message is a sentence with its line end and the TAG block before it, or a binary frame that
/// `Framer` recognises. At most one message is kept. Other bytes are returned at once.
package struct MessageBuffer: Sendable {
    private var framer = Framer()
    /// The bytes that have not been returned.
    private var bytes: [UInt8] = []
    /// The number of all bytes that have been added.
    private var count = 0
    /// Whether the last complete element is a TAG block, which belongs to the next sentence.
    private var endsWithTagBlock = false

    /// Creates an empty buffer at the start of a stream.
    package init() {}

    /// Whether all bytes have been returned.
    package var isEmpty: Bool { bytes.isEmpty }

    /// Adds bytes. Removes and returns the kept bytes up to the end of the last message.
    package mutating func push(_ new: [UInt8]) -> [UInt8] {
        /// The offset of the last complete element in the stream; `nil` if it is not a sentence.
        var sentence: Int?
        var (isTagged, endsWithTagBlock) = (false, self.endsWithTagBlock)
        framer.push(new.span) { event in
            isTagged = endsWithTagBlock
            (sentence, endsWithTagBlock) = (nil, false)
            switch event {
            case .sentence(let raw): sentence = raw.offset
            case .rejected(let rejection): sentence = rejection.offset
            case .tagBlock: endsWithTagBlock = true
            case .frame, .junk, .comment: break
            }
        }
        self.endsWithTagBlock = endsWithTagBlock
        bytes += new
        count += new.count
        var kept = framer.pendingCount
        if let sentence, kept == 0, new.last == 0x0D {
            // The line feed may follow.
            kept = count - sentence
        } else {
            isTagged = endsWithTagBlock
        }
        var end = max(0, bytes.count - kept)
        if isTagged {
            // A TAG block has a backslash at its beginning and at its end.
            end = bytes[..<max(0, end - 1)].lastIndex(of: UInt8(ascii: "\\")) ?? end
        }
        defer { bytes.removeFirst(end) }
        return Array(bytes[..<end])
    }

    /// Removes and returns all kept bytes. Call it when the line has been silent: the message may
    /// never be completed.
    package mutating func silence() -> [UInt8] {
        framer.silence { _ in }
        endsWithTagBlock = false
        return exchange(&bytes, with: [])
    }
}
