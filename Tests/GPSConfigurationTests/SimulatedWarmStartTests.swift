// SPDX-License-Identifier: MIT
import GNSS
import GNSSNavigation
import GPSConfiguration
import GPSReceivers
import GPSTestTraits
import SimulatedDevices
import Synchronization
import Testing
import UBX

/// The first fix of simulated chips at 115,200 baud, in simulated time.
@Suite(.timeLimit(.generous))
struct SimulatedWarmStartTests {
    /// A chip after a cold start, and the data that it had before.
    static func restarted(
        _ personality: Personality, _ faults: [Fault] = []
    ) throws -> (chip: SimulatedReceiver, data: WarmStartData) {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = personality
        configuration.baudRate = BaudRate(rawValue: 115_200)
        var chip = SimulatedReceiver(configuration)
        let collection = run(&chip, .collect)
        guard case .collected(let data)? = collection.outcome else { throw Missing() }
        #expect(data.entries.count == 100 && collection.seconds < 2)
        for var fault in faults {
            fault.start += chip.due
            chip.add(fault)
        }
        var restart = CfgRST()
        (restart.clearedData, restart.mode) = (0xFFFF, .gnssOnly)
        _ = chip.answers(to: restart.frame)
        return (chip, data)
    }

    struct Missing: Error {}

    struct Result {
        var outcome: WarmStartOutcome?
        /// The time at which the session ended.
        var seconds = 0.0
        /// The time of the first fix; `nil` if the run did not wait for it.
        var firstFix: Double?
        /// What was sent to the chip.
        var written: [[UInt8]] = []
    }

    /// Runs a session, and then the chip until its first fix in three dimensions.
    static func run(
        _ chip: inout SimulatedReceiver, _ purpose: WarmStartSession.Purpose?,
        stored: WarmStartData? = nil, assistance: AssistanceData = AssistanceData()
    ) -> Result {
        let start = chip.due
        let origin = SimulatedReceiver.defaultStart
        let byteTime = 10.0 / 115_200
        let instant = MonotonicInstant.now
        let elapsed = Elapsed()
        var session = purpose.map {
            WarmStartSession($0, line: ConfigurationLine(baudRate: 115_200)) {
                UTCTime(unixNanoseconds: origin * 1_000_000_000).map {
                    SynchronizedTime($0.adding(elapsed.seconds), maximumError: 0.02)
                }
            }
        }
        var result = Result()
        var coming: [(at: Double, bytes: [UInt8])] = []
        var isBusyUntil = 0.0
        func send(_ bytes: [UInt8], _ due: Double) {
            isBusyUntil = max(due, isBusyUntil) + Double(bytes.count) * byteTime
            coming.append((isBusyUntil, bytes))
        }
        var now = start
        while now < start + 200 {
            elapsed.seconds = now
            let time = instant + .seconds(now - start)
            if now >= chip.due {
                let epoch = chip.next()
                send(epoch.bytes, epoch.due)
                if epoch.observation.solution?.mode == .threeD, purpose != .collect {
                    result.firstFix = epoch.seconds - start + 1
                }
            }
            for piece in coming where piece.at <= now { session?.receive(piece.bytes, at: time) }
            coming.removeAll { $0.at <= now }
            while let output = session?.next(at: time) {
                switch output {
                case .write(let bytes):
                    result.written.append(bytes)
                    let arrival = now + Double(bytes.count) * byteTime
                    for answer in chip.receive(bytes, at: arrival) {
                        send(answer.bytes, answer.due)
                    }
                case .load: session?.didLoad(stored, assistance, at: time)
                case .finished(let outcome):
                    result.outcome = outcome
                    result.seconds = now - start
                    session = nil
                    if purpose == .collect { return result }
                }
            }
            if result.firstFix != nil, session == nil { return result }
            now += 0.002
        }
        return result
    }

    @Test(arguments: [Personality.ublox8, .ublox10, .f9p])
    func `a cold start takes 28 s, and one with stored data 3`(_ personality: Personality) throws {
        var (chip, data) = try Self.restarted(personality)
        let cold = Self.run(&chip, nil)
        #expect(cold.firstFix.map { 28...29 ~= $0 } == true, "\(cold)")
        (chip, data) = try Self.restarted(personality)
        let warm = Self.run(&chip, .restore, stored: data)
        #expect(warm.firstFix.map { $0 <= 3 } == true, "\(warm)")
        #expect(chip.assistance?.accepted == 102)
        #expect(chip.assistance?.wrong == 0 && chip.assistance?.early == 0)
    }

    @Test func `the data of another chip, and data of last week, is never sent`() throws {
        var (chip, data) = try Self.restarted(.ublox10)
        data.receiver.name += "0"
        #expect(Self.run(&chip, .restore, stored: data).outcome == .failed(.nothingStored))
        (chip, data) = try Self.restarted(.ublox10)
        data.time = data.time.adding(-8 * 86_400)
        #expect(Self.run(&chip, .restore, stored: data).outcome == .failed(.outdated))
        #expect(chip.assistance?.accepted == 0 && chip.assistance?.stale == 0)
    }

