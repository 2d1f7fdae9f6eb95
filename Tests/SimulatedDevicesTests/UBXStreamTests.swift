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

/// A simulated receiver's epochs with their UBX frames.
struct UBXRun {
    /// An epoch and its frames.
    struct Epoch {
        var epoch: SimulatedEpoch
        /// The class and id of each frame, and its payload.
        var frames: [(id: UBXMessageID, payload: [UInt8])]
        /// All other bytes.
        var rest: [UInt8]

        var observation: SimulatedObservation { epoch.observation }

        /// Returns the first message of a type.
        func first<Message: UBXMessage>(_ type: Message.Type = Message.self) -> Message? {
            frames.first { $0.id == type.id }.flatMap { Message(payload: $0.payload.span) }
        }
    }

    private(set) var epochs: [Epoch] = []

    /// Runs a number of epochs.
    init(_ configuration: SimulatedReceiver.Configuration, epochs count: Int) {
        var receiver = SimulatedReceiver(configuration)
        for _ in 0..<count {
            let epoch = receiver.next()
            let (frames, rest) = Self.frames(in: epoch.bytes)
            epochs.append(Epoch(epoch: epoch, frames: frames, rest: rest))
        }
    }

    /// Returns the frames in some bytes, and the bytes around them.
    static func frames(
        in bytes: [UInt8]
    ) -> (frames: [(id: UBXMessageID, payload: [UInt8])], rest: [UInt8]) {
        var frames: [(id: UBXMessageID, payload: [UInt8])] = []
        var rest: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if let frame = UBXFrame(bytes.span.extracting(position..<bytes.count)) {
                frames.append((frame.id, frame.payload.indices.map { frame.payload[$0] }))
                position += frame.payload.count + 8
            } else {
                rest.append(bytes[position])
                position += 1
            }
        }
        return (frames, rest)
    }
}

extension SimulatedReceiver.Configuration {
    /// A u-blox receiver at noon on an ordinary day that sends UBX only, or the given protocols.
    static func ubx(
        _ personality: Personality, _ faults: FaultScript = FaultScript(),
        _ protocols: OutputProtocols = .ubx
    ) -> SimulatedReceiver.Configuration {
        var configuration = noon(personality, faults)
        configuration.protocols = protocols
        return configuration
    }
}

extension Personality {
    /// The personalities that send UBX, and no corrections.
    static let ubx = all.filter { $0.sendsUBX && $0.base == nil }
    /// The personalities that send `NAV-PVT`, which u-blox 6 does not have.
    static let pvt = ubx.filter { $0 != .ublox6 }
}

