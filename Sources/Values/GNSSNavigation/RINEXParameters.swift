// SPDX-License-Identifier: MIT
package import GNSS

extension TextBuffer {
    /// Appends a line of the header: up to 60 characters and a label.
    package mutating func append(header content: String, _ label: StaticString) {
        append(text: String(content.prefix(60)).trailing(60))
        append(label)
        append("\n")
    }
}

/// System parameters in RINEX.
extension TextBuffer {
    /// Appends parameters as lines of a header of version 3.
    package mutating func append(rinex3 parameters: SystemParameters) {
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
    package mutating func append(rinex4 parameters: SystemParameters) {
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
    var code: String {
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

    /// The leap seconds at present and later, and the week and the day of that change, for a header.
    /// The week is sent in eight bits, and is taken as the last one before the change.
    var rinexLeapSeconds: String {
        let week = time / 604_800
        let change = week - (week - numbers[.wnLSF]) & 255
        return [numbers[.deltaLS], numbers[.deltaLSF], change, numbers[.dn]].map {
            String($0).leading(6)
        }.joined()
    }
}
