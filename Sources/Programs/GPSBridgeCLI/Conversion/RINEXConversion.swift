// SPDX-License-Identifier: MIT
import GNSS
import GPSCommands
import GPSFiles
import GPSFormats
import GPSIO
import NMEA
import UBX

/// Writes the raw measurements or the ephemerides in recordings of u-blox receivers to a RINEX file.
struct RINEXConversion {
    let kind: RINEXKind
    let description: RINEXDescription
    let recordings: [Recording]
    let target: ConversionTarget

    /// Selects the kind of file by the name of the output, if it is one of RINEX.
    static func kind(ofOutput path: String) -> RINEXKind? {
        let name = CompressionFormat.plainName(path).lowercased()
        if name.hasSuffix(".nav") || name.hasSuffix("n.rnx") { return .navigation }
        return name.hasSuffix(".obs") || name.hasSuffix(".rnx") ? .observations : nil
    }

    /// Converts the recordings, which may be read twice: the header lists the signals of them all.
    ///
    /// - Throws: `ExitStatus` if there was nothing to write. A message has been printed.
    func run() throws {
        if let pipe = recordings.first(where: { $0.size == nil || $0.name == "-" }) {
            let name = pipe.name == "-" ? "standard input" : FileName.shown(pipe.name)
            throw UsageError(
                "the header of a RINEX file is about the whole recording, which may therefore be "
                    + "read twice: save \(name) to a file first")
        }
        var survey = RINEXSurvey()
        var isSimulated = false
        try forEachFrame {
            survey.add($0, for: kind)
        } head: {
            isSimulated = isSimulated || DataOrigin(recordingHead: $0) == .simulated
        }
        var file = RINEXFile(kind, description, survey: survey)
        file.origin = isSimulated ? .simulated : .replay
        if file.addSurveyed() {
            try file.drain { try target.write($0) }
        } else {
            recordings.forEach { $0.rewind() }
            try forEachFrame {
                file.add($0)
            } didRead: {
                try file.drain { try target.write($0) }
            }
        }
        let isEmpty = file.count == 0
        let isLeftOut = try target.finish([], head: [], isEmpty: isEmpty)
        guard isEmpty else { return }
        StandardError.print("\(kind.rawValue): nothing was written: \(reason(file, survey))")
        if isLeftOut {
            StandardError.print("\(target.output.name) is not written, because it would be empty")
        }
        throw ExitStatus.nothingFound
    }

    /// Reads the recordings. Calls `head` with the first bytes of each, and `didRead` after each part.
    private func forEachFrame(
        _ body: (borrowing UBXFrame) -> Void, head: (ArraySlice<UInt8>) -> Void = { _ in },
        didRead: () throws -> Void = {}
    ) throws {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        for recording in recordings {
            var framer = Framer()
            func handle(_ event: FramerEvent) {
                if case .frame(.ubx, let bytes, _) = event { body(UBXFrame(recognised: bytes)) }
            }
            var isFirst = true
            while let count = try recording.read(into: &buffer) {
                if exchange(&isFirst, with: false) { head(buffer[..<count]) }
                framer.push(buffer.span.extracting(0..<count), handle)
                try didRead()
            }
            framer.finish(handle)
            try didRead()
        }
    }

    /// Why the file would have no content.
    private func reason(_ file: RINEXFile, _ survey: RINEXSurvey) -> String {
        guard !file.hasMessages else {
            return kind == .observations
                ? "no RXM-RAWX has a time and a measurement"
                : "no satellite's ephemeris is complete, which takes 30 s, or its week is not known"
        }
        return survey.reasonForAbsence(of: kind)
    }
}

/// The options of RINEX files.
struct RINEXArguments: Sendable {
    static let options: [CommandOption<RINEXArguments>] = [
        .init(
            "rinex-version", \.version, .choice("VERSION", called: "RINEX version"),
            "The version of a RINEX file (default: 3.05)"
        ).once(),
        .init("marker", \.marker, .header("NAME", 60), "The marker's name in a RINEX file").once(),
        .init(
            "observer", \.observer, .header("NAME", 20), "The observer in a RINEX file"
        ).once(),
        .init("agency", \.agency, .header("NAME", 40), "The agency in a RINEX file").once(),
        .init(
            "antenna", \.antenna, .header("TYPE", 20), "The antenna's type in a RINEX file"
        ).once(),
    ]

    private var version: RINEXVersion?
    private var marker: String?
    private var observer: String?
    private var agency: String?
    private var antenna: String?

    /// The version and the texts of the header.
    var description: RINEXDescription {
        var description = RINEXDescription()
        description.version = version ?? .v3
        description.marker = marker ?? ""
        description.observer = observer ?? ""
        description.agency = agency ?? ""
        description.antenna = antenna ?? ""
        return description
    }

    /// Throws a `UsageError` if one of the options was given, for an output of another format.
    func refuse() throws {
        let given = [
            ("rinex-version", version == nil), ("marker", marker == nil),
            ("observer", observer == nil), ("agency", agency == nil), ("antenna", antenna == nil),
        ]
        guard let (name, _) = given.first(where: { !$1 }) else { return }
        throw UsageError("--\(name) is for rinex-obs and rinex-nav")
    }
}

extension ArgumentForm<String> {
    /// A text in a RINEX header, which has this width and only ASCII characters.
    fileprivate static func header(_ value: String, _ width: Int) -> ArgumentForm {
        ArgumentForm(
            value, not: "a text for a RINEX header", expected: "at most \(width) ASCII characters",
            unless: { text in text.count <= width && text.utf8.allSatisfy { 0x20...0x7E ~= $0 } })
    }
}
