// SPDX-License-Identifier: MIT
package import GNSS
import GNSSNavigation
package import UBX

/// The kinds of RINEX files.
package enum RINEXKind: String, CaseIterable, Sendable {
    /// Raw measurements, from `RXM-RAWX`.
    case observations = "rinex-obs"
    /// Ephemerides, from `RXM-SFRBX`.
    case navigation = "rinex-nav"

    /// The extension of a file of the kind, without the point.
    package var fileEnding: String { self == .observations ? "obs" : "nav" }

    /// A description in a few words, for `--help`.
    package var summary: String {
        switch self {
        case .observations: "RINEX, raw measurements of u-blox receivers (RXM-RAWX)"
        case .navigation: "RINEX, ephemerides from u-blox receivers (RXM-SFRBX)"
        }
    }
}

/// The versions of RINEX that are written.
package enum RINEXVersion: String, CaseIterable, Sendable {
    case v3 = "3.05"
    case v4 = "4.02"
}

/// The part of a RINEX file's header that is not in a receiver's output. By default, it names no
/// station and no person.
package struct RINEXDescription: Sendable {
    package var version = RINEXVersion.v3
    /// The name of the point that is measured.
    package var marker = ""
    package var observer = ""
    package var agency = ""
    /// The type of the antenna, such as `TRM57971.00     NONE`.
    package var antenna = ""

    package init() {}
}

/// The part of a RINEX file's header that describes a receiver's output. The output is read once
/// before the file is written.
package struct RINEXSurvey: Sendable {
    /// The signals that were measured.
    var signals = RINEXSignalSet()
    /// The frequency channels of GLONASS's satellites plus 7; 255 where it is not known.
    private var channelNumbers = [UInt8](repeating: .max, count: 65)
    private let table = RINEXSignalTable.shared
    /// The latest system parameters.
    var parameters: [SystemParameters] = []
    var leapSeconds: Int?
    var receiver: MonVER?
    private var decoder = NavigationDecoder()
    /// The most results that are kept: a few megabytes.
    private static let maximumResults = 4096
    /// The ephemerides and parameters of a navigation file; `nil` if they are too many to keep.
    fileprivate var results: [NavigationDecoder.Result]? = []
    fileprivate var hasMessages = false

    package init() {}

    /// The receiver's name, if it was reported. Many of generations 8 and 10 report only the
    /// generation.
    package var chip: String? {
        receiver.flatMap { $0.module ?? ["00080000": "M8", "000A0000": "M10"][$0.hardware] }
    }

    /// Whether the receiver is one of those that have no raw measurements: those for navigation of
    /// generations 8, 9 and 10, with the firmware for standard precision, and all before.
    package var hasNoMeasurements: Bool {
        guard let receiver else { return false }
        let isForNavigation =
            receiver.firmware.hasPrefix("SPG")
            && ["00080000", "00190000", "000A0000"].contains(receiver.hardware)
            && chip?.contains("F10") != true
        return isForNavigation || hasNoNavigation
    }

    /// Whether the receiver has no `RXM-SFRBX`: it is older than generation 8.
    private var hasNoNavigation: Bool {
        receiver.map { ($0.protocolVersion ?? 0) < 15 && !$0.software.isEmpty } ?? false
    }

    /// Whether the receiver's version says that it is simulated.
    private(set) var isSimulated = false

    /// Why a file of a kind has no content, if the receiver does not send the messages that it is
    /// made of. `device` is the receiver's tty, if it has one.
    package func reasonForAbsence(of kind: RINEXKind, device: String? = nil) -> String {
        let isOfMeasurements = kind == .observations
        let message = isOfMeasurements ? "RXM-RAWX" : "RXM-SFRBX"
        let name = chip ?? receiver?.firmware ?? ""
        if isOfMeasurements ? hasNoMeasurements : hasNoNavigation {
            let content = isOfMeasurements ? "raw measurements" : "navigation messages"
            return "the receiver (\(name)) has no \(content) (\(message))"
        }
        let place = device.map { " \($0)" } ?? ""
        let owners =
            isOfMeasurements
            ? ", which u-blox's timing and RTK chips have" : ", which u-blox has since M8"
        return "there is no message \(message)"
            + (name.isEmpty ? owners : " of this \(name)")
            + "; `gpsbridge configure\(place) --messages NAV-PVT,RXM-RAWX,RXM-SFRBX` switches it on"
    }

    /// Adds a version that a receiver has reported.
    mutating func add(_ version: MonVER) {
        receiver = version
        isSimulated = isSimulated || version.isSimulated
    }

    /// Adds a frame of a receiver whose file will be of a kind.
    package mutating func add(_ frame: borrowing UBXFrame, for kind: RINEXKind) {
        if let version = MonVER(frame) { add(version) }
        switch kind {
        case .observations: addObservations(frame)
        case .navigation:
            if frame.id == RxmSFRBX.id { hasMessages = true }
            var found: [NavigationDecoder.Result] = []
            decoder.push(frame) { found.append($0) }
            for case .parameters(let new) in found { add(new) }
            results?.append(contentsOf: found)
            if results?.count ?? 0 > Self.maximumResults { results = nil }
        }
    }

    /// The frequency channels of GLONASS's satellites, in their order.
    var channels: [(satellite: SatelliteID, channel: Int)] {
        channelNumbers.enumerated().compactMap { number, channel in
            guard channel != .max, let id = SatelliteID(.glonass, number) else { return nil }
            return (id, Int(channel) - 7)
        }
    }

    /// Adds system parameters, which replace earlier ones.
    mutating func add(_ new: SystemParameters) {
        parameters.removeAll {
            $0.kind == new.kind && $0.satellite.constellation == new.satellite.constellation
        }
        parameters.append(new)
    }

    private mutating func addObservations(_ frame: borrowing UBXFrame) {
        guard let epoch = RawEpoch(frame), epoch.week > 0 else { return }
        if let leapSeconds = epoch.leapSeconds { self.leapSeconds = leapSeconds }
        let (version, glonass) = (epoch.version, Self.glonass)
        for index in 0..<epoch.count {
            let identity = epoch.identity(index)
            guard let signal = table.signal(identity, version: version) else { continue }
            signals.insert(signal)
            if signal.system == glonass, channelNumbers.indices.contains(signal.svid) {
                channelNumbers[signal.svid] = UInt8(identity.frequencyID)
            }
        }
    }

    private static let glonass = RINEXSignalSet.all.firstIndex { $0.0 == .glonass }
}

