// SPDX-License-Identifier: MIT
import GPSServer
import GPSTestTraits
import Testing

/// Requests in a client's bytes, for every chunking.
@Suite(.timeLimit(.generous))
struct RequestReaderTests {
    /// Bytes sent by existing clients, and the requests in them.
    static let clients: [(bytes: String, count: Int)] = [
        // libgps: cgps, gpxlogger, gpspipe -w
        ("?WATCH={\"enable\":true,\"json\":true};\n", 1),
        // gpsmon
        ("?WATCH={\"enable\":true,\"json\":true};\n?WATCH={\"raw\":2,\"pps\":true}\r\n", 2),
        // python3-gps
        ("?WATCH={\"enable\":true,\"json\":true}\n?WATCH={\"enable\":false,\"json\":false}\n", 2),
        // QGIS, with a device that has no quotes
        ("?WATCH={\"enable\":true,\"nmea\":true,\"raw\":true,\"device\":/dev/ttyUSB0};", 1),
        // Signal K
        ("?WATCH={\"class\":\"WATCH\",\"nmea\":true,\"json\":false}", 1),
        // gpsd-exporter
        ("?WATCH={\"enable\": true}\n?POLL;\n?POLL;\n", 3),
        // gpsctl
        ("?DEVICES;\r\n", 1),
        ("?VERSION;?DEVICES;\n\n;?DEVICE={\"path\":\"a}b\\\"{\"};", 3),
        ("?FOO;?VERSION;\n?VERSION;\n", 3),
        ("GET / HTTP/1.0\r\n?VERSION\n", 1),
        // VirtualFlightRadar-Backend, whose buffers include the NUL at the end of a string
        ("?WATCH={\"enable\":true,\"nmea\":true}\r\n\0?WATCH={\"enable\":false}\r\n\0", 2),
        ("?POLL;\0?POLL;\0?VERSION\0R\0?FOO;\0?DEVICES;", 5),
        // C#'s StreamWriter, which begins with a byte order mark, and telnet's options
        ("\u{FEFF}?WATCH={\"enable\":true,\"json\":true};", 1),
        ("hello?WATCH={\"json\":true}what? ?? ?NO;=?POLL ?POLL;?POLL", 2),
        ("GET /?WATCH HTTP/1.1\r\nHost: a?b\r\n\r\n", 0),
        ("? VERSION;\n?version;\n?WATCH=1;\n?WATCH = {};\n", 4),
    ]

    @Test(arguments: clients)
    func `every chunking gives the same requests`(
        _ client: (bytes: String, count: Int)
    ) {
        let bytes = Array(client.bytes.utf8)
        let whole = Self.requests([bytes])
        #expect(whole.count == client.count)
        #expect(Self.requests(bytes.map { [$0] }) == whole)
        for cut in 0...bytes.count {
            #expect(Self.requests([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole)
        }
    }

    @Test func `a request is complete at its closing brace`() {
        let requests = Self.requests([Array("?WATCH={\"json\":true}".utf8)])
        #expect(
            requests == [.request(word: "WATCH", argument: Array("{\"json\":true}".utf8))])
    }

    @Test func `the rest of a line after an unrecognized request is dropped up to a known one`() {
        let requests = Self.requests([Array("?FOO;?BAR;?VERSION;\r\n?POLL;".utf8)])
        #expect(
            requests == [
                .unrecognized("?FOO;"), .request(word: "VERSION", argument: nil),
                .request(word: "POLL", argument: nil),
            ])
    }

    @Test func `a client that never ends its lines is answered after other text`() {
        let requests = Self.requests(
            ["hello", "?WATCH={}", "?FOO;", "?POLL;"].map { Array($0.utf8) })
        #expect(
            requests == [
                .request(word: "WATCH", argument: Array("{}".utf8)), .unrecognized("?FOO;"),
                .request(word: "POLL", argument: nil),
            ])
    }

    @Test func `a question mark within other text does not begin a request that must be completed`()
    {
        var reader = RequestReader()
        reader.push(Array("are you there?".utf8)) { _, _ in Issue.record("no request") }
        #expect(!reader.isUnfinished)
        #expect(reader.expire() == nil)
    }

    @Test func `only requests after text that is not a request follow it`() {
        var reader = RequestReader()
        var follow: [Bool] = []
        reader.push(Array("?POLL;?FOO;\n?POLL;hello\n?POLL;".utf8)) { follow.append($1) }
        #expect(follow == [false, false, false, true])
    }

    @Test func `a request beyond the length limit is dropped up to the end of its line`() {
        let flood = Array("?WATCH={".utf8) + [UInt8](repeating: 0x20, count: 100_000)
        let requests = Self.requests([flood, Array("\n?VERSION;".utf8)])
        #expect(requests == [.tooLong, .request(word: "VERSION", argument: nil)])
    }

    @Test func `an unfinished request can be dropped`() {
        var reader = RequestReader()
        reader.push(Array("?WATCH={\"en".utf8)) { _, _ in Issue.record("no request") }
        #expect(reader.isUnfinished)
        #expect(reader.expire() == .tooLong)
        #expect(!reader.isUnfinished)
        #expect(reader.expire() == nil)
    }

    private static func requests(_ chunks: [[UInt8]]) -> [ClientRequest] {
        var reader = RequestReader()
        var requests: [ClientRequest] = []
        for chunk in chunks { reader.push(chunk) { request, _ in requests.append(request) } }
        return requests
    }
}
