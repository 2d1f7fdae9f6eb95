// SPDX-License-Identifier: MIT
package import GNSS
package import GPSIO
import NMEA

/// Finds the baud rate of a line by trying one rate after the other. The caller passes the time,
/// and calls `silence(_:at:)` at `deadline`.
///
/// Receivers send in bursts. The bytes before the first pause may be the end of a burst whose
/// beginning was missed. They can look like noise even at the correct rate, so they can confirm a
/// rate but not rule it out.
package struct RateScan: Sendable {
    /// The next step for the caller.
    package enum Step: Equatable, Sendable {
        /// Keep the current baud rate.
        case stay
        /// Set the line to this baud rate.
        case change(BaudRate)
        /// The current baud rate is correct.
        case found
    }

    /// The minimum gap between bytes that counts as a pause between bursts.
    private static let pause = Duration.milliseconds(50)
    /// The initial time to wait for data at one baud rate: the usual cycle of one second, plus a
    /// margin.
    private static let silenceLimit = Duration.milliseconds(1200)
    /// The maximum time to wait for data at one baud rate. It suffices for receivers that send
    /// every ten seconds.
    private static let maximumSilenceLimit = Duration.seconds(12)

    /// The rate being tried.
    package var baudRate: BaudRate { rates[index] }
    /// Whether bytes were received at a baud rate that was then ruled out.
    private(set) var hasReceivedNoise = false
    /// The number of times that all rates have been tried.
    private(set) var round = 0

    private let rates: [BaudRate]
    private var index = 0
    private var since: MonotonicInstant
    private let start: MonotonicInstant
    /// The time of the last byte at the rate being tried.
    private var lastByte: MonotonicInstant?
    /// The time of the last byte at any rate.
    private var lastByteAtAnyRate: MonotonicInstant?
    private var hasPaused = false
    private var isRuledOut = false
    private var messages = 0
    private var textBurstCount = 0
    private var burst = Burst()
    private var hasReceivedBytes = false
    private var isDormant = false
    private var silenceLimit = Self.silenceLimit

    /// The bytes received since the last pause.
    private struct Burst {
        var count = 0
        var textCount = 0
        var mayBeBinary = false

        /// Whether the bytes look like text. If text is received at half its baud rate, 82 % of the
        /// bytes still look like text, and in a short sample all of them may.
        var looksLikeText: Bool { count >= 24 && textCount * 100 >= count * 95 }
        var isGarbage: Bool { count >= 24 && textCount * 100 < count * 60 && !mayBeBinary }
    }

    /// Starts a search at the first of the baud rates. Returns `nil` if there are none.
    package init?(_ rates: [BaudRate], at now: MonotonicInstant) {
        guard !rates.isEmpty else { return nil }
        self.rates = rates
        since = now
        start = now
    }

    /// The time at which to call `silence(_:at:)` if no bytes are received until then. After a
    /// round without a byte at any baud rate, it is `nil` until bytes are received.
    package var deadline: MonotonicInstant? {
        if isDormant { return nil }
        let last = lastByte ?? since
        guard isInPause else {
            let end = last + Self.pause
            return isRuledOut ? min(end, since + hold) : end
        }
        return isRuledOut ? since + hold : last + currentSilenceLimit
    }

    /// Processes `count` received bytes (`textCount` of them are text), and the messages found in
    /// them.
    package mutating func received(
        _ count: Int, textCount: Int, _ found: MessageDetector.Result, at now: MonotonicInstant
    ) -> Step {
        noteGap(until: now)
        hasReceivedBytes = true
        isDormant = false
        lastByte = now
        burst.count += count
        burst.textCount += textCount
        burst.mayBeBinary = burst.mayBeBinary || found.mayBeBinary
        messages += found.messages
        // A single message may be a coincidence, although this has never been observed at a wrong
        // baud rate.
        if messages >= 2 { return .found }
        guard messages == 0 else { return .stay }
        // A binary message may be long, so more bytes are read. On a line that never pauses, the
        // rate is ruled out after 400 bytes.
        let most = !hasPaused ? 400 : burst.mayBeBinary ? 1200 : 200
        if burst.count >= most || hasPaused && burst.isGarbage { return leave(at: now) }
        return .stay
    }

    /// Processes a silence on the line, and the messages that it completed. Call this when no bytes
    /// have been received until the deadline.
    package mutating func silence(
        _ found: MessageDetector.Result = MessageDetector.Result(), at now: MonotonicInstant
    ) -> Step {
        messages += found.messages
        if messages >= 2 { return .found }
        if isRuledOut, now >= since + hold { return next(at: now) }
        let last = lastByte ?? since
        if isInPause { return now >= last + currentSilenceLimit ? leave(at: now) : .stay }
        guard now >= last + Self.pause else { return .stay }
        let ended = burst
        let isFirst = !hasPaused
        hasPaused = true
        burst = Burst()
        guard !isFirst, ended.count > 0, messages == 0 else { return .stay }
        // The rest of a sentence may arrive late. Therefore, up to two bursts of text are accepted
        // without a message.
        if ended.looksLikeText, textBurstCount < 2 {
            textBurstCount += 1
            return .stay
        }
        return leave(at: now)
    }

    // MARK: Changing the rate

    private var isInPause: Bool { hasPaused && burst.count == 0 }

    /// The current time limit for silence. It is longer after a first message, because another one
    /// is likely, even if the receiver sends only one every ten seconds.
    private var currentSilenceLimit: Duration {
        messages > 0 ? max(silenceLimit * 3, Self.maximumSilenceLimit) : silenceLimit
    }

    /// The minimum time at one baud rate. It increases after all rates have been tried, so that a
    /// line without messages is not reconfigured continuously.
    private var hold: Duration {
        round == 0 ? .zero : min(.seconds(1 << min(round, 4)), .seconds(10))
    }

    private mutating func leave(at now: MonotonicInstant) -> Step {
        guard now >= since + hold else {
            isRuledOut = true
            burst = Burst()
            return .stay
        }
        return next(at: now)
    }

    private mutating func next(at now: MonotonicInstant) -> Step {
        let before = baudRate
        hasReceivedNoise = hasReceivedNoise || lastByte != nil
        index += 1
        if index == rates.count {
            index = 0
            round += 1
            // A silent round does not rule out any baud rate.
            isDormant = !hasReceivedBytes
            hasReceivedBytes = false
        }
        since = now
        lastByte = nil
        hasPaused = isDormant
        isRuledOut = false
        messages = 0
        textBurstCount = 0
        burst = Burst()
        return baudRate == before ? .stay : .change(baudRate)
    }

    /// Adapts the time limit for silence to the gaps between bursts, so that the search waits long
    /// enough for a slow receiver. The silence before the first burst is a part of such a gap.
    private mutating func noteGap(until now: MonotonicInstant) {
        defer { lastByteAtAnyRate = now }
        let gap = (lastByteAtAnyRate ?? start).duration(to: now)
        // A longer gap is not a pause of the receiver: it was unplugged, or the machine was
        // suspended.
        guard gap > silenceLimit, gap <= Self.maximumSilenceLimit else { return }
        silenceLimit = min(gap * 1.2, Self.maximumSilenceLimit)
    }
}

