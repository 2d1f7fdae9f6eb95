// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// Whether what comes over the line makes sense.
struct LineFindings {
    /// So large a share of wrong checksums is a bad line.
    private static let tolerance = 0.02

    private let heard: LineReport
    private let evidence: Evidence
    private let name: String

    /// Milliseconds that users do not notice.
    private static let bearableLatency = 2

    init(_ heard: LineReport, _ evidence: Evidence) {
        self.heard = heard
        self.evidence = evidence
        name = evidence.name.map { $0 == "-" ? "standard input" : $0 } ?? "it"
    }

    var findings: [Finding] {
        guard heard.totalByteCount > 0 else {
            // The reason for its silence has been found.
            let isExplained = evidence.failure.map { [.disconnected, .notFound].contains($0.code) }
            return isExplained == true ? [] : [silent]
        }
        if let (kind, count) = heard.binaryProtocol { return [binary(kind, count)] }
        guard heard.validCount == 0 else {
            return [understood] + heard.chip.findings + checksums + pace + latency
        }
        let looksLikeSentences = heard.badChecksumCount >= 3 && heard.textShare >= 0.9
        return looksLikeSentences ? checksums : [noise]
    }

    private var seconds: String { Words.seconds(heard.seconds) }

    private var silent: Finding {
        guard evidence.origin != .replay else {
            return .error(.silent, "\(name) is empty.")
        }
        if evidence.isPipe { return .error(.silent, "Nothing came from \(name).") }
        if name.hasPrefix("gpsd://") {
            return .error(
                .silent, "It answers, but not a sentence came in \(seconds).",
                remedy:
                    "ask it which devices it has, as by `gpspipe -w -n 3`: none may be there, or silent"
            )
        }
        return .error(.silent, "Not a byte came in \(seconds).", remedy: silenceRemedy)
    }

    private var silenceRemedy: String {
        guard !evidence.isNetwork else {
            return "check what serves it, which may wait for a receiver, too"
        }
        var parts = ["unplug the receiver and plug it in again"]
        if let siblings = evidence.tty?.siblings, !siblings.isEmpty {
            parts.append(
                "the same device has \(siblings.joined(separator: " and ")), too: try that")
        }
        if let control = evidence.tty?.powerControl {
            parts.append("power saving may have put it to sleep: echo on | sudo tee \(control)")
        }
        return parts.joined(separator: "; ") + "; a logger may have to be switched on"
    }

    private var understood: Finding {
        let kinds = (heard.formatters.keys.sorted() + heard.chip.messages.keys.sorted())
            .prefix(12).joined(separator: ", ")
        let source = evidence.isRateGiven ? "as given" : "found by listening"
        let rate = heard.settings.map { " at \($0), \(source)" } ?? ""
        let all = heard.sentenceCount + heard.badChecksumCount
        var counts: [String] = []
        if all > 0 {
            counts.append(
                heard.badChecksumCount == 0
                    ? Words.count(all, "sentence")
                    : "\(heard.sentenceCount) of \(Words.count(all, "sentence"))")
        }
        let frames = heard.chip.messages.values.reduce(0, +)
        if frames > 0 { counts.append(Words.count(frames, "UBX message")) }
        let protocols = [all > 0 ? "NMEA" : nil, frames > 0 ? "UBX" : nil].compactMap(\.self)
        let count = counts.joined(separator: " and ")
        return .ok(
            "It sends \(protocols.joined(separator: " and "))\(rate): \(count) in \(Words.count(heard.byteCount, "byte")) (\(kinds))."
        )
    }

    private func binary(_ kind: BinaryProtocol, _ count: Int) -> Finding {
        let kinds = heard.formatters.keys.sorted().prefix(12).joined(separator: ", ")
        let sentences =
            heard.sentenceCount == 0
            ? "not a sentence"
            : "\(Words.count(heard.sentenceCount, "sentence")) without a position (\(kinds))"
        return .error(
            .binaryProtocol,
            "It sends \(kind.problem): \(Words.count(count, "frame")), and \(sentences).",
            remedy: kind.remedy(
                for: name, isRecording: evidence.origin == .replay || evidence.isPipe))
    }

