// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct TOMLTests {
    static let everything: ReceiverConfiguration = {
        var configuration = ReceiverConfiguration()
        configuration.rate = 10
        configuration.baudRate = 115_200
        configuration.constellations = [.gps, .galileo]
        configuration.messages = .list(["RMC": 1, "GSV": 5])
        configuration.dynamics = .automotive
        configuration.minimumElevation = 10
        configuration.nmeaVersion = .v4_11
        configuration.staticHoldSpeed = 0.5
        configuration.autonomousAssistance = true
        return configuration
    }()

    @Test func `settings are written and read again`() throws {
        let text = Self.everything.toml
        #expect(try ReceiverConfiguration(toml: text) == Self.everything)
        #expect(
            text == """
                rate = 10
                baud = 115200
                constellations = ["gps", "galileo"]
                messages = ["GSV/5", "RMC"]
                dynamics = "automotive"
                elevation = 10
                nmea-version = "4.11"
                static-hold = 0.5
                autonomous-assistance = true

                """)
    }

    @Test func `comments, blanks, lists over several lines and the table of the receiver are read`()
        throws
    {
        let configuration = try ReceiverConfiguration(
            toml: """
                # for the boat
                rate = 2.5  # fixes
                constellations = [
                    "gps",  # American
                    "beidou",
                ]

                [receiver]
                model = "u-blox M8 \\"mouse\\""
                """)
        #expect(configuration.rate == 2.5)
        #expect(configuration.constellations == [.gps, .beiDou])
    }

    @Test(arguments: [
        ("rate = ", "line 1, column 8: expected a value"),
        ("rate 10", "line 1, column 6: expected '='"),
        ("\nrate = ten", "line 2, column 8: 'ten' is not a value"),
        (
            "rate = 1000",
            "line 1, column 8: rate '1000' is not a number of fixes per second from 0.01 to 100"
        ),
        ("rate = 1\nrate = 2", "line 2, column 1: 'rate' is given twice"),
        ("rate = 1 2", "line 1, column 10: expected the end of the line"),
        (
            "elevation = 10.5",
            "line 1, column 13: elevation '10.5' is not a whole number of degrees from -10 to 90"
        ),
        ("dynamics = \"boat\"", "line 1, column 12: unknown dynamic model 'boat' (known: "),
        (
            "constellations = [\"gps\", \"gsp\"]",
            "line 1, column 18: unknown constellation 'gsp'; did you mean 'gps'?"
        ),
        ("constellations = [\"gps\"", "line 1, column 24: expected ']'"),
        ("messages = \"RMC", "line 1, column 16: expected '\"'"),
        ("messages = [\"GSV/0\"]", "line 1, column 12: not a value for --messages: 'GSV/0'"),
        ("speed = 3", "line 1, column 9: 'speed' is not a setting"),
        ("[rates]\nrate = 1", "line 2, column 8: 'rate' is not a setting"),
        ("rate = nan", "line 1, column 8: 'nan' is not a value"),
        ("rate = 0x1p3", "line 1, column 8: '0x1p3' is not a value"),
        (
            "autonomous-assistance = 1",
            "unknown value for --autonomous-assistance '1' (known: on, off)"
        ),
        ("nmea-version = \"4.1\\q\"", "unknown escape in a string"),
    ])
    func `an error names the line and the column`(_ text: String, _ message: String) {
        #expect {
            try ReceiverConfiguration(toml: text)
        } throws: { error in
            "\(error)".contains(message)
        }
    }

    @Test func `differences have the value before and after`() {
        var before = ReceiverConfiguration()
        before.rate = 1
        before.dynamics = .portable
        var requested = ReceiverConfiguration()
        requested.rate = 10
        requested.dynamics = .portable
        requested.minimumElevation = 15
        #expect(
            before.differences(to: requested).map(\.description)
                == ["rate: 1 → 10", "elevation: ? → 15"])
        #expect(before.merging(requested).rate == 10)
    }

    @Test func `differences between lists have no punctuation of a file`() {
        var before = ReceiverConfiguration()
        before.messages = .list(["GGA": 1, "GLL": 1])
        before.dynamics = .portable
        before.constellations = [.gps]
        var requested = ReceiverConfiguration()
        requested.messages = .list(["NAV-DOP": 5])
        requested.dynamics = .sea
        requested.constellations = []
        #expect(
            before.differences(to: requested).map(\.description) == [
                "constellations: gps → none", "messages: GGA, GLL → NAV-DOP/5",
                "dynamics: portable → sea",
            ])
    }

    @Test(arguments: [
        ("nmea", MessageSelection.nmea), ("both", .both), ("rmc,GGA", .list(["RMC": 1, "GGA": 1])),
        ("NAV-PVT,GSV/5", .list(["NAV-PVT": 1, "GSV": 5])),
    ])
    func `messages are selected by the text of an option`(
        _ text: String, _ selection: MessageSelection
    ) {
        #expect(MessageSelection(text) == selection)
    }

    @Test(arguments: ["", "RMC,", "RMC/", "RMC/300", "R MC", "RMC/1/2"])
    func `other text selects nothing`(_ text: String) {
        #expect(MessageSelection(text) == nil)
    }
}
