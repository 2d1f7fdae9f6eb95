// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

/// Positions and lengths as users type them.
@Suite(.timeLimit(.generous))
struct PlaceArgumentTests {
    @Test(arguments: [
        "48.20575,-16.37", "48.20575 -16.37", "48.20575, -16.37", "48.20575N,16.37W",
        "48° 12.345′ N  16° 22.200′ W", "48d 12.345' N 16d 22.200' W", "48°12.345'N,16°22.2'W",
        "N48°12.345' W16°22.2'", "48°12'20.7\" N 16°22'12\" W", "16.37°W 48.20575°N",
        "48° 12.345' -16° 22.2'", "48.2057500° N  16.3700000° W", "48°12.345′ −16°22.2′",
    ])
    func `a position is read in every notation of the screen`(_ text: String) throws {
        let place = try CoordinateArgument.coordinate(text)
        #expect(abs(place.latitude - 48.20575) < 1e-9 && abs(place.longitude + 16.37) < 1e-9)
    }

    @Test(arguments: [
        "48.2", "48,2,16,37", "48.2N 16.37N", "-48.2S,16", "48°60'N,16", "48°12.5'30\"N,16",
        "91,16", "48,181", "90°00.1'N,16", "48°-12'N,16", "x,y", "48.5°30'N,16", "", "0x1p3 4 5",
        "48,nan",
    ])
    func `other text is no position`(_ text: String) {
        #expect(throws: UsageError.self) { try CoordinateArgument.coordinate(text) }
    }

    @Test(arguments: [
        ("50", 50), ("50m", 50), ("0.5nmi", 926), ("100ft", 30.48), ("100 ft", 30.48),
        ("10km", 10_000), ("-2ft", -0.6096), ("1e3", 1000), ("1mi", 1609.344), ("5NM", 9260),
    ])
    func `a length may have a unit`(_ text: String, _ metres: Double) throws {
        let read = try #require(LengthArgument.metres(text))
        #expect(abs(read - metres) < 1e-9)
    }

    @Test(arguments: [
        ("5", 5), ("5m/s", 5), ("36km/h", 10), ("36 kmh", 10), ("10kn", 5.1444),
        ("10 knots", 5.1444),
        ("10KN", 5.1444), ("22.369mph", 10), ("-0", 0), ("1e2", 100),
    ])
    func `a speed may have a unit`(_ text: String, _ speed: Double) throws {
        let read = try ArgumentForm.speed(0...500).parse(text, "speed")
        #expect(abs(read - speed) < 1e-3)
    }

    @Test(arguments: ["", "m/s", "5 furlongs", "5m", "501", "1000kn", "nan", "-1m/s"])
    func `other text is no speed in the range`(_ text: String) {
        #expect(throws: UsageError.self) {
            try ArgumentForm.speed(0...500).parse(text, "speed")
        }
    }

    @Test(arguments: [
        ("tpc", "tcp"), ("GPX", "gpx"), ("jsno", "json"), ("monitr", "monitor"), ("x", nil),
        ("kml2", "kml"), ("zzzz", nil),
    ])
    func `a word with one mistake or in capitals is recognised`(_ word: String, _ known: String?) {
        let all = ["tcp", "gpx", "json", "monitor", "kml"]
        #expect(UsageError.nearest(word, of: all) == known)
    }

    @Test(arguments: ["", "m", "5 miles", "5M", "1.2.3", "nan", "inf", "9e9"])
    func `other text is no length in the range`(_ text: String) {
        #expect(throws: UsageError.self) {
            try ArgumentForm.metres(0...1e7).parse(text, "distance")
        }
    }
}
