// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import NMEA

/// The bytes of one source into updates: decoder, pace, line monitor. Kept across unplugging.
// Safety: it is used by the session's task and by the handler of that task's reads, both on the polling thread.
final class ReceiverPipeline: @unchecked Sendable {
    /// Whether the connection that was lost had ever read a byte.
    private(set) var hasRead = false
    /// What is the matter with the device; `nil` while it is open.
    private(set) var unavailability: DeviceError?

    /// Whether it is a recording, which is read at its own pace.
    private let isReplay: Bool
    /// Whether the bytes are those of a line, as they come.
    private let isLine: Bool
    private var origins: OriginDetector
    /// Whether the source waits for its consumers.
    private let canPause: Bool
    private let session: ReceiverSession
    private var device = ""
    private var firstSentenceWait: FirstSentenceWait?
    private var decoder = NMEADecoder()
    private var pace: ReplayPace?
    private var arrivals = ArrivalTracker()
    private var undatedFixes = 0
    /// Of a live line.
    private var lineMonitor: LineMonitor?
    private var binaryWatch: BinaryProtocolWatch?
    private var silenceWatch = SilenceWatch()
    /// Of a tty.
    private var sharedLineSigns: SharedLineSigns?
    private var messageCount = 0
    /// Whether an epoch was completed since the last check.
    private var hasNewEpoch = false
    private var frameCount = 0
    /// How many nanoseconds silence lasts that ends what the decoder has, and whether that is waited for.
    private var silence: (tolerance: Int64?, isAwaited: Bool) = (nil, false)
    /// When to read on: a flood of noise is read slowly.
    private var pauseEnd: MonotonicInstant?
    private var isAtEnd = false

    /// The wait for the first valid sentence of a live line.
    private struct FirstSentenceWait {
        static let limit = Duration.seconds(5)
        let deadline: MonotonicInstant
        var byteCount = 0
    }

    init(source: any DeviceSource, session: ReceiverSession) {
        origins = OriginDetector(source)
        isReplay = origins.origin == .replay
        isLine = origins.origin.mayBeLive
        self.session = session
        canPause = source.capabilities.contains(.pausing)
        if isReplay { pace = ReplayPace(speed: source.replaySpeed) }
    }

    // MARK: Comings and goings

    func opened(_ connection: any DeviceConnection) {
        device = connection.name
        hasRead = false
        isAtEnd = false
        pauseEnd = nil
        unavailability = nil
        lineMonitor = nil
        sharedLineSigns = nil
        binaryWatch = BinaryProtocolWatch(
            at: session.poller.now, isRecording: isReplay || canPause)
        silenceWatch = SilenceWatch()
        arrivals = ArrivalTracker()
        origins = OriginDetector(session.source)
        if isLine {
            lineMonitor = LineMonitor(connection, at: session.poller.now)
            decoder.rollover = origins.mayCorrectDates ? WeekRollover(on: session.date()) : nil
            firstSentenceWait = FirstSentenceWait(
                deadline: session.poller.now + FirstSentenceWait.limit)
        }
        session.tell(.opened(device: device))
        guard isLine, connection.isSerialLine else { return }
        sharedLineSigns = SharedLineSigns(at: session.poller.now)
        session.lookForOtherReader(of: device)
    }

    func unavailable(_ error: DeviceError) {
        guard unavailability != error else { return }
        unavailability = error
        session.tell(.unavailable(error))
    }

    /// Another session of this process has it open and passes its updates on.
    func shared() {
        unavailability = nil
        hasRead = true
    }

    func lost(_ error: DeviceError) {
        decode { $0.restart(to: &$1) }
        session.processed.send(())
        unavailability = error
        session.tell(.lost(error))
    }

    func ended(_ error: DeviceError?) {
        decode { $0.finish(to: &$1) }
        session.processed.send(())
        let found = binaryWatch?.found?.error(of: device, isRecording: isReplay)
        session.tell(.ended(decoder.statistics, error ?? found))
    }

    // MARK: Bytes

    /// Reads until the end; throws when the device is gone or the task is cancelled.
    func read(_ connection: any DeviceConnection) async throws(DeviceError) {
        let canWait = isReplay || canPause
        var polled = canWait ? nil : connection as? any PolledConnection
        if polled?.poller !== session.poller { polled = nil }
        while !isAtEnd {
            if let polled {
                try await polled.read(until: deadline(after: session.poller.now)) { self.take($0) }
            } else {
                let input = try await connection.read(until: deadline(after: session.poller.now))
                if canWait, case .bytes(let bytes) = input {
                    received(bytes, at: session.poller.now)
                    try await replay(bytes)
                    check(bytes, at: session.poller.now)
                } else {
                    _ = take(input).completed()
                }
            }
            guard let end = pauseEnd else { continue }
            guard await session.poller.sleep(until: end) == .timedOut else {
                throw DeviceError(.cancelled, device: device)
            }
            pauseEnd = nil
        }
    }

    /// Decodes what has come; answers until when to wait for more.
    private func take(_ input: DeviceInput) -> Poller.NextWait {
        // Before what has been read at a rate that has just been found.
        if let news = lineMonitor?.rateUpdate() { session.tell(news) }
        let now = session.poller.now
        switch input {
        case .bytes(let bytes):
            received(bytes, at: now)
            return decode(bytes, from: 0, at: now)
        case .silence:
            decode { $0.silence(to: &$1) }
            return decoded([], at: now)
        case .end:
            isAtEnd = true
            return .end
        }
    }