    @Test(
        arguments: [
            (Fault(.lostAnswers, for: 60), 28.0), (Fault(.lateAnswers(0.2), for: 60), 28),
            (Fault(.lateAnswers(3), for: 60), 28), (Fault(.fullBuffer, at: 0.4, for: 60), 28),
            (Fault(.powerOff(keepsBattery: false), at: 1, for: 3), 33),
        ] as [(Fault, Double)])
    func `answers that are lost or late cost no more than a cold start`(
        _ fault: Fault, _ longest: Double
    ) throws {
        var (chip, data) = try Self.restarted(.ublox10, [fault])
        let result = Self.run(&chip, .restore, stored: data)
        #expect(result.outcome != nil && result.seconds < 25, "\(result)")
        #expect(result.firstFix.map { $0 <= longest + 1 } == true, "\(result)")
        #expect(chip.assistance?.wrong == 0)
    }
}

/// A simple model of a u-blox chip for tests of the warm start. It records received messages.
struct AidedChip {
    var number: [UInt8] = [1, 2, 3, 4, 5, 6]
    var firmware = "ROM SPG 5.10 (7b202e)"
    var isLegacy = false
    var hasNumber = true
    var solution = NavPVT()
    var database: [[UInt8]] = (0..<100).map { index in
        Array(repeating: 0, count: 12) + Array(repeating: UInt8(index), count: 152)
    }
    /// Whether the chip reports one entry more than it has sent.
    var losesEntry = false
    var acknowledges = false
    /// Whether acknowledgements can be enabled.
    var hasFlowControl = true
    var isMute = false
    /// The delay of acknowledgements of assistance messages, in milliseconds.
    var delay = 5
    /// The numbers, from 0, of lost acknowledgements of assistance messages.
    var lost: Range<Int> = 0..<0
    /// The number of received entries after which the chip has a fix.
    var fixesAfter = Int.max

    private(set) var times: [MgaINITimeUTC] = []
    private(set) var positions: [MgaINIPositionLLH] = []
    private(set) var entries: [[UInt8]] = []
    private(set) var polls = 0
    private var acknowledgementCount = 0

    /// A chip with a fix at 60° N 25° E.
    static func fixed(at time: UTCTime) -> AidedChip {
        var chip = AidedChip()
        chip.solution = NavPVT()
        chip.solution.year = UInt16(time.date.year)
        (chip.solution.month, chip.solution.day) = (UInt8(time.date.month), UInt8(time.date.day))
        (chip.solution.hour, chip.solution.minute) = (
            UInt8(time.time.hour), UInt8(time.time.minute)
        )
        chip.solution.second = UInt8(time.time.second)
        chip.solution.validity = NavPVT.Validity(rawValue: 7)
        chip.solution.flags = NavPVT.Flags(rawValue: 1)
        chip.solution.fixType = .threeD
        (chip.solution.latitude, chip.solution.longitude) = (60, 25)
        (chip.solution.ellipsoidalAltitude, chip.solution.horizontalAccuracy) = (20, 3)
        return chip
    }

    /// Returns the answers, with their delays in milliseconds.
    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        guard !isMute, let frame = UBXFrame(bytes.span) else { return [] }
        let payload = frame.payload.indices.map { frame.payload[$0] }
        switch frame.id {
        case MonVER.id: return [(20, version.frame)]
        case SecUNIQID.id where hasNumber:
            var message = SecUNIQID()
            (message.version, message.identity) = (2, number)
            return [(5, message.frame)]
        case NavPVT.id: return [(5, solution.frame)]
        case CfgVALGET.id where hasFlowControl && !isLegacy:
            var answer = CfgVALGET()
            answer.version = 1
            answer.data = ConfigurationItem(.acknowledgesAiding, acknowledges).bytes
            return [(5, answer.frame + acknowledgement(frame.id))]
        case CfgVALSET.id where hasFlowControl && !isLegacy:
            acknowledges = CfgVALSET(payload: payload.span)?.items?.first?.value == 1
            return [(5, acknowledgement(frame.id))]
        case CfgNAVX5.id where hasFlowControl && isLegacy: return [(5, expert(payload))]
        case _ where frame.id.messageClass == 6: return [(5, acknowledgement(frame.id, false))]
        case _ where frame.id.messageClass == 0x13: return assist(frame.id, payload)
        default: return []
        }
    }

    private var version: MonVER {
        var version = MonVER()
        (version.software, version.hardware) = (firmware, isLegacy ? "00080000" : "000A0000")
        var line = MonVER.Extension()
        line.text = isLegacy ? "PROTVER=18.00" : "PROTVER=34.10"
        version.extensions = [line]
        return version
    }

    private mutating func expert(_ payload: [UInt8]) -> [UInt8] {
        if let request = CfgNAVX5(payload: payload.span), !payload.isEmpty {
            if request.mask & CfgNAVX5.ackAidingMask != 0 {
                acknowledges = request.acknowledgesAiding == 1
            }
            return acknowledgement(CfgNAVX5.id)
        }
        var answer = CfgNAVX5()
        answer.version = 2
        answer.acknowledgesAiding = acknowledges ? 1 : 0
        return answer.frame + acknowledgement(CfgNAVX5.id)
    }

    private mutating func assist(
        _ id: UBXMessageID, _ payload: [UInt8]
    ) -> [(delay: Int, bytes: [UInt8])] {
        if id == MgaDBD.id, payload.isEmpty {
            polls += 1
            let frames = database.map { (5, UBXFrame.bytes(MgaDBD.id, payload: $0)) }
            let count = database.count + (losesEntry ? 1 : 0)
            return frames + acknowledged(id, start: UInt32(count))
        }
        if id == MgaDBD.id { entries.append(payload) }
        if entries.count >= fixesAfter {
            solution = AidedChip.fixed(at: UTCTime.noon).solution
        }
        if let time = MgaINITimeUTC(payload: payload.span), id == MgaINI.id { times.append(time) }
        if let position = MgaINIPositionLLH(payload: payload.span), id == MgaINI.id {
            positions.append(position)
        }
        let fix = entries.count == fixesAfter ? [(0, solution.frame)] : []
        return fix + acknowledged(id, start: 0)
    }

    private mutating func acknowledged(
        _ id: UBXMessageID, start: UInt32
    ) -> [(delay: Int, bytes: [UInt8])] {
        guard acknowledges else { return [] }
        defer { acknowledgementCount += 1 }
        guard !lost.contains(acknowledgementCount) else { return [] }
        var message = MgaACK()
        (message.isAccepted, message.number, message.payloadStart) = (1, id.number, start)
        return [(delay, message.frame)]
    }
}

