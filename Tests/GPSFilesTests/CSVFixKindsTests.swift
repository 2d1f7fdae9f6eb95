// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSTestTraits
import Testing

/// What tables of other programs say about a fix, in words and in numbers.
@Suite(.timeLimit(.generous))
struct CSVFixKindsTests {
    /// Reads a row with an altitude, whose last column has a name and a text.
    private func read(_ name: String, _ text: String) -> Reading {
        let reading = Reading("lat,lon,ele,\(name)\n48,11,500,\(text)\n")
        #expect(reading.error == nil)
        return reading
    }

    @Test(
        arguments: ["fix", "valid", "mode", "quality"],
        [
            "No fix", "NO_FIX", "no-fix", "invalid", "INVALID", "false", "FALSE", "N", "V", "none",
            "not valid", "Void", "0", "0.0",
        ])
    func `a position without a fix is not read`(_ column: String, _ text: String) {
        let rows = ["3D", text, "3D"].map { "48,11,500,\($0)\n" }.joined()
        let reading = Reading("lat,lon,ele,\(column)\n\(rows)")
        #expect(reading.entries.map(\.segment) == [1, 2])
        #expect(reading.leftOut == LeftOut())
    }

    @Test(arguments: [
        ("1", FixQuality.autonomous), ("2", .differential), ("3", .precise), ("4", .rtkFixed),
        ("5", .rtkFloat), ("6", .estimated), ("7", .manual), ("8", .simulated),
        ("9", .differential), ("4.0", .rtkFixed),
    ])
    func `numbers of the quality are those of GGA`(_ text: String, _ quality: FixQuality) {
        for column in ["quality", "Fix Quality", "gps_quality"] {
            let reading = read(column, text)
            #expect(reading.fixes.map(\.quality) == [quality])
            #expect(reading.leftOut == LeftOut())
        }
    }

    @Test(arguments: [
        ("RTK_FIXED", FixQuality.rtkFixed), ("RTK fixed", .rtkFixed), ("Float", .rtkFloat),
        ("DGPS", .differential), ("sbas", .differential), ("PPS", .precise), ("SPS", .autonomous),
        ("Estimated (DR)", .estimated), ("Simulator", .simulated),
    ])
    func `words of the quality are read in any case`(_ text: String, _ quality: FixQuality) {
        for column in ["quality", "fix", "VALID"] {
            let reading = read(column, text)
            #expect(reading.fixes.map(\.quality) == [quality])
            #expect(reading.fixes.map(\.mode) == [.threeD])
            #expect(reading.leftOut == LeftOut())
        }
    }

    @Test func `a column for the quality has precedence, and the mode of a vehicle is none`() {
        let both = Reading("lat,lon,valid,quality,fix\n48,11,SPS,rtk_float,2D/DGPS\n")
        #expect(both.fixes.map(\.quality) == [.rtkFloat])
        #expect(read("mode", "MANUAL").fixes.map(\.quality) == [.autonomous])
        let dimensions = read("quality", "2d").fixes
        #expect(dimensions.map(\.mode) == [.twoD] && dimensions.map(\.quality) == [.autonomous])
        #expect(read("fix", "3D/DGPS").fixes.map(\.quality) == [.differential])
    }

    @Test(arguments: ["true", "A", "valid", "Yes", "1", "ok", "", " ", "n/a", "unknown", "NaN"])
    func `a word that does not say how a position was determined leaves it as it is`(
        _ text: String
    ) {
        for column in ["valid", "fix"] {
            let reading = read(column, text)
            #expect(reading.fixes.map(\.mode) == [.threeD])
            #expect(reading.fixes.map(\.quality) == [.autonomous])
            #expect(reading.leftOut == LeftOut())
        }
    }

    @Test(arguments: [
        ("quality", "good", "quality"), ("quality", "85", "quality"), ("mode", "AUTO", "mode"),
        ("mode", "7", "mode"), ("fix", "fixish", "mode"), ("valid", "12", "validity"),
    ])
    func `an unknown word or number is counted, and its position kept`(
        _ column: String, _ text: String, _ noun: String
    ) {
        let reading = read(column, text)
        #expect(reading.fixes.count == 1)
        #expect(
            reading.leftOut.descriptions == [
                #"1 value of the \#(noun) in an unknown form (line 2: "\#(text)")"#
            ])
    }
}
