// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing
import UBX

/// The frames that simulated u-blox chips send, and their order.
@Suite(.timeLimit(.generous))
struct UBXStreamTests {
    private static let names: [UBXMessageID: String] = Dictionary(
        uniqueKeysWithValues: knownUBXMessages.map { ($0.id, "\($0)") })

    @Test(arguments: [
        (
            "ublox6",
            "NavPOSLLH NavDOP NavSOL NavVELNED NavTIMEUTC NavSVINFO INF-NOTICE MonHW"
        ),
        ("ublox7", "NavDOP NavPVT NavSVINFO INF-NOTICE MonHW"),
        ("ublox8", "NavPVT NavSAT NavDOP INF-NOTICE NavEOE MonHW"),
        ("ublox9", "NavPVT NavSAT NavSIG NavDOP NavCOV INF-NOTICE NavEOE MonRF"),
        ("ublox10", "NavPVT NavSAT NavSIG NavDOP NavCOV INF-NOTICE NavEOE MonRF"),
        (
            "f9p",
            "NavPVT NavSAT NavSIG NavSTATUS NavHPPOSLLH NavDOP NavCOV NavPL INF-NOTICE NavEOE MonRF "
                + "SecSIG"
        ),
    ])
    func `messages are in the order of the chip`(_ name: String, _ order: String) throws {
        let run = UBXRun(.ubx(try #require(Personality.named(name))), epochs: 2)
        let sent = run.epochs[1].frames.map { Self.names[$0.id] ?? $0.id.name ?? "\($0.id)" }
        #expect(sent.joined(separator: " ") == order)
    }

    @Test(arguments: Personality.ubx)
    func `with UBX alone, the stream contains only frames of known messages`(
        _ personality: Personality
    ) throws {
        let run = UBXRun(.ubx(personality), epochs: 5)
        for epoch in run.epochs {
            #expect(epoch.rest.isEmpty)
            for frame in epoch.frames where frame.id.messageClass != 4 {
                let type = try #require(knownUBXMessages.first { $0.id == frame.id })
                #expect(type.init(payload: frame.payload.span) != nil)
            }
        }
    }

    @Test(arguments: Personality.ubx)
    func `with both protocols the sentences are those of NMEA alone, before the end of the epoch`(
        _ personality: Personality
    ) throws {
        let plain = SimulatedReceiver(.noon(personality)).bytes(of: 5)
        let run = UBXRun(.ubx(personality, [], .both), epochs: 5)
        #expect(run.epochs.flatMap(\.rest) == plain)
        let bytes = try #require(run.epochs.last).epoch.bytes
        let sentence = try #require(bytes.lastRange(of: Array("\r\n".utf8)))
        let after = UBXRun.frames(in: Array(bytes[sentence.upperBound...]))
        #expect(after.rest.isEmpty)
        let end = [.ublox6, .ublox7].contains(personality) ? MonHW.id : NavEOE.id
        #expect(after.frames.first?.id == end)
    }

    @Test func `generation 7 ends PVT before the heading of the vehicle`() throws {
        for personality in Personality.pvt {
            let run = UBXRun(.ubx(personality), epochs: 1)
            let pvt = try #require(run.epochs[0].frames.first { $0.id == NavPVT.id })
            #expect(pvt.payload.count == (personality == .ublox7 ? 84 : 92))
        }
    }

    @Test func `the radio's state is sent once a second`() {
        var configuration = SimulatedReceiver.Configuration.ubx(.ublox10)
        configuration.rate = 10
        let run = UBXRun(configuration, epochs: 21)
        let sending = run.epochs.indices.filter { run.epochs[$0].first(MonRF.self) != nil }
        #expect(sending == [0, 10, 20])
        #expect(run.epochs.allSatisfy { $0.first(NavPVT.self) != nil })
    }

    @Test func `a notice in each epoch calls the receiver simulated`() {
        let run = UBXRun(.ubx(.ublox8), epochs: 2)
        let texts = run.epochs.map { epoch in
            epoch.frames.filter { $0.id == UBXMessageID(4, 2) }
                .map { String(decoding: $0.payload, as: UTF8.self) }
        }
        #expect(texts[0].contains("HW SIMULATED") && texts[0].count == 5)
        #expect(texts[1] == ["SIMULATED"])
    }

    @Test func `a personality without UBX sends sentences regardless of the requested protocol`() {
        let plain = SimulatedReceiver(.noon(.sirf3)).bytes(of: 3)
        #expect(SimulatedReceiver(.ubx(.sirf3)).bytes(of: 3) == plain)
    }

    @Test func `a run gives the same bytes as in earlier releases`() {
        // FNV-1a.
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        var earlier: [UInt64] = []
        for personality in Personality.pvt + [.ublox6] {
            if [.x20p, .ublox6].contains(personality) { earlier.append(digest) }
            for byte in SimulatedReceiver(.ubx(personality, [], .both)).bytes(of: 20) {
                digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3
            }
        }
        #expect(earlier == [0x8A7B_A7E4_1A4E_7A95, 0x6D88_AF8B_F4A3_FD60])
        #expect(digest == 0x9544_7A5B_8FEE_918F, "0x\(String(digest, radix: 16))")
    }

    /// `scripts/tests/ubx` reads these files with pyubx2.
    @Test(
        .enabled(if: Streams.folder != nil, "GPSBRIDGE_UBX_STREAMS does not name a folder"))
    func `streams are written for another reader to read`() throws {
        let folder = try #require(Streams.folder)
        for personality in Personality.ubx {
            for protocols in [OutputProtocols.ubx, .both] {
                let faults = try FaultScript("20s: lose-fix for 10s\n40s: jam for 10s")
                var configuration = SimulatedReceiver.Configuration.ubx(
                    personality, faults, protocols)
                configuration.acquisition = Acquisition(time: 3, twoD: 5, threeD: 8)
                var receiver = SimulatedReceiver(configuration)
                var bytes = (0..<60).flatMap { _ in receiver.next().bytes }
                for id in [MonVER.id, SecUNIQID.id] {
                    bytes += receiver.answers(to: UBXFrame.bytes(id, payload: []))
                }
                let file = URL(filePath: folder)
                    .appending(path: "\(personality.name).\(protocols.rawValue)")
                try Data(bytes).write(to: file)
            }
        }
    }
}

private enum Streams {
    static let folder = ProcessInfo.processInfo.environment["GPSBRIDGE_UBX_STREAMS"]
}

extension [UInt8] {
    /// The last place of some bytes.
    fileprivate func lastRange(of part: [UInt8]) -> Range<Int>? {
        ranges(of: part).last
    }
}
