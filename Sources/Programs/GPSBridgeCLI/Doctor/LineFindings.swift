// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers

/// Interprets the data received on a line.
struct LineFindings {
    /// The maximum fraction of wrong checksums on a good line.
    private static let tolerance = 0.02

    private let report: LineAnalysis
    private let evidence: Evidence
    private let name: String

    /// The kernel drivers that only mobile modems use.
    private static let modemDrivers: Set<String> = ["option", "qcserial", "sierra", "hso"]

    /// The highest setting of an FTDI latency timer, in milliseconds, that is not reported as a
    /// problem.
    private static let bearableLatency = 2

    init(_ report: LineAnalysis, _ evidence: Evidence) {
        self.report = report
        self.evidence = evidence
        name = evidence.name.map { $0 == "-" ? "standard input" : $0 } ?? "it"
    }

    var findings: [Finding] {
        guard report.totalByteCount > 0 else {
            // Another finding already explains why nothing arrives.
            let isExplained = evidence.failure.map {
                [.disconnected, .notFound, .ioFailed].contains($0.code)
            }
            return isExplained == true ? [] : [silent]
        }
        if let (kind, count) = report.binaryProtocol { return [binary(kind, count)] }
        guard report.validCount == 0 else {
            return ([understood, datum] + report.chip.findings + [checksums, pace, latency])
                .compactMap(\.self)
        }
        guard report.textFraction >= 0.9 else { return [noise] }
        if report.noChecksumCount >= max(3, report.badChecksumCount) { return [missingChecksums] }
        return report.badChecksumCount >= 3 ? [checksums].compactMap(\.self) : [noise]
    }

    private var seconds: String { FindingText.seconds(report.seconds) }

    /// The name of the source as the subject of a finding's text, such as `Standard input`.
    private var subject: String {
        switch evidence.name {
        case nil: "It"
        case "-": "Standard input"
        case let name?: name
        }
    }

    private var verb: String {
        evidence.origin == .replay && !evidence.isNetwork ? "contains" : "sends"
    }

    private var silent: Finding {
        guard evidence.origin != .replay || evidence.isNetwork else {
            return .error(.silent, "\(name) is empty.")
        }
        if evidence.isPipe { return .error(.silent, "No bytes arrived from \(name).") }
        if name.hasPrefix("gpsd://") {
            return .error(
                .silent, "The server answers, but no sentence arrived in \(seconds).",
                remedy:
                    "list the server's devices, for example with `gpspipe -w -n 3`: it may have "
                    + "none, or they may be silent"
            )
        }
        let modem =
            isModem ? " This tty belongs to a modem, whose receiver must first be switched on." : ""
        return .error(
            .silent, "No bytes arrived from \(name) in \(seconds).\(modem)", remedy: silenceRemedy)
    }

    /// Whether the receiver is connected to a serial line of the machine, and not by USB.
    private var isWired: Bool {
        let names = ["/dev/ttyUSB", "/dev/ttyACM"]
        return evidence.tty == nil && (name.hasPrefix("/dev/tty") || name == "/dev/serial0")
            && !names.contains { name.hasPrefix($0) }
    }

    private var isModem: Bool {
        evidence.tty?.driver.map { Self.modemDrivers.contains($0) } ?? false
    }

    /// The advice to switch on the receiver of a modem, and to find its tty.
    private var modemRemedy: String {
        let siblings = evidence.tty?.siblings ?? []
        let others =
            siblings.isEmpty
            ? "" : "; the receiver's tty may then be \(siblings.joined(separator: " or "))"
        return
            "switch the receiver on: run `sudo mmcli -m any --location-enable-gps-unmanaged` or, "
            + "without ModemManager, send a command such as AT+QGPS=1 (Quectel) or AT+CGPS=1 "
            + "(SIMCom) to the modem's AT port\(others)"
    }

