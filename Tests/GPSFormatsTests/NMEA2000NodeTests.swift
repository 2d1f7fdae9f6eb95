// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct NMEA2000NodeTests {
    private let start = MonotonicInstant.now
    private static let name = NMEA2000Name(uniqueNumber: 0x12345)
    private static let stronger = NMEA2000Name(rawValue: 1)
    private static let weaker = NMEA2000Name(rawValue: .max)
    /// The first address of the device with this name.
    private static let address: UInt8 = 128 + UInt8(0x12345 % 120)

    private static func claim(_ name: NMEA2000Name, from address: UInt8) -> NMEA2000Frame {
        NMEA2000Frame(
            priority: 6, group: 60928, source: address, destination: 255, bytes: name.bytes)
    }

    private static func request(_ group: UInt32, to address: UInt8) -> NMEA2000Frame {
        let bytes = (0..<3).map { UInt8(truncatingIfNeeded: group >> (8 * $0)) }
        return NMEA2000Frame(
            priority: 6, group: 59904, source: 7, destination: address, bytes: bytes)
    }

    /// Returns a device whose address is in use.
    private func device() -> (NMEA2000Node, MonotonicInstant) {
        var node = NMEA2000Node(name: Self.name)
        _ = node.join(at: start)
        return (node, start + NMEA2000AddressClaim.objectionTime)
    }

    @Test func `the name identifies a marine receiver that accepts any address`() {
        #expect(Self.name.rawValue == 0xC078_9100_FFC1_2345)
        #expect(Self.name.bytes == [0x45, 0x23, 0xC1, 0xFF, 0x00, 0x91, 0x78, 0xC0])
        #expect(NMEA2000Name(Self.name.bytes) == Self.name)
        #expect(NMEA2000Name([1, 2, 3]) == nil)
    }

    @Test func `an address is claimed, and used after the time to object`() {
        var node = NMEA2000Node(name: Self.name)
        #expect(node.frames(of: [NMEA2000Message(.position, [])], at: start).isEmpty)
        #expect(node.join(at: start) == Self.claim(Self.name, from: Self.address))
        let message = [NMEA2000Message(.position, [])]
        #expect(node.frames(of: message, at: start + .milliseconds(249)).isEmpty)
        let frames = node.frames(of: message, at: start + .milliseconds(250))
        #expect(frames.first?.first?.source == Self.address)
    }

    @Test func `a device with a higher name does not get the address`() {
        var (node, now) = device()
        let answer = node.receive(Self.claim(Self.weaker, from: Self.address), at: now)
        #expect(answer == [[Self.claim(Self.name, from: Self.address)]])
        #expect(!node.frames(of: [NMEA2000Message(.position, [])], at: now).isEmpty)
    }

    @Test func `a device with a lower name gets the address, and another one is claimed`() {
        var (node, now) = device()
        // Another device has the first choice.
        #expect(node.receive(Self.claim(Self.weaker, from: 128), at: now) == [])
        let answer = node.receive(Self.claim(Self.stronger, from: Self.address), at: now)
        #expect(answer == [[Self.claim(Self.name, from: 129)]])
        #expect(node.address == 129)
        #expect(node.frames(of: [NMEA2000Message(.position, [])], at: now).isEmpty)
    }

    @Test func `without a free address nothing is sent, and devices learn that`() {
        var (node, now) = device()
        for address in UInt8(128)...247 {
            let other = NMEA2000Name(rawValue: UInt64(address))
            _ = node.receive(Self.claim(other, from: address), at: now)
        }
        // The last claims forced it from each address.
        for address in UInt8(128)...247 where node.address == address {
            _ = node.receive(Self.claim(NMEA2000Name(rawValue: 1000), from: address), at: now)
        }
        #expect(node.address == nil)
        now = now + .seconds(1)
        #expect(node.frames(of: [NMEA2000Message(.position, [])], at: now).isEmpty)
    }

    @Test(arguments: [UInt8(255), Self.address])
    func `a request for the claim is answered`(destination: UInt8) {
        var (node, now) = device()
        let answer = node.receive(Self.request(60928, to: destination), at: now)
        #expect(answer == [[Self.claim(Self.name, from: Self.address)]])
        #expect(node.receive(Self.request(60928, to: 1), at: now) == [])
    }

    @Test func `product information names the program`() {
        var (node, now) = device()
        let frames = node.receive(Self.request(126996, to: 255), at: now).first ?? []
        #expect(frames.count == 20)
        let bytes = frames.enumerated().flatMap { $1.bytes.dropFirst($0 == 0 ? 2 : 1) }
        #expect(frames.first?.bytes.prefix(2) == [0, 134])
        #expect(bytes.prefix(4) == [0x34, 0x08, 0xFF, 0xFF])
        #expect(bytes[4..<13] == Array("gpsbridge".utf8)[...])
        #expect(bytes[36..<41] == Array(Release.version.utf8)[...])
        #expect(bytes[100..<105] == Array("74565".utf8)[...])
        #expect(bytes[132..<134] == [0xFF, 0])
        // The next one has another sequence number.
        let next = node.receive(Self.request(126996, to: 255), at: now).first ?? []
        #expect(next.first?.bytes.first == 0x20)
    }

    @Test func `the list of groups has those that are sent and received`() {
        var (node, now) = device()
        let messages = node.receive(Self.request(126464, to: Self.address), at: now)
        #expect(messages.count == 2)
        #expect(messages.first?.first?.bytes.prefix(6) == [0, 34, 0, 0x00, 0xE8, 0x00])
        #expect(
            messages.last?.first?.bytes == [0x20, 7, 1, 0x00, 0xEA, 0x00, 0x00, 0xEE])
    }

    @Test func `a request of an unknown group is refused, unless it is for all devices`() {
        var (node, now) = device()
        let answer = node.receive(Self.request(130306, to: Self.address), at: now).first?.first
        #expect(answer?.identifier == 0x18E8_0700 | UInt32(Self.address))
        #expect(answer?.bytes == [1, 255, 255, 255, 255, 0x02, 0xFD, 0x01])
        #expect(node.receive(Self.request(130306, to: 255), at: now) == [])
        #expect(node.receive(Self.request(129029, to: Self.address), at: now) == [])
    }

    @Test(arguments: [UInt32(59904), 60928])
    func `a frame that is too short has no effect`(group: UInt32) {
        var (node, now) = device()
        let frame = NMEA2000Frame(
            priority: 6, group: group, source: Self.address, destination: 255, bytes: [1, 2])
        #expect(node.receive(frame, at: now) == [])
        #expect(node.address == Self.address)
    }

    @Test func `heartbeats are counted`() {
        var (node, now) = device()
        let first = node.heartbeat(at: now).first?.first
        #expect(first?.bytes == [0x60, 0xEA, 0, 255, 255, 255, 255, 255])
        #expect(first?.identifier == 0x1DF0_1100 | UInt32(Self.address))
        #expect(node.heartbeat(at: now).first?.first?.bytes[2] == 1)
    }
}
