// SPDX-License-Identifier: MIT
package import GNSS

/// The orbit and the clock of a satellite for some hours, as the satellite sent them.
package struct Ephemeris: Hashable, Sendable {
    package let satellite: SatelliteID
    package let message: NavigationMessage

    /// The numbers as they were sent.
    package let numbers: NavigationNumbers

    /// The reference time of the orbit in seconds since 6 January 1980, in the system's own time:
    /// for GLONASS, in UTC without leap seconds.
    package let toe: Int

    /// The time at which the satellite sent the ephemeris, like `toe`; `nil` if it is not known.
    package let sent: Int?

    package static let week = 604_800

    /// Creates an ephemeris. Returns `nil` if the orbit is impossible.
    init?(
        _ satellite: SatelliteID, _ message: NavigationMessage, _ numbers: NavigationNumbers,
        toe: Int, sent: Int?
    ) {
        (self.satellite, self.message) = (satellite, message)
        (self.numbers, self.toe, self.sent) = (numbers, toe, sent)
        guard isPossible else { return nil }
    }

    /// Creates an ephemeris from numbers whose week or year is ambiguous.
    ///
    /// `reference` is a time near that of transmission, like `toe`, in GPS time. Returns `nil` if it
    /// is needed but not known, or if the orbit is impossible.
    ///
    /// - Parameter hasTime: Whether the numbers include the time of transmission.
    init?(
        _ satellite: SatelliteID, _ message: NavigationMessage, _ numbers: NavigationNumbers,
        near reference: Int?, hasTime: Bool = true
    ) {
        guard let weeks = message.weeks else {
            guard let reference,
                let day = Self.day(numbers[.nt], near: reference / 86_400)
            else { return nil }
            // Moscow's time is three hours ahead of UTC.
            let midnight = day * 86_400 - 10_800
            let tk = numbers[.tk]
            let sent = (tk >> 7) * 3600 + (tk >> 1 & 63) * 60 + (tk & 1) * 30
            self.init(
                satellite, message, numbers, toe: midnight + numbers[.tb] * 900,
                sent: hasTime ? midnight + sent : nil)
            return
        }
        guard weeks.period > 1024 || reference != nil else { return nil }
        var week = numbers[.week] + weeks.first
        if let reference {
            let missing = reference / Self.week - week
            week += Int((Double(missing) / Double(weeks.period)).rounded()) * weeks.period
        }
        let start = week * Self.week
        var sent: Int? = start + numbers[.tow] * Int(message == .lnav ? 6 : 1)
        // LNAV announces the start of the next subframe: at the end of a week, that is 0.
        if message == .lnav, numbers[.tow] == 0 { sent = start + Self.week }
        if !hasTime { sent = nil }
        let toe = start + Int(numbers[.toe]) * message.timeUnit
        // The orbit may belong to the week before or after the one in which it is sent.
        let time = sent ?? reference ?? toe
        let shift = toe < time - Self.week / 2 ? 1 : toe > time + Self.week / 2 ? -1 : 0
        self.init(satellite, message, numbers, toe: toe + shift * Self.week, sent: sent)
    }

    /// Returns the day, since 6 January 1980, of a day in GLONASS's periods of four years, the first
    /// of which began in 1996.
    private static func day(_ number: Int, near day: Int) -> Int? {
        guard 1...1461 ~= number else { return nil }
        let first = 5839 + number - 1
        return first + Int((Double(day - first) / 1461).rounded()) * 1461
    }

    /// The value of a parameter in its unit.
    package func value(_ parameter: NavigationParameter) -> Double {
        let scale = message.scale(parameter)
        return Double(numbers[parameter]) * scale
    }

    /// The reference time of the clock, like `toe`.
    package var toc: Int {
        guard message != .fdma else { return toe }
        let difference = numbers[.toc] * message.timeUnit - toe % Self.week
        return toe + difference
            + (difference < -Self.week / 2
                ? Self.week : difference > Self.week / 2 ? -Self.week : 0)
    }

    /// Identifies the ephemeris among those of the same satellite and message.
    package var issue: [Int] { message.issue.map { numbers[$0] } + [toe] }

    /// Whether the satellite says that it may be used.
    package var isHealthy: Bool {
        switch message {
        case .lnav, .d1, .d2: numbers[.health] == 0
        case .inav: numbers[.hsE1] == 0 && numbers[.dvsE1] == 0
        case .fnav: numbers[.hsE5a] == 0 && numbers[.dvsE5a] == 0
        case .fdma: numbers[.bn] < 4 && numbers[.ln] == 0
        }
    }

    /// The accuracy of the ranges in metres; `nil` if the system promises none.
    package var accuracy: Double? {
        message.accuracy(numbers[.accuracy])
    }

    /// Whether a satellite can have such an orbit. All-zero and random numbers fail.
    private var isPossible: Bool {
        let week = Double(Self.week)
        guard message != .fdma else {
            let radius = [NavigationParameter.x, .y, .z].reduce(0) { $0 + value($1) * value($1) }
            return 24_000.0 * 24_000...27_000 * 27_000 ~= radius && 1...96 ~= numbers[.tb]
        }
        return 5000...6600 ~= value(.rootA) && 0..<0.3 ~= value(.e) && 0..<week ~= value(.toe)
            && 0..<week ~= value(.toc)
    }
}

extension NavigationMessage {
    /// The unit in seconds in which the reference times are sent.
    var timeUnit: Int {
        switch self {
        case .lnav: 16
        case .inav, .fnav: 60
        case .fdma: 900
        case .d1, .d2: 8
        }
    }

    private static let scales: [[Double]] = allCases.map { message in
        var scales = [Double](repeating: 1, count: NavigationParameter.allCases.count)
        for field in message.fields { scales[field.parameter.rawValue] = field.scale }
        return scales
    }

    func scale(_ parameter: NavigationParameter) -> Double {
        Self.scales[Int(rawValue)][parameter.rawValue]
    }

    /// The accuracy in metres for an index; `nil` if there is none.
    func accuracy(_ index: Int) -> Double? {
        switch (self, index) {
        case (.inav, 0..<50), (.fnav, 0..<50): Double(index) / 100
        case (.inav, 50..<75), (.fnav, 50..<75): 0.5 + Double(index - 50) / 50
        case (.inav, 75..<100), (.fnav, 75..<100): 1 + Double(index - 75) / 25
        case (.inav, 100...125), (.fnav, 100...125): 2 + Double(index - 100) * 0.16
        case (.lnav, 0..<6), (.d1, 0..<6), (.d2, 0..<6): [2, 2.8, 4, 5.7, 8, 11.3][index]
        case (.lnav, 6..<15), (.d1, 6..<15), (.d2, 6..<15): Double(1 << (index - 2))
        default: nil
        }
    }
}
