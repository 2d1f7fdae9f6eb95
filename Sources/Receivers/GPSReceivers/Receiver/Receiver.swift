// SPDX-License-Identifier: MIT
public import GNSS
import GPSIntegrity
package import NMEA
import UBX

/// The state of one receiver. It decodes bytes to epochs and tracks the receiver's condition. It is
/// a value without a clock, a task, a lock or a descriptor. It is kept while the device is
/// unplugged.
///
/// A driver passes inputs to `receive(_:at:date:)`, then takes the outputs one by one from
/// `next()`. Therefore, while consumers receive an output, they may unsubscribe or write to the
/// line, and other receivers can be processed between two outputs.
package struct Receiver: ~Copyable {
    /// An event that the driver passes to a receiver.
    package enum Input: Sendable {
        /// The device has been opened.
        case opened(Opening)
        /// The device cannot be opened now.
        case unavailable(DeviceError)
        /// At least one byte has been read.
        case bytes([UInt8])
        /// A server has reported an epoch.
        case reported(ReportedEpoch)
        /// The time `wakeAt` has been reached.
        case woke
        /// The device was disconnected. The driver waits for its return.
        case lost(DeviceError)
        /// The source has ended, or can never be opened. The error is `nil` at the regular end.
        case ended(DeviceError?)
        /// The settings of `.set` have been applied, or the line does not support them.
        case didSet(LineSettings)
        /// A command has changed the line's baud rate. Bytes received earlier have been dropped.
        case changed(BaudRate)
        /// A configuration dialogue starts or ends. It sets the baud rate itself.
        case dialogue(isActive: Bool)
        /// A dialogue may have changed the receiver's settings or reset it.
        case reconfigured
        /// The server states that the bytes after this input are a replay.
        case replay
        /// The server states that the bytes after this input are not a replay.
        case replayEnded
        /// The result of `.findOtherReader`: the other program that reads the tty, or `nil` if
        /// there is none.
        case otherReader(DeviceError.Detail?)
    }

    /// A request to the driver, or an update for consumers.
    package enum Output: Sendable {
        /// Apply these line settings. Do not read before `.didSet` has been passed.
        case set(LineSettings)
        /// Store these settings for the next opening, because messages are received with them.
        case remember(LineSettings)
        /// Find out whether another program reads the tty.
        case findOtherReader
        /// Received bytes, without parity bits. They are sent before the outputs that are decoded
        /// from them.
        case bytes([UInt8])
        /// `nil`: the next bytes may begin in the middle of a cycle. Afterwards, when it is known,
        /// the number of bytes since then after which the first whole cycle begins.
        case beginning(Int?)
        /// The line that the next call of `next()` will decode; only for a source that can wait,
        /// such as a recording. The driver may delay that call.
        case line(ArraySlice<UInt8>)
        /// A sentence with a correct checksum, as received, without its line end. Sent only if
        /// `passesSentences` is `true`.
        case sentence([UInt8])
        /// A sentence that was generated from the receiver's UBX messages, without a line end.
        case generated([UInt8])
        /// A sentence that begins with `!`, such as AIS. Sent only if `passesEncapsulated` is `true`.
        case encapsulated([UInt8])
        /// Rejected bytes, which are not a valid sentence, with the reason.
        case rejection(Rejection)
        /// An update for consumers.
        case update(ReceiverUpdate)
    }

    /// Whether a valid message has been received since the device was last opened.
    var hasMessages: Bool { outputs.hasMessages }
    /// The baud rate at which messages are received; `nil` during the search or if the line has no
    /// baud rate.
    package var knownBaudRate: BaudRate? {
        guard let rates, rates.hasFound else { return nil }
        return rates.settings.baudRate
    }
    /// The name of the device that was last opened; empty before the first opening.
    var device: String { outputs.device }
    /// The statistics since the receiver was created.
    package var statistics: Statistics { decoder.statistics }
    private var condition: ReceiverCondition { outputs.condition }
    /// Whether sentences are output as `.sentence`. `false` saves time if they are not needed.
    package var passesSentences: Bool {
        get { outputs.passesSentences }
        set { outputs.passesSentences = newValue }
    }
    /// Whether encapsulation sentences (`!…`), such as AIS, are also output as `.encapsulated`.
    package var passesEncapsulated: Bool {
        get { outputs.passesEncapsulated }
        set { outputs.passesEncapsulated = newValue }
    }

    /// Verifies Galileo's signatures; `nil` if that is not requested.
    package var authentication: ReceiverAuthentication? {
        get { outputs.authentication }
        set { outputs.authentication = newValue }
    }

    /// Whether positions and sentences are removed during an integrity alarm.
    package var dropsAlarms: Bool {
        get { outputs.dropsAlarms }
        set { outputs.dropsAlarms = newValue }
    }

    /// The state of the corrections that are sent to the receiver; `nil` if none are.
    package var corrections: CorrectionStatus? {
        get { outputs.corrections.status }
        set { outputs.corrections.status = newValue }
    }

    /// The integrity of the live receiver, which can continue in another `Receiver`.
    var integrity: IntegrityMonitor {
        get { outputs.receiverIntegrity }
        set { outputs.receiverIntegrity = newValue }
    }

    private var decoder = NMEADecoder()
    private var outputs = ReceiverOutputs()
    /// Whether reading can wait for the consumers without losing data, as for a recording or a
    /// pipe.
    let canWait: Bool
    private var isReplay: Bool { outputs.isRecording }
    /// Whether the device is live. Only then, the quality of its line is examined.
    private var isLive: Bool { quality != nil }
    /// Whether bytes arrive without delay, so that their arrival time shows an epoch's date.
    private var arrivesInTime: Bool { isLive && !canWait && !outputs.isStatedReplay }

    /// The bytes of the last input. Those from `position` on have not been decoded yet.
    private var chunk: [UInt8] = []
    private var position = 0
    /// The range of the line that was last output as `.line` and is decoded next.
    private var offeredLine: Range<Int>?
    private var lines = LineFinder()
    /// The time of the last input.
    private var now: MonotonicInstant

    // The state of an open line.
    private var rates: RateDetection?
    private var foundSettings: LineSettings?
    private var hasTriedOtherRates = false
    private var isSetting = false
    private var quality: LineQuality?
    private var binaryWatch: BinaryProtocolWatch?
    private var silenceWatch: SilenceWatch?
    private var firstSentence: FirstSentenceWait?
    private var frameCount = 0
    private var ubxCount = 0
    private var silenceEnd: MonotonicInstant?
    /// Whether a silence has ended since the last bytes.
    private var wasSilent = false
    private var floodEnd: MonotonicInstant?

    /// Creates a receiver that has not been opened yet.
    package init(canWait: Bool, at now: MonotonicInstant) {
        self.canWait = canWait
        self.now = now
    }

    /// The time at which to pass `.woke` if no other input is passed before; `nil` to wait without
    /// a limit. While reading is paused after a flood, it is the end of the pause. Otherwise, it is
    /// the earliest of these times: the end of a silence that completes an epoch, a step of the
    /// baud rate search, and the time limits for the first sentence and for the next epoch.
    package var wakeAt: MonotonicInstant? {
        if let floodEnd { return floodEnd }
        guard !isReplay, condition.isOpen else { return nil }
        let deadlines = [
            silenceEnd, rates?.deadline, firstSentence?.deadline, silenceWatch?.deadline,
        ]
        return deadlines.reduce(nil) { first, next in
            guard let first, let next else { return first ?? next }
            return min(first, next)
        }
    }

    /// Whether the driver may read: not before new line settings have been applied, and not while
    /// reading is paused after a flood.
    package var wantsBytes: Bool { !isSetting && floodEnd == nil }

    /// Whether some bytes have not been decoded yet.
    var hasBytes: Bool { position < chunk.count }

    /// Begins to measure a pending silence again. Call it when the driver begins to wait for bytes,
    /// after it has waited for the consumers.
    package mutating func restartSilence(at now: MonotonicInstant) {
        if silenceEnd != nil { silenceEnd = outputs.tolerance.map(now.advanced(byNanoseconds:)) }
    }

    // MARK: Inputs

    /// Processes an input. `now` is the time when it was received and `date` the system's date.
    /// Afterwards, call `next()` until it returns `nil`.
    package mutating func receive(
        _ input: consuming Input, at now: MonotonicInstant, date: UTCTime?
    ) {
        while decodeLine() {}
        self.now = now
        (outputs.date, outputs.now) = (date, now)
        switch input {
        case .opened(let opening): opened(opening)
        case .unavailable(let error): unavailable(error)
        case .bytes(let bytes): received(bytes)
        case .reported(let epoch): received(epoch)
        case .woke: woke()
        case .lost(let error):
            decode { $0.restart(to: &$1) }
            (rates, floodEnd, isSetting) = (nil, nil, false)
            outputs.lost(error)
        case .ended(let error):
            decode { $0.finish(to: &$1) }
            if outputs.consumeEpochFlag() { binaryWatch?.receivedMeasurements(at: now) }
            let found = binaryWatch?.found?.error(of: device, isRecording: isReplay)
            outputs.ended(ReceiverCondition.Ending(decoder.statistics, error ?? found))
        case .didSet(let settings):
            isSetting = false
            // A cycle that began at another baud rate cannot be completed at this one.
            join()
            report(trying: settings)
        case .changed(let baudRate):
            rates?.restartSearch(from: baudRate, at: now)
            join()
        case .dialogue(let isActive): rates?.hold(isActive, at: now)
        case .reconfigured:
            decoder.forgetCycle()
            outputs.reconfigured()
        case .replay:
            restart()
            outputs.stateReplay()
            decoder.rollover = nil
        case .replayEnded:
            restart()
            outputs.replayEnded()
            beginCorrectingDates()
        case .otherReader(let reader): outputs.found(otherReader: reader)
        }
    }

    private mutating func opened(_ opening: Opening) {
        // A server's bytes arrive in real time even if it replays a recording.
        let isLive = !opening.origin.isFixed
        let isReplay = !isLive && opening.origin.origin == .replay
        decoder.skipsComments = isReplay || canWait
        (floodEnd, silenceEnd, foundSettings) = (nil, nil, nil)
        rates = opening.search.map { RateDetection($0, at: now) }
        binaryWatch = BinaryProtocolWatch(at: now, isRecording: isReplay || canWait)
        // A simulated receiver that does not wait for its readers sends like a live one.
        silenceWatch = isLive || !isReplay && !canWait ? SilenceWatch(at: now) : nil
        quality = isLive ? LineQuality(at: now) : nil
        firstSentence =
            isLive ? FirstSentenceWait(deadline: now + FirstSentenceWait.limit) : nil
        let isTTY = isLive && opening.isSerialLine
        outputs.opened(
            opening.device, opening.origin, sharing: isTTY ? OtherReaderSigns(at: now) : nil,
            arrivals: isReplay ? nil : ArrivalTracker())
        beginCorrectingDates()
        if isLive, !canWait { join() }
        outputs.change(to: .open(device: device, problem: nil))
        if isTTY { outputs.add(.findOtherReader) }
        if let received = opening.search?.received, !received.isEmpty { self.received(received) }
    }

    /// Drops the current epoch. The next bytes may begin in the middle of a cycle.
    private mutating func join() {
        outputs.beginSilence(at: now)
        decode { $0.join(to: &$1) }
        outputs.add(.beginning(nil))
    }

    /// Resets what was learned about the cycle, because the bytes of another receiver follow.
    private mutating func restart() {
        if decoder.isInPartOfCycle { outputs.add(.beginning(0)) }
        decode { $0.restart(to: &$1) }
    }

    /// Corrects the dates of the following epochs, if a live source sends them.
    private mutating func beginCorrectingDates() {
        decoder.rollover = outputs.origins.mayCorrectDates ? WeekRollover(on: outputs.date) : nil
    }

    private mutating func unavailable(_ error: DeviceError) {
        switch condition {
        // `.lost` has already reported this.
        case .lost(let loss) where error.isMissing || error == loss: break
        case .waiting(error): break
        default: outputs.change(to: .waiting(error))
        }
    }

    private mutating func woke() {
        if let end = floodEnd, end <= now {
            floodEnd = nil
            // Bytes may have been lost while none were read.
            join()
        }
        if let end = rates?.deadline, end <= now, let step = rates?.silence(at: now) {
            follow(step)
        }
        if let end = silenceEnd, end <= now {
            wasSilent = true
            decode { $0.silence(to: &$1) }
            // The next burst is of another cycle, although the epoch has not been output.
            if decoder.isInPartOfCycle { outputs.beginSilence(at: now) }
        }
        check([])
    }

    // MARK: Bytes

    private mutating func received(_ raw: consuming [UInt8]) {
        var bytes = raw
        if let result = rates?.received(bytes, at: now) {
            bytes = result.bytes
            follow(result.step)
        }
        // The bytes of a source that can wait may have waited for the consumers, and other bytes for
        // a busy processor: only `woke` shows the silence that they wait for.
        let isLate =
            exchange(&wasSilent, with: false) ? false : silenceEnd.map { $0 <= now } ?? false
        let isAfterSilence: Bool? =
            if canWait {
                outputs.tolerance == nil
            } else if isLate {
                false
            } else {
                outputs.isAfterSilence(at: now)
            }
        if isAfterSilence == true, !canWait { decode { $0.silence(to: &$1) } }
        outputs.received(bytes.count, at: now, afterSilence: isAfterSilence ?? true)
        firstSentence?.byteCount += bytes.count
        decoder.arrival = arrivesInTime ? now : nil
        outputs.add(.bytes(bytes))
        (chunk, position) = (bytes, 0)
        lines.reset()
    }

    /// Passes on an epoch as it was reported, and its sentences without decoding them.
    private mutating func received(_ epoch: ReportedEpoch) {
        outputs.add(.bytes(epoch.sentences))
        SentencesOfUBX.pass(epoch.sentences) { outputs.didReceive(sentence: $0) }
        firstSentence = nil
        if let arrival = epoch.arrival {
            outputs.received(arrival.byteCount ?? 0, at: arrival.firstByte, afterSilence: true)
            outputs.received(0, at: arrival.lastByte, afterSilence: false)
        }
        if var fix = epoch.fix {
            if let time = fix.time, let days = decoder.rollover?.missingDays(of: time.date),
                days > 0
            {
                fix.receivedDate = time.date
                fix.set(time: UTCTime(date: time.date.adding(days: days), time: time.time))
            }
            outputs.didReceive(fix: fix, satellites: epoch.satellites)
        }
        if epoch.listsSatellites { outputs.didReceive(satellites: epoch.satellites) }
        check([])
    }

    /// Returns the next output; `nil` if there are no more.
    package mutating func next() -> Output? {
        while true {
            if let output = outputs.next() { return output }
            if canWait, hasBytes, offeredLine == nil {
                let line = lines.next(in: chunk, from: position)
                offeredLine = line
                return .line(chunk[line])
            }
            guard decodeLine() else { return nil }
        }
    }

    /// Decodes the next line. Returns `false` if all bytes have been decoded.
    private mutating func decodeLine() -> Bool {
        guard hasBytes else { return false }
        let bytes = chunk
        let line = offeredLine ?? lines.next(in: bytes, from: position)
        if isReplay { outputs.origins.received(line: bytes[line]) }
        decoder.push(bytes.span.extracting(line), to: &outputs)
        (position, offeredLine) = (line.upperBound, nil)
        guard position == bytes.count else { return true }
        (chunk, position) = ([], 0)
        decoded()
        check(bytes)
        return true
    }

    private mutating func decode(_ step: (inout NMEADecoder, inout ReceiverOutputs) -> Void) {
        step(&decoder, &outputs)
        decoded()
    }

    private mutating func decoded() {
        let line = decoder.lineState
        outputs.tolerance = line.tolerance
        outputs.found(datum: decoder.otherDatum)
        // The next bytes of a source that can wait do not show a silence, so `woke` must.
        let needsTimer = line.awaitsSilence || canWait
        silenceEnd = needsTimer ? line.tolerance.map(now.advanced(byNanoseconds:)) : nil
        // A binary frame counts as a message, like a sentence.
        outputs.messageCount += line.frameCount - frameCount
        frameCount = line.frameCount
        if outputs.sentenceCount > 0 || line.ubxCount > ubxCount { firstSentence = nil }
        ubxCount = line.ubxCount
    }

    // MARK: The line

    /// Checks for problems after each input: a binary protocol, silence and, on a live line, noise.
    /// Pauses reading during a flood of noise.
    private mutating func check(_ bytes: [UInt8]) {
        if outputs.consumeEpochFlag() {
            binaryWatch?.receivedMeasurements(at: now)
            silenceWatch?.receivedEpoch(at: now)
        } else if let found = binaryWatch?.received(bytes, at: now) {
            firstSentence = nil
            outputs.report(found.error(of: device))
        }
        if isLive, !bytes.isEmpty { evaluateQuality(bytes) }
        let mayHaveNoEpoch = hasMessages || condition.error != nil
        if let seconds = silenceWatch?.silence(at: now, mayHaveNoEpoch: mayHaveNoEpoch) {
            outputs.change(to: .silent(device: device, seconds: seconds))
        }
        if let wait = firstSentence, wait.deadline <= now {
            outputs.notice(.noSentences(bytes: wait.byteCount))
            firstSentence = nil
        }
    }

    private mutating func evaluateQuality(_ bytes: [UInt8]) {
        // Frames that only `binaryWatch` recognises also prove that the baud rate is correct.
        if outputs.consumeMessages() || binaryWatch?.found != nil {
            quality?.receivedMessages()
        } else {
            switch quality?.receivedNoise(bytes, at: now) {
            case .flooded: outputs.report(DeviceError(.flooded, device: device))
            // During a baud rate search, noise is expected and not reported.
            case .misunderstood where outputs.sharing != nil && rates?.hasFound != false:
                rates?.restartSearch(at: now)
                outputs.report(DeviceError(.notUnderstood, device: device))
            case .misunderstood, nil: break
            }
        }
        if outputs.sharing?.isCheckDue(at: now) == true { outputs.add(.findOtherReader) }
        floodEnd = quality?.throttleEnd(at: now)
    }

    /// Executes a step of the baud rate search.
    private mutating func follow(_ step: RateScan.Step) {
        switch step {
        case .stay: break
        case .change(let baudRate):
            isSetting = true
            outputs.add(.set(LineSettings(baudRate)))
        case .found:
            guard let rates else { return }
            let (settings, isNews) = (rates.settings, hasTriedOtherRates || rates.hasReceivedNoise)
            outputs.add(.remember(settings))
            if settings != foundSettings, isNews { outputs.notice(.rateFound(settings)) }
            (foundSettings, hasTriedOtherRates) = (settings, false)
        }
    }

    /// Sends a notice that a baud rate is being tried. Does nothing once all rates have been tried.
    private mutating func report(trying settings: LineSettings) {
        guard let rates, !rates.hasFound, rates.roundCount == 0 else { return }
        hasTriedOtherRates = true
        outputs.notice(.tryingRate(settings))
    }
}