    private var checksums: [Finding] {
        guard heard.badShare > Self.tolerance, heard.badChecksumCount >= 3 else { return [] }
        let text =
            "\(heard.badChecksumCount) of \(heard.sentenceCount + heard.badChecksumCount) sentences "
            + "have a wrong checksum."
        let remedy =
            "try another cable or socket, and keep it away from transmitters; make sure that no other "
            + "program reads \(name)"
        let isBearable = heard.fixCount > 0 && heard.badShare < 0.5
        return [
            isBearable ? .note(text, remedy: remedy) : .error(.badChecksums, text, remedy: remedy)
        ]
    }

    private var noise: Finding {
        let bytes = Words.count(heard.totalByteCount, "byte")
        if evidence.origin.mayBeLive, heard.isFlooded {
            return .error(
                .noise,
                "\(bytes) came in \(seconds), more than any line carries, and make no sense.",
                remedy: "unplug it and plug it in again; this may be no receiver at all")
        }
        if heard.textShare >= 0.9,
            heard.isRateFound || heard.settings == nil || evidence.isRateGiven
        {
            return .error(
                .noise, "\(bytes) came, text without a single NMEA sentence.",
                remedy: "\(look)this may be no receiver at all")
        }
        if evidence.isPipe {
            return .error(.noise, "\(bytes) came from \(name), and make no sense: this is no NMEA.")
        }
        guard heard.triedRates.count > 1 else {
            return .error(
                .noise,
                "\(bytes) came in \(seconds) and make no sense: noise, or a wrong baud rate.",
                remedy: evidence.isRateGiven
                    ? "gpsbridge doctor \(name), without --baud, finds the rate by listening"
                    : "unplug it and plug it in again; this may be no receiver at all")
        }
        return .error(
            .noise,
            "\(bytes) came in \(seconds) and make no sense at any of "
                + "\(Words.count(heard.triedRates.count, "rate")): noise, or no receiver.",
            remedy: "check the cable and the voltage; if you know the rate, give it with --baud")
    }

    /// The command that shows what comes, followed by a semicolon; empty if there is none.
    private var look: String {
        guard evidence.isNetwork else {
            let quoted = name.contains(" ") ? "'\(name)'" : name
            return evidence.name == "-" ? "" : "look at it: head -c 500 \(quoted); "
        }
        guard name.hasPrefix("tcp://"), let colon = name.lastIndex(of: ":") else { return "" }
        let host = name[..<colon].dropFirst("tcp://".count).filter { $0 != "[" && $0 != "]" }
        let port = name[name.index(after: colon)...]
        return "look at it: timeout 5 nc \(host) \(port) | head -c 500; "
    }

    /// A line that is full delays every fix.
    private var pace: [Finding] {
        guard let settings = heard.settings, heard.lineSeconds > 2 else { return [] }
        let capacity = Double(settings.baudRate.rawValue) / 10
        guard Double(heard.byteCount) / heard.lineSeconds > 0.95 * capacity else { return [] }
        return [
            .note(
                "\(settings.baudRate) baud is full to the brim, so fixes come late.",
                remedy: "let the receiver send fewer kinds of sentences, or at a higher rate")
        ]
    }

    /// An FTDI converter whose latency timer cannot be set.
    private var latency: [Finding] {
        guard let tty = evidence.tty, let latency = tty.latencyTimer,
            latency > Self.bearableLatency
        else { return [] }
        let name = tty.path.split(separator: "/").last ?? ""
        return [
            .note(
                "Its converter keeps bytes back for up to \(latency) ms, so that fixes come late by that.",
                remedy: "echo 1 | sudo tee /sys/class/tty/\(name)/device/latency_timer")
        ]
    }
}
