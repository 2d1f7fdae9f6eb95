// SPDX-License-Identifier: MIT
import GNSS
import GNSSNavigation
package import UBX

/// The kinds of RINEX files.
package enum RINEXKind: String, CaseIterable, Sendable {
    /// Raw measurements, from `RXM-RAWX`.
    case observations = "rinex-obs"
    /// Ephemerides, from `RXM-SFRBX`.
    case navigation = "rinex-nav"

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

/// The part of a RINEX file's header that describes a receiver's output. The output is read once
/// before the file is written.
package struct RINEXSurvey: Sendable {
    /// The signals that were measured.
    var signals = RINEXSignalSet()
    /// The frequency channels of GLONASS's satellites.
    var channels: [SatelliteID: Int] = [:]
    /// The latest system parameters.
    var parameters: [SystemParameters] = []
    var leapSeconds: Int?
    var receiver: MonVER?
    private var decoder = NavigationDecoder()

    package init() {}

    /// The receiver's name, if it was reported.
    package var chip: String? { receiver?.module }

    /// Whether the receiver is one of those that have no raw measurements: those for navigation of
    /// generations 8, 9 and 10.
    package var hasNoMeasurements: Bool {
        guard let chip else { return false }
        return ["M8N", "M8Q", "M8C", "M8M", "M8W", "M9N", "M9V", "M10"].contains {
            chip.contains($0)
        }
    }

    /// Adds a frame of a receiver whose file will be of a kind.
    package mutating func add(_ frame: borrowing UBXFrame, for kind: RINEXKind) {
        if let version = MonVER(frame) { receiver = version }
        switch kind {
        case .observations: addObservations(frame)
        case .navigation:
            decoder.push(frame) { result in
                guard case .parameters(let new) = result else { return }
                parameters.removeAll {
                    $0.kind == new.kind
                        && $0.satellite.constellation == new.satellite.constellation
                }
                parameters.append(new)
            }
        }
    }

    private mutating func addObservations(_ frame: borrowing UBXFrame) {
        guard let epoch = RxmRAWX(frame), epoch.week > 0 else { return }
        if epoch.status.hasLeapSeconds { leapSeconds = Int(epoch.leapSeconds) }
        for measurement in epoch.measurements {
            guard let signal = RINEXSignal(measurement, version: epoch.version) else { continue }
            signals.insert(signal)
            if signal.satellite.constellation == .glonass {
                channels[signal.satellite] = Int(measurement.frequencyID) - 7
            }
        }
    }
}

/// Writes a RINEX file.
package struct RINEXFile {
    private let kind: RINEXKind
    private let version: RINEXVersion
    private var survey: RINEXSurvey
    private var decoder = NavigationDecoder()
    private var observations = RINEXObservations()
    private var text = TextBuffer()
    /// The number of epochs or ephemerides written.
    package private(set) var count = 0
    /// Whether the receiver's output has the messages that the file is made of.
    package private(set) var hasMessages = false

    /// Creates a file. `survey` has read what will be added.
    package init(_ kind: RINEXKind, version: RINEXVersion, survey: RINEXSurvey) {
        (self.kind, self.version, self.survey) = (kind, version, survey)
    }

    /// Adds a frame of the receiver.
    package mutating func add(_ frame: borrowing UBXFrame) {
        switch kind {
        case .observations:
            guard let epoch = RxmRAWX(frame) else { return }
            hasMessages = true
            guard epoch.week > 0, observations.prepare(epoch, survey.signals) else { return }
            if count == 0 { writeHeader(first: epoch) }
            observations.write(epoch, to: &text)
            count += 1
        case .navigation:
            if frame.id == RxmSFRBX.id { hasMessages = true }
            var results: [NavigationDecoder.Result] = []
            decoder.push(frame) { results.append($0) }
            for result in results { write(result) }
        }
    }

    private mutating func write(_ result: NavigationDecoder.Result) {
        switch result {
        case .ephemeris(let ephemeris):
            if count == 0 { writeHeader(first: nil) }
            text.append(rinex: ephemeris, isVersion4: version == .v4)
            count += 1
        case .parameters(let parameters):
            guard version == .v4 else { return }
            if count == 0 { writeHeader(first: nil) }
            text.append(rinex4: parameters)
            count += 1
        }
    }

    /// Passes the output to `body`, then removes it.
    package mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try text.drain(body)
    }

    // MARK: Header

    private mutating func writeHeader(first epoch: RxmRAWX?) {
        let type = kind == .observations ? "OBSERVATION DATA" : "NAVIGATION DATA"
        text.append(
            header: "     \(version.rawValue)           ".trailing(20) + type.trailing(20) + "M",
            "RINEX VERSION / TYPE")
        // Without its program's user and the date, the file is the same each time.
        text.append(header: "gpsbridge", "PGM / RUN BY / DATE")
        if let epoch {
            writeStation()
            writeObservationTypes(epoch)
        } else if version == .v3 {
            for parameters in survey.parameters { text.append(rinex3: parameters) }
        }
        if let leap = survey.leapSeconds ?? survey.parameters.leapSeconds {
            text.append(header: String(leap).leading(6), "LEAP SECONDS")
        }
        text.append(header: "", "END OF HEADER")
    }

    private mutating func writeStation() {
        text.append(header: "", "MARKER NAME")
        text.append(header: "", "OBSERVER / AGENCY")
        let name = survey.receiver.map { "u-blox \($0.module ?? "")" } ?? "u-blox"
        let firmware = survey.receiver?.firmware ?? ""
        text.append(
            header: "".trailing(20) + name.trailing(20) + firmware.prefix(20),
            "REC # / TYPE / VERS")
        text.append(header: "", "ANT # / TYPE")
        let zero = "0.0000".leading(14)
        text.append(header: zero + zero + zero, "ANTENNA: DELTA H/E/N")
    }

    private mutating func writeObservationTypes(_ epoch: RxmRAWX) {
        for (letter, codes) in survey.signals.codes {
            let types = codes.flatMap { code in "CLDS".map { "\($0)\(code)" } }
            for start in stride(from: 0, to: types.count, by: 13) {
                let head = start == 0 ? "\(letter)  " + String(types.count).leading(3) : "      "
                let line = types[start...].prefix(13).reduce(head) { $0 + " " + $1 }
                text.append(header: line, "SYS / # / OBS TYPES")
            }
        }
        text.append(header: RINEXObservations.firstEpoch(epoch), "TIME OF FIRST OBS")
        for (letter, codes) in survey.signals.codes {
            for code in codes { text.append(header: "\(letter) L\(code)", "SYS / PHASE SHIFT") }
        }
        guard !survey.channels.isEmpty else { return }
        let channels = survey.channels.sorted { $0.key < $1.key }.map {
            RINEXNavigation.name(of: $0.key) + String($0.value).leading(3) + " "
        }
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

extension String {
    func leading(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}

extension TextBuffer {
    /// Appends a line of the header: up to 60 characters and a label.
    fileprivate mutating func append(header content: String, _ label: StaticString) {
        append(text: String(content.prefix(60)).trailing(60))
        append(label)
        append("\n")
    }
}

/// System parameters in RINEX.
extension TextBuffer {
    /// Appends parameters as lines of a header of version 3.
    fileprivate mutating func append(rinex3 parameters: SystemParameters) {
        switch parameters.kind {
        case .ionosphere:
            let (system, sets) = parameters.ionosphere
            for (suffix, values) in zip(["A", "B"], sets) {
                let name = sets.count == 1 ? "GAL" : system.code + "S" + suffix
                let line = TextBuffer.text { text in
                    text.append(text: name.trailing(5))
                    for value in values {
                        text.append(scientific: value, decimals: 4, width: 12)
                    }
                }
                append(header: line, "IONOSPHERIC CORR")
            }
        case .utc, .gps, .glonass:
            for difference in parameters.differences {
                let line = TextBuffer.text { text in
                    text.append(text: difference.code.trailing(5))
                    text.append(scientific: difference.a0, decimals: 10, width: 17)
                    text.append(scientific: difference.a1, decimals: 9, width: 16)
                    text.append(text: String(difference.reference % 604_800).leading(7))
                    // BeiDou counts weeks from 2006.
                    let first = difference.code == "BDUT" ? 1356 : 0
                    text.append(text: String(difference.reference / 604_800 - first).leading(5))
                }
                append(header: line, "TIME SYSTEM CORR")
            }
        }
    }

    /// Appends parameters as records of version 4.
    fileprivate mutating func append(rinex4 parameters: SystemParameters) {
        let name = RINEXNavigation.name(of: parameters.satellite)
        let message =
            switch parameters.message {
            case .inav: "IFNV"
            case .d1, .d2: "D1D2"
            case let message: message.rinexName
            }
        func write(_ values: [Double], to text: inout TextBuffer, first count: Int) {
            for (index, value) in values.enumerated() {
                if index >= count, (index - count).isMultiple(of: 4) { text.append("\n    ") }
                text.append(scientific: value, decimals: 12, width: 19)
            }
            text.append("\n")
        }
        switch parameters.kind {
        case .ionosphere:
            append(text: "> ION \(name) \(message)\n   ")
            append(rinexEpoch: parameters.time)
            write(parameters.ionosphere.1.flatMap(\.self) + [0], to: &self, first: 3)
        case .utc, .gps, .glonass:
            for difference in parameters.differences {
                append(text: "> STO \(name) \(message)\n   ")
                append(rinexEpoch: difference.reference)
                append(text: " " + difference.code.trailing(38) + difference.utc + "\n    ")
                let sent = Double(parameters.time % 604_800)
                write([sent, difference.a0, difference.a1, 0], to: &self, first: 4)
            }
        }
    }
}

extension Constellation {
    /// The two letters of the system in the names of RINEX's parameters.
    fileprivate var code: String {
        switch self {
        case .gps: "GP"
        case .galileo: "GA"
        case .glonass: "GL"
        case .beiDou: "BD"
        case .qzss: "QZ"
        case .sbas: "SB"
        case .navIC: "IR"
        }
    }
}

extension SystemParameters {
    /// The difference between two times: a0 + a1 · (t − reference).
    struct Difference {
        /// RINEX's name, such as `GPUT`.
        let code: String
        let a0, a1: Double
        /// The reference time in seconds since 6 January 1980.
        let reference: Int
        let utc: String
    }

    fileprivate var ionosphere: (Constellation, [[Double]]) {
        let constellation = satellite.constellation
        guard constellation != .galileo else {
            return (constellation, [[value(.alpha0), value(.alpha1), value(.alpha2)]])
        }
        return (
            constellation,
            [
                [.alpha0, .alpha1, .alpha2, .alpha3].map { value($0) },
                [.beta0, .beta1, .beta2, .beta3].map { value($0) },
            ]
        )
    }

    fileprivate var differences: [Difference] {
        let system = satellite.constellation.code
        let laboratory =
            switch satellite.constellation {
            case .galileo: "UTCGAL"
            case .beiDou: "UTC(NTSC)"
            case .glonass: "UTC(SU)"
            case .qzss: "UTC(NICT)"
            case .gps, .sbas, .navIC: "UTC(USNO)"
            }
        func difference(_ code: String, _ a0: Double, _ a1: Double, _ utc: String, weeks: Int)
            -> Difference
        {
            // The week is the one nearest to that of transmission.
            let week = time / 604_800 - (satellite.constellation == .galileo ? 1024 : 0)
            let missing = Double(week - numbers[.wnt]) / Double(weeks)
            let shift = Int(missing.rounded()) * weeks + time / 604_800 - week
            let reference = (numbers[.wnt] + shift) * 604_800 + Int(value(.tot))
            return Difference(code: code, a0: a0, a1: a1, reference: reference, utc: utc)
        }
        switch kind {
        case .ionosphere: return []
        case .utc where satellite.constellation == .beiDou:
            return [
                Difference(
                    code: "BDUT", a0: value(.a0), a1: value(.a1), reference: time, utc: laboratory)
            ]
        case .utc:
            return [difference(system + "UT", value(.a0), value(.a1), laboratory, weeks: 256)]
        case .gps: return [difference("GAGP", value(.a0), value(.a1), "", weeks: 64)]
        case .glonass:
            return [
                Difference(
                    code: "GLUT", a0: -value(.tauC), a1: 0, reference: time, utc: laboratory),
                Difference(code: "GLGP", a0: -value(.tauGPS), a1: 0, reference: time, utc: ""),
            ]
        }
    }
}
