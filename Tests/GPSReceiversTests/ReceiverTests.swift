// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous))
struct ReceiverTests {
    private let start = MonotonicInstant.now

    /// A receiver and its outputs so far. Its requests are answered immediately.
    private final class Run {
        var receiver: Receiver
        var now: MonotonicInstant
        var date = UTCTime(iso8601: "2026-03-21T12:00:00Z")
        var outputs: [Receiver.Output] = []

        init(canWait: Bool = false, at start: MonotonicInstant) {
            receiver = Receiver(canWait: canWait, at: start)
            now = start
        }

        func receive(_ input: consuming Receiver.Input) {
            receiver.receive(input, at: now, date: date)
            while let output = receiver.next() { outputs.append(output) }
        }

        /// Advances the time and wakes the receiver at each of its deadlines.
        func wait(_ duration: Duration) {
            let end = now + duration
            while let wake = receiver.wakeAt, wake <= end {
                now = max(now, wake)
                receive(.woke)
            }
            now = end
        }

        func open(
            _ origin: DataOrigin = .live, search: RateSearch? = nil, silently: Bool = true
        ) {
            var opening = Receiver.Opening(
                device: "gps", origin: OriginDetector(origin: origin, mayBeOld: false))
            opening.isSerialLine = search != nil
            opening.search = search
            receive(.opened(opening))
            // The first cycle begins after a silence, so it is read from its beginning.
            if search == nil, silently { wait(.milliseconds(250)) }
        }

        var wantsBytes: Bool { receiver.wantsBytes }
        /// The bytes since the last possible middle of a cycle from the first whole cycle on; `nil`
        /// if its beginning is not known.
        var wholeBytes: [UInt8]? {
            var (bytes, skipped): ([UInt8], Int?) = ([], nil)
            for output in outputs {
                switch output {
                case .beginning(nil): (bytes, skipped) = ([], nil)
                case .beginning(let count?): skipped = count
                case .bytes(let new): bytes += new
                default: break
                }
            }
            return skipped.map { Array(bytes.dropFirst($0)) }
        }
        var updates: [ReceiverUpdate] {
            outputs.compactMap { if case .update(let update) = $0 { update } else { nil } }
        }
        var conditions: [ReceiverCondition] {
            updates.compactMap { if case .condition(let new, _) = $0 { new } else { nil } }
        }
        var fixes: [Fix] {
            updates.compactMap { if case .epoch(let epoch) = $0 { epoch.fix } else { nil } }
        }
        var notices: [ReceiverNotice] {
            updates.compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
        }
    }

    @Test func `bytes become epochs, and the end of a source is reported`() {
        let run = Run(at: start)
        run.open(.replay)
        for second in 0..<3 { run.receive(.bytes(ScriptedReceiver.epoch(second))) }
        run.receive(.ended(nil))
        #expect(run.fixes.compactMap(\.time).count == 3)
        #expect(run.conditions.first == .open(device: "gps", problem: nil))
        guard case .ended(let ending)? = run.conditions.last else {
            Issue.record("not ended")
            return
        }
        #expect(ending.error == nil && ending.statistics.valid == 6)
    }

    @Test(arguments: [1, 7, 64, 4096])
    func `pieces of any size give the same fixes`(size: Int) {
        let bytes = (0..<20).flatMap { second -> [UInt8] in
            ScriptedReceiver.epoch(second) + (second % 5 == 0 ? [0xFF, 0x00, 0x24, 0xB5] : [])
        }
        let whole = Run(at: start)
        whole.open(.replay)
        whole.receive(.bytes(bytes))
        whole.receive(.ended(nil))
        let pieces = Run(canWait: true, at: start)
        pieces.open(.replay)
        var rest = bytes[...]
        while !rest.isEmpty {
            pieces.receive(.bytes(Array(rest.prefix(size))))
            rest = rest.dropFirst(size)
        }
        pieces.receive(.ended(nil))
        #expect(whole.fixes.count == 20)
        #expect(pieces.fixes == whole.fixes)
    }

    @Test func `lines of a source that can pause are delivered before they are decoded`() {
        let run = Run(canWait: true, at: start)
        run.open(.replay)
        run.receive(.bytes(ScriptedReceiver.epoch(0)))
        let lines = run.outputs.compactMap {
            if case .line(let line) = $0 { Array(line) } else { nil }
        }
        #expect(lines.flatMap { $0 } == ScriptedReceiver.epoch(0))
        #expect(lines.count == 2)
    }

