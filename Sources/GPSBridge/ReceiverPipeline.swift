// SPDX-License-Identifier: MIT
import Devices
import FoundationEssentials
import GNSS
import NMEA

/// What a session does with the bytes of one source, across unplugging.
struct ReceiverPipeline {
    /// Whether the connection that was lost had ever read a byte.
    private(set) var hasRead = false
    /// What is the matter with the device; `nil` while it is open.
    private(set) var trouble: DeviceError?

    private let source: any DeviceSource
    /// Whether the source waits for its consumers.
    private let canPause: Bool
    private let session: ReceiverSession
    private var device = ""
    private var firstSentenceWait: FirstSentenceWait?
    private var decoder = NMEADecoder()
    private var pace: ReplayPace?
    private var undatedFixes = 0
    /// Of a live line.
    private var lineMonitor: LineMonitor?
    private var sentenceCount = 0
    private var frameCount = 0

    /// A receiver that has sent as many fixes without a date has none to send.
    private static let undatedPatience = 3

    /// The wait for the first valid sentence of a live line.
    private struct FirstSentenceWait {
        static let limit = Duration.seconds(5)
        let deadline: ContinuousClock.Instant
        var byteCount = 0
    }

    init(source: any DeviceSource, session: ReceiverSession) {
        self.source = source
        self.session = session
        canPause = source.capabilities.contains(.pausing)
        if source.origin == .replay { pace = ReplayPace(speed: source.replaySpeed) }
    }

    // MARK: Comings and goings

    mutating func opened(_ connection: any DeviceConnection) {
        device = connection.name
        hasRead = false
        trouble = nil
        lineMonitor = nil
        if source.origin == .live {
            lineMonitor = LineMonitor(connection, poller: session.poller)
            decoder.rollover = WeekRollover(on: session.date())
            firstSentenceWait = FirstSentenceWait(
                deadline: session.poller.now + FirstSentenceWait.limit)
        }
        session.tell(.opened(device: device))
    }

    mutating func unavailable(_ error: DeviceError) {
        guard trouble != error else { return }
        trouble = error
        session.tell(.unavailable(error))
    }

    /// Another session of this process has it open and passes its updates on.
    mutating func shared() {
        trouble = nil
        hasRead = true
    }

    mutating func lost(_ error: DeviceError) {
        decode { $0.restart($1) }
        trouble = error
        session.tell(.lost(error))
    }

    mutating func ended(_ error: DeviceError?) {
        decode { $0.finish($1) }
        session.tell(.ended(decoder.statistics, error))
    }

    // MARK: Bytes

    /// Reads until the end; throws when the device is gone or the task is cancelled.
    mutating func read(_ connection: any DeviceConnection) async throws(DeviceError) {
        while true {
            switch try await connection.read(until: deadline) {
            case .bytes(let bytes):
                hasRead = true
                firstSentenceWait?.byteCount += bytes.count
                session.bytes.send(bytes)
                if pace == nil, !canPause {
                    decode { $0.push(bytes.span, $1) }
                    if source.origin == .live { try await examine(bytes) }
                } else {
                    try await replay(bytes)
                    if source.origin == .live { try await examine(bytes) }
                }
            case .silence:
                decode { $0.silence($1) }
            case .end:
                return
            }
            if let news = lineMonitor?.rateUpdate() { session.tell(news) }
            if let wait = firstSentenceWait, wait.deadline <= session.poller.now {
                session.tell(.unheard(bytes: wait.byteCount))
                firstSentenceWait = nil
            }
        }
    }

    /// Monitors a live line: reports one that makes no sense, and slows down a flood of noise.
    private mutating func examine(_ bytes: [UInt8]) async throws(DeviceError) {
        let hasMessages = sentenceCount > 0 || hasNewFrame()
        sentenceCount = 0
        let now = session.poller.now
        if let trouble = lineMonitor?.received(bytes, hasMessages: hasMessages, at: now) {
            session.tell(.troubled(trouble))
        }
        try await lineMonitor?.throttle(at: now)
    }

    private mutating func hasNewFrame() -> Bool {
        let statistics = decoder.statistics
        let count = statistics.ubxFrames + statistics.rtcmFrames
        defer { frameCount = count }
        return count != frameCount
    }

    /// When to go on although nothing has come: the epoch is over by then, or the first sentence is
    /// overdue.
    private var deadline: ContinuousClock.Instant? {
        guard source.origin != .replay else { return nil }
        let silence = decoder.silenceTolerance.map { session.poller.now + $0 }
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
            decode { $0.push(bytes.span.extracting(start..<end), $1) }
            start = end
        }
    }

    private mutating func decode(
        _ step: (inout NMEADecoder, (DecoderEvent) -> Void) -> Void
    ) {
        let (source, session, device) = (self.source, self.session, self.device)
        var undated = undatedFixes
        var heard = 0
        var hasFix = false
        let wantsSentences = session.wantsSentences
        step(&decoder) { event in
            switch event {
            case .fix(let fix, let view):
                hasFix = true
                undated = fix.mode > .noFix && fix.time == nil ? undated + 1 : 0
                let isDue = undated == 0 || undated > Self.undatedPatience
                let received = session.date()
                let location =
                    isDue
                    ? Location(
                        fix, satellites: view, device: device, origin: source.origin,
                        received: received) : nil
                let heading =
                    isDue
                    ? Heading(fix, device: device, origin: source.origin, received: received) : nil
                session.tell(
                    .epoch(
                        ReceiverEpoch(
                            fix: fix, location: location, heading: heading, satellites: view)))
            case .satellites(let view):
                session.tell(.satellites(view))
            case .sentence(let raw):
                heard += 1
                if wantsSentences { session.send(sentence: raw.bytes) }
            case .rejected(let rejection):
                session.send(rejection: rejection)
            case .tagBlock:
                break
            }
        }
        undatedFixes = undated
        sentenceCount += heard
        if heard > 0 { firstSentenceWait = nil }
        if hasFix { session.send(statistics: decoder.statistics) }
    }
}
