// SPDX-License-Identifier: MIT
import GPSServerExercises
import GPSTestTraits
import Testing

/// The exercise of dates and numbers, with mutated inputs.
@Suite(.timeLimit(.generous))
struct ValueExerciseTests {
    @Test func `no date, number or file makes an output trap`() throws {
        let count = Mutations.count(500)
        print("values: \(count) inputs from seed \(Mutations.seed)")
        var inputs = try Mutations(of: Self.seeds, dictionary: "nmea.dict")
        for number in 0..<count {
            let input = inputs.next()
            #expect(throws: Never.self, "input \(number), seed \(Mutations.seed): \(input)") {
                try ValueExercise.run(input)
            }
        }
    }

    /// Two bytes without options, and the third for a file.
    private static let seeds =
        files.map { [0, 3, 1] + Array($0.utf8) } + [
            (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        ]

    private static let files = [
        """
        $GNRMC,120000.00,A,4812.49,N,01622.43,E,1.0,90.0,210326,,,A*57
        $GNGGA,120000.00,4812.49,N,01622.43,E,1,08,0.9,170.0,M,43.0,M,,*73
        $GNZDA,120000.00,21,03,2026,00,00*79

        """,
        """
        <gpx version="1.1"><trk><trkseg><trkpt lat="48.1" lon="16.3"><ele>170</ele>\
        <time>2026-03-21T12:00:00Z</time><sat>8</sat><hdop>0.9</hdop></trkpt></trkseg></trk></gpx>
        """,
        """
        <kml><Placemark><gx:Track><when>2026-03-21T12:00:00Z</when><gx:coord>16.3 48.1 170</gx:coord>\
        </gx:Track></Placemark></kml>
        """,
        """
        <TrainingCenterDatabase><Activities><Activity><Id>2026-03-21T12:00:00Z</Id><Lap>\
        <TotalTimeSeconds>9</TotalTimeSeconds><Track><Trackpoint><Time>2026-03-21T12:00:00Z</Time>\
        <Position><LatitudeDegrees>48</LatitudeDegrees><LongitudeDegrees>16</LongitudeDegrees></Position>\
        <AltitudeMeters>170</AltitudeMeters></Trackpoint></Track></Lap></Activity></Activities>\
        </TrainingCenterDatabase>
        """,
        """
        AXXX001
        HFDTE210326
        I013638FXA
        B1200004812490N01622430EA0017000170005
        B1200014812490N01622430EA0017000170005

        """,
        """
        time,lat,lon,altitude,speed,satellites
        2026-03-21T12:00:00Z,48.1,16.3,170,1.5,8
        1774094400,48.1,16.3,170,1.5,8

        """,
        #"""
        {"class":"TPV","device":"/dev/a","mode":3,"time":"2026-03-21T12:00:00Z","lat":48.1,"lon":16.3,\#
        "altHAE":213.0,"eph":3.1,"speed":1.5,"track":90.0,"leapseconds":18}
        {"class":"SKY","device":"/dev/a","satellites":[{"PRN":5,"el":60.0,"az":120.0,"ss":40.0}]}

        """#,
        #"""
        {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"time":\#
        "2026-03-21T12:00:00Z","speed":1.5},"geometry":{"type":"Point","coordinates":[16.3,48.1,170]}}]}
        """#,
    ]
}