    /// Decodes a piece from `start` on; with other receivers, which wait for the thread, one fix at a time.
    private func decode(
        _ bytes: [UInt8], from start: Int, at now: MonotonicInstant
    ) -> Poller.NextWait {
        let stopsAtFix = session.poller.hasSeveralHandlers
        var end = start
        decode { decoder, sender in
            while end < bytes.count, !(stopsAtFix && sender.hasFix) {
                let next = stopsAtFix ? Self.lineEnd(in: bytes, from: end) : bytes.count
                decoder.push(bytes.span.extracting(end..<next), to: &sender)
                end = next
            }
        }
        guard end == bytes.count else {
            return .later { [end] in self.decode(bytes, from: end, at: now) }
        }
        return decoded(bytes, at: now)
    }

    private func decoded(_ bytes: [UInt8], at now: MonotonicInstant) -> Poller.NextWait {
        session.processed.send(())
        check(bytes, at: now)
        return pauseEnd == nil ? .again(until: deadline(after: now)) : .end
    }

    private static func lineEnd(in bytes: [UInt8], from start: Int) -> Int {
        bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
    }

    private func received(_ bytes: [UInt8], at now: MonotonicInstant) {
        hasRead = true
        if !isReplay { arrived(bytes.count, at: now) }
        firstSentenceWait?.byteCount += bytes.count
        session.bytes.send(bytes)
    }

    /// Notes when bytes have arrived, and ends the epoch where that was later than one lasts.
    private func arrived(_ count: Int, at now: MonotonicInstant) {
        var isAfterSilence = true
        if let last = arrivals.lastChunk, let tolerance = silence.tolerance {
            isAfterSilence = now >= last.advanced(byNanoseconds: tolerance)
            if isAfterSilence { decode { $0.silence(to: &$1) } }
        }
        arrivals.received(count, at: now, afterSilence: isAfterSilence)
    }

    /// Monitors what comes: reports a binary protocol, and of a live line that it makes no sense, or that nothing
    /// comes; slows down a flood of noise.
    private func check(_ bytes: [UInt8], at now: MonotonicInstant) {
        if hasNewEpoch {
            hasNewEpoch = false
            if binaryWatch?.hasReported == true || silenceWatch.isSilent { session.clearProblem() }
            binaryWatch?.receivedMeasurements(at: now)
            if isLine { silenceWatch.receivedEpoch(at: now) }
        } else if let found = binaryWatch?.received(bytes, at: now) {
            firstSentenceWait = nil
            session.tell(.troubled(found.error(of: device)))
        }
        guard isLine else { return }
        if !bytes.isEmpty {
            // Frames that only the watch knows are messages, too: the rate is right.
            let hasMessages = messageCount > 0 || binaryWatch?.found != nil
            messageCount = 0
            if let problem = lineMonitor?.received(bytes, hasMessages: hasMessages, at: now) {
                session.tell(.troubled(problem))
            }
            if sharedLineSigns?.isLookDue(at: now) == true {
                session.lookForOtherReader(of: device)
            }
            pauseEnd = lineMonitor?.throttleEnd(at: now)
        }
        if let seconds = silenceWatch.silence(at: now) { session.tell(.silent(seconds: seconds)) }
        if let wait = firstSentenceWait, wait.deadline <= now {
            session.tell(.unheard(bytes: wait.byteCount))
            firstSentenceWait = nil
        }
    }

    /// When to look although nothing has come: a silence that completes a fix is over, or the first sentence or the next
    /// epoch is overdue.
    private func deadline(after now: MonotonicInstant) -> MonotonicInstant? {
        guard !isReplay else { return nil }
        let end = silence.isAwaited ? silence.tolerance.map(now.advanced(byNanoseconds:)) : nil
        let others = [firstSentenceWait?.deadline, silenceWatch.deadline]
        return others.reduce(end) { first, other in
            guard let first, let other else { return first ?? other }
            return min(first, other)
        }
    }

    /// Decodes what can wait line by line, each when it is due and the consumers have room.
    private func replay(_ bytes: [UInt8]) async throws(DeviceError) {
        var start = 0
        while start < bytes.count {
            let end = Self.lineEnd(in: bytes, from: start)
            let now = session.poller.now
            if let due = pace?.due(bytes, start..<end, now: now) {
                guard await session.poller.sleep(until: due) == .timedOut else {
                    throw DeviceError(.cancelled, device: device)
                }
            }
            await session.waitForConsumers()
            guard !Task.isCancelled else { throw DeviceError(.cancelled, device: device) }
            if isReplay { origins.received(line: bytes[start..<end]) }
            decode { $0.push(bytes.span.extracting(start..<end), to: &$1) }
            session.processed.send(())
            start = end
        }
    }

    private func decode(
        _ step: (inout NMEADecoder, inout SessionSender) -> Void
    ) {
        var listener = SessionSender(
            session: session, device: device, origins: origins, undatedFixes: undatedFixes,
            arrivals: arrivals, sharedLineSigns: sharedLineSigns)
        step(&decoder, &listener)
        undatedFixes = listener.undatedFixes
        origins = listener.origins
        arrivals = listener.arrivals
        sharedLineSigns = listener.sharedLineSigns
        let line = decoder.lineState
        silence = (line.tolerance, line.awaitsSilence)
        // A frame is as much of a message as a sentence.
        messageCount += listener.sentenceCount + (line.frames - frameCount)
        frameCount = line.frames
        if listener.sentenceCount > 0 { firstSentenceWait = nil }
        hasNewEpoch = hasNewEpoch || listener.hasFix
        if listener.hasFix { session.send(statistics: decoder.statistics) }
    }
}
