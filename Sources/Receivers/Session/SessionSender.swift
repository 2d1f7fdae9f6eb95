// SPDX-License-Identifier: MIT
import Devices
import GNSS
import NMEA

/// Sends what a session's decoder finds to those who share the session.
struct SessionSender: DecoderListener {
    /// A receiver that has sent as many fixes without a date has none to send.
    private static let undatedLimit = 3

    private let session: ReceiverSession
    private let device: String
    private let origin: DataOrigin
    private let sendsSentences: Bool
    private(set) var undatedFixes: Int
    private(set) var arrivals: ArrivalTracker
    /// Of a tty.
    private(set) var sharedLineSigns: SharedLineSigns?
    private(set) var sentenceCount = 0
    private(set) var hasFix = false

    init(
        session: ReceiverSession, device: String, origin: DataOrigin, undatedFixes: Int,
        arrivals: ArrivalTracker, sharedLineSigns: SharedLineSigns?
    ) {
        self.session = session
        self.device = device
        self.origin = origin
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

    mutating func didReceive(fix: inout Fix, satellites view: SatelliteView) {
        hasFix = true
        sharedLineSigns?.received(fix)
        undatedFixes = fix.mode > .noFix && fix.time == nil ? undatedFixes + 1 : 0
        let isDue = undatedFixes == 0 || undatedFixes > Self.undatedLimit
        let epoch = ReceiverEpoch(
            fix: fix, satellites: view, arrival: arrivals.completeEpoch(), device: device,
            origin: origin, isDue: isDue, received: fix.time == nil ? session.date() : nil)
        session.tell(.epoch(epoch))
    }

    mutating func didReceive(satellites view: SatelliteView) {
        session.tell(.satellites(view))
    }
}
