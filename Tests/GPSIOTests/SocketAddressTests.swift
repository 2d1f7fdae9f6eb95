// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct HostPortTests {
    @Test(arguments: [
        ("boat", "boat", nil), ("boat:", "boat", ""), ("boat:10110", "boat", "10110"),
        ("boat:x", "boat", "x"), ("[::1]", "::1", nil), ("[::1]:10110", "::1", "10110"),
        ("::1:10110", "::1", "10110"), ("*:1", "*", "1"),
    ])
    func `splits a host, without its brackets, and a port`(
        text: String, host: Substring, port: Substring?
    ) throws {
        let parts = try #require(HostPort.split(text))
        #expect(parts.host == host && parts.port == port)
    }

    @Test(arguments: ["", ":", ":1", "[]", "[]:1", "[::1", "[::1:1", "::1]", "::1]:1", "[[::1]]:1"])
    func `a host is not empty, and brackets are only around it`(text: String) {
        #expect(HostPort.split(text) == nil)
        #expect(throws: UsageError.self) { try HostPort(text, needsHost: true) }
    }

    @Test func `a command line may leave out the host, unless a server is needed`() throws {
        #expect(try HostPort("10110").host == nil && HostPort("10110").port == 10110)
        #expect(try HostPort("[::1]:0").host == "::1")
        for (text, needsHost) in [("", false), ("boat", false), ("boat:", false), ("1", true)] {
            #expect(throws: UsageError.self) { try HostPort(text, needsHost: needsHost) }
        }
        let error = #expect(throws: UsageError.self) { try HostPort("boat:65536") }
        #expect(error?.description == "port '65536' is not a whole number from 0 to 65535")
    }
}

@Suite(.timeLimit(.generous))
struct CANSocketTests {
    @Test func `a frame is written as it is read`() {
        let frame = CANSocket.frame(0x18EA_FF07, [0x00, 0xEE, 0x00])
        #expect(frame.count == 16)
        #expect(frame[4...] == [3, 0, 0, 0, 0x00, 0xEE, 0x00, 0, 0, 0, 0, 0])
        let content = CANSocket.content(of: frame)
        #expect(content?.identifier == 0x18EA_FF07)
        #expect(content?.data == [0x00, 0xEE, 0x00])
    }

    @Test func `only complete frames with long identifiers have content`() {
        let frame = CANSocket.frame(1, [1, 2])
        #expect(CANSocket.content(of: Array(frame.dropLast())) == nil)
        var long = frame
        long[4] = 9
        #expect(CANSocket.content(of: long) == nil)
        // The marks of a short identifier, of a request and of an error are in the first four bytes.
        for mark in [UInt32(0), 0xC000_0000, 0xA000_0000] {
            let head = withUnsafeBytes(of: mark | 1) { Array($0) }
            #expect(CANSocket.content(of: head + frame[4...]) == nil)
        }
    }
}
