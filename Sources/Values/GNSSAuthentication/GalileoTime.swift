// SPDX-License-Identifier: MIT
import GNSS
package import GNSSNavigation
package import UBX

/// An instant in Galileo's time, which has no leap seconds.
package struct GalileoTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    package static let week = 604_800
    /// The time of a sub-frame in seconds.
    package static let subframe = 30
    /// The start of Galileo's time in weeks of GPS.
    private static let firstWeek = 1024

    /// The seconds since 22 August 1999.
    package let seconds: Int

    package init(seconds: Int) { self.seconds = seconds }

    package init(week: Int, timeOfWeek: Int) { seconds = week * Self.week + timeOfWeek }

    /// Creates an instant from a file. Returns `nil` if it is impossible: before the start of Galileo's
    /// time, or after 200 years.
    package init?(storedSeconds: Int) {
        guard 0..<10_436 * Self.week ~= storedSeconds else { return nil }
        seconds = storedSeconds
    }

    /// Creates an instant from GPS time: seconds since 6 January 1980.
    package init(gpsSeconds: Int) { seconds = gpsSeconds - Self.firstWeek * Self.week }

    /// The seconds since 6 January 1980 in GPS time.
    package var gpsSeconds: Int { seconds + Self.firstWeek * Self.week }

    package var weekNumber: Int { seconds / Self.week }
    package var timeOfWeek: Int { seconds % Self.week }

    /// The week and the time of week: `1385/140400`.
    package var description: String { "\(weekNumber)/\(timeOfWeek)" }

    /// The start of the sub-frame that contains the instant.
    package var subframe: GalileoTime {
        GalileoTime(seconds: seconds - ((seconds % Self.subframe) + Self.subframe) % Self.subframe)
    }

    /// The 32 bits of the instant in messages: the week (12) and the time of week (20).
    var bits: UInt32 {
        UInt32(truncatingIfNeeded: weekNumber & 0xFFF) << 20
            | UInt32(truncatingIfNeeded: timeOfWeek & 0xF_FFFF)
    }

    var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) } }

    /// Returns the instant that a week of 12 bits and a time of week mean near this one.
    func nearest(week: Int, timeOfWeek: Int) -> GalileoTime {
        let missing = (Double(weekNumber - week) / 4096).rounded()
        return GalileoTime(week: week + Int(missing) * 4096, timeOfWeek: timeOfWeek)
    }

    package static func < (a: Self, b: Self) -> Bool { a.seconds < b.seconds }
    package static func + (a: Self, seconds: Int) -> Self { Self(seconds: a.seconds + seconds) }
    package static func - (a: Self, seconds: Int) -> Self { Self(seconds: a.seconds - seconds) }
    package static func - (a: Self, b: Self) -> Int { a.seconds - b.seconds }
}

/// Which tags of a page prove something, by a clock that does not depend on Galileo: a key that could
/// have been disclosed before the page arrived proves nothing.
package enum Synchronisation: Int, Comparable, Sendable {
    case none, slowTags, allTags

    /// The largest time in seconds by which a page can be late, for tags whose key is sent 30 s and
    /// 330 s later.
    private static let limits = (fast: 30.0, slow: 330.0)

    /// Compares the independent clock, which was right within `bound` seconds, with a page's time when
    /// it arrived. `lead` is by how much it was ahead.
    package init(lead: Double, bound: Double) {
        guard bound >= 0, lead >= -bound, lead + bound <= Self.limits.slow else {
            self = .none
            return
        }
        self = lead + bound <= Self.limits.fast ? .allTags : .slowTags
    }

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A page of a satellite on E1-B, and when it was sent.
package struct TimedPage: Hashable, Sendable {
    package let svid: UInt8
    /// When the page began.
    package let start: GalileoTime
    package let page: INAVPage

    package init(svid: UInt8, start: GalileoTime, page: INAVPage) {
        (self.svid, self.start, self.page) = (svid, start, page)
    }
}

/// Finds the pages of Galileo's satellites, and their times, in the output of a receiver.
///
/// `RXM-SFRBX` has no time. A page takes two seconds, begins in an odd second, and is reported after
/// the first epoch that follows it. Some words have the time: they correct the satellite's.
package struct GalileoPageReader: Sendable {
    /// The time of the latest epoch.
    package private(set) var epoch: GalileoTime?
    private var hasGalileoTime = false
    /// The seconds to add to the times of a satellite's pages.
    private var corrections: [UInt8: Int] = [:]

    package init() {}

    /// Reads a frame. Returns the page that it contains.
    package mutating func push(_ frame: borrowing UBXFrame) -> TimedPage? {
        if frame.id == RxmSFRBX.id { return RxmSFRBX(frame).flatMap { page($0) } }
        if frame.id == NavTIMEGAL.id {
            guard let time = NavTIMEGAL(frame), time.validity & 3 == 3, time.week > 0 else {
                return nil
            }
            hasGalileoTime = true
            epoch = GalileoTime(week: Int(time.week), timeOfWeek: Int(time.timeOfWeek))
        } else if !hasGalileoTime, let seconds = NavigationDecoder.receiverTime(of: frame) {
            epoch = GalileoTime(gpsSeconds: seconds)
        }
        return nil
    }

    private mutating func page(_ message: RxmSFRBX) -> TimedPage? {
        let isE1 = message.signalID == 1 || message.version < 2 && message.signalID == 0
        guard message.gnssID == 2, isE1, 1...36 ~= message.svid, let epoch,
            let page = INAVPage(message.words.map(\.bits))
        else { return nil }
        // An odd second s with s + 2 ≤ epoch < s + 4.
        let start = GalileoTime(seconds: ((epoch.seconds - 1) & ~1) - 1)
        if let sent = page.word.timeOfTransmission(near: start) {
            corrections[message.svid] = sent - start
        }
        return TimedPage(
            svid: message.svid, start: start + (corrections[message.svid] ?? 0), page: page)
    }
}

extension INAVWord {
    /// When the page that contains the word began, if the word has the time and it is an odd second.
    fileprivate func timeOfTransmission(near time: GalileoTime) -> GalileoTime? {
        let sent: GalileoTime
        switch type {
        case 0 where number(6, 2) == 2:
            sent = time.nearest(week: Int(number(96, 12)), timeOfWeek: Int(number(108, 20)))
        case 5: sent = time.nearest(week: Int(number(73, 12)), timeOfWeek: Int(number(85, 20)))
        case 6:
            let half = GalileoTime.week / 2
            let shift = (Int(number(105, 20)) - time.timeOfWeek) % GalileoTime.week
            sent =
                time + (shift > half ? shift - 2 * half : shift < -half ? shift + 2 * half : shift)
        default: return nil
        }
        return sent.seconds % 2 == 1 && sent.timeOfWeek < GalileoTime.week ? sent : nil
    }
}
