// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSIntegrity
import NMEA
import UBX

/// The queue of a receiver's outputs. As the listener of the decoder, it converts decoded
/// sentences, fixes and satellite views to outputs.
struct ReceiverOutputs: DecoderListener {
    /// The number of consecutive fixes without a date after which the receiver apparently never
    /// sends one.
    private static let undatedLimit = 3

    /// The minimum step back in time, in nanoseconds, that marks the start of another recording in
    /// the same file.
    private static let restart: Int64 = 1_000_000_000
    private static let hour: Int64 = 3_600_000_000_000
    /// The time between two week rollovers, in nanoseconds.
    private static let rollover: Int64 = 1024 * 604_800 * 1_000_000_000

    private(set) var condition = ReceiverCondition.searching
    var passesSentences = false {
        didSet {
            // Generated sentences that still wait would be too old when sentences are needed again.
            if oldValue, !passesSentences { written = SentencesOfUBX(waits: false) }
        }
    }
    /// Whether positions and sentences are removed during an integrity alarm.
    var dropsAlarms = false {
        didSet { updateDropsNow() }
    }
    /// Whether they are removed now. This is stored because a computed property would copy all outputs
    /// for each sentence.
    private var dropsNow = false
    /// Whether encapsulation sentences (`!…`), such as AIS, are also output as `.encapsulated`.
    var passesEncapsulated = false
    var origins = OriginDetector(origin: .unknown, mayBeOld: false)
    /// Generates NMEA sentences for epochs that are received as UBX.
    private var written = SentencesOfUBX(waits: false)
    /// The system's time at the last input; `nil` if it is not known.
    var date: UTCTime?
    /// The minimum duration of a silence that ends an epoch, in nanoseconds; `nil` if it is not
    /// known.
    var tolerance: Int64?
    /// Collects signs that another program reads the same tty; `nil` for other sources.
    var sharing: OtherReaderSigns?
    /// The number of sentences and frames since the last `consumeMessages()`.
    var messageCount = 0
    /// The number of sentences since the device was opened.
    private(set) var sentenceCount = 0
    /// Whether a sentence or a UBX frame has been received since the device was opened.
    var hasMessages: Bool { sentenceCount > 0 || sendsUBX }

    private var outputs: [Receiver.Output] = []
    private var firstOutput = 0
    /// The name of the device that was last opened.
    private(set) var device = ""
    /// The arrival times of the bytes; `nil` for a recording.
    private var arrivals: ArrivalTracker?
    /// Whether the source is a recording.
    var isRecording: Bool { arrivals == nil }
    /// Verifies Galileo's signatures; `nil` if that is not requested.
    var authentication: ReceiverAuthentication?
    private var undatedCount = 0
    private var reportedDatum: String?
    /// Examines the fixes for signs of false positions. Its alarms continue after a receiver is
    /// reconnected.
    private var integrity = IntegrityMonitor() {
        didSet { updateDropsNow() }
    }
    /// The live receiver's integrity monitor, kept while a server sends a replay. During that time,
    /// `integrity` examines the fixes of the replay. Otherwise `nil`.
    private var liveIntegrity: IntegrityMonitor?
    /// The integrity of the live receiver, also while a server sends a replay.
    var receiverIntegrity: IntegrityMonitor {
        get { liveIntegrity ?? integrity }
        set { (integrity, liveIntegrity) = (newValue, nil) }
    }
    /// Whether the server states that its data is a replay.
    var isStatedReplay: Bool { liveIntegrity != nil }
    private var rest = RestDetector()
    /// Observes the effect of the corrections that are sent to the receiver.
    var corrections = CorrectionMonitor()
    /// The time of the last input.
    var now: MonotonicInstant?
    /// The time of the last fix of a recording; `nil` for other sources.
    private var lastTime: UTCTime?
    private var hasEpoch = false
    private var sendsUBX = false

    // MARK: Outputs

    /// Removes and returns the first output; `nil` if there are none.
    mutating func next() -> Receiver.Output? {
        guard firstOutput < outputs.count else {
            outputs.removeAll(keepingCapacity: true)
            firstOutput = 0
            return nil
        }
        defer { firstOutput += 1 }
        return outputs[firstOutput]
    }

    mutating func add(_ output: Receiver.Output) { outputs.append(output) }

    mutating func notice(_ notice: ReceiverNotice) { add(.update(.notice(notice))) }

    mutating func change(to new: ReceiverCondition) {
        guard new != condition else { return }
        add(.update(.condition(new, after: condition)))
        condition = new
    }

    /// Reports a loss, even if the same loss was reported before, because another session may have
    /// had the device open in the meantime.
    mutating func lost(_ error: DeviceError) {
        endSentences()
        add(.update(.condition(.lost(error), after: condition)))
        condition = .lost(error)
    }

    /// Reports the end of the source.
    mutating func ended(_ ending: ReceiverCondition.Ending) {
        endSentences()
        change(to: .ended(ending))
    }