extension Receiver {
    /// The properties of a device that has just been opened.
    package struct Opening: Sendable {
        /// The name of the device.
        package var device: String
        /// Determines the origin of the bytes. It starts with the origin according to the source.
        package var origin: OriginDetector
        /// Whether the device is a tty.
        package var isSerialLine = false
        /// The parameters of the baud rate search; `nil` without a search or a baud rate.
        package var search: RateSearch?

        /// Creates an opening for a device that is not a tty.
        package init(device: String, origin: OriginDetector) {
            self.device = device
            self.origin = origin
        }
    }
}

/// Finds the lines and the UBX frames in a chunk of bytes, without decoding them.
private struct LineFinder {
    private var checksums = UBXChecksums()

    /// Prepares for a new chunk. Call it before `next(in:from:)` is called with that chunk.
    mutating func reset() { checksums.reset() }

    /// Returns the range of the line or the UBX frame that begins at `start`. A line also ends
    /// before a frame. Bytes with a frame's header but a wrong checksum are not a frame.
    mutating func next(in bytes: [UInt8], from start: Int) -> Range<Int> {
        if case .frame(let count) = UBXFrame.recognise(bytes.span, at: start, &checksums) {
            return start..<start + count
        }
        let text = bytes.span
        var index = Framer.endOfBody(text, from: start)
        while index < text.count {
            if text[index] == 0x0A { return start..<index + 1 }
            if index > start, text[index] == 0xB5, mayBeginFrame(text, index) {
                return start..<index
            }
            index = Framer.endOfBody(text, from: index + 1)
        }
        return start..<text.count
    }