/// Writes a RINEX file.
package struct RINEXFile {
    private let kind: RINEXKind
    private let description: RINEXDescription
    private var survey: RINEXSurvey
    /// Whether the survey has not read what will be added, as in a recording.
    private let isLive: Bool
    /// The signals in the header.
    private var columns = RINEXSignalSet()
    /// The latest ephemeris of each satellite's message, with which the next live file begins.
    private var newest: [Ephemeris] = []
    private var decoder = NavigationDecoder()
    private var observations = RINEXObservations()
    private var text = TextBuffer()
    /// The number of epochs or ephemerides written.
    package private(set) var count = 0
    /// Whether the receiver's output has the messages that the file is made of.
    package private(set) var hasMessages = false
    /// Where the receiver's output comes from. A comment in the header says so unless it is live.
    package var origin = DataOrigin.live
    /// Whether the receiver has reported its version, which the header contains.
    package var isIdentified: Bool { survey.receiver != nil }

    /// The header of the present file.
    package private(set) var header: [UInt8] = []

    /// Creates a file. `survey` has read what will be added; without it, the header has the signals
    /// that receivers of u-blox measure, and what has been added when it is written.
    package init(_ kind: RINEXKind, _ description: RINEXDescription, survey: RINEXSurvey? = nil) {
        (self.kind, self.description) = (kind, description)
        isLive = survey == nil
        self.survey = survey ?? RINEXSurvey()
        if isLive { self.survey.signals = .measured }
    }

    /// Begins another file. It has a header of its own, and begins with the ephemerides that are
    /// still useful.
    package mutating func begin() {
        (count, header) = (0, [])
        let last = newest.compactMap(\.sent).max() ?? 0
        newest.removeAll { !$0.isUseful(at: last) }
        for ephemeris in newest { write(.ephemeris(ephemeris)) }
    }

    /// Adds what the survey has decoded. Returns `false` if it did not keep everything, so that the
    /// frames have to be added.
    package mutating func addSurveyed() -> Bool {
        guard kind == .navigation, let results = survey.results else { return false }
        hasMessages = survey.hasMessages
        for result in results { write(result) }
        return true
    }

    /// Adds a frame of the receiver.
    package mutating func add(_ frame: borrowing UBXFrame) {
        switch kind {
        case .observations:
            if isLive { survey.add(frame, for: kind) }
            guard let epoch = RawEpoch(frame) else { return }
            hasMessages = true
            if count == 0 { columns = survey.signals }
            guard let time = epoch.time, observations.prepare(epoch, columns) else { return }
            if count == 0 { writeHeader(first: time) }
            observations.write(epoch, at: time, to: &text)
            count += 1
        case .navigation:
            if frame.id == RxmSFRBX.id { hasMessages = true }
            if isLive, let version = MonVER(frame) { survey.add(version) }
            var results: [NavigationDecoder.Result] = []
            decoder.push(frame) { results.append($0) }
            for result in results {
                if isLive { keep(result) }
                write(result)
            }
        }
    }

    private mutating func keep(_ result: NavigationDecoder.Result) {
        switch result {
        case .parameters(let parameters): survey.add(parameters)
        case .ephemeris(let new):
            newest.removeAll { $0.satellite == new.satellite && $0.message == new.message }
            newest.append(new)
        }
    }

    private mutating func write(_ result: NavigationDecoder.Result) {
        let isVersion4 = description.version == .v4
        switch result {
        case .ephemeris(let ephemeris):
            if count == 0 { writeHeader(first: nil) }
            text.append(rinex: ephemeris, isVersion4: isVersion4)
            count += 1
        case .parameters(let parameters):
            guard isVersion4 else { return }
            if count == 0 { writeHeader(first: nil) }
            text.append(rinex4: parameters)
            count += 1
        }
    }

    /// Why the file has no content, if the receiver does not send the messages that it is made of.
    package func reasonForAbsence(device: String?) -> String {
        survey.reasonForAbsence(of: kind, device: device)
    }

    /// Passes the output to `body`, then removes it.
    package mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try text.drain(body)
    }

    // MARK: Header

    private mutating func writeHeader(first time: (seconds: Int, fraction: Int)?) {
        let start = text.count
        defer { header = Array(text.room[start..<text.count]) }
        let type = kind == .observations ? "OBSERVATION DATA" : "NAVIGATION DATA"
        text.append(
            header: "     \(description.version.rawValue)           ".trailing(20)
                + type.trailing(20) + "M",
            "RINEX VERSION / TYPE")
        // Without its program's user and the date, the file is the same each time.
        text.append(header: "gpsbridge", "PGM / RUN BY / DATE")
        let origin = survey.isSimulated ? .simulated : origin
        if origin == .simulated || origin == .replay {
            text.append(header: "origin: \(origin.rawValue)", "COMMENT")
        }
        if let time {
            writeStation()
            writeObservationTypes(time)
        } else if description.version == .v3 {
            for parameters in survey.parameters { text.append(rinex3: parameters) }
        }
        if let leap = survey.leapSeconds ?? survey.parameters.leapSeconds {
            text.append(header: String(leap).leading(6), "LEAP SECONDS")
        }
        text.append(header: "", "END OF HEADER")
    }

    private mutating func writeStation() {
        text.append(header: description.marker, "MARKER NAME")
        text.append(
            header: description.observer.trailing(20) + description.agency, "OBSERVER / AGENCY")
        let name = survey.receiver.map { "u-blox \($0.module ?? "")" } ?? "u-blox"
        let firmware = survey.receiver?.firmware ?? ""
        text.append(
            header: "".trailing(20) + name.trailing(20) + firmware.prefix(20),
            "REC # / TYPE / VERS")
        text.append(header: "".trailing(20) + description.antenna, "ANT # / TYPE")
        let zero = "0.0000".leading(14)
        text.append(header: zero + zero + zero, "ANTENNA: DELTA H/E/N")
    }

    private mutating func writeObservationTypes(_ time: (seconds: Int, fraction: Int)) {
        for (letter, codes) in columns.codes {
            let types = codes.flatMap { code in "CLDS".map { "\($0)\(code)" } }
            for start in stride(from: 0, to: types.count, by: 13) {
                let head = start == 0 ? "\(letter)  " + String(types.count).leading(3) : "      "
                let line = types[start...].prefix(13).reduce(head) { $0 + " " + $1 }
                text.append(header: line, "SYS / # / OBS TYPES")
            }
        }
        text.append(header: RINEXObservations.firstEpoch(time), "TIME OF FIRST OBS")
        for (letter, codes) in columns.codes {
            for code in codes { text.append(header: "\(letter) L\(code)", "SYS / PHASE SHIFT") }
        }
        let channels = survey.channels.map {
            RINEXNavigation.name(of: $0.satellite) + String($0.channel).leading(3) + " "
        }
        guard !channels.isEmpty else { return }
        for start in stride(from: 0, to: channels.count, by: 8) {
            let head = start == 0 ? String(channels.count).leading(3) + " " : "    "
            let line = head + channels[start...].prefix(8).joined()
            text.append(header: line, "GLONASS SLOT / FRQ #")
        }
        let biases = ["C1C", "C1P", "C2C", "C2P"].map { " \($0)" + "0.000".leading(9) }
        text.append(header: biases.joined(), "GLONASS COD/PHS/BIS")
    }
}

extension [SystemParameters] {
    /// The difference between GPS time and UTC. BeiDou counts it from 2006.
    fileprivate var leapSeconds: Int? {
        first { $0.kind == .utc && $0.message != .d1 }?.numbers[.deltaLS]
            ?? first { $0.kind == .utc }.map { $0.numbers[.deltaLS] + 14 }
    }
}
