// SPDX-License-Identifier: MIT
package import GNSS
package import UBX

/// What all receivers of a system need to know: the ionosphere, or the difference between two
/// times.
package struct SystemParameters: Hashable, Sendable {
    package enum Kind: Int, Sendable { case ionosphere, utc, gps, glonass }

    package let satellite: SatelliteID
    package let message: NavigationMessage
    package let kind: Kind
    package let numbers: NavigationNumbers
    /// A time near that of transmission in seconds since 6 January 1980, in GPS time.
    package let time: Int

    /// The value of a parameter in its unit.
    package func value(_ parameter: NavigationParameter) -> Double {
        let field = message.parameters.flatMap(\.fields).first { $0.parameter == parameter }
        return Double(numbers[parameter]) * (field?.scale ?? 1)
    }
}

extension NavigationMessage {
    /// The parameters that a page contains, beside ephemerides.
    var parameters: [(page: Int, kinds: [SystemParameters.Kind], fields: [NavigationField])] {
        switch self {
        case .lnav:
            [(LNAVSubframe.parameters, [.ionosphere, .utc], NavigationField.lnavParameters)]
        case .inav:
            [
                (5, [.ionosphere], NavigationField.inavIonosphere),
                (6, [.utc], NavigationField.inavUTC), (10, [.gps], NavigationField.inavGPS),
            ]
        case .fdma: [(5, [.glonass], NavigationField.fdmaTime)]
        case .d1:
            [
                (1, [.ionosphere], NavigationField.d1Ionosphere),
                (10, [.utc], NavigationField.d1UTC),
            ]
        case .fnav, .d2: []
        }
    }
}

