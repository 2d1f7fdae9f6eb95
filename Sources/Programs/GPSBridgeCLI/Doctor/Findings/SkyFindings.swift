// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// Interprets the receiver's position, satellites and date.
struct SkyFindings {
    /// The minimum carrier-to-noise density in dB-Hz for acquiring a fix. An existing fix may
    /// continue below it.
    private static let acquisitionThreshold = 30.0

    private let report: LineReport
    private let evidence: Evidence

    init(_ report: LineReport, _ evidence: Evidence) {
        self.report = report
        self.evidence = evidence
    }

    var findings: [Finding] {
        guard report.validCount > 0, report.binaryProtocol == nil else { return [] }
        return [simulated].compactMap(\.self) + reception
    }

    /// The finding that the data is simulated, according to the receiver or its source; `nil` if it
    /// is not.
    private var simulated: Finding? {
        guard evidence.origin == .simulated || report.fix?.quality == .simulated else { return nil }
        return .note("The receiver is simulated: its positions and satellites are not real.")
    }

    private var reception: [Finding] {
        guard report.epochCount > 0 else { return [noPosition] }
        guard report.fixCount > 0, let last = report.fix, let position = report.positionFix else {
            return [report.chip.lacksSolution && !report.hasMeasurements ? noSolution : noFix]
        }
        return [lost(last), date(position), delay, fixFinding(position)].compactMap(\.self)
    }

    private var noPosition: Finding {
        let kinds = report.formatters.keys.sorted().prefix(12).joined(separator: ", ")
        if report.formatters["VDM"] != nil {
            return .error(
                .noPosition, "This is an AIS receiver: it reports ships, not its own position.")
        }
        return .error(
            .noPosition, "No sentence contains a position or a time (received: \(kinds)).",
            remedy: "switch RMC and GGA on with the manufacturer's program")
    }

    /// A finding that none of the received UBX message types can contain a fix, so the receiver
    /// must be configured. Waiting is useless.
    private var noSolution: Finding {
        let kinds = report.chip.messages.keys.sorted().prefix(12).joined(separator: ", ")
        return .error(
            .noPosition,
            "No UBX message contains a position and its validity (received: \(kinds)).",
            remedy: BinaryProtocol.ubx.remedy(
                for: evidence.name ?? "",
                isRecording: evidence.origin == .replay || evidence.isPipe))
    }

    // MARK: No fix

    private var noFix: Finding {
        if let antenna = report.antenna, antenna != "OK" {
            let state = antenna == "OPEN" ? "not connected" : "short-circuited"
            return .error(
                .noFix, "No fix: the receiver reports that its antenna is \(state).",
                remedy: "check the antenna's plug and cable")
        }
        guard let satellites = report.view?.satellites else {
            return .error(
                .noFix, "No fix: the receiver sends no list of satellites that could show why.",
                remedy: "take it outdoors or to a window, or enable GSV or NAV-SAT")
        }
        let strengths = satellites.compactMap(\.cn0).filter { $0 > 0 }
        guard let best = strengths.max() else {
            let view =
                satellites.isEmpty
                ? "has no satellite in view"
                : "expects \(Plural.text(satellites.count, "satellite")) and receives none of them"
            return .error(
                .noFix, "No fix: the receiver sends data, but \(view).",
                remedy: "take it outdoors or to a window, and check the antenna's plug")
        }
        let sky =
            "\(Plural.text(satellites.count, "satellite")) in view, "
            + "\(strengths.count) received, the best at \(FindingText.number(best, 0)) dB-Hz"
        guard best >= Self.acquisitionThreshold else {
            return .error(
                .noFix, "No fix: \(sky), which is too weak.",
                remedy: "take it outdoors or to a window, away from other electronics")
        }
        return .error(
            .noFix, "No fix yet: \(sky), which is good.",
            remedy: "wait: after days without power, the first fix takes 30 seconds to several "
                + "minutes")
    }

    private func lost(_ fix: Fix) -> Finding? {
        guard fix.mode == .noFix else { return nil }
        return .note(
            "The fix comes and goes: \(report.fixCount) of \(report.epochCount) epochs have one.",
            remedy: "give the antenna a wider view of the sky")
    }

    // MARK: A fix

    private func fixFinding(_ fix: Fix) -> Finding {
        var parts = [fix.mode == .threeD ? "three dimensions" : "two dimensions"]
        if let period = report.period, period > 0, evidence.origin != .replay {
            parts.append("\(FindingText.number(1 / period, 1)) a second")
        }
        if let accuracy = fix.accuracy.horizontal {
            parts.append("accurate to \(FindingText.number(accuracy, 1)) m")
        }
        if let used = fix.satellitesUsed { parts.append(Plural.text(used, "satellite")) }
        if let best = report.view?.satellites.compactMap(\.cn0).max() {
            parts.append("the best at \(FindingText.number(best, 0)) dB-Hz")
        }
        return .ok("Fixes arrive: \(parts.joined(separator: ", ")).")
    }

    /// The finding how late the receiver's time arrives, which matters for setting a clock; `nil`
    /// if that is not known.
    private var delay: Finding? {
        let delays = report.delays.sorted()
        guard let clockError = evidence.clockError, delays.count >= 3, let minimum = delays.first,
            let most = delays.last, -0.5...2 ~= minimum, most <= 2
        else { return nil }
        func text(_ seconds: Double) -> String { FindingText.number(seconds, 3) }
        let median = text(delays[delays.count / 2])
        return .ok(
            "The first byte of an epoch arrives \(median) s after its time (\(text(minimum)) to "
                + "\(text(most)) s in \(delays.count) epochs) by this machine's clock, which is "
                + "synchronised within \(text(clockError)) s: use serve --time-delay \(median).")
    }

    private func date(_ fix: Fix) -> Finding? {
        guard let time = fix.time else {
            let time = fix.timeOfDay == nil ? "and no time" : "only the time of day"
            return .note("The receiver sends no date, \(time).")
        }
        guard evidence.origin.mayBeLive, let today = evidence.today else { return nil }
        let late = today.daysSince1970 - time.date.daysSince1970
        guard abs(late) > 1 else { return .ok("The receiver's date is correct.") }
        let day = String(time.description.prefix(10))
        let periods = Int((Double(late) / 7168).rounded())
        guard periods >= 1, abs(late - periods * 7168) <= 30 else {
            return .error(
                .wrongDate,
                "The receiver's date is \(day), \(Plural.text(abs(late), "day")) "
                    + "\(late > 0 ? "before" : "after") this machine's.",
                remedy: "check this machine's clock: timedatectl")
        }
        return .error(
            .wrongDate,
            "The receiver's date is \(day), \(periods * 1024) weeks too early: its firmware is "
                + "older than the last rollover of the GPS week number.",
            remedy: "nothing needs to be done for gpsbridge, which corrects such dates; other "
                + "programs need a receiver with newer firmware")
    }
}