/// UTC and the time of the GPS week.
@Suite(.timeLimit(.generous))
struct UBXTimeTests {
    private func configuration(
        from start: [Int], _ faults: FaultScript = []
    ) throws -> SimulatedReceiver.Configuration {
        var configuration = SimulatedReceiver.Configuration.ubx(.ublox8, faults)
        configuration.start = UTCTime(
            date: try #require(CalendarDate(year: start[0], month: start[1], day: start[2])),
            time: try #require(TimeOfDay(hour: start[3], minute: start[4], second: start[5])))
        return configuration
    }

    @Test(arguments: [
        // As in a recording of an M10 (gpsd's ublox-glo).
        ([2023, 6, 28, 14, 52, 12], 312_750_000),
        // 18 leap seconds: the week begins on Saturday at 23:59:42.
        ([2026, 3, 21, 12, 0, 0], 561_618_000),
        ([2026, 3, 21, 23, 59, 41], 604_799_000),
        ([2026, 3, 21, 23, 59, 42], 0),
        // The last leap second came between these; in 1980 there was none.
        ([2016, 12, 31, 23, 59, 59], 16_000),
        ([2017, 1, 1, 0, 0, 0], 18_000),
        ([1980, 1, 6, 0, 0, 0], 0),
    ])
    func `the time of week counts leap seconds`(_ start: [Int], _ expected: Int) throws {
        let run = UBXRun(try configuration(from: start), epochs: 1)
        #expect(run.epochs[0].first(NavPVT.self)?.timeOfWeekMilliseconds == UInt32(expected))
        #expect(run.epochs[0].first(NavEOE.self)?.timeOfWeekMilliseconds == UInt32(expected))
    }

    @Test func `a leap second is second 60, and the time of week continues`() throws {
        var configuration = try configuration(
            from: [2026, 6, 30, 23, 59, 58], [Fault(.leapSecond)])
        configuration.rate = 2
        let sent = try UBXRun(configuration, epochs: 8).epochs.map {
            try #require($0.first(NavPVT.self))
        }
        #expect(sent.map(\.second) == [58, 58, 59, 59, 60, 60, 0, 0])
        #expect(sent.map(\.day) == [30, 30, 30, 30, 30, 30, 1, 1])
        for (a, b) in zip(sent, sent.dropFirst()) {
            #expect(b.timeOfWeekMilliseconds - a.timeOfWeekMilliseconds == 500)
        }
    }

    @Test func `dates that are 1024 weeks early have the right time of week`() throws {
        let start = [2026, 3, 21, 12, 0, 0]
        let faults: FaultScript = [Fault(.weekRollover)]
        let run = UBXRun(try configuration(from: start, faults), epochs: 1)
        let pvt = try #require(run.epochs[0].first(NavPVT.self))
        #expect(pvt.year == 2006 && pvt.month == 8 && pvt.day == 5)
        #expect(pvt.timeOfWeekMilliseconds == 561_618_000)
    }

    @Test func `fractions of seconds are in nanoseconds`() throws {
        var configuration = SimulatedReceiver.Configuration.ubx(.ublox10)
        configuration.rate = 10
        for (index, epoch) in UBXRun(configuration, epochs: 12).epochs.enumerated() {
            let pvt = try #require(epoch.first(NavPVT.self))
            #expect(pvt.second == index / 10)
            #expect(pvt.nanoseconds == Int32(index % 10) * 100_000_000)
            #expect(pvt.timeOfWeekMilliseconds == 561_618_000 + UInt32(index) * 100)
        }
    }

    @Test func `before the time is known it counts from the start, and is not valid`() throws {
        var configuration = SimulatedReceiver.Configuration.ubx(.ublox10)
        configuration.acquisition = Acquisition(time: 3, twoD: 6, threeD: 6)
        let sent = try UBXRun(configuration, epochs: 6).epochs.map {
            try #require($0.first(NavPVT.self))
        }
        #expect(sent.prefix(3).map(\.timeOfWeekMilliseconds) == [0, 1000, 2000])
        #expect(sent.map(\.validity.hasDate) == [false, false, false, true, true, true])
        #expect(sent.map(\.validity.hasTime) == sent.map(\.validity.hasDate))
        #expect(sent.map(\.confirmation.hasTime) == sent.map(\.validity.hasDate))
        #expect(sent[0].timeAccuracy > 4)
        #expect(sent[3].timeOfWeekMilliseconds == 561_621_000)
    }
}

/// Faults as a u-blox reports them.
@Suite(.timeLimit(.generous))
struct UBXFaultTests {
    @Test(arguments: Personality.pvt)
    func `a lost fix keeps the last position, with growing accuracies and no satellites`(
        _ personality: Personality
    ) throws {
        let run = UBXRun(.ubx(personality, [Fault(.lostFix, at: 3, for: 4)]), epochs: 12)
        let sent = try run.epochs.map { try #require($0.first(NavPVT.self)) }
        for (pvt, epoch) in zip(sent, run.epochs) {
            #expect(pvt.hasPosition == (epoch.observation.solution != nil))
        }
        for pvt in sent[3..<7] {
            #expect(pvt.fixType == .none && !pvt.flags.isFixOK && pvt.satellitesUsed == 0)
            #expect(pvt.latitude == sent[2].latitude && pvt.longitude == sent[2].longitude)
            #expect(pvt.positionDilution == nil && pvt.courseAccuracy == 180)
            #expect(pvt.validity.hasTime)
        }
        let accuracies = sent[2..<7].compactMap(\.horizontalAccuracy)
        #expect(accuracies.count == 5 && accuracies == accuracies.sorted())
        #expect(accuracies[4] > accuracies[0] + 50)
        #expect(sent[11].hasPosition)
        let satellites = run.epochs[4].first(NavSAT.self)?.satellites ?? []
        #expect(satellites.allSatisfy { !$0.flags.isUsed })
        if let precise = run.epochs[4].first(NavHPPOSLLH.self) {
            #expect(precise.flags.isPositionInvalid)
        }
        if let cov = run.epochs[4].first(NavCOV.self) { #expect(cov.isPositionValid == 0) }
        if let levels = run.epochs[4].first(NavPL.self) { #expect(levels.isPositionValid == 0) }
    }

    @Test func `before the first fix there is neither position nor accuracy`() throws {
        var configuration = SimulatedReceiver.Configuration.ubx(.f9p)
        configuration.acquisition = .cold
        let epoch = try #require(UBXRun(configuration, epochs: 1).epochs.first)
        let pvt = try #require(epoch.first(NavPVT.self))
        #expect(!pvt.hasPosition && pvt.moreFlags.isPositionInvalid)
        #expect(pvt.latitude == 0 && pvt.longitude == 0 && pvt.altitude == -17)
        #expect(pvt.horizontalAccuracy == nil && pvt.verticalAccuracy == nil)
        #expect(pvt.speedAccuracy == 20)
    }

    @Test func `a solution in two dimensions is of type 2, with a poor altitude`() throws {
        var configuration = SimulatedReceiver.Configuration.ubx(.ublox8)
        configuration.acquisition = Acquisition(time: 0, twoD: 1, threeD: 600)
        let run = UBXRun(configuration, epochs: 500)
        let flat = try #require(run.epochs.first { $0.observation.solution?.mode == .twoD })
        let pvt = try #require(flat.first(NavPVT.self))
        #expect(pvt.fixType == .twoD && pvt.hasPosition)
        #expect(try #require(pvt.verticalAccuracy) > 50)
        #expect(flat.first(NavDOP.self)?.vertical == nil)
    }

    @Test func `a jammer is seen by the detectors where the chip reports it`() throws {
        let faults: FaultScript = [Fault(.jamming, at: 2, for: 2)]
        let old = UBXRun(.ubx(.ublox8, faults), epochs: 3).epochs
        #expect(old[1].first(MonHW.self)?.flags.jamming == UBXJammingState.none)
        let hw = try #require(old[2].first(MonHW.self))
        #expect(hw.flags.jamming == .critical && hw.continuousWave > 200)
        let before = try #require(old[1].first(MonHW.self))
        #expect(hw.gain < before.gain / 2)

        let new = UBXRun(.ubx(.ublox10, faults), epochs: 3).epochs
        let seen = new.map { $0.first(MonRF.self)?.blocks.first?.jamming }
        #expect(seen == [UBXJammingState.none, UBXJammingState.none, .critical])

        let f9p = UBXRun(.ubx(.f9p, faults), epochs: 3).epochs
        let rf = try #require(f9p[2].first(MonRF.self))
        #expect(rf.blocks.map(\.number) == [0, 1])
        // From HPG 1.50 on, the state is only in SEC-SIG.
        #expect(rf.blocks.allSatisfy { $0.jamming == .unknown && $0.continuousWave > 200 })
        let states = f9p.map { $0.first(SecSIG.self)?.jamming }
        #expect(states == [UBXJammingState.none, UBXJammingState.none, .critical])
        let sig = try #require(f9p[2].first(SecSIG.self))
        #expect(sig.isJammingDetectorOn && sig.spoofing == .none)
        #expect(sig.frequencies.count == 6 && sig.frequencies.allSatisfy(\.isJammed))
    }

    @Test func `the fault bad-checksums also affects frames`() {
        let faults: FaultScript = [Fault(.badChecksums)]
        let run = UBXRun(.ubx(.ublox10, faults), epochs: 3)
        #expect(run.epochs.allSatisfy { $0.frames.isEmpty && !$0.rest.isEmpty })
    }

    @Test func `glue-sentences keeps frames whole, and other frames are inserted between`() {
        let glued = UBXRun(.ubx(.f9p, [Fault(.gluedSentences)], .both), epochs: 2)
        let whole = UBXRun(.ubx(.f9p, [], .both), epochs: 2)
        #expect(glued.epochs.map(\.frames.count) == whole.epochs.map(\.frames.count))
        let injected = UBXRun(.ubx(.ublox10, [Fault(.binaryFrames(.rtcm3))]), epochs: 2)
        let plain = UBXRun(.ubx(.ublox10), epochs: 2)
        #expect(injected.epochs.map(\.frames.count) == plain.epochs.map(\.frames.count))
        #expect(injected.epochs.allSatisfy { $0.rest.contains(0xD3) })
    }
}
