// SPDX-License-Identifier: MIT
import Delegation
import Devices
import GNSS
import NMEA

/// The bytes of one source into updates: decoder, pace, line monitor. Kept across unplugging.
struct ReceiverPipeline {
    /// Whether the connection that was lost had ever read a byte.
    private(set) var hasRead = false
    /// What is the matter with the device; `nil` while it is open.
    private(set) var unavailability: DeviceError?

    private let origin: DataOrigin
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
    /// Of a tty.
    private var sharedLineSigns: SharedLineSigns?
    private var sentenceCount = 0
    private var frameCount = 0

    /// The wait for the first valid sentence of a live line.
    private struct FirstSentenceWait {
        static let limit = Duration.seconds(5)
        let deadline: MonotonicInstant
        var byteCount = 0
    }

    init(source: any DeviceSource, session: ReceiverSession) {
        origin = source.origin
        self.session = session
        canPause = source.capabilities.contains(.pausing)
        if origin == .replay { pace = ReplayPace(speed: source.replaySpeed) }
    }

    // MARK: Comings and goings

    mutating func opened(_ connection: any DeviceConnection) {
        device = connection.name
        hasRead = false
        unavailability = nil
        lineMonitor = nil
        sharedLineSigns = nil
        arrivals = ArrivalTracker()
        if origin == .live {
            lineMonitor = LineMonitor(connection, poller: session.poller)
            decoder.rollover = WeekRollover(on: session.date())
            firstSentenceWait = FirstSentenceWait(
                deadline: session.poller.now + FirstSentenceWait.limit)
        }
        session.tell(.opened(device: device))
        guard origin == .live, connection.isSerialLine else { return }
        sharedLineSigns = SharedLineSigns(at: session.poller.now)
        session.lookForOtherReader(of: device)
    }

    mutating func unavailable(_ error: DeviceError) {
        guard unavailability != error else { return }
        unavailability = error
        session.tell(.unavailable(error))
    }

    /// Another session of this process has it open and passes its updates on.
    mutating func shared() {
        unavailability = nil
        hasRead = true
    }

    mutating func lost(_ error: DeviceError) {
        decode { $0.restart(to: &$1) }
        session.processed.send(())
        unavailability = error
        session.tell(.lost(error))
    }

    mutating func ended(_ error: DeviceError?) {
        decode { $0.finish(to: &$1) }
        session.processed.send(())
        session.tell(.ended(decoder.statistics, error))
    }

    // MARK: Bytes

    /// Reads until the end; throws when the device is gone or the task is cancelled.
    mutating func read(_ connection: any DeviceConnection) async throws(DeviceError) {
        while true {
            let input = try await connection.read(until: deadline())
            // Before what has been read at a rate that has just been found.
            if let news = lineMonitor?.rateUpdate() { session.tell(news) }
            switch input {
            case .bytes(let bytes):
                hasRead = true
                if origin != .replay { arrived() }
                firstSentenceWait?.byteCount += bytes.count
                session.bytes.send(bytes)
                if pace == nil, !canPause {
                    decode { $0.push(bytes.span, to: &$1) }
                    session.processed.send(())
                    if origin == .live { try await examine(bytes) }
                } else {
                    try await replay(bytes)
                    if origin == .live { try await examine(bytes) }
                }
            case .silence:
                decode { $0.silence(to: &$1) }
                session.processed.send(())
            case .end:
                return
            }
            if let wait = firstSentenceWait, wait.deadline <= session.poller.now {
                session.tell(.unheard(bytes: wait.byteCount))
                firstSentenceWait = nil
            }
        }
    }

    /// Notes when bytes have arrived, and ends the epoch where that was later than one lasts.
    private mutating func arrived() {
        let now = session.poller.now
        var isAfterSilence = true
        if let last = arrivals.lastChunk, let tolerance = decoder.silenceTolerance {
            isAfterSilence = last.duration(to: now) >= tolerance
            if isAfterSilence { decode { $0.silence(to: &$1) } }
        }
        arrivals.received(at: now, afterSilence: isAfterSilence)
    }

    /// Monitors a live line: reports one that makes no sense, and slows down a flood of noise.
    private mutating func examine(_ bytes: [UInt8]) async throws(DeviceError) {
        let hasMessages = sentenceCount > 0 || hasNewFrame()
        sentenceCount = 0
        let now = session.poller.now
        if let problem = lineMonitor?.received(bytes, hasMessages: hasMessages, at: now) {
            session.tell(.troubled(problem))
        }
        if sharedLineSigns?.isLookDue(at: now) == true { session.lookForOtherReader(of: device) }
        try await lineMonitor?.throttle(at: now)
    }

    private mutating func hasNewFrame() -> Bool {
        let statistics = decoder.statistics
        let count = statistics.ubxFrames + statistics.rtcmFrames
        defer { frameCount = count }
        return count != frameCount
    }

    /// When to go on although nothing has come: silence completes a fix by then, or the first sentence is
    /// overdue. With a cycle whose end is known, nothing is waited for but bytes.
    ///
    /// It changes nothing; one that is not `mutating` is given a copy of the pipeline.
    private mutating func deadline() -> MonotonicInstant? {
        guard origin != .replay else { return nil }
        let tolerance = decoder.awaitsSilence ? decoder.silenceTolerance : nil
        let silence = tolerance.map { session.poller.now + $0 }
        guard let wait = firstSentenceWait else { return silence }
        return min(silence ?? wait.deadline, wait.deadline)
    }

    /// Decodes what can wait line by line, each when it is due and the consumers have room.
    private mutating func replay(_ bytes: [UInt8]) async throws(DeviceError) {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            let now = session.poller.now
            if let due = pace?.due(bytes, start..<end, now: now) {
                guard await session.poller.sleep(until: due) == .timedOut else {
                    throw DeviceError(.cancelled, device: device)
                }
            }
            await session.waitForConsumers()
            guard !Task.isCancelled else { throw DeviceError(.cancelled, device: device) }
            decode { $0.push(bytes.span.extracting(start..<end), to: &$1) }
            session.processed.send(())
            start = end
        }
    }

    private mutating func decode(
        _ step: (inout NMEADecoder, inout SessionSender) -> Void
    ) {
        var listener = SessionSender(
            session: session, device: device, origin: origin, undatedFixes: undatedFixes,
            arrivals: arrivals, sharedLineSigns: sharedLineSigns)
        step(&decoder, &listener)
        undatedFixes = listener.undatedFixes
        arrivals = listener.arrivals
        sharedLineSigns = listener.sharedLineSigns
        sentenceCount += listener.sentenceCount
        if listener.sentenceCount > 0 { firstSentenceWait = nil }
        if listener.hasFix { session.send(statistics: decoder.statistics) }
    }
}