    private mutating func mayBeginFrame(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
        guard index + 1 < bytes.count, bytes[index + 1] == 0x62 else { return false }
        if case .none = UBXFrame.recognise(bytes, at: index, &checksums) { return false }
        return true
    }
}

/// Determines the arrival times of epochs from those of chunks.
///
/// An epoch begins with the first chunk after a silence. If the line is never silent, an epoch
/// begins with the first chunk after the previous epoch.
struct ArrivalTracker {
    private var lastChunk: MonotonicInstant?
    /// The time of the last chunk, or the time of a later call of `beginSilence(at:)`.
    private(set) var silentSince: MonotonicInstant?
    private var firstChunk: MonotonicInstant?
    private var byteCount = 0

    /// Processes the arrival of a chunk of `count` bytes.
    mutating func received(_ count: Int, at now: MonotonicInstant, afterSilence: Bool) {
        if afterSilence || firstChunk == nil { (firstChunk, byteCount) = (now, 0) }
        byteCount += count
        (lastChunk, silentSince) = (now, now)
    }

    /// Begins to measure the silence before the next chunk. Call it when the line is opened or
    /// changed.
    mutating func beginSilence(at now: MonotonicInstant) {
        (firstChunk, silentSince) = (nil, now)
    }

    /// Returns the arrival times of the epoch that has just been completed; `nil` if no chunk was
    /// received.
    mutating func completeEpoch() -> EpochArrival? {
        guard let lastChunk else { return nil }
        defer { firstChunk = nil }
        return EpochArrival(
            firstByte: firstChunk ?? lastChunk, lastByte: lastChunk,
            byteCount: firstChunk == nil ? nil : byteCount)
    }
}

/// The arrival times of an epoch's bytes from a live receiver, taken after each read.
public struct EpochArrival: Hashable, Sendable {
    /// The time after the read that returned the epoch's first byte.
    public let firstByte: MonotonicInstant
    /// The time after the read that returned the byte that completed the epoch.
    public let lastByte: MonotonicInstant
    /// The number of bytes in the epoch's chunks; `nil` if they were not counted.
    package let byteCount: Int?

    /// Creates the arrival times of an epoch.
    public init(firstByte: MonotonicInstant, lastByte: MonotonicInstant) {
        self.init(firstByte: firstByte, lastByte: lastByte, byteCount: nil)
    }

    /// Creates the arrival times and the number of bytes of an epoch.
    package init(firstByte: MonotonicInstant, lastByte: MonotonicInstant, byteCount: Int?) {
        self.firstByte = firstByte
        self.lastByte = lastByte
        self.byteCount = byteCount
    }
}