extension UTCTime {
    /// Noon of 21 March 2026.
    static let noon: UTCTime = {
        guard let noon = UTCTime(iso8601: "2026-03-21T12:00:00Z") else { preconditionFailure() }
        return noon
    }()

    /// Returns the time a number of seconds later.
    func adding(_ seconds: Double) -> UTCTime {
        UTCTime(unixNanoseconds: unixNanoseconds + Int64(seconds * 1e9)) ?? self
    }
}

/// A session and a chip at the two ends of a line, in simulated time.
struct AidedRun {
    var chip: AidedChip
    /// What is stored.
    var stored: WarmStartData?
    /// The system's time at the start; `nil` while its clock is not synchronised.
    var clock: SynchronizedTime? = SynchronizedTime(.noon, maximumError: 0.02)
    var baudRate: Int? = 115_200
    /// Whether the baud rate has no effect.
    var isUSB = false
    var usbSerialNumber: String?
    /// The output of the receiver, each second.
    var output: [UInt8] = []

    private(set) var seconds = 0.0
    private(set) var written: [[UInt8]] = []

    init(_ chip: AidedChip, stored: WarmStartData? = nil) {
        (self.chip, self.stored) = (chip, stored)
    }

    /// Runs a session to its end, and returns its outcome.
    mutating func run(_ purpose: WarmStartSession.Purpose) -> WarmStartOutcome? {
        let elapsed = Elapsed()
        var session = WarmStartSession(
            purpose,
            line: ConfigurationLine(baudRate: baudRate, isNativeUSB: baudRate == nil),
            usbSerialNumber: usbSerialNumber
        ) { [clock] in
            clock.map {
                SynchronizedTime(
                    $0.time.adding(elapsed.seconds), maximumError: $0.maximumError)
            }
        }
        let start = MonotonicInstant.now
        var coming: [(at: Double, bytes: [UInt8])] = []
        var isBusyUntil = 0.0
        var nextOutput = 0.0
        seconds = 0
        func time(_ bytes: [UInt8]) -> Double {
            isUSB ? 0 : baudRate.map { Double(bytes.count) * 10 / Double($0) } ?? 0
        }
        while seconds < 120 {
            let now = start + .milliseconds(Int(seconds * 1000))
            elapsed.seconds = seconds
            while let output = session.next(at: now) {
                switch output {
                case .write(let bytes):
                    written.append(bytes)
                    for (delay, answer) in chip.answers(to: bytes) {
                        let due = seconds + time(bytes) + Double(delay) / 1000
                        isBusyUntil = max(due, isBusyUntil) + time(answer)
                        coming.append((isBusyUntil, answer))
                    }
                case .load: session.didLoad(stored, at: now)
                case .finished(let outcome): return outcome
                }
            }
            seconds += 0.001
            if seconds >= nextOutput {
                nextOutput += 1
                isBusyUntil = max(seconds, isBusyUntil) + time(output)
                coming.append((isBusyUntil, output))
            }
            let due = coming.filter { $0.at <= seconds }
            coming.removeAll { $0.at <= seconds }
            for piece in due {
                session.receive(piece.bytes, at: start + .milliseconds(Int(seconds * 1000)))
            }
        }
        return nil
    }
}

/// The seconds since the start, for the clock of a session.
final class Elapsed: Sendable {
    private let value = Mutex(0.0)

    var seconds: Double {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
