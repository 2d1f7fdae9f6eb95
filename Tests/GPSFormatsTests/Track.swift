// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import NMEA

/// A receiver's track as sentences, and its conversion.
struct Track {
    private var writer = SentenceWriter()
    /// Whether each epoch ends with a GLL, which contributes nothing to the fix.
    var hasGLL = false

    var bytes: [UInt8] { writer.bytes }

    /// Adds an epoch a number of seconds after noon; without a position if the latitude is `nil`.
    mutating func add(
        _ second: Int, _ latitude: Double?, _ longitude: Double = 16, dated: Bool = true,
        quality: FixQuality = .autonomous
    ) {
        let position = latitude.map { Coordinate(latitude: $0, longitude: longitude) }
        let time = TimeOfDay(
            hour: 12 + second / 3600, minute: second / 60 % 60, second: second % 60)
        if dated {
            var rmc = RMC()
            rmc.time = time
            rmc.date = CalendarDate(year: 2026, month: 3, day: 21)
            rmc.status = UInt8(ascii: position == nil ? "V" : "A")
            rmc.coordinate = position
            rmc.speedKnots = position == nil ? nil : 10
            rmc.course = position == nil ? nil : 90
            rmc.mode = position == nil ? .invalid : quality
            writer.write(rmc)
        }
        var gga = GGA()
        gga.time = time
        gga.coordinate = position
        gga.quality = position == nil ? .invalid : quality
        gga.satellites = position == nil ? 0 : 9
        gga.hdop = position == nil ? nil : 1
        gga.altitude = position == nil ? nil : 171
        gga.geoidSeparation = position == nil ? nil : 43
        writer.write(gga)
        guard hasGLL else { return }
        var gll = GLL()
        (gll.time, gll.coordinate) = (time, position)
        gll.status = UInt8(ascii: position == nil ? "V" : "A")
        writer.write(gll)
    }

    /// Epochs a second apart, a hundred-thousandth of a degree (1.1 m) apart.
    static func straight(_ count: Int, hasGLL: Bool = false) -> Track {
        var track = Track()
        track.hasGLL = hasGLL
        for second in 0..<count { track.add(second, 48 + Double(second) * 1e-5) }
        return track
    }

    /// The track converted to a format.
    func converted(
        to format: any OutputFormat.Type, name: String = "a.nmea", origin: DataOrigin = .replay,
        chunk: Int = 1 << 16, _ select: (inout FixSelection) -> Void = { _ in }
    ) -> String {
        Self.converted([self], to: format, name: name, origin: origin, chunk: chunk, select)
    }

    static func converted(
        _ tracks: [Track], to format: any OutputFormat.Type, name: String = "a.nmea",
        origin: DataOrigin = .replay, chunk: Int = 1 << 16,
        _ select: (inout FixSelection) -> Void = { _ in }
    ) -> String {
        var selection = FixSelection()
        select(&selection)
        var conversion = Conversion(to: format, selecting: selection)
        var written: [UInt8] = []
        for track in tracks {
            conversion.begin(OutputSource(name: name, origin: origin))
            let bytes = track.bytes
            for start in stride(from: 0, to: bytes.count, by: chunk) {
                conversion.push(bytes.span.extracting(start..<min(start + chunk, bytes.count)))
                conversion.drain { span in for i in span.indices { written.append(span[i]) } }
            }
            conversion.end()
        }
        conversion.drain { span in for i in span.indices { written.append(span[i]) } }
        let head = conversion.head
        let rest = (written + conversion.closing).dropFirst(head.count)
        return String(decoding: head + rest, as: UTF8.self)
    }
}

extension String {
    /// The number of occurrences of a text.
    func count(of text: String) -> Int {
        var (count, rest) = (0, self[...])
        while !rest.isEmpty {
            if rest.hasPrefix(text) { count += 1 }
            rest = rest.dropFirst()
        }
        return count
    }

    /// The lines, without the last line end.
    var lines: [String] {
        split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