    private var silenceRemedy: String {
        guard !evidence.isNetwork else {
            return "check the program that sends the data: it may be waiting for a receiver"
        }
        guard !isModem else { return modemRemedy }
        guard !isWired else {
            return
                "check the receiver's power and wiring: its TX pin must be connected to the RX pin "
                + "of this line; on the GPIO pins of a Raspberry Pi, use /dev/serial0"
        }
        var parts = ["unplug the receiver and plug it in again"]
        if let siblings = evidence.tty?.siblings, !siblings.isEmpty {
            parts.append(
                "try \(siblings.joined(separator: " or ")), which belongs to the same device")
        }
        if let control = evidence.tty?.powerControl {
            parts.append(
                "power saving may have switched the receiver off; to disable power saving: "
                    + "echo on | sudo tee \(control)")
        }
        return parts.joined(separator: "; ") + "; if the receiver is a data logger, switch it on"
    }

    private var understood: Finding {
        let kinds = (report.formatters.keys.sorted() + report.chip.messages.keys.sorted())
            .prefix(12).joined(separator: ", ")
        let source = evidence.isRateGiven ? "as given" : "detected by listening"
        let rate = report.settings.map { " at \($0), \(source)" } ?? ""
        let all = report.sentenceCount + report.badChecksumCount
        var counts: [String] = []
        if all > 0 {
            counts.append(
                report.badChecksumCount == 0
                    ? Plural.text(all, "sentence")
                    : "\(report.sentenceCount) of \(Plural.text(all, "sentence"))")
        }
        let frames = report.chip.messages.values.reduce(0, +)
        if frames > 0 { counts.append(Plural.text(frames, "UBX message")) }
        let protocols = [all > 0 ? "NMEA" : nil, frames > 0 ? "UBX" : nil].compactMap(\.self)
        let count = counts.joined(separator: " and ")
        return .ok(
            "\(subject) \(verb) \(protocols.joined(separator: " and "))\(rate): \(count) in "
                + "\(Plural.text(report.byteCount, "byte")) (\(kinds))."
        )
    }

    private func binary(_ kind: BinaryProtocol, _ count: Int) -> Finding {
        let kinds = report.formatters.keys.sorted().prefix(12).joined(separator: ", ")
        let sentences =
            report.sentenceCount == 0
            ? "no sentences"
            : "\(Plural.text(report.sentenceCount, "sentence")) without a position (\(kinds))"
        let counts = kind.isOfFile ? "" : ": \(Plural.text(count, "frame")), and \(sentences)"
        return .error(
            .binaryProtocol, "\(subject) \(verb) \(kind.problem)\(counts).",
            remedy: kind.remedy(
                for: name, isRecording: evidence.origin == .replay || evidence.isPipe))
    }

    /// A finding about text that looks like sentences without checksums.
    private var missingChecksums: Finding {
        .error(
            .badChecksums,
            "\(report.noChecksumCount) sentences have no checksum, and are not read, because "
                + "errors in them cannot be detected.",
            remedy: "switch checksums on in the receiver, or in the program that sends the data")
    }

    private var datum: Finding? {
        report.otherDatum.map { datum in
            .note(
                "The receiver's positions are in the datum \(datum), not in WGS 84.",
                remedy: "set the receiver to WGS 84, which maps and programs expect")
        }
    }

    private var checksums: Finding? {
        guard report.badFraction > Self.tolerance, report.badChecksumCount >= 3 else { return nil }
        let text =
            "\(report.badChecksumCount) of \(report.sentenceCount + report.badChecksumCount) sentences "
            + "have a wrong checksum."
        // Only root can see the open files of other users' programs, such as a service.
        let needsRoot = name.hasPrefix("/dev/") && !evidence.isRoot
        let remedy =
            "try another cable or socket, and keep the cable away from transmitters; make sure "
            + "that no other program reads \(name)"
            + (needsRoot ? ": sudo gpsbridge doctor \(name) shows such a program" : "")
        let isBearable = report.fixCount > 0 && report.badFraction < 0.5
        return isBearable
            ? .note(text, remedy: remedy) : .error(.badChecksums, text, remedy: remedy)
    }

