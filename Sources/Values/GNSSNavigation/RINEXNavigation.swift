// SPDX-License-Identifier: MIT
import Glibc
package import GNSS

/// A number of a record in a RINEX navigation file.
private enum RINEXColumn {
    case number(NavigationParameter)
    case week, accuracy, sent, fit, source, galileoHealth, glonassHealth, glonassFlags, limits
    case blank
}

extension NavigationMessage {
    /// The name of the message in RINEX 4.
    package var rinexName: String {
        switch self {
        case .lnav: "LNAV"
        case .inav: "INAV"
        case .fnav: "FNAV"
        case .fdma: "FDMA"
        case .d1: "D1"
        case .d2: "D2"
        }
    }

    /// The numbers of a record, in the order of RINEX: three after the epoch, then four in a line.
    fileprivate var columns: [RINEXColumn] {
        if self == .fdma {
            let numbers: [RINEXColumn] =
                [.number(.af0), .number(.af1), .sent]
                + [.x, .dx, .ddx].map(RINEXColumn.number) + [.glonassHealth]
            return numbers
                + [.y, .dy, .ddy, .channel, .z, .dz, .ddz, .en].map(RINEXColumn.number)
                + [.glonassFlags, .number(.deltaTau), .number(.ft), .limits]
        }
        let orbit: [NavigationParameter] = [
            .af0, .af1, .af2, .iode, .crs, .deltaN, .m0, .cuc, .e, .cus, .rootA, .toe, .cic,
            .omega0, .cis, .i0, .crc, .omega, .omegaDot, .iDot,
        ]
        let rest: [RINEXColumn] =
            switch self {
            case .inav, .fnav:
                [
                    .source, .week, .blank, .accuracy, .galileoHealth, .number(.tgd1),
                    .number(.tgd2), .sent,
                ]
            case .d1, .d2:
                [
                    .blank, .week, .blank, .accuracy, .number(.health), .number(.tgd1),
                    .number(.tgd2), .sent, .number(.iodc),
                ]
            case .lnav, .fdma:
                [
                    .number(.codeOnL2), .week, .number(.l2P), .accuracy, .number(.health),
                    .number(.tgd1), .number(.iodc), .sent, .fit,
                ]
            }
        return orbit.map(RINEXColumn.number) + rest
    }

    /// The bits of numbers that RINEX stores in one, from the lowest one.
    fileprivate var packed: [(NavigationParameter, width: Int)] {
        self == .fdma
            ? [(.p, 2), (.p1, 2), (.p2, 1), (.p3, 1), (.p4, 1), (.m, 2)]
            : [(.dvsE1, 1), (.hsE1, 2), (.dvsE5a, 1), (.hsE5a, 2), (.dvsE5b, 1), (.hsE5b, 2)]
    }
}

extension Ephemeris {
    private static let unknownTime = 0.9999e9
    /// BeiDou's week 0 in weeks of GPS.
    private var firstWeek: Int { message == .d1 || message == .d2 ? 1356 : 0 }

    fileprivate func value(of column: RINEXColumn) -> Double {
        switch column {
        case .number(let parameter): return value(parameter)
        case .week: return Double(toe / Self.week - firstWeek)
        case .accuracy: return accuracy ?? (message == .inav || message == .fnav ? -1 : 8192)
        case .sent:
            // GLONASS's is within a week, the others' may be in the week before that of the orbit.
            let start = message == .fdma ? sent.map { $0 / Self.week } : toe / Self.week
            return sent.map { Double($0 - (start ?? 0) * Self.week) } ?? Self.unknownTime
        case .fit:
            let flag = numbers[.fit]
            return Double(satellite.constellation == .gps ? 4 + 2 * flag : flag)
        case .source:
            // The bits of the signals, both if they are not known, and that of the clock for E1 and
            // E5b.
            let signals = numbers[.channel] == 0 ? 5 : numbers[.channel]
            return message == .inav ? Double(signals | 512) : 258
        case .galileoHealth, .glonassFlags:
            var (bits, start) = (0, 0)
            for (parameter, width) in message.packed {
                bits |= numbers[parameter] << start
                start += width
            }
            return Double(bits)
        case .glonassHealth: return Double(numbers[.bn] >> 2)
        case .limits: return Double(numbers[.ln] << 2)
        case .blank: return 0
        }
    }