/// Detects NMEA sentences, UBX frames and RTCM 3 frames with a correct checksum during a baud rate
/// search.
package struct MessageDetector: Sendable {
    private var framer = Framer()

    /// The messages found in a chunk of bytes.
    package struct Result: Equatable, Sendable {
        /// The number of messages with a correct checksum that end in the bytes.
        package var messages = 0
        /// Whether the bytes contain a UBX header. If so, bytes that do not look like text may be
        /// part of a binary message.
        var mayBeBinary = false

        package init(messages: Int = 0, mayBeBinary: Bool = false) {
            (self.messages, self.mayBeBinary) = (messages, mayBeBinary)
        }
    }

    /// Processes the next bytes received at the current baud rate.
    mutating func detect(in bytes: [UInt8]) -> Result {
        var messages = 0
        framer.push(bytes.span) { messages += $0.isMessage ? 1 : 0 }
        let headers = zip(bytes, bytes.dropFirst()).contains { $0 == 0xB5 && $1 == 0x62 }
        return Result(messages: messages, mayBeBinary: headers)
    }

    /// Completes a pending message. Call it when the line has been silent.
    package mutating func silence() -> Result {
        var messages = 0
        framer.silence { messages += $0.isMessage ? 1 : 0 }
        return Result(messages: messages)
    }
}

extension FramerEvent {
    fileprivate var isMessage: Bool {
        switch self {
        case .sentence, .frame: true
        case .rejected, .junk, .tagBlock, .comment: false
        }
    }
}

