// SPDX-License-Identifier: MIT
import GNSS
package import GPSFormats

/// Detects the format of a file by its first bytes, regardless of its name.
package struct InputDetector {
    /// The result of the detection.
    package enum Decision {
        /// More bytes are needed.
        case undecided
        /// NMEA sentences, or any other output of a receiver, such as UBX. Also any unknown format.
        case sentences
        /// Another format, such as GPX or CSV, with the reader for it.
        case reader(any InputReader)
    }

    /// The maximum size of a CSV header; a longer first line is not CSV. In JSON, sentences are
    /// looked for in as many bytes.
    private static let maximumHeaderSize = 4096

    private let file: String
    private let keepsWaypoints: Bool
    private var head: [UInt8] = []

    /// Creates a detector. `file` is the file's name for errors. If `keepsWaypoints` is `true`,
    /// readers of GPX, KML and GeoJSON also return waypoints and routes.
    package init(file: String, keepsWaypoints: Bool = false) {
        self.file = file
        self.keepsWaypoints = keepsWaypoints
    }

    /// All bytes added so far. The caller passes them to the reader after the detection.
    package var bytes: [UInt8] { head }

    /// Adds the next bytes of the file and returns the result. Call it again while the result is
    /// `.undecided`. `isLast` marks the end of the file.
    package mutating func push(_ bytes: ArraySlice<UInt8>, isLast: Bool = false) -> Decision {
        head += bytes
        if let isFIT = FITInput.begins(head[...]) {
            if isFIT { return .reader(FITInput(file: file)) }
        } else {
            return isLast ? .sentences : .undecided
        }
        var rest = head[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D, 0x1E].contains($0) }
        guard let first = rest.first else { return isLast ? .sentences : undecided }
        // A recording may begin within a binary frame, and therefore with any character.
        if rest.prefix(64).contains(where: Self.isBinary), !rest.starts(with: "<?xml".utf8) {
            return .sentences
        }
        if "<{[".utf8.contains(first), rest.count < 64, !isLast { return undecided }
        switch first {
        case UInt8(ascii: "<"): return tag(rest, isLast)
        case UInt8(ascii: "{"): return json(rest, isLast)
        case UInt8(ascii: "["): return list(rest, isLast)
        case UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "\\"): return .sentences
        case UInt8(ascii: "#"):
            return comment(rest, isLast)
        default: break
        }
        if let log = log(rest, isLast) { return log }
        // Other text is CSV if its first line is a header.
        func firstLine() -> ArraySlice<UInt8> { rest.prefix { $0 != 0x0A && $0 != 0x0D } }
        var line = firstLine()
        if CSVHeader.isSeparator(line) {
            rest = rest.dropFirst(line.count).drop { $0 == 0x0A || $0 == 0x0D }
            line = firstLine()
        }
        guard line.allSatisfy({ $0 >= 0x20 || $0 == 0x09 }) else { return .sentences }
        guard line.count < rest.count || isLast else { return undecided }
        guard CSVHeader(line) == nil else { return .reader(csv) }
        return igc(line, rest.dropFirst(line.count), isLast)
    }

    /// Whether a byte is a control character that text does not contain.
    private static func isBinary(_ byte: UInt8) -> Bool { byte < 0x09 || 0x0E..<0x1A ~= byte }

    /// Distinguishes JSON from sentences in a log whose lines begin with brackets, such as
    /// `[2026-03-21 10:15:20] $GPGGA`. Some terminal programs write their name into the first line,
    /// which then contains no sentence.
    private func list(_ text: ArraySlice<UInt8>, _ isLast: Bool) -> Decision {
        let element = text.dropFirst().first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if let element, "{[\"".utf8.contains(element) { return json(text, isLast) }
        let line = text.prefix { $0 != 0x0A && $0 != 0x0D }
        if line.contains(where: { ":$!".utf8.contains($0) }) { return .sentences }
        return line.count < text.count && element != nil || isLast ? json(text, isLast) : undecided
    }

    /// Distinguishes CSV from sentences after comments. A comment may be the header, as OpenTracks
    /// writes it.
    private func comment(_ text: ArraySlice<UInt8>, _ isLast: Bool) -> Decision {
        var rest = text
        while !rest.isEmpty {
            let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
            guard line.count < rest.count || isLast else { return undecided }
            if CSVHeader(line) != nil { return .reader(csv) }
            guard line.first == UInt8(ascii: "#") else { return .sentences }
            rest = rest.dropFirst(line.count).drop { $0 == 0x0A || $0 == 0x0D }
        }
        return isLast ? .sentences : undecided
    }

    private var csv: CSVInput { CSVInput(file: file, keepsWaypoints: keepsWaypoints) }

    /// Distinguishes XML from a log whose lines begin with a syslog priority, such as `<14>Mar 21`,
    /// or with a name, such as `<RX> $GPGGA`.
    private func tag(_ text: ArraySlice<UInt8>, _ isLast: Bool) -> Decision {
        guard let second = text.dropFirst().first else { return isLast ? xml : undecided }
        guard 0x41...0x5A ~= second & ~0x20 else {
            return second > 0x7F || "?!_:".utf8.contains(second) ? xml : .sentences
        }
        // In XML, the first tag is followed by another tag or a line end.
        let line = text.prefix(Self.maximumHeaderSize).prefix { $0 != 0x0A && $0 != 0x0D }
        let rest = line.drop { $0 != UInt8(ascii: ">") }.prefix { $0 != UInt8(ascii: "<") }
        if Self.hasSentence(rest) { return .sentences }
        return rest.endIndex < text.endIndex || isLast ? xml : .undecided
    }

    /// The beginnings of the objects that gpsd sends at the start of a session.
    private static let sessionObjects = ["VERSION", "DEVICES", "DEVICE", "WATCH"].map {
        Array("{\"class\":\"\($0)\"".utf8)
    }

    /// The names of gpsd's and GeoJSON's objects, after the key that they are the value of.
    private static let objectNames: [(key: [UInt8], names: [[UInt8]])] = [
        (
            Array("\"class\"".utf8),
            quoted([
                "VERSION", "DEVICES", "DEVICE", "WATCH", "TPV", "SKY", "GST", "ATT", "IMU", "TOFF",
                "PPS", "OSC", "POLL", "AIS", "RTCM2", "RTCM3", "SUBFRAME", "RAW", "ERROR",
            ])
        ),
        (Array("\"type\"".utf8), quoted(JSONInput.geoJSONTypes)),
    ]

    private static func quoted(_ names: [String]) -> [[UInt8]] {
        names.map { Array("\"\($0)\"".utf8) }
    }

    /// Returns whether a line of JSON contains the name of one of gpsd's or GeoJSON's objects.
    private static func namesObject(_ line: ArraySlice<UInt8>) -> Bool {
        for (key, names) in objectNames {
            var rest = line
            while let found = rest.firstRange(of: key) {
                rest = rest[found.upperBound...]
                let value = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ":") }
                if names.contains(where: { value.starts(with: $0) }) { return true }
            }
        }
        return false
    }

    /// Returns whether a sentence begins in a text, with `$` or `!` and two capital letters. If
    /// `isQuoted`, it must follow a quotation mark.
    package static func hasSentence(_ text: ArraySlice<UInt8>, isQuoted: Bool = false) -> Bool {
        text.indices.dropLast(2).contains { index in
            guard "$!".utf8.contains(text[index]), 0x41...0x5A ~= text[index + 1],
                0x41...0x5A ~= text[index + 2]
            else { return false }
            return !isQuoted || index > text.startIndex && text[index - 1] == UInt8(ascii: "\"")
        }
    }

    /// Distinguishes JSON (gpsd's or GeoJSON) from sentences. After the first objects of gpsd,
    /// `gpspipe -r` and `-R` write sentences or binary frames. Some logs contain sentences in JSON
    /// objects, such as `{"ascii":"$GPGGA,…"}`, perhaps after objects with other messages.
    private func json(_ text: ArraySlice<UInt8>, _ isLast: Bool) -> Decision {
        var rest = text
        while Self.sessionObjects.contains(where: { rest.starts(with: $0) }),
            let end = rest.firstIndex(of: 0x0A)
        {
            rest = rest[end...].drop { $0 == 0x0A || $0 == 0x0D }
        }
        // Binary frames, such as UBX, do not begin with an ASCII character.
        if let first = rest.first, first > 0x7F || "$!".utf8.contains(first) { return .sentences }
        let isEnough = isLast || head.count > Self.maximumHeaderSize
        let reader = Decision.reader(JSONInput(file: file, keepsWaypoints: keepsWaypoints))
        let isOpen = Self.sessionObjects.contains { rest.starts(with: $0) || $0.starts(with: rest) }
        let excess = max(0, head.count - Self.maximumHeaderSize)
        var lines: ArraySlice<UInt8> = isOpen ? [] : rest.dropLast(excess)
        while !lines.isEmpty {
            let line = lines.prefix { $0 != 0x0A && $0 != 0x0D }
            if Self.namesObject(line) { return reader }
            guard line.count < lines.count || isEnough else { return .undecided }
            if Self.hasSentence(line, isQuoted: true) { return .sentences }
            lines = lines.dropFirst(line.count).drop { $0 == 0x0A || $0 == 0x0D }
        }
        return isEnough ? reader : .undecided
    }

    /// Detects gpsd's objects in a log whose lines have a prefix, such as
    /// `12:00:00: {"class":"TPV"`. Returns `nil` for other text, and if sentences follow gpsd's
    /// first objects, as `gpspipe -r` writes them.
    private func log(_ text: ArraySlice<UInt8>, _ isLast: Bool) -> Decision? {
        var rest = text
        while !rest.isEmpty {
            let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
            guard line.count < rest.count || isLast else {
                return rest.count < text.count ? undecided : nil
            }
            guard let object = line.firstRange(of: Array("{\"class\":\"".utf8)) else { return nil }
            let isOpen = Self.sessionObjects.contains {
                line[object.lowerBound...].starts(with: $0)
            }
            guard isOpen else { return .reader(GPSDLogInput(file: file)) }
            rest = rest.dropFirst(line.count).drop { $0 == 0x0A || $0 == 0x0D }
        }
        return isLast ? nil : undecided
    }

    /// Detects IGC. It begins with a line of the recorder's code, such as `AXXX`, and a header line
    /// (`H`) or a fix, or with the date's header line (`HFDTE`) or a fix.
    private func igc(
        _ line: ArraySlice<UInt8>, _ rest: ArraySlice<UInt8>, _ isLast: Bool
    ) -> Decision {
        if line.starts(with: "HFDTE".utf8) || IGCInput.isRecord(line) {
            return .reader(IGCInput(file: file))
        }
        let code = line.dropFirst().prefix(3)
        let isCode = code.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 }
        guard line.first == UInt8(ascii: "A"), code.count == 3, isCode else { return .sentences }
        let following = rest.drop { $0 == 0x0A || $0 == 0x0D }
        let next = following.prefix { $0 != 0x0A && $0 != 0x0D }
        if next.first == UInt8(ascii: "H") { return .reader(IGCInput(file: file)) }
        guard next.count < following.count || isLast else { return undecided }
        return IGCInput.isRecord(next) ? .reader(IGCInput(file: file)) : .sentences
    }

    private var undecided: Decision {
        head.count > Self.maximumHeaderSize ? .sentences : .undecided
    }

    private var xml: Decision {
        XMLInput(file: file, keepsWaypoints: keepsWaypoints).map { .reader($0) } ?? .sentences
    }
}