    private var noise: Finding {
        let bytes = Plural.text(report.totalByteCount, "byte")
        if evidence.origin.mayBeLive, report.isFlooded {
            return .error(
                .noise,
                "Received \(bytes) in \(seconds), more than a serial line can carry, and none is "
                    + "readable.",
                remedy: "unplug the device and plug it in again; it may not be a receiver")
        }
        if report.textFraction >= 0.9,
            report.isRateFound || report.settings == nil || evidence.isRateGiven
        {
            return .error(
                .noise, "Received \(bytes) of text, but no NMEA sentence.",
                remedy: "\(look)the data may not come from a receiver")
        }
        if evidence.isPipe {
            return .error(.noise, "Received \(bytes) from \(name) that are not NMEA.")
        }
        guard report.triedRates.count > 1 else {
            return .error(
                .noise,
                "Received \(bytes) in \(seconds), and none is readable: this is noise, or the baud "
                    + "rate is wrong.",
                remedy: evidence.isRateGiven
                    ? "gpsbridge doctor \(name), without --baud, detects the baud rate by listening"
                    : "unplug the device and plug it in again; it may not be a receiver")
        }
        return .error(
            .noise,
            "Received \(bytes) in \(seconds), and none is readable at any of "
                + "\(Plural.text(report.triedRates.count, "baud rate")): this is noise, or "
                + "\(name) is not a receiver.",
            remedy:
                "check the cable and the voltage; if you know the baud rate, give it with --baud")
    }

    /// The beginning of a remedy: a command that shows the received data, followed by a semicolon.
    /// It is empty if there is no such command.
    private var look: String {
        guard evidence.isNetwork else {
            let quoted = name.contains(" ") ? "'\(name)'" : name
            return evidence.name == "-" ? "" : "look at the data: head -c 500 \(quoted); "
        }
        guard name.hasPrefix("tcp://"),
            case (let host, let port?)? = HostPort.split(name.dropFirst("tcp://".count))
        else { return "" }
        return "look at the data: timeout 5 nc \(host) \(port) | head -c 500; "
    }

    /// The finding that the receiver uses more than 95 % of the line's capacity, which delays every
    /// fix; `nil` if it uses less.
    private var pace: Finding? {
        guard let settings = report.settings, report.lineSeconds > 2 else { return nil }
        let capacity = Double(settings.baudRate.rawValue) / 10
        guard Double(report.byteCount) / report.lineSeconds > 0.95 * capacity else { return nil }
        return .note(
            "The serial line is at its limit (\(settings.baudRate) baud), so fixes are late.",
            remedy: "configure the receiver to send fewer sentence types, or raise its baud rate")
    }

    /// The finding that the latency timer of an FTDI converter delays fixes; `nil` if it does not.
    private var latency: Finding? {
        guard let tty = evidence.tty, let latency = tty.latencyTimer,
            latency > Self.bearableLatency
        else { return nil }
        let name = tty.path.split(separator: "/").last ?? ""
        return .note(
            "The serial converter of \(name) buffers bytes for up to \(latency) ms, which delays fixes.",
            remedy: "echo 1 | sudo tee /sys/class/tty/\(name)/device/latency_timer")
    }
}

/// Interprets the receiver's position, satellites and date.
struct SkyFindings {
    /// The minimum carrier-to-noise density in dB-Hz for acquiring a fix. An existing fix may
    /// continue below it.
    private static let acquisitionThreshold = 30.0

    private let report: LineAnalysis
    private let evidence: Evidence

    init(_ report: LineAnalysis, _ evidence: Evidence) {
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
        return [lost(last), date(position), delay, pulses, fixFinding(position)].compactMap(\.self)
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

    /// The finding that there are pulses, and how a clock is set by them; `nil` without pulses.
    private var pulses: Finding? {
        guard let name = evidence.name else { return nil }
        if let obstacle = report.pulseObstacle {
            return .note("There are no pulses: \(obstacle).")
        }
        return report.pulses.map { pulses in
            let socket = "/run/chrony.\(name.split(separator: "/").last ?? "gps").sock"
            // chronyd expects a standard deviation, and reads exponents.
            let precision = String(Double(max(pulses.uncertainty, 1)) / 1e9, decimals: 7)
            return .ok(
                "Pulses arrive, found \(pulses). To set the clock by them, run `gpsbridge serve "
                    + "\(name) --pps \(name) --chrony \(socket)` as root. chrony.conf: refclock SOCK "
                    + "\(socket) refid PPS precision \(precision) poll 2 filter 4. For ntpd-rs: "
                    + "mode = \"sock\", path, and precision = \(precision).")
        }
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