    @Test func `a header of a frame with a wrong checksum does not end a line`() {
        let run = Run(canWait: true, at: start)
        run.open(.replay)
        let noise: [UInt8] = [0x41, 0xB5, 0x62, 1, 7, 2, 0, 0, 0, 0, 0, 0x42, 0x0D, 0x0A]
        run.receive(.bytes(noise + ScriptedReceiver.epoch(0)))
        let lines = run.outputs.compactMap {
            if case .line(let line) = $0 { Array(line) } else { nil }
        }
        #expect(lines.count == 3 && lines.first == noise)
    }

    @Test(arguments: [false, true])
    func `a simulated receiver is silent like a live one, unless it waits`(_ canWait: Bool) {
        let run = Run(canWait: canWait, at: start)
        run.open(.simulated)
        for second in 0..<4 {
            run.receive(.bytes(ScriptedReceiver.epoch(second)))
            run.wait(.seconds(1))
        }
        run.wait(.seconds(30))
        #expect(run.conditions.contains(.silent(device: "gps", seconds: 10)) == !canWait)
    }

    @Test func `silence completes an epoch, and long silence is a condition until the next epoch`()
    {
        let run = Run(at: start)
        run.open()
        for second in 0..<4 {
            run.receive(.bytes(ScriptedReceiver.epoch(second)))
            run.wait(.seconds(1))
        }
        #expect(run.fixes.count == 4)
        run.wait(.seconds(30))
        #expect(run.conditions.last == .silent(device: "gps", seconds: 10))
        run.receive(.bytes(ScriptedReceiver.epoch(40)))
        run.wait(.seconds(1))
        #expect(run.conditions.last == .open(device: "gps", problem: nil))
        #expect(run.fixes.count == 5)
    }

    @Test(arguments: [0, 4])
    func `bytes that a busy processor reads late continue their epoch`(_ count: Int) {
        let run = Run(at: start)
        run.open()
        for second in 0..<count {
            run.receive(.bytes(ScriptedReceiver.epoch(second)))
            run.wait(.seconds(1))
        }
        let epoch = ScriptedReceiver.epoch(count)
        run.receive(.bytes(Array(epoch.prefix(80))))
        // The deadline of the silence passes before the receiver is woken.
        run.now = run.now + .milliseconds(400)
        run.receive(.bytes(Array(epoch.dropFirst(80))))
        run.wait(.seconds(1))
        #expect(run.fixes.count == count + 1)
        #expect(run.fixes.last?.altitude == 171)
    }

    /// How bytes arrive after a line was opened.
    struct Arrival: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What arrives without a pause between them, each followed by a silence.
        let bursts: [[UInt8]]
        /// The bytes before the first whole cycle; `nil` if its beginning can't be known.
        let skipped: [UInt8]?

        init(_ description: String, _ bursts: [[UInt8]], skipping skipped: [UInt8]?) {
            testDescription = description
            self.bursts = bursts
            self.skipped = skipped
        }

        private static let epochs = (0..<4).map { ScriptedReceiver.epoch($0) }
        private static let part = Array(epochs[0].suffix(90))
        private static let broken = Array(epochs[0].suffix(20))
        private static let views = Array("$GPGSV,1,1,01,05,62,286,44*45\r\n".utf8)
        private static let wind = Array("$WIMWV,045.0,R,10.0,N,A*13\r\n".utf8)
        /// A UBX message with this id of the class NAV, at a time of week in multiples of 256 ms.
        private static func nav(_ id: UInt8, _ time: UInt8, size: Int) -> [UInt8] {
            var frame: [UInt8] = [0xB5, 0x62, 0x01, id, UInt8(size), 0, 0, time]
            frame += Array(repeating: 0, count: size - 2)
            var (a, b): (UInt8, UInt8) = (0, 0)
            for byte in frame.dropFirst(2) {
                a &+= byte
                b &+= a
            }
            return frame + [a, b]
        }
        private static func position(_ time: UInt8) -> [UInt8] { nav(0x02, time, size: 28) }
        private static func status(_ time: UInt8) -> [UInt8] { nav(0x03, time, size: 16) }

