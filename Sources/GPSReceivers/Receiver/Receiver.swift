// SPDX-License-Identifier: MIT
package import GNSS
package import NMEA
import UBX

/// The state of one receiver: decodes its bytes to epochs and tracks its condition. A value without
/// a clock, a task, a lock or a descriptor. It stays valid when the device is unplugged.
///
/// A driver passes inputs (`receive(_:at:date:)`), then requests the outputs one by one (`next()`),
/// so that consumers may leave or write during a call, and other receivers can run in between.
package struct Receiver: ~Copyable {
    /// An event that changes a receiver.
    package enum Input: Sendable {
        /// The device is open.
        case opened(Opening)
        /// The device cannot be opened for now.
        case unavailable(DeviceError)
        /// Bytes have been read; at least one.
        case bytes([UInt8])
        /// The time `wakeAt` has been reached.
        case woke
        /// The device is gone; the driver waits for it.
        case lost(DeviceError)
        /// The source has ended, or cannot be opened and never will be.
        case ended(DeviceError?)
        /// The line has been set as `.set` requested, or does not support the settings.
        case didSet(LineSettings)
        /// A command has changed the line's rate; bytes received before have been dropped.
        case changed(BaudRate)
        /// A dialogue, which sets the line's rate itself, starts or ends.
        case dialogue(isActive: Bool)
        /// The answer to `.findOtherReader`: the other program that reads the tty.
        case otherReader(DeviceError.Detail?)
    }

    /// A request to the driver, or an update for consumers.
    package enum Output: Sendable {
        /// Set the line; read nothing until `.didSet`.
        case set(LineSettings)
        /// Remember these settings: messages are received at them.
        case remember(LineSettings)
        /// Find out whether another program reads the tty.
        case findOtherReader
        /// Received bytes, without parity bits; sent before the outputs decoded from them.
        case bytes([UInt8])
        /// The line decoded next, from a source that can wait: the driver may delay the next call
        /// of `next()`.
        case line(ArraySlice<UInt8>)
        /// A sentence with a correct checksum, as received, without its line end; only if
        /// `passesSentences`.
        case sentence([UInt8])
        /// A sentence that begins with `!`, as AIS does; only if `passesEncapsulated`.
        case encapsulated([UInt8])
        /// Bytes that are not a sentence, with the reason.
        case rejection(Rejection)
        /// An update for consumers.
        case update(ReceiverUpdate)
    }

    /// An open device.
    package struct Opening: Sendable {
        /// The name of the device.
        package var device: String
        /// The detector of the bytes' origin, with what the source knows.
        package var origin: OriginDetector
        /// Whether it is a tty.
        package var isSerialLine = false
        /// The search for its rate; `nil` if it has none, or the rate is not searched for.
        package var search: RateSearch?

        /// Creates an opening of a device that is not a tty.
        package init(device: String, origin: OriginDetector) {
            self.device = device
            self.origin = origin
        }
    }

    /// The wait for the first valid sentence of a live line.
    private struct FirstSentenceWait {
        static let limit = Duration.seconds(5)
        let deadline: MonotonicInstant
        var byteCount = 0
    }

    /// Whether bytes have been received since the device was last opened.
    package private(set) var hasRead = false
    /// The rate at which messages are received; `nil` during the search, or if the line has none.
    package var knownBaudRate: BaudRate? {
        guard let rates, rates.hasFound else { return nil }
        return rates.settings.baudRate
    }
    /// The statistics since the receiver was created.
    package var statistics: Statistics { decoder.statistics }
    /// The current condition.
    package var condition: ReceiverCondition { outbox.condition }
    /// Whether sentences are output, which has a cost.
    package var passesSentences: Bool {
        get { outbox.passesSentences }
        set { outbox.passesSentences = newValue }
    }
    /// Whether sentences of encapsulated data are output separately.
    package var passesEncapsulated: Bool {
        get { outbox.passesEncapsulated }
        set { outbox.passesEncapsulated = newValue }
    }

    /// Whether positions and sentences are left out during an integrity alarm.
    package var dropsAlarms: Bool {
        get { outbox.dropsAlarms }
        set { outbox.dropsAlarms = newValue }
    }

    private var decoder = NMEADecoder()
    private var outbox = ReceiverOutbox()
    private var device = ""
    private let canWait: Bool
    private var (isReplay, isLive, isTTY) = (false, false, false)

    /// The bytes read last; those from `position` on are not decoded yet.
    private var chunk: [UInt8] = []
    private var position = 0
    /// The next line, once it has been output for the driver to delay.
    private var offeredLine: Range<Int>?
    /// The instant of the last input.
    private var now: MonotonicInstant

    // The state of an open line.
    private var rates: RateDetection?
    private var foundSettings: LineSettings?
    private var hasTriedOtherRates = false
    private var isSetting = false
    private var quality: LineQuality?
    private var binaryWatch: BinaryProtocolWatch?
    private var silenceWatch = SilenceWatch()
    private var firstSentence: FirstSentenceWait?
    private var frameCount = 0
    private var ubxCount = 0
    private var silenceEnd: MonotonicInstant?
    private var floodEnd: MonotonicInstant?

    /// Creates a receiver that is not open yet. `canWait`: whether its source waits for consumers,
    /// as a recording does.
    package init(canWait: Bool, at now: MonotonicInstant) {
        self.canWait = canWait
        self.now = now
    }

    /// The time to pass `.woke` if no other input comes first; `nil` if there is none. It is the
    /// end of a silence that completes an epoch, a step of the rate search, the time limit for the
    /// first sentence or the next epoch, or the end of a flood's pause.
    package var wakeAt: MonotonicInstant? {
        if let floodEnd { return floodEnd }
        guard !isReplay, condition.isOpen else { return nil }
        let deadlines = [
            silenceEnd, rates?.deadline, firstSentence?.deadline, silenceWatch.deadline,
        ]
        return deadlines.reduce(nil) { first, next in
            guard let first, let next else { return first ?? next }
            return min(first, next)
        }
    }

    /// Whether the driver may read: not while the line is being set or a flood is throttled.
    package var wantsBytes: Bool { !isSetting && floodEnd == nil }

    /// Whether bytes are waiting to be decoded.
    package var hasBytes: Bool { position < chunk.count }

    // MARK: Inputs

    /// Processes an input received at `now`, when the system's clock showed `date`. Call `next()`
    /// afterwards until it returns `nil`.
    package mutating func receive(
        _ input: consuming Input, at now: MonotonicInstant, date: UTCTime?
    ) {
        while decodeLine() {}
        self.now = now
        outbox.date = date
        switch input {
        case .opened(let opening): opened(opening)
        case .unavailable(let error): unavailable(error)
        case .bytes(let bytes): received(bytes)
        case .woke: woke()
        case .lost(let error):
            decode { $0.restart(to: &$1) }
            (rates, floodEnd, isSetting) = (nil, nil, false)
            outbox.lost(error)
        case .ended(let error):
            decode { $0.finish(to: &$1) }
            if outbox.consumeEpochFlag() { binaryWatch?.receivedMeasurements(at: now) }
            let found = binaryWatch?.found?.error(of: device, isRecording: isReplay)
            outbox.change(to: .ended(ReceiverCondition.Ending(decoder.statistics, error ?? found)))
        case .didSet(let settings):
            isSetting = false
            // A sentence begun at another rate is never completed at this one.
            decode { $0.silence(to: &$1) }
            report(trying: settings)
        case .changed(let baudRate):
            rates?.restartSearch(from: baudRate, at: now)
            decode { $0.silence(to: &$1) }
        case .dialogue(let isActive): rates?.hold(isActive, at: now)
        case .otherReader(let reader):
            guard let reader, condition.isOpen, outbox.sharing?.isReported == false else { return }
            outbox.sharing?.isReported = true
            outbox.notice(.otherReader(DeviceError(.otherReader, device: device, detail: reader)))
        }
    }

    private mutating func opened(_ opening: Opening) {
        device = opening.device
        isReplay = opening.origin.origin == .replay
        isLive = opening.origin.origin.mayBeLive
        (hasRead, floodEnd, silenceEnd, foundSettings) = (false, nil, nil, nil)
        rates = opening.search.map { RateDetection($0, at: now) }
        binaryWatch = BinaryProtocolWatch(at: now, isRecording: isReplay || canWait)
        silenceWatch = SilenceWatch()
        quality = isLive ? LineQuality(at: now) : nil
        firstSentence =
            isLive ? FirstSentenceWait(deadline: now + FirstSentenceWait.limit) : nil
        isTTY = isLive && opening.isSerialLine
        outbox.opened(
            device, opening.origin, sharing: isTTY ? OtherReaderSigns(at: now) : nil,
            arrivals: isReplay ? nil : ArrivalTracker())
        if isLive {
            decoder.rollover = opening.origin.mayCorrectDates ? WeekRollover(on: outbox.date) : nil
        }
        outbox.change(to: .open(device: device, problem: nil))
        if isTTY { outbox.add(.findOtherReader) }
        if let received = opening.search?.received, !received.isEmpty { self.received(received) }
    }

    private mutating func unavailable(_ error: DeviceError) {
        switch condition {
        // The absence has already been reported.
        case .lost(let loss) where error.isMissing || error == loss: break
        case .waiting(error): break
        default: outbox.change(to: .waiting(error))
        }
    }

    private mutating func woke() {
        if let end = floodEnd, end <= now { floodEnd = nil }
        if let end = rates?.deadline, end <= now, let step = rates?.silence(at: now) {
            follow(step)
        }
        if let end = silenceEnd, end <= now { decode { $0.silence(to: &$1) } }
        check([])
    }

    // MARK: Bytes

    private mutating func received(_ raw: consuming [UInt8]) {
        hasRead = true
        var bytes = raw
        if let heard = rates?.received(bytes, at: now) {
            bytes = heard.bytes
            follow(heard.step)
        }
        let isAfterSilence = outbox.isAfterSilence(at: now)
        if isAfterSilence == true { decode { $0.silence(to: &$1) } }
        outbox.received(bytes.count, at: now, afterSilence: isAfterSilence ?? true)
        firstSentence?.byteCount += bytes.count
        outbox.add(.bytes(bytes))
        (chunk, position) = (bytes, 0)
    }

    /// Returns the next output; `nil` if there are no more.
    package mutating func next() -> Output? {
        while true {
            if let output = outbox.next() { return output }
            if canWait, hasBytes, offeredLine == nil {
                let line = nextLine
                offeredLine = line
                return .line(chunk[line])
            }
            guard decodeLine() else { return nil }
        }
    }

    /// The next line or UBX frame that is not decoded yet.
    private var nextLine: Range<Int> {
        let rest = chunk.span.extracting(position..<chunk.count)
        if case .frame(let count) = UBXFrame.recognise(rest, at: 0) {
            return position..<position + count
        }
        var end = position + 1
        while end < chunk.count, chunk[end - 1] != 0x0A, !isFrameStart(end) { end += 1 }
        return position..<end
    }

    private func isFrameStart(_ index: Int) -> Bool {
        chunk[index] == 0xB5 && index + 1 < chunk.count && chunk[index + 1] == 0x62
    }

    /// Decodes the next line; returns `false` if there is none.
    private mutating func decodeLine() -> Bool {
        guard hasBytes else { return false }
        let (bytes, line) = (chunk, offeredLine ?? nextLine)
        if isReplay { outbox.origins.received(line: bytes[line]) }
        decoder.push(bytes.span.extracting(line), to: &outbox)
        (position, offeredLine) = (line.upperBound, nil)
        guard position == bytes.count else { return true }
        (chunk, position) = ([], 0)
        decoded()
        check(bytes)
        return true
    }

    private mutating func decode(_ step: (inout NMEADecoder, inout ReceiverOutbox) -> Void) {
        step(&decoder, &outbox)
        decoded()
    }

    private mutating func decoded() {
        let line = decoder.lineState
        outbox.tolerance = line.tolerance
        silenceEnd = line.awaitsSilence ? line.tolerance.map(now.advanced(byNanoseconds:)) : nil
        // A frame counts as a message, like a sentence.
        outbox.messageCount += line.frameCount - frameCount
        frameCount = line.frameCount
        if outbox.sentenceCount > 0 || line.ubxCount > ubxCount { firstSentence = nil }
        ubxCount = line.ubxCount
    }

    // MARK: The line

    /// Detects problems after each input: a binary protocol and, on a live line, noise or silence.
    /// Throttles a flood of noise.
    private mutating func check(_ bytes: [UInt8]) {
        if outbox.consumeEpochFlag() {
            binaryWatch?.receivedMeasurements(at: now)
            if isLive { silenceWatch.receivedEpoch(at: now) }
        } else if let found = binaryWatch?.received(bytes, at: now) {
            firstSentence = nil
            outbox.report(found.error(of: device))
        }
        guard isLive else { return }
        if !bytes.isEmpty { evaluateQuality(bytes) }
        if let seconds = silenceWatch.silence(at: now) {
            outbox.change(to: .silent(device: device, seconds: seconds))
        }
        if let wait = firstSentence, wait.deadline <= now {
            outbox.notice(.noSentences(bytes: wait.byteCount))
            firstSentence = nil
        }
    }

    private mutating func evaluateQuality(_ bytes: [UInt8]) {
        // Frames found only by the watch are messages, too: the rate is right.
        if outbox.consumeMessageCount() || binaryWatch?.found != nil {
            quality?.receivedMessages()
        } else {
            switch quality?.receivedNoise(bytes, at: now) {
            case .flooded: outbox.report(DeviceError(.flooded, device: device))
            // Expected while the rate is searched for.
            case .misunderstood where isTTY && rates?.hasFound != false:
                rates?.restartSearch(at: now)
                outbox.report(DeviceError(.notUnderstood, device: device))
            case .misunderstood, nil: break
            }
        }
        if outbox.sharing?.isCheckDue(at: now) == true { outbox.add(.findOtherReader) }
        floodEnd = quality?.throttleEnd(at: now)
    }

    /// Carries out a step of the search for the line's rate.
    private mutating func follow(_ step: RateScan.Step) {
        switch step {
        case .stay: break
        case .change(let baudRate):
            isSetting = true
            outbox.add(.set(LineSettings(baudRate)))
        case .found:
            guard let rates else { return }
            outbox.add(.remember(rates.settings))
            let isNews = hasTriedOtherRates || rates.hasReceivedNoise
            if rates.settings != foundSettings, isNews { outbox.notice(.rateFound(rates.settings)) }
            (foundSettings, hasTriedOtherRates) = (rates.settings, false)
        }
    }

    /// Reports that a rate is being tried; only in the first round.
    private mutating func report(trying settings: LineSettings) {
        guard let rates, !rates.hasFound, rates.roundCount == 0 else { return }
        hasTriedOtherRates = true
        outbox.notice(.tryingRate(settings))
    }
}
