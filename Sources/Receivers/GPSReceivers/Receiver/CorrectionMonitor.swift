// SPDX-License-Identifier: MIT
package import GNSS
import GPSIO
import NMEA
import UBX

/// The state of the corrections that a sender sends.
package struct CorrectionStatus: Sendable {
    package var state: CorrectionState
    /// The rate of the source in bits per second.
    package var bitRate: Double?
    /// The position of the station.
    package var base: Coordinate?
    /// The types of the messages in the stream.
    package var types: String?
    /// The source that is used.
    package var source: ObjectIdentifier?
    /// Whether the station has said that it is simulated.
    package var isSimulated = false
    /// The number of messages that have been written to the receiver's line, and of those that it
    /// did not carry.
    package var sentCount = 0
    package var droppedCount = 0
    /// When the first message was written.
    package var firstSent: MonotonicInstant?

    package init(_ state: CorrectionState) { self.state = state }
}

/// A sender of corrections. A receiver's session asks it before each input.
package protocol CorrectionSender: AnyObject, Sendable {
    func status() -> CorrectionStatus
}

/// Compares the corrections that are sent to a receiver with what it reports about their use.
struct CorrectionMonitor: Sendable {
    /// Corrections of a station that is farther away, in metres, rarely give centimetres.
    private static let longestBaseline = 50_000.0
    /// The time within which a receiver must report that it uses the corrections.
    private static let useTimeout = Duration.seconds(60)
    /// The time after which a position says nothing about the next one.
    private static let longestGap = 5.0

    /// The sender's state at the last input; `nil` if no corrections are sent.
    var status: CorrectionStatus?
    /// The best carrier solution in the messages of the current epoch; `nil` if none reports it.
    private var carrier: CarrierSolution?
    private var usedCount: UInt32?
    private var unusedCount: UInt32?
    /// `usedCount` in the last epoch.
    private var lastUsedCount: UInt32?
    private var timeToFloat: Double?
    private var timeToFixed: Double?
    /// The number of epochs since the first message, and of those with a fixed solution.
    private var epochCount = 0
    private var fixedCount = 0
    /// When the receiver last showed that it uses corrections.
    private var lastUse: MonotonicInstant?
    /// The last fix that used none, and when it was received.
    private var uncorrected: (fix: Fix, time: MonotonicInstant)?
    /// The sources with which the position jumped when the receiver began to use corrections.
    private var jumped: Set<ObjectIdentifier?> = []
    /// The source that is used, and since when.
    private var source: ObjectIdentifier?
    private var sourceStart: MonotonicInstant?

    mutating func receive(_ frame: UBXFrame) {
        switch frame.id {
        case NavPVT.id:
            switch NavPVT(frame)?.flags.carrierSolution {
            case .fixed: found(.fixed)
            case .float: found(.float)
            case .some: found(.unsolved)
            case nil: break
            }
        case RxmRTCM.id:
            guard let flags = RxmRTCM(frame)?.flags else { return }
            count(isUsed: flags.use == 2, isUnused: flags.use == 1 || flags.isDamaged)
        case RxmCOR.id:
            guard let status = RxmCOR(frame)?.status else { return }
            count(isUsed: status.use == 2, isUnused: status.use == 1 || status.errors == 2)
        default: break
        }
    }

    /// Reads the quality of a GGA sentence. The fix does not contain it if it is simulated.
    mutating func receive(_ sentence: RawSentence) {
        guard sentence.fastFormatter == GGA.formatter else { return }
        var fields = sentence.fields
        fields.skip(5)
        let number = fields.integer().flatMap(UInt8.init(exactly:))
        found(number.flatMap(FixQuality.init(rawValue:))?.carrier ?? .unsolved)
    }

    private mutating func found(_ solution: CarrierSolution) {
        carrier = max(carrier ?? .unsolved, solution)
    }

    private mutating func count(isUsed: Bool, isUnused: Bool) {
        usedCount = (usedCount ?? 0) &+ (isUsed ? 1 : 0)
        unusedCount = (unusedCount ?? 0) &+ (!isUsed && isUnused ? 1 : 0)
    }

