// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

/// KML of other programs, and what KML keeps of positions without a date.
@Suite(.timeLimit(.generous))
struct KMLTests {
    /// Returns the contents of a file with a `gx:MultiTrack` of two tracks.
    private func multiTrack(_ head: String, _ trackHead: String = "") -> Reading {
        let tracks = [0, 1].map { index in
            "<gx:Track>\(trackHead)<when>2026-03-21T12:00:0\(index)Z</when>"
                + "<gx:coord>16.\(index) 48.5 17\(index)</gx:coord></gx:Track>"
        }
        return Reading(
            "<kml xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Placemark><gx:MultiTrack>"
                + head + tracks.joined() + "</gx:MultiTrack></Placemark></kml>")
    }

    // OpenTracks and its predecessor My Tracks write it there.
    @Test func `the altitude mode of a MultiTrack is that of its tracks`() {
        let absolute = "<altitudeMode>absolute</altitudeMode>"
        #expect(multiTrack(absolute).fixes.map(\.altitude) == [170, 171])
        #expect(multiTrack("").fixes.map(\.altitude) == [nil, nil])
        #expect(multiTrack("", absolute).fixes.map(\.altitude) == [170, 171])
        let clamped = "<altitudeMode>clampToGround</altitudeMode>"
        #expect(multiTrack(absolute, clamped).fixes.map(\.altitude) == [nil, nil])
        #expect(multiTrack(clamped, absolute).fixes.map(\.altitude) == [170, 171])
    }

    @Test func `the tracks of a MultiTrack are one segment if it interpolates between them`() {
        let (yes, no) = ("<gx:interpolate>1</gx:interpolate>", "<gx:interpolate>0</gx:interpolate>")
        #expect(multiTrack(yes).entries.map(\.segment) == [1, 1])
        #expect(multiTrack(no).entries.map(\.segment) == [1, 2])
        #expect(multiTrack("").entries.map(\.segment) == [1, 2])
    }
}
