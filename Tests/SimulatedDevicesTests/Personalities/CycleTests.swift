// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing

/// The order of sentences and the times of lists, as in recordings of the receivers.
@Suite(.timeLimit(.generous))
struct CycleTests {
    @Test(arguments: [
        ("ublox6", "GPRMC GPVTG GPGGA GPGSA GPGSV GPGLL"),
        ("ublox8", "GNRMC GNVTG GNGGA GNGSA GPGSV GLGSV GNGLL"),
        (
            "ublox9",
            "GNRMC GNVTG GNGGA GNGSA GPGSV GLGSV GAGSV GBGSV GNGLL GNGST GNZDA PUBX,00"
        ),
        ("sirf3", "GPGGA GPGSA GPRMC"),
        ("sirf4", "GPGGA GNGSA GNRMC GPZDA"),
        ("mt3339", "GPGGA GPGSA GPRMC GPVTG"),
        ("l76", "GNGGA GNGLL GNGSA GPGSV BDGSV GLGSV GNRMC GNVTG GNZDA"),
        ("lc29h", "GPGSV GLGSV GAGSV GBGSV GQGSV GNGSA GNVTG GNRMC GNGGA GNGLL"),
        ("teseo", "GNRMC GNGGA GNVTG GNGST GNGBS GNGSA GPGSV GAGSV BDGSV"),
        ("garmin", "GPRMC GPGGA GPGSA GPGSV PGRME GPGLL PGRMZ PGRMM"),
        ("nmea20", "GPGGA GPGLL GPGSA GPGSV GPRMC GPVTG"),
    ])
    func `sentences are in the order of the receiver`(_ name: String, _ order: String) throws {
        let personality = try #require(Personality.named(name))
        let run = DecodedRun(.noon(personality), epochs: 3)
        // The second epoch has neither start-up texts nor, with some, lists of satellites.
        let words = order.split(separator: " ").map(String.init)
        #expect(Array(run.addresses.suffix(words.count)) == words)
    }

    @Test func `a SiRF lists the satellites every fifth second`() {
        var receiver = SimulatedReceiver(.noon(.sirf3))
        let lists = (0..<11).map { _ in
            String(decoding: receiver.next().bytes, as: UTF8.self).contains("GSV")
        }
        #expect(lists.indices.filter { lists[$0] } == [0, 5, 10])
    }

    @Test func `start-up sentences come first, and only once`() {
        let sentences = DecodedRun(.noon(.ublox8), epochs: 3).sentences
        #expect(sentences.first?.hasPrefix("$GNTXT,01,01,02,u-blox AG") == true)
        #expect(sentences.filter { $0.contains("TXT") }.count == 4)
    }

    @Test func `a two-band receiver lists both signals`() throws {
        let view = try #require(DecodedRun(.noon(.lc29h), epochs: 2).views.last)
        let galileo = view.signals.filter { $0.id.constellation == .galileo }
        #expect(Set(galileo.map(\.signal)) == [1, 7])
    }

    @Test func `a user-defined personality is a value`() {
        var mine = Personality(
            name: "mine", summary: "RMC and GGA alone", cycle: [.rmc, .gga])
        mine.decimals = SentenceDecimals(minutes: 3)
        #expect(
            DecodedRun(.noon(mine), epochs: 2).addresses == ["GPRMC", "GPGGA", "GPRMC", "GPGGA"])
    }
}