    /// Creates the ephemeris of a record. Returns `nil` if a number or the orbit is impossible.
    fileprivate init?(
        rinex satellite: SatelliteID, _ message: NavigationMessage, epoch: Int, _ values: [Double]
    ) {
        var numbers = NavigationNumbers()
        var (week, sent): (Int?, Int?)
        for (column, value) in zip(message.columns, values) {
            // Version 3.05 states that GLONASS's difference of delays is unknown.
            if case .number(.deltaTau) = column, value >= Self.unknownTime { continue }
            guard let whole = Int(exactly: value.rounded()) else { return nil }
            switch column {
            case .number(let parameter):
                let number = (value / message.scale(parameter)).rounded()
                guard let number = Int(exactly: number), number.magnitude < 1 << 40 else {
                    return nil
                }
                numbers[parameter] = number
            case .week: week = whole
            case .accuracy: numbers[.accuracy] = message.accuracyIndex(value)
            case .sent: sent = value < Self.unknownTime ? whole : nil
            case .fit: numbers[.fit] = satellite.constellation == .gps ? (whole > 4 ? 1 : 0) : whole
            case .galileoHealth, .glonassFlags:
                var start = 0
                for (parameter, width) in message.packed {
                    numbers[parameter] = whole >> start & (1 << width - 1)
                    start += width
                }
            case .glonassHealth: numbers[.bn] = whole & 0b101 == 0 ? 0 : 0b100
            case .limits: numbers[.ln] = whole >> 2 & 1
            case .source: numbers[.channel] = whole & 5
            case .blank: break
            }
        }
        if message == .fdma {
            let moscow = epoch + 10_800
            numbers[.nt] = ((moscow / 86_400 - 5839) % 1461 + 1461) % 1461 + 1
            numbers[.tb] = moscow % 86_400 / 900
            self.init(satellite, message, numbers, toe: epoch, sent: nil)
            return
        }
        let first = message == .d1 || message == .d2 ? 1356 : 0
        guard let week, 0..<100_000 ~= week else { return nil }
        let start = (week + first) * Self.week
        numbers[.toc] = epoch % Self.week / message.timeUnit
        if let weeks = message.weeks {
            numbers[.week] = (week + first - weeks.first) % weeks.period
        }
        self.init(
            satellite, message, numbers, toe: start + numbers[.toe] * message.timeUnit,
            sent: sent.map { start + $0 })
    }
}

extension NavigationMessage {
    /// Returns the index of the accuracy nearest to `value` in metres.
    fileprivate func accuracyIndex(_ value: Double) -> Int {
        let indices = self == .inav || self == .fnav ? 0...125 : 0...14
        let none = self == .inav || self == .fnav ? 255 : 15
        guard value >= 0, value < 8192 else { return none }
        return indices.min {
            abs((accuracy($0) ?? 0) - value) < abs((accuracy($1) ?? 0) - value)
        } ?? none
    }
}

extension TextBuffer {
    /// Appends an ephemeris as a record of a RINEX navigation file.
    package mutating func append(rinex ephemeris: Ephemeris, isVersion4: Bool) {
        let satellite = ephemeris.satellite
        let name = RINEXNavigation.name(of: satellite)
        if isVersion4 { append(text: "> EPH \(name) \(ephemeris.message.rinexName)\n") }
        append(text: name)
        append(rinexEpoch: ephemeris.toc)
        for (index, column) in ephemeris.message.columns.enumerated() {
            if index % 4 == 3 { append("\n    ") }
            append(scientific: ephemeris.value(of: column), decimals: 12, width: 19)
        }
        append("\n")
    }

    /// Appends a date and a time, each number after a space.
    package mutating func append(rinexEpoch seconds: Int) {
        let date = CalendarDate(daysSince1970: GPSTime.firstDay + seconds / 86_400)
        let time = TimeOfDay(secondsOfDay: seconds % 86_400)
        append(" ")
        append(integer: date?.year ?? 0, width: 4)
        for part in [date?.month ?? 0, date?.day ?? 0, time.hour, time.minute, time.second] {
            append(" ")
            append(integer: part, width: 2)
        }
    }

    /// Appends a number with one digit before the point and an exponent, right-aligned.
    package mutating func append(scientific value: Double, decimals: Int, width: Int) {
        var exponent = value == 0 ? 0 : Int(log10(value.magnitude).rounded(.down))
        var digits = value * pow(10, Double(-exponent))
        // The rounded digits may have a further one.
        if digits.magnitude + 0.5 * pow(10, Double(-decimals)) >= 10 {
            exponent += 1
            digits = value * pow(10, Double(-exponent))
        }
        let length = decimals + 6 + (value < 0 ? 1 : 0)
        for _ in 0..<max(0, width - length) { append(" ") }
        append(fixed: digits, decimals: decimals)
        append(exponent < 0 ? "E-" : "E+")
        append(integer: abs(exponent), width: 2)
    }
}