    /// Changes the condition because of a problem with the receiver's bytes.
    mutating func report(_ problem: DeviceError) {
        change(to: .open(device: device, problem: problem))
    }

    /// Reports that another program reads the tty. If `reader` is `nil`, reports that this has
    /// ended.
    mutating func found(otherReader reader: DeviceError.Detail?) {
        guard condition.isOpen, sharing?.isReported == (reader == nil) else { return }
        sharing?.isReported = reader != nil
        notice(.otherReader(reader.map { DeviceError(.otherReader, device: device, detail: $0) }))
    }

    /// Reports the datum of the positions if it is not WGS 84, and has not been reported.
    mutating func found(datum: String?) {
        guard let datum, datum != reportedDatum else { return }
        reportedDatum = datum
        notice(.otherDatum(datum))
    }

    /// Resets the state for a device that has just been opened.
    mutating func opened(
        _ device: String, _ origins: OriginDetector, sharing: OtherReaderSigns?,
        arrivals: ArrivalTracker?
    ) {
        self.device = device
        self.origins = origins
        self.sharing = sharing
        self.arrivals = arrivals
        (sentenceCount, messageCount, hasEpoch, sendsUBX) = (0, 0, false, false)
        reportedDatum = nil
        useReceiverIntegrity()
    }

    /// Marks the following fixes as a replay, because the server states that its data is one.
    mutating func stateReplay() {
        origins.stateReplay()
        notice(.replay)
        guard liveIntegrity == nil else { return }
        liveIntegrity = exchange(&integrity, with: IntegrityMonitor())
        rest = RestDetector()
    }

    /// Stops marking fixes as a replay. The receiver's own integrity monitor is used again: an
    /// alarm of the replay ends, and an alarm of the receiver continues.
    mutating func replayEnded() {
        origins.endReplay()
        useReceiverIntegrity()
    }

    /// Uses the integrity monitor of the live receiver again, instead of that of a replay. Its
    /// alarm, if any, continues. The next fixes are not compared with earlier ones.
    private mutating func useReceiverIntegrity() {
        integrity = exchange(&liveIntegrity, with: nil) ?? integrity
        integrity.receive(.opened)
        rest = RestDetector()
    }

    /// Drops the data of the integrity tests, because the receiver may now use other satellites or
    /// send other messages. An alarm continues.
    mutating func reconfigured() { integrity.receive(.reconfigured) }

    /// Returns whether the silence since the last chunk is long enough to end an epoch; `nil` if
    /// that is not known.
    func isAfterSilence(at now: MonotonicInstant) -> Bool? {
        guard let last = arrivals?.silentSince, let tolerance else { return nil }
        return now >= last.advanced(byNanoseconds: tolerance)
    }

    /// Begins to measure the silence before the next bytes.
    mutating func beginSilence(at now: MonotonicInstant) { arrivals?.beginSilence(at: now) }

    mutating func received(_ count: Int, at now: MonotonicInstant, afterSilence: Bool) {
        arrivals?.received(count, at: now, afterSilence: afterSilence)
    }

    /// Returns whether an epoch was completed since the last call.
    mutating func consumeEpochFlag() -> Bool { exchange(&hasEpoch, with: false) }

    /// Returns whether messages were received since the last call.
    mutating func consumeMessages() -> Bool { exchange(&messageCount, with: 0) > 0 }

    private mutating func updateDropsNow() {
        dropsNow = dropsAlarms ? integrity.integrity.state == .alarm : false
    }

    // MARK: Decoder events

    mutating func didReceive(sentence: RawSentence) {
        if !hasMessages { receivedFirstMessage() }
        sentenceCount += 1
        messageCount += 1
        sharing?.receivedSentence()
        if corrections.status != nil { corrections.receive(sentence) }
        guard !dropsNow else { return }
        if passesEncapsulated, sentence.isEncapsulated { add(.encapsulated(sentence.bytes)) }
        guard passesSentences else { return }
        written.received(sentence) { outputs.append(.generated($0.bytes)) }
        add(.sentence(sentence.bytes))
    }

    mutating func didReceive(frame: UBXFrame) {
        if !hasMessages { receivedFirstMessage() }
        sendsUBX = true
        if authentication != nil {
            let (date, isReplay) = (date, isReplay)
            authentication?.receive(frame, date: date, isRecording: isReplay)
        }
        if corrections.status != nil { corrections.receive(frame) }
        if passesSentences, !dropsNow { written.received(frame) }
    }

    /// Ends the condition `.silent` of a receiver that has been silent since it was opened. Its
    /// messages, such as AIS sentences, may never form an epoch.
    private mutating func receivedFirstMessage() {
        if case .silent = condition { change(to: .open(device: device, problem: nil)) }
    }

    mutating func didReceive(rejection: Rejection) {
        sharing?.receivedRejection()
        add(.rejection(rejection))
    }

    mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
        hasEpoch = true
        sharing?.received(fix)
        undatedCount = fix.mode > .noFix && fix.time == nil ? undatedCount + 1 : 0
        let isDateSettled = undatedCount == 0 || undatedCount > Self.undatedLimit
        if fix.coordinate != nil {
            let lateness = origins.needsClock ? lateness(of: fix) : nil
            origins.received(isSimulated: fix.quality == .simulated, lateness: lateness)
        }
        if condition.isOpen { change(to: .open(device: device, problem: nil)) }
        let arrival = arrivals?.completeEpoch()
        let epoch = ReceiverEpoch(
            fix: examined(fix, view, arrival), satellites: view, arrival: arrival, device: device,
            origin: origins.origin, isDateSettled: isDateSettled,
            received: fix.time == nil ? date : nil,
            sendsUBX: sendsUBX)
        if passesSentences { write(fix, view) }
        add(.update(.epoch(epoch)))
    }

    /// Outputs sentences for a fix that is received in UBX alone.
    private mutating func write(_ fix: Fix, _ view: SatelliteView) {
        // Sentences for an earlier fix may still wait.
        guard !dropsNow else { return endSentences() }
        written.write(fix, view, late: { outputs.append(.generated($0.bytes)) }) {
            outputs.append(.generated($0.bytes))
        }
    }

    /// Outputs the generated sentences that are still waiting, because the receiver will not send
    /// its own for the same fix. Drops them during an alarm if positions are removed then.
    private mutating func endSentences() {
        if dropsNow {
            written = SentencesOfUBX(waits: false)
        } else {
            written.finish { outputs.append(.generated($0.bytes)) }
        }
    }

    mutating func didReceive(satellites view: SatelliteView) {
        integrity.receive(view)
        if passesSentences, !dropsNow {
            written.write(view) { outputs.append(.generated($0.bytes)) }
        }
        add(.update(.satellites(view)))
    }

    mutating func didFindBeginning(after skipped: Int) { add(.beginning(skipped)) }

    /// Whether the data is a recording, from a file, a pipe or a server.
    private var isReplay: Bool { isRecording || origins.origin == .replay }

    /// Returns the fix with the result of Galileo's signatures, its integrity verdict and whether the
    /// receiver is at rest. Removes the position if it must be dropped because of an alarm.
    private mutating func examined(
        _ fix: Fix, _ view: SatelliteView, _ arrival: EpochArrival?
    ) -> Fix {
        var fix = fix
        // Only arrival times at a tty are used. Those from a network, or from a program that
        // forwards a receiver, vary too much.
        let isTTY = sharing != nil
        // One in a file that was simulated has the origin `simulated`, but no arrival times.
        let isRecording = isReplay
        if isRecording, let time = fix.time {
            // A file may contain several recordings in any order. Therefore, jumps to an earlier
            // time are not evidence of a false position, except for a jump of 1024 weeks.
            // The time before midnight is kept until the date changes. If it does not change within
            // seconds, another recording begins.
            if lastTime.map({ time.hasPreviousDate(comparedTo: $0) }) != true {
                let back = lastTime.map { $0.unixNanoseconds &- time.unixNanoseconds } ?? 0
                if Self.beginsRecording(back) { beginRecording(after: back) }
                lastTime = time
            }
        }
        if authentication != nil {
            fix.authentication = authentication?.result(used: view.used, isRecording: isRecording)
        }
        integrity.receive(
            fix, arrival: isTTY ? arrival?.firstByte : nil, time: isRecording ? nil : date)
        fix.integrity = integrity.integrity
        fix.isStationary = rest.isStationary(after: fix)
        if corrections.status != nil, let now { corrections.report(in: &fix, at: now) }
        return dropsNow ? fix.withTimeButNoPosition : fix
    }

    /// Drops the data with which later fixes are compared, where the times of fixes go back by
    /// `back` nanoseconds. An alarm of one recording does not continue in another one. It continues
    /// after a short step back, which spoofing may cause within a recording.
    private mutating func beginRecording(after back: Int64) {
        if back < Self.hour { integrity.receive(.opened) } else { integrity = IntegrityMonitor() }
    }

    /// Returns whether another recording begins where the times of fixes go back by `back`
    /// nanoseconds.
    ///
    /// Two kinds of steps back occur within a recording. If a receiver reports at two rates, a step
    /// is shorter than a second. After a week rollover, it is a multiple of 1024 weeks, to within a
    /// day.
    private static func beginsRecording(_ back: Int64) -> Bool {
        guard back >= restart else { return false }
        let rest = back % rollover
        return back < rollover / 2 || min(rest, rollover - rest) >= TimeOfDay.day
    }

    /// Returns the number of seconds by which the time of a fix is earlier than the system's clock;
    /// `nil` if either is not known.
    private func lateness(of fix: Fix) -> Double? {
        guard let time = fix.time, let date else { return nil }
        return Double(date.unixNanoseconds &- time.unixNanoseconds) / 1e9
    }
}