/// Detects the baud rate of a serial line. Message detectors examine its bytes, and a `RateScan`
/// decides which rate to try. The caller passes the time.
package struct RateDetection: Sendable {
    package private(set) var settings: LineSettings
    /// The number of times that all baud rates have been tried without success.
    package var roundCount: Int { scan?.round ?? 0 }
    /// Whether messages have been received at the current settings, so that the search is over.
    package var hasFound: Bool { scan == nil }

    /// Whether bytes without valid messages were received earlier, at another baud rate.
    private(set) var hasReceivedNoise: Bool

    /// Whether the search stays at the current baud rate because a dialogue controls the line.
    private var isHeld = false

    private let rates: [BaudRate]
    private var scan: RateScan?
    private var detector = MessageDetector()
    /// Processes the same bytes without the eighth bit. If 7N2 data is read as 8N1, that bit is
    /// always set.
    private var sevenBitDetector = MessageDetector()
    /// Whether a message with eight data bits has been received at the current baud rate, so that
    /// the line is not 7N2.
    private var hasEightBitMessage = false

    /// Starts a search with these parameters. The line must have been opened at the first baud
    /// rate.
    package init(_ search: RateSearch, at now: MonotonicInstant) {
        rates = search.rates
        settings = LineSettings(rates.first ?? .default, search.format)
        hasReceivedNoise = search.hasReceivedNoise
        scan = RateScan(rates, at: now)
    }

    /// The time at which to call `silence(at:)` if no bytes are received until then; `nil` if no
    /// call is needed.
    package var deadline: MonotonicInstant? { scan?.deadline }

    /// Processes received bytes. Returns the bytes without parity bits, and the next step for the
    /// caller.
    package mutating func received(
        _ bytes: [UInt8], at now: MonotonicInstant
    ) -> (bytes: [UInt8], step: RateScan.Step) {
        guard scan != nil else { return (withoutParity(bytes), .stay) }
        let found = detector.detect(in: bytes)
        let sevenBits = bytes.map { $0 & 0x7F }
        let sevenBitFound = sevenBitDetector.detect(in: sevenBits)
        hasEightBitMessage = hasEightBitMessage || found.messages > 0
        // A message that only the second detector has found is not sufficient: the first one may
        // still wait for the end of an apparent frame, whose header the second one does not see.
        let mayBeSevenBit = !hasEightBitMessage && bytes.allSatisfy { $0 >= 0x80 }
        if mayBeSevenBit, sevenBitFound.messages > 0 { settings.format = .sevenN2 }
        let isSevenBit = settings.format == .sevenN2 || mayBeSevenBit
        let step = scan?.received(
            bytes.count, textCount: (isSevenBit ? sevenBits : bytes).count(where: \.isText),
            isSevenBit ? sevenBitFound : found, at: now)
        return (withoutParity(bytes), follow(step))
    }

    /// Processes a silence on the line. Call it when no bytes have been received until the
    /// deadline. Returns the next step for the caller.
    package mutating func silence(at now: MonotonicInstant) -> RateScan.Step {
        guard scan != nil else { return .stay }
        let found = detector.silence()
        hasEightBitMessage = hasEightBitMessage || found.messages > 0
        return follow(scan?.silence(found, at: now))
    }

    /// Starts a new search at the current baud rate. Does nothing during a search.
    package mutating func restartSearch(at now: MonotonicInstant) {
        guard scan == nil else { return }
        restartSearch(from: settings.baudRate, at: now)
    }

    /// Starts a new search at `first`, the rate to which the caller has set the line.
    mutating func restartSearch(
        from first: BaudRate, at now: MonotonicInstant
    ) {
        let present = settings.baudRate
        // The rate that was correct until now is tried second.
        let order = present == first ? [first] : [first, present]
        let (all, isHeld) = (order + rates.filter { !order.contains($0) }, isHeld)
        self = RateDetection(RateSearch(rates: all), at: now)
        hold(isHeld, at: now)
    }

    /// Starts (`true`) or ends (`false`) holding the current baud rate. While it is held, a search
    /// does not try other rates.
    package mutating func hold(_ isHeld: Bool, at now: MonotonicInstant) {
        self.isHeld = isHeld
        guard scan != nil else { return }
        // A scan starts at its first rate, which must be that of the line.
        let present = settings.baudRate
        let others = isHeld ? [] : rates.filter { $0 != present }
        scan = RateScan([present] + others, at: now)
    }

    private mutating func follow(_ step: RateScan.Step?) -> RateScan.Step {
        switch step {
        case .found:
            hasReceivedNoise = hasReceivedNoise || scan?.hasReceivedNoise == true
            scan = nil
        case .change(let baudRate):
            settings = LineSettings(baudRate)
            detector = MessageDetector()
            sevenBitDetector = MessageDetector()
            hasEightBitMessage = false
        case .stay, nil: break
        }
        return step ?? .stay
    }

    private func withoutParity(_ bytes: [UInt8]) -> [UInt8] {
        settings.format == .sevenN2 ? bytes.map { $0 & 0x7F } : bytes
    }
}

