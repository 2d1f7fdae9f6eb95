// SPDX-License-Identifier: MIT
import GNSS
import GNSSNavigation

/// The pages of several satellites in a table, as the agency for Galileo publishes test vectors.
///
///     SVID,NumNavBits,NavBitsHEX
///     2,432000,021F…
///
/// A line has the pages of a satellite: 60 hexadecimal digits every two seconds, and each half of them
/// is 120 bits of the page. The name of the file, such as `16_AUG_2023_GST_05_00_01.csv`, says when the
/// first page began.
package struct PageTable: Sendable {
    private struct Satellite {
        let svid: UInt8
        let digits: ArraySlice<UInt8>
    }

    package static let header = "SVID,NumNavBits,NavBitsHEX"
    private static let digitsPerPage = 60

    private let start: GalileoTime
    private let satellites: [Satellite]

    /// Reads a table. Returns `nil` if it is not one, or if the name has no time.
    package init?(name: String, content: [UInt8]) {
        let lines = content.split { $0 == 0x0A || $0 == 0x0D }
        guard let head = lines.first, head.elementsEqual(Self.header.utf8),
            let start = Self.time(name)
        else { return nil }
        self.start = start
        satellites = lines.dropFirst().compactMap { line in
            let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            guard fields.count == 3, let svid = UInt8(String(decoding: fields[0], as: UTF8.self))
            else { return nil }
            return Satellite(svid: svid, digits: fields[2])
        }
    }

    private static let months = [
        "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
    ]

    /// The days from 1 January 1970 to 22 August 1999.
    private static let firstDay = 10_825

    private static func time(_ name: String) -> GalileoTime? {
        let file = name.split(separator: "/").last ?? ""
        let parts = file.prefix { $0 != "." }.split(separator: "_")
        guard parts.count == 7, parts[3] == "GST",
            let month = months.firstIndex(of: String(parts[1]))
        else { return nil }
        let numbers = [parts[0], parts[2], parts[4], parts[5], parts[6]].compactMap { Int($0) }
        guard numbers.count == 5,
            let date = CalendarDate(year: numbers[1], month: month + 1, day: numbers[0]),
            date.daysSince1970 >= firstDay,
            let time = TimeOfDay(hour: numbers[2], minute: numbers[3], second: numbers[4])
        else { return nil }
        let seconds = Int(time.nanoseconds / 1_000_000_000)
        return GalileoTime(seconds: (date.daysSince1970 - firstDay) * 86_400 + seconds)
    }

    /// Calls `body` with the pages whose checksums are right, in the order of time.
    package func forEachPage(_ body: (TimedPage) -> Void) {
        let count = satellites.map { $0.digits.count / Self.digitsPerPage }.max() ?? 0
        for index in 0..<count {
            for satellite in satellites {
                let digits = satellite.digits.dropFirst(index * Self.digitsPerPage)
                    .prefix(Self.digitsPerPage)
                guard digits.count == Self.digitsPerPage,
                    let even = Self.words(digits.prefix(30)),
                    let odd = Self.words(digits.suffix(30)),
                    let page = INAVPage(even + odd)
                else { continue }
                body(TimedPage(svid: satellite.svid, start: start + 2 * index, page: page))
            }
        }
    }

    /// Returns the words of half a page, as `RXM-SFRBX` has them: with eight zeros at the end.
    private static func words(_ digits: ArraySlice<UInt8>) -> [UInt32]? {
        var words = [UInt32](repeating: 0, count: 4)
        for (index, digit) in digits.enumerated() {
            guard let value = Hexadecimal.value(digit) else { return nil }
            words[index / 8] |= UInt32(value) << UInt32(28 - index % 8 * 4)
        }
        return words
    }
}
