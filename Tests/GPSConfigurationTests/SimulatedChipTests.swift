// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSReceivers
import GPSTestTraits
import SimulatedDevices
import Testing
import UBX

/// A simulated receiver, which answers by the same tables by which it is configured.
private struct SimulatedChip: ModelChip {
    let baudRate = 115_200
    private var receiver: SimulatedReceiver
    private var seconds = 0.0

    init(_ personality: Personality) {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = personality
        configuration.baudRate = BaudRate(rawValue: baudRate)
        receiver = SimulatedReceiver(configuration)
    }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        receiver.receive(bytes, at: seconds).map {
            (Int(max($0.due - seconds, 0) * 1000), $0.bytes)
        }
    }

    mutating func output(tenth: Int) -> [UInt8] {
        seconds = Double(tenth) / 10
        var bytes: [UInt8] = []
        while receiver.due <= seconds { bytes += receiver.next().bytes }
        return bytes
    }
}

@Suite(.timeLimit(.generous))
struct SimulatedChipTests {
    @Test(arguments: [Personality.mt3339, .l76, .at9880, .lc29h])
    func `a chip with sentences as commands sends the requested ones, at the requested rate`(
        _ personality: Personality
    ) throws {
        try expectApplied(personality) {
            $0.rate = 2
            $0.messages = .list(["RMC": 1, "GGA": 1])
        }
    }

    @Test(arguments: [Personality.mt3339, .l76, .lc29h])
    func `a chip that does not report its constellations accepts them`(
        _ personality: Personality
    ) throws {
        try expectApplied(personality) { $0.constellations = [.gps] }
    }

    @Test func `an LG290P has the requested rate, elevation and constellations`() throws {
        try expectApplied(.lg290p) {
            $0.rate = 2
            $0.minimumElevation = 10
            $0.constellations = [.gps, .galileo]
        }
    }

    @Test func `a UM980 has the requested elevation, constellations and version of NMEA`() throws {
        try expectApplied(.um980) {
            $0.minimumElevation = 10
            $0.constellations = [.gps, .galileo, .beiDou]
            $0.nmeaVersion = .v4_11
        }
    }

    @Test(arguments: [Personality.ublox7, .ublox8, .ublox9, .ublox10, .f9p, .x20p])
    func `a u-blox chip has the requested settings`(_ personality: Personality) throws {
        try expectApplied(personality) {
            $0.rate = 2
            $0.dynamics = .automotive
            $0.minimumElevation = 10
            $0.nmeaVersion = .v2_3
            $0.staticHoldSpeed = 0.5
            $0.autonomousAssistance = true
            $0.messages = .list(["RMC": 1, "GGA": 2, "NAV-PVT": 1])
        }
    }

    @Test(arguments: [Personality.f9p, .x20p, .lg290p])
    func `the input of corrections is switched off and read again`(
        _ personality: Personality
    ) throws {
        let request = DatabaseTests.request { $0.rtcmInput = false }
        var conversation = Conversation(request, SimulatedChip(personality))
        let report = try conversation.report()
        #expect(report.changes.map(\.description) == ["rtcm-input: true → false"])
        #expect(report.after?.configuration.rtcmInput == false)
    }

    @Test(arguments: [Personality.ublox8, .ublox10, .f9p, .x20p])
    func `a chip sends what a check of Galileo's signatures needs, beside its other messages`(
        _ personality: Personality
    ) throws {
        let request = DatabaseTests.request {
            $0.galileoAuthentication = true
            $0.baudRate = 115_200
            $0.constellations = [.gps, .galileo]
        }
        var conversation = Conversation(request, SimulatedChip(personality))
        let report = try conversation.report()
        let before = try #require(report.before?.configuration.messages?.intervals)
        let after = try #require(report.after?.configuration)
        let needed = ["NAV-TIMEGAL", "RXM-SFRBX"] + (personality == .x20p ? ["SEC-OSNMA"] : [])
        #expect(after.galileoAuthentication == true)
        #expect(!report.warnings.contains { $0.contains("authentication") })
        #expect(
            after.messages?.intervals
                == before.merging(needed.map { ($0, 1) }, uniquingKeysWith: { $1 }))

        var off = Conversation(
            DatabaseTests.request { $0.galileoAuthentication = false }, conversation.chip)
        let last = try #require(try off.report().after?.configuration)
        #expect(last.galileoAuthentication == false && last.messages?.intervals == before)
    }

    @Test func `a check of signatures also gets the satellites used, and listed messages stay`()
        throws
    {
        let request = DatabaseTests.request {
            $0.galileoAuthentication = true
            $0.messages = .list(["NAV-PVT": 1, "RXM-SFRBX": 5])
        }
        var conversation = Conversation(request, SimulatedChip(.f9p))
        let after = try #require(try conversation.report().after?.configuration)
        #expect(
            after.messages?.intervals
                == ["NAV-PVT": 1, "NAV-SAT": 1, "NAV-TIMEGAL": 1, "RXM-SFRBX": 1])
        let off = DatabaseTests.request {
            $0.galileoAuthentication = false
            $0.messages = .list(["NAV-PVT": 1, "RXM-SFRBX": 1])
        }
        var second = Conversation(off, conversation.chip)
        let last = try #require(try second.report().after?.configuration)
        #expect(last.messages?.intervals == ["NAV-PVT": 1, "RXM-SFRBX": 1])
    }

    @Test func `a chip that does not use Galileo is told to`() {
        let request = DatabaseTests.request { $0.galileoAuthentication = true }
        var conversation = Conversation(request, SimulatedChip(.ublox8))
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.reason == "does not use Galileo")
    }

    @Test(arguments: [Personality.f9p, .x20p])
    func `a check of signatures is switched on after a factory reset, and saved`(
        _ personality: Personality
    ) throws {
        var request = DatabaseTests.request { $0.galileoAuthentication = true }
        (request.resetsToFactory, request.saves) = (true, true)
        var conversation = Conversation(request, SimulatedChip(personality))
        let report = try conversation.report()
        #expect(report.after?.configuration.galileoAuthentication == true && report.saved != nil)
    }

    @Test(arguments: [Personality.ublox7, .lg290p, .mt3339])
    func `a chip without Galileo's messages is not changed`(_ personality: Personality) {
        let request = DatabaseTests.request { $0.galileoAuthentication = true }
        var conversation = Conversation(request, SimulatedChip(personality))
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.reason == "does not send Galileo's navigation messages")
    }

    @Test func `a UM980, whose input of corrections is always on, says what else may be wrong`() {
        let request = DatabaseTests.request { $0.rtcmInput = true }
        var conversation = Conversation(request, SimulatedChip(.um980))
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("not refused")
            return
        }
        #expect(error.reason == "accepts RTCM 3 on each of its ports")
        #expect(error.remedy?.contains("MODE ROVER") == true)
    }

    /// Expects that every requested setting is in effect afterwards, as far as the chip reports it.
    private func expectApplied(
        _ personality: Personality, _ change: (inout ReceiverConfiguration) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let request = DatabaseTests.request(change)
        var conversation = Conversation(request, SimulatedChip(personality))
        let report = try conversation.report(sourceLocation: sourceLocation)
        #expect(!report.changes.isEmpty, sourceLocation: sourceLocation)
        let after = try #require(report.after).configuration
        let others = after.differences(to: request.configuration).filter { $0.old != nil }
        #expect(others.isEmpty, sourceLocation: sourceLocation)
    }
}