/// Collects the pages of navigation messages, and makes ephemerides and system parameters of them.
///
/// Pages of different ephemerides are never combined. The memory is bounded by the number of
/// satellites.
package struct NavigationDecoder: Sendable {
    /// A result of the decoder. Each ephemeris is reported once, whatever signals it came on.
    package enum Result: Sendable {
        case ephemeris(Ephemeris)
        case parameters(SystemParameters)
    }

    private struct Source: Hashable {
        let satellite: SatelliteID
        let message: NavigationMessage
    }

    /// The latest pages of a satellite's message.
    private struct Pages {
        var tag: Int?
        var pages: [Int: (bits: BitString, received: Int?)] = [:]
        var channel = 0
        var issue: [Int] = []
    }

    /// Pages of an ephemeris are received within this time, in seconds. Issues may be used again
    /// after it.
    private static let longestReception = 6 * 3600

    private var sources: [Source: Pages] = [:]
    private var parameters: [Source: [SystemParameters.Kind: NavigationNumbers]] = [:]
    /// The current time in seconds since 6 January 1980, in GPS time; `nil` if it is not known. It
    /// tells between ambiguous weeks.
    private var time: Int?
    /// Whether the receiver reported the time. Otherwise, messages did.
    private var isReceiverTime = false

    package init() {}

    /// Adds a frame of a receiver: a navigation message, or one that has the receiver's time.
    package mutating func push(_ frame: borrowing UBXFrame, _ receive: (Result) -> Void) {
        if frame.id == RxmSFRBX.id {
            if let message = RxmSFRBX(frame) { push(message, receive) }
        } else if let time = Self.receiverTime(of: frame) {
            set(receiverTime: time, receive)
        }
    }

    /// Returns the time that a receiver reports, in seconds since 6 January 1980 in GPS time.
    package static func receiverTime(of frame: borrowing UBXFrame) -> Int? {
        switch frame.id {
        case RxmRAWX.id:
            guard let epoch = RxmRAWX(frame), epoch.week > 0, 0..<604_800 ~= epoch.timeOfWeek else {
                return nil
            }
            return Int(epoch.week) * Ephemeris.week + Int(epoch.timeOfWeek)
        case NavTIMEGPS.id:
            guard let time = NavTIMEGPS(frame), time.validity.hasWeek, time.week > 0 else {
                return nil
            }
            return Int(time.week) * Ephemeris.week + Int(time.timeOfWeekMilliseconds / 1000)
        case NavPVT.id:
            guard let pvt = NavPVT(frame), pvt.validity.hasDate,
                let date = CalendarDate(
                    year: Int(pvt.year), month: Int(pvt.month), day: Int(pvt.day))
            else { return nil }
            let day = (date.daysSince1970 - GPSTime.firstDay) * 86_400
            let second = (Int(pvt.hour) * 60 + Int(pvt.minute)) * 60 + Int(pvt.second)
            return day + second + GPSTime.leapSeconds(on: date)
        default: return nil
        }
    }

    private mutating func set(receiverTime time: Int, _ receive: (Result) -> Void) {
        isReceiverTime = true
        set(time, receive)
    }

    private mutating func set(_ time: Int, _ receive: (Result) -> Void) {
        let wasUnknown = self.time == nil
        self.time = time
        guard wasUnknown else { return }
        // In the order of satellites, so that the results do not depend on the dictionary's order.
        for source in sources.keys.sorted(by: { $0.satellite < $1.satellite }) {
            complete(source, receive)
        }
    }

    /// Adds a message. Damaged ones, and those without an ephemeris, are ignored.
    private mutating func push(_ message: RxmSFRBX, _ receive: (Result) -> Void) {
        guard let frame = NavigationFrame(message) else { return }
        if !isReceiverTime { readTime(frame, receive) }
        report(frame, receive)
        let source = Source(satellite: frame.satellite, message: frame.message)
        var pages = sources[source] ?? Pages()
        if let tag = frame.tag, tag != pages.tag {
            pages.pages = pages.pages.filter { $0.key == Self.untaggedPage(frame.message) }
            (pages.tag, pages.channel) = (tag, 0)
        }
        pages.pages[frame.page] = (frame.bits, time)
        pages.channel =
            frame.message == .inav ? pages.channel | frame.channel : frame.channel
        sources[source] = pages
        complete(source, receive)
    }

    /// The page of an ephemeris that has no issue.
    private static func untaggedPage(_ message: NavigationMessage) -> Int? {
        message == .inav ? 5 : nil
    }

    private mutating func complete(_ source: Source, _ receive: (Result) -> Void) {
        guard var pages = sources[source] else { return }
        if let time {
            pages.pages = pages.pages.filter {
                abs($0.value.received.map { time - $0 } ?? 0) <= Self.longestReception
            }
        }
        defer { sources[source] = pages }
        guard
            var numbers = NavigationNumbers(
                source.message.fields, from: pages.pages.mapValues(\.bits))
        else { return }
        numbers[.channel] = pages.channel
        let isBeiDou = source.satellite.constellation == .beiDou
        if isBeiDou, numbers[.toe] != numbers[.toc] { return }
        guard let ephemeris = Ephemeris(source.satellite, source.message, numbers, near: time),
            ephemeris.issue != pages.issue
        else { return }
        pages.issue = ephemeris.issue
        receive(.ephemeris(ephemeris))
    }

    /// Reports the system parameters of a page if they differ from the satellite's last ones.
    private mutating func report(_ frame: NavigationFrame, _ receive: (Result) -> Void) {
        guard let time,
            let (_, kinds, fields) = frame.message.parameters.first(where: {
                $0.page == frame.page
            }),
            let numbers = NavigationNumbers(fields, from: [frame.page: frame.bits])
        else { return }
        for kind in kinds {
            let new = SystemParameters(
                satellite: frame.satellite, message: frame.message, kind: kind, numbers: numbers,
                time: time)
            let source = Source(satellite: frame.satellite, message: frame.message)
            guard parameters[source]?[kind] != numbers else { continue }
            parameters[source, default: [:]][kind] = numbers
            receive(.parameters(new))
        }
    }

    /// Takes the time from a message, for recordings in which the receiver does not report it.
    private mutating func readTime(_ frame: NavigationFrame, _ receive: (Result) -> Void) {
        let fields = frame.message.fields.filter {
            ($0.parameter == .week || $0.parameter == .tow)
                && $0.parts.allSatisfy { $0.page == frame.page }
        }
        let page = [frame.page: frame.bits]
        switch frame.message {
        case .lnav where time != nil:
            // The week is ambiguous, but the time of week is not.
            let current = time ?? 0
            let difference = LNAVSubframe.end(frame.bits) - current % Ephemeris.week
            let half = Ephemeris.week / 2
            set(
                current + difference
                    + (difference < -half
                        ? Ephemeris.week : difference > half ? -Ephemeris.week : 0),
                receive)
        case .fdma where frame.page == 5:
            guard let numbers = NavigationNumbers(NavigationField.fdmaTime, from: page),
                1...31 ~= numbers[.n4], 1...1461 ~= numbers[.na], time == nil
            else { return }
            set((5839 + (numbers[.n4] - 1) * 1461 + numbers[.na] - 1) * 86_400, receive)
        case .inav, .fnav, .d1, .d2:
            guard fields.count == 2, let weeks = frame.message.weeks,
                let numbers = NavigationNumbers(fields, from: page)
            else { return }
            set((numbers[.week] + weeks.first) * Ephemeris.week + numbers[.tow], receive)
        default: break
        }
    }
}
