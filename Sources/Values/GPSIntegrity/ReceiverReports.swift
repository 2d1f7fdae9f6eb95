// SPDX-License-Identifier: MIT
import GNSS

/// Detects that the receiver has a 3D fix, but no longer reports the state of its jamming or
/// spoofing detector.
///
/// u-blox's spoofing detector needs several satellite systems. A false signal that contains only
/// GPS disables it.
struct DetectorSilent: FixTest {
    static let name = Integrity.Test.detectorSilent
    static let evidence = Integrity.Evidence.detector
    static let unit = "s"

    private var jamming = AbsenceDetector()
    private var spoofing = AbsenceDetector()

    static func text(_ finding: TestHit) -> String {
        let detector = finding.details.0 > 0 ? "spoofing" : "jamming"
        return "receiver no longer reports whether there is \(detector)"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        guard epoch.fix.mode == .threeD else {
            self = Self()
            return .unavailable
        }
        let (now, duration) = (epoch.moment.now, settings.detectorTime)
        let jamming = jamming.add(epoch.fix.jamming != nil, at: now, after: duration)
        let spoofing = spoofing.add(epoch.fix.spoofing != nil, at: now, after: duration)
        guard let silence = spoofing ?? jamming else { return .unavailable }
        return .found(.soft, silence, beyond: 0, details: (spoofing == nil ? 0 : 1, 0))
    }
}

/// Finds evidence if the receiver's own detector reports jamming.
struct JammingReport: FixTest {
    static let name = Integrity.Test.jamming
    static let evidence = Integrity.Evidence.detector

    /// Whether the previous fix had a position.
    private var hadPosition = false

    static func text(_ finding: TestHit) -> String {
        let strength = finding.value > 2 ? "critical jamming" : "jamming"
        guard finding.details.0 > 0 else { return "receiver reports \(strength)" }
        return "receiver reports \(strength) at "
            + "\(String(finding.details.0 / 1e6, atMostDecimals: 3)) MHz"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        let frequency = Double(epoch.fix.jammedFrequency ?? 0)
        // Receivers also send reports after the fix of their epoch. The decoder adds these to the
        // next fix, so a report that there was no fix may belong to the first fix after it.
        let hasPositions = hadPosition && epoch.hasPosition
        hadPosition = epoch.hasPosition
        switch epoch.fix.jamming {
        case nil: return .unavailable
        case .some(.none): return .quiet
        case .warning:
            return .found(.soft, 2, beyond: 2, details: (frequency, 0))
        case .critical:
            // A position that is computed despite jamming is not reliable.
            return .found(hasPositions ? .hard : .soft, 3, beyond: 2, details: (frequency, 0))
        }
    }
}

/// Detects that a value that a receiver reported in every epoch is now missing.
private struct AbsenceDetector: Sendable {
    /// The time for which the absence of a value counts as evidence, in seconds.
    private static let recentPeriod = 60.0

    /// The `EpochTime.now` since which the value has been reported; `nil` while it is missing.
    private var since: Double?
    /// `EpochTime.now` when the value was first missing after it had been reported for long enough
    /// (`duration` of `add`); `nil` otherwise, and once the value is reported again.
    private var end: Double?
    /// `EpochTime.now` at the last epoch; `nil` before the first epoch.
    private var last: Double?

    /// Adds an epoch. Returns the seconds since the value was first missing. Returns `nil` if the
    /// value is present, if it has been missing for a minute or more, or if it was not reported for
    /// at least `duration` seconds before.
    ///
    /// Epochs before a pause of more than a minute are ignored, because a log may continue with
    /// another receiver.
    mutating func add(_ isPresent: Bool, at now: Double, after duration: Double) -> Double? {
        if let last, now - last > Self.recentPeriod { self = AbsenceDetector() }
        last = now
        if isPresent {
            if since == nil { since = now }
            end = nil
            return nil
        }
        if let since, now - since >= duration { end = now }
        since = nil
        guard let end, now - end < Self.recentPeriod else { return nil }
        return now - end
    }
}

/// Detects that the receiver has a 3D fix, but no longer reports a valid protection level.
struct ProtectionLevelLost: FixTest {
    static let name = Integrity.Test.protectionLevel
    static let evidence = Integrity.Evidence.detector
    static let unit = "s"

    private var presence = AbsenceDetector()

    static func text(_ finding: TestHit) -> String {
        "receiver no longer reports a valid protection level"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        guard epoch.fix.mode == .threeD else {
            self = Self()
            return .unavailable
        }
        let hasLevel = epoch.fix.protectionLevel != nil
        let silence = presence.add(
            hasLevel, at: epoch.moment.now, after: settings.detectorTime)
        guard let silence else { return hasLevel ? .quiet : .unavailable }
        return .found(.soft, silence, beyond: 0)
    }
}

/// Finds evidence if the receiver's own detector reports spoofing.
struct SpoofingReport: FixTest {
    static let name = Integrity.Test.spoofing
    static let evidence = Integrity.Evidence.detector

    static func text(_ finding: TestHit) -> String {
        finding.value > 2
            ? "receiver reports spoofing, by several detectors" : "receiver reports spoofing"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        switch epoch.fix.spoofing {
        case nil: .unavailable
        case .some(.none): .quiet
        case .indicated: .found(.hard, 2, beyond: 2)
        case .affirmed: .found(.hard, 3, beyond: 2)
        }
    }
}

/// Finds evidence if Galileo's signatures do not fit the navigation data that the receiver uses.
struct AuthenticationFailed: FixTest {
    static let name = Integrity.Test.authenticationFailed
    static let evidence = Integrity.Evidence.detector

    static func text(_ finding: TestHit) -> String {
        let count = Int(finding.value)
        return "Galileo's signatures do not fit the data of "
            + Plural.text(count, "satellite that is used", "satellites that are used")
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        guard let authentication = epoch.fix.authentication else { return .unavailable }
        switch authentication.state {
        case .unknown: return .unavailable
        case .partial, .authenticated, .consistent: return .quiet
        case .failed: return .found(.hard, Double(authentication.failed), beyond: 0)
        }
    }
}

/// Detects that none of Galileo's satellites is authenticated any more.
struct AuthenticationLost: FixTest {
    static let name = Integrity.Test.authenticationLost
    static let evidence = Integrity.Evidence.detector
    static let unit = "s"

    private var presence = AbsenceDetector()

    static func text(_ finding: TestHit) -> String {
        "Galileo's satellites are no longer authenticated"
    }

    mutating func examine(_ epoch: EpochEvidence, _ settings: Settings) -> Verdict {
        let state = epoch.fix.authentication?.state
        guard epoch.fix.mode == .threeD, state != .failed else {
            self = Self()
            return .unavailable
        }
        let isPresent = state == .authenticated || state == .partial || state == .consistent
        let silence = presence.add(
            isPresent, at: epoch.moment.now, after: settings.detectorTime)
        guard let silence else { return isPresent ? .quiet : .unavailable }
        return .found(.soft, silence, beyond: 0)
    }
}
