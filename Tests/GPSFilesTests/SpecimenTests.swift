// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSIO
import GPSTestTraits
import Testing

/// Files of other programs.
@Suite(.timeLimit(.generous))
struct SpecimenTests {
    @Test func `gpspipe's objects give one fix with its satellites`() throws {
        let reading = Reading(
            """
            {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r
            {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox"}]}\r
            {"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0}\r
            {"class":"SKY","device":"/dev/ttyACM0","xdop":0.52,"ydop":0.67,"vdop":1.01,"hdop":0.90,"pdop":1.35,\
            "nSat":3,"uSat":2,"satellites":[{"PRN":5,"el":40.0,"az":83.0,"ss":46.0,"used":true,"gnssid":0,"svid":5},\
            {"PRN":301,"el":10.0,"az":359.0,"ss":0.0,"used":false,"gnssid":2,"svid":1},\
            {"PRN":70,"el":50.0,"az":3.0,"ss":30.0,"used":true,"gnssid":6,"svid":6}]}\r
            {"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-03-23T12:35:19.000Z","ept":0.005,\
            "lat":48.117300000,"lon":11.516666667,"altHAE":592.3000,"altMSL":545.4000,"alt":545.4000,\
            "epx":5.1,"track":84.4000,"magtrack":80.2,"magvar":4.2,"speed":0.514,"climb":-0.100,"eph":17.3,\
            "geoidSep":46.900}\r
            {"class":"TPV","device":"/dev/ttyACM0","mode":1}\r

            """)
        #expect(reading.error == nil)
        #expect(reading.views.count == 1)
        #expect(reading.views[0].satellites.count == 3)
        #expect(reading.views[0].counts.used == 2)
        let fix = try #require(reading.fixes.first)
        #expect(fix.coordinate == Coordinate(latitude: 48.1173, longitude: 11.516666667))
        #expect(fix.time?.description == "2026-03-23T12:35:19.000Z")
        #expect(
            (fix.altitude, fix.ellipsoidalAltitude, fix.geoidSeparation) == (545.4, 592.3, 46.9))
        #expect((fix.speed, fix.course, fix.climb) == (0.514, 84.4, -0.1))
        #expect(fix.dilution == DilutionOfPrecision(hdop: 0.9, vdop: 1.01, pdop: 1.35))
        #expect(fix.satellitesUsed == 2)
        #expect(fix.mode == .threeD)
        // gpsd copies the one-sigma errors of a u-blox receiver.
        #expect(abs((fix.accuracy.horizontal ?? 0) - 18.511) < 0.001)
        #expect(reading.fixes.count == 2)
        #expect(reading.fixes[1].coordinate == nil)
    }

    @Test func `the alt of older gpsd versions is above mean sea level`() throws {
        let reading = Reading(
            #"{"class":"TPV","mode":3,"time":"2014-01-01T00:00:00.000Z","lat":1.5,"lon":-2.5,"alt":12.5}"#
        )
        let fix = try #require(reading.fixes.first)
        #expect((fix.altitude, fix.ellipsoidalAltitude) == (12.5, nil))
        // The time was the number of seconds since 1970.
        let oldest = #"{"class":"TPV","mode":2,"time":1118327688.280,"lat":46.5,"lon":7.5}"#
        #expect(Reading(oldest).fixes.first?.time?.description == "2005-06-09T14:34:48.280Z")
    }

    @Test(arguments: [
        """
        <gpx version="1.0"><trk><trkseg><trkpt lat="48" lon="16"><ele>1e19</ele><speed>-1</speed>\
        <course>-1</course><sat>-1</sat><hdop>-1</hdop></trkpt></trkseg></trk></gpx>
        """,
        """
        lat,lon,ele,speed,course,satellites_used,hdop,horizontal_accuracy_m
        48,16,1e19,-1,-1,-1,-1,-1

        """,
        """
        {"class":"TPV","mode":2,"lat":48,"lon":16,"altMSL":1e19,"speed":-1,\
        "track":725.5,"uSat":-1,"hdop":-1}

        """,
    ])
    func `an impossible value is unknown`(text: String) throws {
        let fix = try #require(Reading(text).fixes.first)
        #expect(fix.coordinate == Coordinate(latitude: 48, longitude: 16))
        #expect((fix.altitude, fix.speed, fix.course) == (nil, nil, nil))
        #expect((fix.satellitesUsed, fix.dilution.hdop, fix.accuracy.horizontal) == (nil, nil, nil))
        #expect(fix.mode == .twoD)
    }

    @Test(arguments: [
        """
        <gpx><trk><trkseg><trkpt lat="48" lon="16"><ele/><time></time><sat/><speed>NaN</speed>
        </trkpt><trkpt lat="48" lon="17"><ele>nan</ele></trkpt></trkseg></trk></gpx>
        """,
        """
        <TrainingCenterDatabase><Activities><Activity><Lap><Track><Trackpoint><Time/><Position>
        <LatitudeDegrees>48</LatitudeDegrees><LongitudeDegrees>16</LongitudeDegrees></Position>
        <AltitudeMeters>NaN</AltitudeMeters></Trackpoint><Trackpoint><Position>
        <LatitudeDegrees>48</LatitudeDegrees><LongitudeDegrees>17</LongitudeDegrees></Position>
        <AltitudeMeters></AltitudeMeters></Trackpoint></Track></Lap></Activity></Activities>
        </TrainingCenterDatabase>
        """,
        """
        <kml><Placemark><TimeStamp><when/></TimeStamp><Point><altitudeMode>absolute</altitudeMode>
        <coordinates>16,48,NaN</coordinates></Point></Placemark><Placemark><TimeStamp>
        <when>2026-03</when></TimeStamp><Point><coordinates>17,48</coordinates></Point></Placemark>
        </kml>
        """,
        "lat,lon,ele,time\n48,16,NaN,\n48,17,nan,\n",
    ])
    func `an empty value and one that is not a number are unknown`(text: String) {
        let reading = Reading(text)
        #expect(reading.error == nil)
        #expect(reading.fixes.compactMap(\.coordinate?.longitude) == [16, 17])
        #expect(
            reading.fixes.allSatisfy { $0.altitude == nil && $0.time == nil && $0.speed == nil })
    }

    @Test func `gpsbabel's unicsv has a date and a time of day`() throws {
        let reading = Reading(
            """
            No,Latitude,Longitude,Altitude,Speed,Course,Satellites,HDOP,Date,Time
            1,48.207490,16.363384,169.8,10.05,89.9,8,0.4,2026/03/21,12:00:00.4
            2,48.207495,16.363396,169.4,9.99,90.3,8,0.4,2026/03/21,12:00:00.5

            """)
        #expect(reading.error == nil)
        #expect(
            reading.fixes.map { $0.time?.description } == [
                "2026-03-21T12:00:00.400Z", "2026-03-21T12:00:00.500Z",
            ])
        #expect(reading.fixes.first?.speed == 10.05)
        #expect(reading.fixes.first?.satellitesUsed == 8)
    }

    @Test func `the column date of CSV may contain the time of day`() {
        let reading = Reading("date,lat,lon\n2026-03-21 12:00:05,48,16\n2026-03-21,48,17\n")
        #expect(reading.error == nil)
        #expect(reading.fixes.map { $0.time?.time.second } == [5, nil])
    }

    @Test func `CSV may have semicolons, quotes and a byte order mark`() {
        let reading = Reading(
            "\u{FEFF}\"lat\";\"lon\";\"name\";\"speed_km/h\"\r\n48.5;16.5;\"a; \"\"b\"\"\nc\";36\r\n"
        )
        #expect(reading.error == nil)
        #expect(reading.fixes.map(\.coordinate) == [Coordinate(latitude: 48.5, longitude: 16.5)])
        #expect(reading.fixes.first?.speed == 10)
    }

    @Test(arguments: [1, 2, 1000])
    func `JSON may have a byte order mark`(_ piece: Int) {
        let point = #"{"type":"Point","coordinates":[16.5,48.5]}"#
        for text in [
            #"{"type":"Feature","properties":{},"geometry":\#(point)}"#,
            #"{"class":"TPV","mode":2,"lat":48.5,"lon":16.5}"#,
        ] {
            let reading = Reading(Array("\u{FEFF}\(text)\n".utf8), piece: piece)
            #expect(reading.error == nil)
            #expect(
                reading.fixes.map(\.coordinate) == [Coordinate(latitude: 48.5, longitude: 16.5)])
        }
    }

    @Test(arguments: ["sep=;\r\n", "\u{FEFF}\"sep=;\"\n"])
    func `CSV may begin with the separator, as spreadsheets write it`(_ start: String) {
        let reading = Reading(start + "lat;lon\r\n48.5;16.5\r\n")
        #expect(reading.error == nil)
        #expect(reading.fixes.map(\.coordinate) == [Coordinate(latitude: 48.5, longitude: 16.5)])
    }

    @Test(arguments: [1, 1000])
    func `XML may begin with blank lines, and errors have the line of the file`(_ piece: Int) {
        let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
        let marked = "\u{FEFF}\r\n\(declaration)<gpx><trk><trkseg><trkpt lat=\"48\" lon=\"16\"/>"
        let markedReading = Reading(Array("\(marked)</trkseg></trk></gpx>".utf8), piece: piece)
        #expect(markedReading.error == nil && markedReading.fixes.count == 1)
        let start = "\n \r\n<?xml version=\"1.0\"?>\n<gpx><trk><trkseg>"
        let good = Array("\(start)<trkpt lat=\"48\" lon=\"16\"/></trkseg></trk></gpx>".utf8)
        let reading = Reading(good, piece: piece)
        #expect(reading.error == nil)
        #expect(reading.fixes.count == 1)
        let bad = Reading(Array("\(start)<trkpt lat=\"95\" lon=\"16\"/>".utf8), piece: piece)
        #expect(bad.error?.description.contains("file:4: ") == true)
        #expect(bad.leftOut.warning?.contains(#"(line 4: "95")"#) == true)
    }

    @Test func `times with slashes of GDAL's GeoJSON are read`() throws {
        let reading = Reading(
            """
            {
            "type": "FeatureCollection",
            "name": "track_points",
            "crs": { "type": "name", "properties": { "name": "urn:ogc:def:crs:OGC:1.3:CRS84" } },
            "features": [
            { "type": "Feature", "properties": { "track_fid": 0, "ele": 169.8, "time": "2026\\/03\\/21 12:00:00.4+00" }, \
            "geometry": { "type": "Point", "coordinates": [ 16.363384, 48.20749 ] } }
            ]
            }
            """)
        let fix = try #require(reading.fixes.first)
        #expect(fix.time?.description == "2026-03-21T12:00:00.400Z")
        #expect(fix.altitude == 169.8)
        #expect(fix.coordinate == Coordinate(latitude: 48.20749, longitude: 16.363384))
    }

    @Test func `the lines of GeoJSON are segments, and polygons are ignored`() {
        let reading = Reading(
            """
            {"features":[{"geometry":{"type":"MultiLineString","coordinates":[[[1,2],[3,4,5]],[[5,6],[7,8]]]}},
            {"geometry":{"type":"Polygon","coordinates":[[[1,1],[2,2],[1,2],[1,1]]]}},
            {"geometry":{"coordinates":[9,10],"type":"Point"},"properties":null},
            {"geometry":null,"properties":{"time":"2026-03-21T12:00:00Z"}}],"type":"FeatureCollection"}
            """)
        #expect(reading.error == nil)
        #expect(reading.fixes.compactMap(\.coordinate?.longitude) == [1, 3, 5, 7, 9])
        #expect(reading.entries.map(\.segment) == [1, 1, 2, 2, 3])
        #expect(reading.fixes[1].ellipsoidalAltitude == 5)
    }

    @Test func `a line of GeoJSON does not continue a point before it`() {
        let reading = Reading(
            """
            {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{}}
            {"type":"Feature","geometry":{"type":"LineString","coordinates":[[3,2],[4,2]]}}
            {"type":"Feature","geometry":{"type":"Point","coordinates":[5,2]},"properties":{}}
            {"type":"Feature","geometry":{"type":"Point","coordinates":[6,2]},"properties":{}}
            """)
        #expect(reading.entries.map(\.segment) == [1, 2, 2, 3, 3])
    }

    @Test func `the type of a geometry may follow its positions, as geojson.io writes it`() {
        let reading = Reading(
            """
            {"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{
            "coordinates":[[[1,1],[2,2],[1,2],[1,1]]],"type":"Polygon"}},
            {"type":"Feature","properties":{},"geometry":{
            "coordinates":[[[3,2],[4,2]],[[5,6],[7,8]]],"type":"MultiLineString"}},
            {"type":"Feature","properties":{},"geometry":{
            "coordinates":[[[[1,1],[2,2],[1,2],[1,1]]]],"type":"MultiPolygon"}},
            {"type":"Feature","properties":{},"geometry":{
            "coordinates":[[8,2],[9,2]],"type":"LineString"}}]}
            """)
        #expect(reading.error == nil)
        #expect(reading.fixes.compactMap(\.coordinate?.longitude) == [3, 4, 5, 7, 8, 9])
        #expect(reading.entries.map(\.segment) == [1, 1, 2, 2, 3, 3])
    }

    @Test func `all points and lines of a GeoJSON collection of geometries are read`() {
        let reading = Reading(
            """
            {"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[
            {"type":"Point","coordinates":[1,2]},{"coordinates":[[5,2],[6,2]],"type":"LineString"},
            {"coordinates":[[[1,1],[2,2],[1,2],[1,1]]],"type":"Polygon"},
            {"coordinates":[[[7,2],[8,2]]],"type":"MultiLineString"},
            {"type":"Point","coordinates":[3,2]}]},"properties":{}}
            """)
        #expect(reading.error == nil)
        #expect(reading.fixes.compactMap(\.coordinate?.longitude) == [5, 6, 7, 8, 1, 3])
    }

    @Test func `a GeoJSON collection of geometries may be the whole text`() {
        let geometries = """
            "geometries":[{"type":"Point","coordinates":[1,2]},
            {"coordinates":[[[1,1],[2,2],[1,2],[1,1]]],"type":"Polygon"},
            {"coordinates":[[5,2],[6,2]],"type":"LineString"}]
            """
        let type = #""type":"GeometryCollection""#
        for members in [type + "," + geometries, geometries + "," + type] {
            let reading = Reading("{\(members)}")
            #expect(reading.error == nil)
            #expect(reading.fixes.compactMap(\.coordinate?.longitude) == [5, 6, 1])
        }
    }

    @Test(arguments: [1, 3, 1000])
    func `a line of GeoJSON is a route if its properties after it state that`(_ piece: Int) {
        let text = """
            {"features":[{"geometry":{"coordinates":[[1,2],[3,2]],"type":"LineString"},"properties":
            {"kind":"route","name":"home","points":["A","B"]},"type":"Feature"},
            {"geometry":{"coordinates":[[5,2],[6,2]],"type":"LineString"},"properties":
            {"origin":"simulated"},"type":"Feature"}],"type":"FeatureCollection"}
            """
        let reading = Reading(Array(text.utf8), piece: piece, keepsWaypoints: true)
        #expect(reading.error == nil)
        #expect(reading.routes.map { $0.points.map(\.name) } == [["A", "B"]])
        #expect(reading.fixes.compactMap(\.coordinate?.longitude) == [5, 6])
        #expect(reading.fixes.allSatisfy { $0.quality == .simulated })
        let cut = Reading(Array(text.utf8.dropLast(85)) + [0x21], keepsWaypoints: true)
        #expect(cut.error != nil)
        #expect(cut.fixes.count == 2)
    }

    @Test func `the points of KML are read, not the line through them`() {
        let reading = Reading(
            """
            <?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder>
            <Placemark><TimeStamp><when>2026-03-21T12:00:00Z</when></TimeStamp>
            <Point><altitudeMode>absolute</altitudeMode><coordinates>16.5,48.5,170.5</coordinates></Point></Placemark>
            <Placemark><TimeStamp><when>2026-03-21T12:00:01Z</when></TimeStamp>
            <Point><coordinates>16.6,48.6,0</coordinates></Point></Placemark>
            </Folder><Placemark><LineString><coordinates>16.5,48.5,0 16.6,48.6,0</coordinates></LineString>
            </Placemark></Document></kml>
            """)
        #expect(reading.fixes.map(\.altitude) == [170.5, nil])
        #expect(reading.fixes.map { $0.time?.time.second } == [0, 1])
    }

    @Test func `points before a folder don't hide that its line repeats its own points`() {
        let reading = Reading(
            """
            <kml><Document><Placemark><Point><coordinates>16,48</coordinates></Point></Placemark>
            <Folder><Placemark><Point><coordinates>2,1</coordinates></Point></Placemark>
            <Placemark><Point><coordinates>3,1</coordinates></Point></Placemark>
            <Placemark><LineString><coordinates>2,1 3,1</coordinates></LineString></Placemark>
            </Folder></Document></kml>
            """)
        #expect(reading.fixes.map(\.coordinate?.longitude) == [16, 2, 3])
    }

    @Test func `placemarks without a time are waypoints if the output can store them`() {
        let text = """
            <kml><Document><Placemark><name>Hut</name><styleUrl>#icon</styleUrl>
            <Point><coordinates>16,48</coordinates></Point></Placemark>
            <Placemark><name>Path</name><LineString><coordinates>16,48 17,48</coordinates></LineString>
            </Placemark><Placemark><TimeStamp><when>2026-03-21T12:00:00Z</when></TimeStamp>
            <Point><coordinates>18,48</coordinates></Point></Placemark>
            <Placemark><styleUrl>#track-none</styleUrl><Point><coordinates>19,48</coordinates></Point>
            </Placemark><Placemark><description>origin: replay</description>
            <Point><coordinates>20,48</coordinates></Point></Placemark></Document></kml>
            """
        let kept = Reading(Array(text.utf8), keepsWaypoints: true)
        #expect(kept.waypoints.map(\.name) == ["Hut"])
        // Lines and points without a time are read at the end of the file, except gpsbridge's.
        #expect(kept.fixes.map(\.coordinate?.longitude) == [18, 20, 16, 17, 19])
        let fixes = Reading(text)
        #expect(fixes.waypoints.isEmpty)
        // The hut is the beginning of the path.
        #expect(fixes.fixes.map(\.coordinate?.longitude) == [18, 20, 16, 17, 19])
    }

    @Test func `the times of a gx Track may precede all positions or each position`() {
        for body in [
            "<when>2026-03-21T12:00:00Z</when><when>2026-03-21T12:00:01Z</when>"
                + "<gx:coord>16.5 48.5 1</gx:coord><gx:coord>16.6 48.6 2</gx:coord>",
            "<when>2026-03-21T12:00:00Z</when><gx:coord>16.5 48.5 1</gx:coord>"
                + "<when>2026-03-21T12:00:01Z</when><gx:coord>16.6 48.6 2</gx:coord>",
        ] {
            let reading = Reading(
                "<kml><Placemark><gx:Track>\(body)</gx:Track></Placemark></kml>"
                    .replacing(
                        "<kml>", with: "<kml xmlns:gx=\"http://www.google.com/kml/ext/2.2\">"))
            #expect(reading.error == nil)
            #expect(reading.fixes.map { $0.time?.time.second } == [0, 1])
            #expect(reading.fixes.allSatisfy { $0.altitude == nil && $0.mode == .twoD })
        }
    }

    @Test func `a missing position of a gx Track keeps its time`() {
        let reading = Reading(
            """
            <kml><Placemark><Track><when>2026-03-21T12:00:00Z</when><when>2026-03-21T12:00:01Z</when>
            <when>2026-03-21T12:00:02Z</when><coord>16.5 48.5 1</coord><coord/>
            <coord>16.6 48.6 2</coord></Track></Placemark></kml>
            """)
        #expect(reading.fixes.map { $0.time?.time.second } == [0, 2])
    }

    @Test func `all points of a placemark are read, without the time of the view`() {
        let reading = Reading(
            """
            <kml><Placemark><LookAt><TimeStamp><when>2020-01-01T00:00:00Z</when></TimeStamp></LookAt>
            <MultiGeometry><Point><coordinates>16,48</coordinates></Point>
            <Point><coordinates>17,48</coordinates></Point></MultiGeometry></Placemark></kml>
            """)
        #expect(reading.fixes.compactMap(\.coordinate?.longitude) == [16, 17])
        #expect(reading.fixes.allSatisfy { $0.time == nil })
    }

    @Test(arguments: ["windows-1252", "ISO-8859-15", "ISO-8859-1", "UTF-8"])
    func `XML may have an encoding of one byte per character`(_ encoding: String) {
        let start =
            "<?xml version=\"1.0\" encoding=\"\(encoding)\"?><gpx><wpt lat=\"48\" lon=\"11\"><name>M"
        let name: [UInt8] = encoding == "UTF-8" ? Array("ü".utf8) : [0xFC]
        let euro: [UInt8] =
            switch encoding {
            case "windows-1252": [0x80]
            case "ISO-8859-15": [0xA4]
            default: []
            }
        let reading = Reading(
            Array(start.utf8) + name + euro + Array("</name></wpt></gpx>".utf8),
            keepsWaypoints: true)
        #expect(reading.error == nil)
        #expect(reading.waypoints.map(\.name) == [euro.isEmpty ? "Mü" : "Mü€"])
    }

    @Test func `a route of GPX is read only if there is no track`() {
        let route =
            #"<rte><rtept lat="1" lon="2"/><rtept lat="3" lon="4"><ele>5</ele></rtept></rte>"#
        let track =
            #"<trk><trkseg><trkpt lat="5" lon="6"><time>2026-03-21T12:00:00Z</time></trkpt></trkseg></trk>"#
        #expect(Reading("<gpx>\(route)</gpx>").fixes.map(\.altitude) == [nil, 5])
        #expect(
            Reading("<gpx>\(route)\(track)</gpx>").fixes.compactMap(\.coordinate?.latitude) == [5])
        // Two routes are not one line.
        #expect(Reading("<gpx>\(route)\(route)</gpx>").entries.map(\.segment) == [1, 1, 2, 2])
    }
}