        static let all = [
            Arrival("a busy line", [part + epochs[1] + epochs[2]], skipping: part),
            Arrival("a part, then a silence", [part, epochs[1], epochs[2]], skipping: part),
            Arrival(
                "a part, then a silence and lists of satellites",
                [part, views + epochs[1], epochs[2]], skipping: part),
            Arrival("whole cycles", [epochs[1] + epochs[2] + epochs[3]], skipping: []),
            Arrival(
                "a broken sentence, then a silence", [broken + views, epochs[1]],
                skipping: broken + views),
            Arrival("another device", [wind, wind, epochs[1]], skipping: []),
            Arrival("a part only", [part], skipping: nil),
            Arrival(
                "UBX", [status(4) + position(8) + status(8) + position(12)], skipping: status(4)),
        ]
    }

    @Test(arguments: Arrival.all, [1, 7, 4096])
    func `the beginning of the first whole cycle of a line is found`(
        _ arrival: Arrival, _ size: Int
    ) {
        let run = Run(at: start)
        run.open(search: nil, silently: false)
        for burst in arrival.bursts {
            for index in stride(from: 0, to: burst.count, by: size) {
                run.receive(.bytes(Array(burst[index...].prefix(size))))
            }
            run.wait(.milliseconds(500))
        }
        let expected = arrival.skipped.map { Array(arrival.bursts.joined().dropFirst($0.count)) }
        #expect(
            run.wholeBytes.map { String(decoding: $0, as: UTF8.self) }
                == expected.map { String(decoding: $0, as: UTF8.self) })
    }

    /// A sentence without a date.
    private func gga(_ clock: String) -> Receiver.Input {
        var writer = SentenceWriter()
        writer.write(
            body: "GNGGA,\(clock),4812.50000,N,01622.42000,E,1,08,1.0,171.4,M,43.1,M,,")
        return .bytes(writer.bytes)
    }

    @Test func `without dates, the same time of the next day is another fix`() {
        let run = Run(at: start)
        run.open()
        for count in 1...3 {
            run.receive(gga("120000.00"))
            run.wait(.seconds(86_400))
            #expect(run.fixes.count == count)
        }
    }

    @Test func `a receiver that repeats a time all day has one fix`() {
        let run = Run(at: start)
        run.open()
        run.receive(.bytes(ScriptedReceiver.epoch(0)))
        for _ in 0..<5 {
            run.wait(.seconds(36_000))
            run.receive(gga("120000.00"))
        }
        run.wait(.seconds(1))
        #expect(run.fixes.count(where: { $0.coordinate != nil }) == 1)
    }

    @Test func `a fix without a date after a day or more of silence is not dated too early`() {
        let run = Run(at: start)
        run.open()
        run.receive(.bytes(ScriptedReceiver.epoch(0)))
        run.wait(.seconds(86_400 - 600))
        run.receive(gga("115000.00"))
        run.wait(.seconds(2 * 86_400 + 1))
        run.receive(gga("115001.00"))
        run.wait(.seconds(1))
        #expect(
            run.fixes.compactMap { $0.time?.description } == [
                "2026-03-21T12:00:00.000Z", "2026-03-22T11:50:00.000Z", "2026-03-24T11:50:01.000Z",
            ])
    }

    @Test func `after the replay of a server, dates are corrected again and fixes are live`() {
        /// A receiver that counts weeks from the previous rollover.
        func rmc(_ second: Int) -> Receiver.Input {
            var writer = SentenceWriter()
            writer.write(
                body: "GNRMC,12000\(second).00,A,4812.50000,N,01622.42000,E,0.0,,180510,,,A")
            return .bytes(writer.bytes)
        }
        let run = Run(at: start)
        run.date = UTCTime(iso8601: "2030-01-01T12:00:00Z")
        run.open(.unknown)
        let changes: [Receiver.Input?] = [nil, .replay, .replayEnded]
        for (second, change) in changes.enumerated() {
            if let change { run.receive(change) }
            run.receive(rmc(second))
            run.wait(.seconds(1))
        }
        #expect(run.fixes.compactMap { $0.time?.date.year } == [2030, 2010, 2030])
        let origins = run.updates.compactMap {
            if case .epoch(let epoch) = $0 { epoch.origin } else { nil }
        }
        #expect(origins == [.live, .replay, .live])
    }

    @Test func `a live line without a sentence is reported once`() {
        let run = Run(at: start)
        run.open()
        run.wait(.seconds(20))
        #expect(run.notices == [.noSentences(bytes: 0)])
    }

    @Test func `a datum other than WGS 84 is reported once`() {
        let run = Run(at: start)
        run.open()
        for _ in 0..<3 {
            run.receive(.bytes(Array("$GPDTM,999,CH95,0.08,N,0.07,E,-47.7,W84*1C\r\n".utf8)))
        }
        #expect(run.notices == [.otherDatum("999 CH95")])
    }

    @Test func `a live line without a message is silent after a minute, until the first message`() {
        let run = Run(at: start)
        run.open()
        run.wait(.seconds(59))
        #expect(run.conditions == [.open(device: "gps", problem: nil)])
        run.wait(.seconds(2))
        #expect(run.conditions.last == .silent(device: "gps", seconds: 60))
        run.receive(.bytes(Array("$GPTXT,01,01,02,ANTSTATUS=OK*3B\r\n".utf8)))
        #expect(run.conditions.last == .open(device: "gps", problem: nil))
        run.wait(.seconds(200))
        #expect(run.conditions.count == 3, "a line without positions is not silent")
    }

    @Test func `rates are tried until sentences arrive, and the rate found is saved`() throws {
        let run = Run(at: start)
        let usual = try [9600, 4800].map { try #require(BaudRate(rawValue: $0)) }
        run.open(search: RateSearch(rates: usual))
        let noise = [UInt8](repeating: 0xF8, count: 300)
        run.receive(.bytes(noise))
        run.wait(.milliseconds(100))
        run.receive(.bytes(noise))
        let set = run.outputs.compactMap {
            if case .set(let settings) = $0 { settings } else { nil }
        }
        #expect(set == [LineSettings(usual[1])])
        #expect(!run.wantsBytes)
        run.receive(.didSet(LineSettings(usual[1])))
        #expect(run.wantsBytes)
        run.receive(.bytes(ScriptedReceiver.epoch(0)))
        let known = run.receiver.knownBaudRate
        #expect(known == usual[1])
        #expect(
            run.notices == [
                .tryingRate(LineSettings(usual[1])), .rateFound(LineSettings(usual[1])),
            ])
        let isRemembered = run.outputs.contains {
            if case .remember(LineSettings(usual[1])) = $0 { true } else { false }
        }
        #expect(isRemembered)
    }

    @Test func `a denied permission after a loss is reported, a missing device is not`() {
        let run = Run(at: start)
        run.open()
        let lost = DeviceError(.disconnected, device: "gps")
        let denied = DeviceError(.permissionDenied, device: "gps")
        run.receive(.lost(lost))
        run.receive(.unavailable(DeviceError(.notFound, device: "gps")))
        #expect(run.conditions.last == .lost(lost))
        run.receive(.unavailable(denied))
        run.receive(.unavailable(denied))
        #expect(run.conditions.dropFirst() == [.lost(lost), .waiting(denied)])
        run.open()
        #expect(run.conditions.last == .open(device: "gps", problem: nil))
    }

    @Test func `each loss is reported, also after another session had the receiver open`() {
        let run = Run(at: start)
        let lost = DeviceError(.disconnected, device: "gps")
        run.receive(.lost(lost))
        run.receive(.lost(lost))
        #expect(run.conditions == [.lost(lost), .lost(lost)])
    }

    @Test func `a flood of noise is read slowly and is a problem until the next epoch`() {
        let run = Run(at: start)
        run.open()
        let noise = [UInt8](repeating: 0x55, count: 4096)
        var pauses = 0
        for _ in 0..<400 {
            run.receive(.bytes(noise))
            if !run.wantsBytes, let end = run.receiver.wakeAt {
                pauses += 1
                run.now = end
                run.receive(.woke)
                #expect(run.wantsBytes)
            }
            run.now = run.now + .milliseconds(1)
        }
        #expect(pauses > 50)
        #expect(run.conditions.last?.error?.code == .flooded)
        for second in 0..<3 { run.receive(.bytes(ScriptedReceiver.epoch(second))) }
        #expect(run.conditions.last == .open(device: "gps", problem: nil))
    }

    @Test func `another program on the tty is reported once, and its end`() {
        let run = Run(at: start)
        run.open(search: RateSearch(rates: [.default]))
        func isAsked() -> Bool {
            run.outputs.contains { if case .findOtherReader = $0 { true } else { false } }
        }
        #expect(isAsked())
        let reader = DeviceError.Detail.heldBy(program: "cat", processID: 7)
        run.receive(.otherReader(reader))
        run.receive(.otherReader(reader))
        let notice = ReceiverNotice.otherReader(
            DeviceError(.otherReader, device: "gps", detail: reader))
        #expect(run.notices == [notice])
        run.outputs = []
        run.now = run.now + .seconds(31)
        run.receive(.bytes(ScriptedReceiver.epoch(0)))
        #expect(isAsked())
        for _ in 0..<2 { run.receive(.otherReader(nil)) }
        #expect(run.notices == [.otherReader(nil)])
        run.receive(.otherReader(reader))
        #expect(run.notices == [.otherReader(nil), notice])
    }

    @Test func `nothing that contains a position is passed on while an alarm drops positions`() {
        let run = Run(at: start)
        (run.receiver.dropsAlarms, run.receiver.passesSentences) = (true, true)
        run.receiver.passesEncapsulated = true
        run.open(.replay)
        let own = Array("!AIVDO,1,1,,,13u?etPv2;0n:dDPwUM1U1Cb069D,0*67\r\n".utf8)
        let isPassed: (Receiver.Output) -> Bool = {
            switch $0 {
            case .sentence, .encapsulated: true
            default: false
            }
        }
        for second in 0..<60 {
            run.receive(.bytes(ScriptedReceiver.epoch(second, latitude: second < 10 ? 48.2 : 48.3)))
            if second == 5 {
                run.receive(.bytes(own))
                #expect(run.outputs.suffix(3).count(where: isPassed) >= 2)
            }
        }
        run.outputs = []
        run.receive(.bytes(own + ScriptedReceiver.epoch(60, latitude: 48.3)))
        #expect(!run.outputs.contains(where: isPassed))
        #expect(run.fixes.allSatisfy { $0.coordinate == nil && $0.integrity?.state == .alarm })
    }

    @Test func `a recording whose times go back by less than a second stays one`() {
        /// An epoch 0.4 s before a second, as of a receiver that reports at two rates.
        func before(_ second: Int) -> [UInt8] {
            var (rmc, gga) = (RMC(), GGA())
            rmc.time = TimeOfDay(
                wrapping: Int64(43_200 + second) * 1_000_000_000 - 400_000_000)
            rmc.date = CalendarDate(year: 2026, month: 3, day: 21)
            rmc.status = UInt8(ascii: "A")
            rmc.coordinate = Coordinate(
                latitude: 48.2, longitude: 16.36 + 6.933e-5 * (Double(second) - 0.4))
            (rmc.speedKnots, rmc.course, rmc.mode) = (10, 90, .autonomous)
            (gga.time, gga.coordinate, gga.quality) = (rmc.time, rmc.coordinate, .autonomous)
            (gga.satellites, gga.hdop) = (9, 1)
            (gga.altitude, gga.geoidSeparation) = (171, 43)
            var writer = SentenceWriter()
            writer.write(rmc, talker: .gnss)
            writer.write(gga, talker: .gnss)
            return writer.bytes
        }
        let run = Run(at: start)
        run.open(.replay)
        for second in 0..<30 {
            run.receive(.bytes(ScriptedReceiver.epoch(second)))
            if second % 3 == 0 { run.receive(.bytes(before(second))) }
        }
        #expect(!run.fixes.contains { $0.integrity?.state == .alarm })
        for second in 30..<33 {
            run.receive(.bytes(ScriptedReceiver.epoch(second, latitude: 48.3)))
        }
        run.receive(.ended(nil))
        #expect(run.fixes.contains { $0.integrity?.state == .alarm })
    }
}

@Suite(.timeLimit(.generous))
struct ReceiverNoticeSummaryTests {
    @Test func `only a serial line may have a wrong baud rate`() {
        let notice = ReceiverNotice.noSentences(bytes: 1)
        #expect(
            notice.summary(of: SerialSource("/dev/ttyACM0"))
                == "1 byte, but no valid sentence yet: wrong baud rate?")
        #expect(
            notice.summary(of: TCPSource(host: "boat", port: 10110))
                == "1 byte, but no valid sentence yet")
    }

    @Test func `a notice without a problem has no summary`() {
        let source = SerialSource("/dev/ttyACM0")
        #expect(ReceiverNotice.rateFound(LineSettings(.default)).summary(of: source) == nil)
        #expect(ReceiverNotice.otherReader(nil).summary(of: source) == nil)
        #expect(
            ReceiverNotice.noSentences(bytes: 0).summary(of: source) == "no data arrives")
    }
}
