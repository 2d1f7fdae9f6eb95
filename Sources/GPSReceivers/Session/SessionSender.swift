// SPDX-License-Identifier: MIT
import GNSS
import NMEA

/// Sends what a session's decoder finds to those who share the session.
struct SessionSender: DecoderListener {
    /// A receiver that has sent as many fixes without a date has none to send.
    private static let undatedLimit = 3

    private let session: ReceiverSession
    private let device: String
    private(set) var origins: OriginDetector
    private let sendsSentences: Bool
    private(set) var undatedFixes: Int
    private(set) var arrivals: ArrivalTracker
    /// Of a tty.
    private(set) var sharedLineSigns: SharedLineSigns?
    private(set) var sentenceCount = 0
    private(set) var hasFix = false

    init(
        session: ReceiverSession, device: String, origins: OriginDetector, undatedFixes: Int,
        arrivals: ArrivalTracker, sharedLineSigns: SharedLineSigns?
    ) {
        self.session = session
        self.device = device
        self.origins = origins
        self.undatedFixes = undatedFixes
        self.arrivals = arrivals
        self.sharedLineSigns = sharedLineSigns
        sendsSentences = session.wantsSentences
    }

    mutating func didReceive(sentence: RawSentence) {
        sentenceCount += 1
        sharedLineSigns?.receivedSentence()
        if sendsSentences { session.send(sentence: sentence.bytes) }
    }

    mutating func didReceive(rejection: Rejection) {
        sharedLineSigns?.receivedRejection()
        session.send(rejection: rejection)
    }

    mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
        hasFix = true
        sharedLineSigns?.received(fix)
        undatedFixes = fix.mode > .noFix && fix.time == nil ? undatedFixes + 1 : 0
        let isDue = undatedFixes == 0 || undatedFixes > Self.undatedLimit
        if fix.coordinate != nil {
            let lateness = origins.needsClock ? lateness(of: fix) : nil
            origins.received(isSimulated: fix.quality == .simulated, lateness: lateness)
        }
        let epoch = ReceiverEpoch(
            fix: fix, satellites: view, arrival: arrivals.completeEpoch(), device: device,
            origin: origins.origin, isDue: isDue, received: fix.time == nil ? session.date() : nil)
        session.tell(.epoch(epoch))
    }

    /// How many seconds the time of a fix is before the clock's.
    private func lateness(of fix: Fix) -> Double? {
        guard let time = fix.time, let now = session.date() else { return nil }
        return Double(now.unixNanoseconds &- time.unixNanoseconds) / 1e9
    }

    mutating func didReceive(satellites view: SatelliteView) {
        session.tell(.satellites(view))
    }
}