    /// Adds what is known about the corrections to a fix.
    mutating func report(in fix: inout Fix, at now: MonotonicInstant) {
        let solution = exchange(&carrier, with: nil) ?? fix.quality.carrier
        guard let status else { return }
        if exchange(&source, with: status.source) != status.source { sourceStart = now }
        var report = fix.corrections
        report.state = status.state
        report.bitRate = status.bitRate
        report.types = status.types
        report.sentCount = UInt32(clamping: status.sentCount)
        report.droppedCount = UInt32(clamping: status.droppedCount)
        (report.usedCount, report.unusedCount) = (usedCount, unusedCount)
        report.carrier = fix.mode > .noFix ? solution : nil
        report.baseDistance =
            status.base.flatMap { fix.coordinate?.distance(to: $0) } ?? report.baselineLength
        if let start = status.firstSent {
            count(solution, after: now.seconds(since: start))
            report.fixedShare = Double(fixedCount) / Double(epochCount) * 100
            if isUsed(fix, solution) { lastUse = now }
            compare(fix, isCorrected: Self.isCorrected(fix, solution), at: now)
            let use = max(lastUse ?? start, start, sourceStart ?? start)
            if status.state == .flowing, use + Self.useTimeout <= now { report.state = .unused }
        }
        (report.timeToFloat, report.timeToFixed) = (timeToFloat, timeToFixed)
        if report.state == .flowing, report.baseDistance ?? 0 > Self.longestBaseline {
            report.state = .farBase
        }
        if report.state == .flowing || report.state == .farBase, jumped.contains(source) {
            report.state = .wrongDatum
        }
        // The other problems would follow from this one.
        if status.state == .flowing, status.isSimulated, fix.mode > .noFix,
            fix.quality != .simulated
        {
            report.state = .simulatedBase
        }
        fix.correctionReport = [report]
    }

    private mutating func count(_ solution: CarrierSolution, after seconds: Double) {
        epochCount += 1
        if solution == .fixed { fixedCount += 1 }
        if solution != .unsolved, timeToFloat == nil { timeToFloat = seconds }
        if solution == .fixed, timeToFixed == nil { timeToFixed = seconds }
    }

    /// Compares the first fix that uses corrections with the last one that did not. A receiver adds its
    /// vector from the base to the position that the base reports, so a wrong one, or one in another
    /// datum, makes the position jump by that error. A small error, such as that between WGS 84 and
    /// ETRS89, looks like the receiver's own.
    private mutating func compare(_ fix: Fix, isCorrected: Bool, at now: MonotonicInstant) {
        guard let place = fix.coordinate else { return }
        guard isCorrected else {
            (uncorrected, jumped) = ((fix, now), [])
            return
        }
        guard let (last, time) = exchange(&uncorrected, with: nil),
            case let elapsed = now.seconds(since: time), elapsed <= Self.longestGap
        else { return }
        let way = max(last.speed ?? 0, fix.speed ?? 0) * elapsed
        // The error of a position is rarely larger than five times its accuracy.
        let error = 10 + 5 * Double(last.accuracy.horizontal ?? 10)
        if let from = last.coordinate, from.distance(to: place) > 2 * way + error {
            jumped.insert(source)
        }
    }

    /// Whether an epoch shows that the receiver uses corrections.
    private mutating func isUsed(_ fix: Fix, _ solution: CarrierSolution) -> Bool {
        let hasNewUse = usedCount != exchange(&lastUsedCount, with: usedCount)
        return hasNewUse || Self.isCorrected(fix, solution)
    }

    /// Whether a fix uses corrections. Those of satellites (SBAS) also make one differential.
    private static func isCorrected(_ fix: Fix, _ solution: CarrierSolution) -> Bool {
        guard solution == .unsolved else { return true }
        return switch fix.correctionSource {
        case .rtcm, .spartn: true
        case nil: fix.correctionAge != nil || fix.quality == .differential
        default: false
        }
    }
}

extension FixQuality {
    fileprivate var carrier: CarrierSolution {
        switch self {
        case .rtkFixed: .fixed
        case .rtkFloat: .float
        default: .unsolved
        }
    }
}