/// Reads the ephemerides of a RINEX navigation file of version 3 or 4, line by line.
package struct RINEXNavigation: Sendable {
    /// The lines of the record that is being read.
    private var lines: [String] = []
    private var isHeader = true
    /// The values of the corrections in the header, and in records of version 4, by their names in the
    /// header, such as `GPSA` and `GPUT`.
    private var corrections: [String: [Double]] = [:]
    /// The leap seconds at present, later, and the week and the day of that change.
    private var leapSeconds: [Int] = []

    package init() {}

    /// Returns the version of the format that a file's first line states; `nil` if it has none.
    package static func version(of text: String) -> Double? {
        let line = text.prefix { !$0.isNewline }
        guard line.dropFirst(60).hasPrefix("RINEX VERSION") else { return nil }
        return Double(line.prefix(9).filter { $0 != " " })
    }

    /// The name of a satellite in RINEX.
    package static func name(of satellite: SatelliteID) -> String {
        let svid = Int(satellite.svid) - (satellite.constellation == .sbas ? 100 : 0)
        return "\(satellite.constellation.letter)" + String(svid, width: 2)
    }

    /// Reads the next line. Returns the ephemeris that it ends, which is that of the lines before.
    package mutating func push(_ line: String) -> Ephemeris? {
        guard !isHeader else {
            readHeader(line)
            return nil
        }
        guard line.hasPrefix("   ") else {
            defer { lines = [line] }
            return finish()
        }
        // A record has at most eight lines.
        if lines.count < 8 { lines.append(line) }
        return nil
    }

    /// Ends the file. Returns the ephemeris of its last lines.
    package mutating func finish() -> Ephemeris? {
        defer { lines = [] }
        guard let first = lines.first else { return nil }
        if first.hasPrefix(">") { readParameters() }
        guard let satellite = Self.satellite(first), let epoch = Self.epoch(first) else {
            return nil
        }
        guard let values = Self.values(lines[...]),
            let message = Self.message(of: satellite, values),
            values.count >= (message == .fdma ? 15 : 27)
        else { return nil }
        return Ephemeris(rinex: satellite, message, epoch: epoch, values)
    }

    /// Reads a record of version 4 with parameters of the ionosphere, or with the difference between
    /// two times.
    private mutating func readParameters() {
        guard lines.count > 1, let satellite = Self.satellite(String(lines[0].dropFirst(6))) else {
            return
        }
        let code = satellite.constellation.code
        switch lines[0].dropFirst(2).prefix(3) {
        case "ION":
            guard let values = Self.values(lines[1...]) else { return }
            if satellite.constellation == .galileo {
                corrections["GAL"] = values
            } else if values.count >= 8 {
                corrections[code + "SA"] = Array(values[..<4])
                corrections[code + "SB"] = Array(values[4..<8])
            }
        case "STO":
            guard let epoch = Self.epoch(lines[1]), lines.count > 2,
                let values = Self.values(lines[2], from: 4, [19, 19, 19])
            else { return }
            let name = String(lines[1].dropFirst(24).prefix(4))
            let (week, second) = epoch.quotientAndRemainder(dividingBy: 604_800)
            corrections[name] = [values[1], values[2], Double(second), Double(week)]
        default: break
        }
    }

    /// Returns the time of a record in seconds since 6 January 1980; `nil` before.
    private static func epoch(_ line: String) -> Int? {
        let parts = line.dropFirst(4).prefix(19).split(separator: " ").compactMap { Int($0) }
        guard parts.count == 6,
            let date = CalendarDate(year: parts[0], month: parts[1], day: parts[2]),
            let time = TimeOfDay(hour: parts[3], minute: parts[4], second: parts[5])
        else { return nil }
        let days = date.daysSince1970 - GPSTime.firstDay
        return days < 0 ? nil : days * 86_400 + Int(time.nanoseconds / 1_000_000_000)
    }

    /// Returns the numbers of a record, whose first line has three after the time.
    private static func values(_ lines: ArraySlice<String>) -> [Double]? {
        guard let first = lines.first, var values = values(first, from: 23, [19, 19, 19]) else {
            return nil
        }
        for line in lines.dropFirst() {
            guard let more = Self.values(line, from: 4, [19, 19, 19, 19]) else { return nil }
            values += more
        }
        return values
    }

    private static func satellite(_ line: String) -> SatelliteID? {
        guard
            let constellation = Constellation.allCases.first(where: { $0.letter == line.first }),
            let number = Int(line.dropFirst().prefix(2).drop { $0 == " " })
        else { return nil }
        return SatelliteID(constellation, number)
    }

    private static func message(of satellite: SatelliteID, _ values: [Double])
        -> NavigationMessage?
    {
        switch satellite.constellation {
        case .gps, .qzss: return .lnav
        case .glonass: return .fdma
        case .beiDou: return 6...58 ~= satellite.svid ? .d1 : .d2
        case .galileo:
            guard values.count > 20, let source = Int(exactly: values[20]) else { return nil }
            return source & 5 != 0 ? .inav : .fnav
        case .sbas, .navIC: return nil
        }
    }

    /// Reads numbers of some widths. A blank one is 0. Returns `nil` if one is unreadable, or cut at the
    /// end of the line: the others would have wrong places.
    private static func values(_ line: String, from start: Int, _ widths: [Int]) -> [Double]? {
        var rest = line.utf8.dropFirst(start)
        var values: [Double] = []
        for width in widths {
            let field = rest.prefix(width)
            rest = rest.dropFirst(width)
            let text = field.filter { $0 != 0x20 }.map {
                $0 | 0x20 == UInt8(ascii: "d") ? UInt8(ascii: "e") : $0
            }
            guard !text.isEmpty else {
                values.append(0)
                continue
            }
            guard field.count == width, let value = Double(String(decoding: text, as: UTF8.self)),
                value.isFinite
            else { return nil }
            values.append(value)
        }
        return values
    }

    private mutating func readHeader(_ line: String) {
        let label = line.dropFirst(60)
        let name = line.prefix(4).filter { $0 != " " }
        if label.hasPrefix("IONOSPHERIC CORR") {
            corrections[name] = Self.values(line, from: 5, [12, 12, 12, 12])
        } else if label.hasPrefix("TIME SYSTEM CORR") {
            corrections[name] = Self.values(line, from: 5, [17, 16, 7, 5])
        } else if label.hasPrefix("LEAP SECONDS"), !line.dropFirst(24).hasPrefix("BD") {
            // Those of BeiDou are counted from another year.
            leapSeconds = line.prefix(24).split(separator: " ").compactMap { Int($0) }
        } else if label.hasPrefix("END OF HEADER") {
            isHeader = false
        }
    }

    /// Returns the parameters of the header. The header does not have their time, so it is passed.
    package func parameters(near time: Int) -> [SystemParameters] {
        [(Constellation.gps, 1, NavigationMessage.lnav), (.galileo, 1, .inav), (.beiDou, 6, .d1)]
            .flatMap { constellation, svid, message -> [SystemParameters] in
                guard let satellite = SatelliteID(constellation, svid) else { return [] }
                let code = constellation.code
                let alpha = corrections[constellation == .galileo ? "GAL" : code + "SA"]
                let names: [NavigationParameter] =
                    [.alpha0, .alpha1, .alpha2, .alpha3, .beta0, .beta1, .beta2, .beta3]
                let ionosphere = (alpha ?? []) + (corrections[code + "SB"] ?? [])
                let needed = constellation == .galileo ? 3 : 8
                let difference = corrections[code + "UT"] ?? []
                let found: [(SystemParameters.Kind, [(NavigationParameter, Double)])] = [
                    (
                        .ionosphere,
                        ionosphere.count < needed
                            ? [] : Array(zip(names.prefix(needed), ionosphere))
                    ),
                    // A header's leap seconds are those of GPS and Galileo.
                    (
                        .utc,
                        difference.count < 4 || constellation == .beiDou ? [] : utc(difference)
                    ),
                ]
                return found.compactMap { kind, values in
                    guard !values.isEmpty,
                        let numbers = message.numbers(ofParameters: values)
                    else { return nil }
                    return SystemParameters(
                        satellite: satellite, message: message, kind: kind, numbers: numbers,
                        time: time)
                }
            }
    }

    /// The parameters of a difference to UTC, in their units.
    private func utc(_ difference: [Double]) -> [(NavigationParameter, Double)] {
        guard let present = leapSeconds.first, let week = Int(exactly: difference[3]) else {
            return []
        }
        func leap(_ index: Int, _ unknown: Int) -> Double {
            Double(leapSeconds.indices.contains(index) ? leapSeconds[index] : unknown)
        }
        let change = leapSeconds.indices.contains(2) ? leapSeconds[2] & 255 : 0
        return [
            (.a0, difference[0]), (.a1, difference[1]), (.tot, difference[2]),
            (.wnt, Double(week & 255)), (.deltaLS, Double(present)), (.deltaLSF, leap(1, present)),
            (.wnLSF, Double(change)), (.dn, leap(3, 0)),
        ]
    }
}

extension NavigationMessage {
    /// Converts system parameters in their units to the numbers that are sent. Returns `nil` if one
    /// is too large.
    fileprivate func numbers(ofParameters values: [(NavigationParameter, Double)])
        -> NavigationNumbers?
    {
        let fields = parameters.flatMap(\.fields)
        var numbers = NavigationNumbers()
        for (parameter, value) in values {
            guard let field = fields.first(where: { $0.parameter == parameter }),
                let number = Int(exactly: (value / field.scale).rounded()),
                number.magnitude < 1 << field.width
            else { return nil }
            numbers[parameter] = number
        }
        return numbers
    }
}