extension UInt8 {
    /// Whether the byte is printable ASCII or part of a line end.
    var isText: Bool { self >= 0x20 && self < 0x7F || self == 0x0D || self == 0x0A }
}

/// Reads the bytes of a connection without decoding them, and detects the baud rate of its line.
package struct RateFindingReader {
    private let connection: any DeviceConnection
    private let poller: Poller
    private var rates: RateDetection?

    /// Creates a reader for an open connection.
    package init(_ connection: any DeviceConnection, poller: Poller) {
        self.connection = connection
        self.poller = poller
        rates = connection.serialLine?.search.map { RateDetection($0, at: poller.now) }
    }

    /// The line's current settings; `nil` if its baud rate is not being detected.
    package var settings: LineSettings? { rates?.settings }

    /// Whether messages have been received at the current settings.
    package var hasFound: Bool { rates?.hasFound == true }

    /// Waits for bytes and returns them without parity bits. Returns `.silence` at the deadline,
    /// and when the baud rate changes.
    ///
    /// Throws the connection's errors.
    package mutating func read(
        until deadline: MonotonicInstant?
    ) async throws(DeviceError) -> DeviceInput {
        while true {
            let end = [rates?.deadline, deadline].compactMap(\.self).min()
            let input = try await connection.read(until: end)
            let now = poller.now
            switch input {
            case .bytes(let bytes):
                guard let result = rates?.received(bytes, at: now) else {
                    return .bytes(bytes)
                }
                try await take(result.step)
                return .bytes(result.bytes)
            case .silence:
                let step = rates?.silence(at: now) ?? .stay
                try await take(step)
                if case .change = step { return .silence }
                if let deadline, deadline <= now { return .silence }
            case .end: return .end
            }
        }
    }

    private func take(_ step: RateScan.Step) async throws(DeviceError) {
        switch step {
        case .stay: break
        case .found: if let settings { connection.serialLine?.search?.remember(settings) }
        case .change(let baudRate): try await connection.serialLine?.change(to: baudRate)
        }
    }

    /// Reads until the line's baud rate is found. The connection's next reader receives the last
    /// bytes again. Returns `false` if all baud rates have been tried without success, or at the
    /// end of the source.
    ///
    /// Throws the connection's errors.
    package mutating func findRate() async throws(DeviceError) -> Bool {
        var received: [UInt8] = []
        while !hasFound {
            guard let rates, rates.roundCount == 0 else { return false }
            // After a silent round at all baud rates, the search itself has no deadline.
            switch try await read(until: poller.now + .seconds(1)) {
            case .bytes(let bytes): received = (received + bytes).suffix(4096)
            case .silence: break
            case .end: return false
            }
        }
        if let rates { connection.serialLine?.found(rates, received) }
        return true
    }
}

/// The parameters of a search for the baud rate of an open line.
package struct RateSearch: Sendable {
    /// The baud rates to try, in order. The line has been opened at the first one.
    package var rates: [BaudRate]
    /// The character format that an earlier search found at the first baud rate.
    package var format = CharacterFormat.eightN1
    /// Bytes received before the search. The last ones were received at the first baud rate.
    package var received: [UInt8] = []
    /// Whether bytes without valid messages were received earlier, at another baud rate.
    var hasReceivedNoise = false
    /// Called with the correct settings when the search has found them.
    var remember: @Sendable (LineSettings) -> Void = { _ in }

    /// Creates a search that starts at the first of the baud rates.
    package init(rates: [BaudRate]) {
        self.rates = rates
    }
}
