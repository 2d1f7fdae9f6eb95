// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

/// The data that is sent to a receiver without a fix, and when.
@Suite(.timeLimit(.generous))
struct WarmStartSessionTests {
    /// The data of a chip with a fix at noon.
    private func collected(_ chip: AidedChip = .fixed(at: .noon)) throws -> WarmStartData {
        var run = AidedRun(chip)
        guard case .collected(let data) = run.run(.collect) else {
            throw Missing()
        }
        return data
    }

    private struct Missing: Error {}

    private func transferred(_ outcome: WarmStartOutcome?) -> WarmStartTransfer? {
        if case .restored(let transfer) = outcome { transfer } else { nil }
    }

    @Test func `a receiver's database, position and time are collected in two seconds`() throws {
        var run = AidedRun(.fixed(at: .noon))
        run.output = Array(repeating: 0x0A, count: 600)
        guard case .collected(let data) = run.run(.collect) else { throw Missing() }
        #expect(data.entries == run.chip.database)
        #expect(data.receiver.name == "ublox-010203040506")
        #expect(data.time == .noon)
        #expect(data.position.latitude == 60 && data.position.accuracy == 3)
        #expect(run.seconds < 2)
        // As before.
        #expect(!run.chip.acknowledges)
    }

    @Test(arguments: [false, true])
    func `a receiver gets its own data back, the time first`(_ isLegacy: Bool) throws {
        var chip = AidedChip.fixed(at: .noon)
        chip.isLegacy = isLegacy
        let data = try collected(chip)
        chip.solution = NavPVT()
        var run = AidedRun(chip, stored: data)
        run.clock?.time = UTCTime.noon.adding(600)
        let transfer = try #require(transferred(run.run(.restore)))
        #expect(transfer.hasTime && transfer.acceptedCount == 102)
        #expect(abs(try #require(transfer.age) - 600) < 1)
        #expect(run.chip.entries == data.entries)
        let time = try #require(run.chip.times.first)
        #expect((time.hour, time.minute) == (12, 10))
        // Not better than the clock, and the way to the chip.
        #expect(time.accuracySeconds == 0 && 0.1...0.2 ~= Double(time.accuracyNanoseconds) / 1e9)
        // 50 m/s for ten minutes.
        #expect(abs(try #require(run.chip.positions.first).accuracy - 30_003) < 60)
        #expect(!run.chip.acknowledges)
        let ids = run.written.compactMap { UBXFrame($0.span)?.id }
        #expect(ids.firstIndex(of: MgaINI.id).map { $0 < 7 } == true)
        #expect(run.seconds < 4)
    }

    @Test func `a receiver with a fix gets nothing`() throws {
        var run = AidedRun(.fixed(at: .noon), stored: try collected())
        #expect(run.run(.restore) == .failed(.hasFix))
        #expect(!run.written.contains { UBXFrame($0.span)?.id.messageClass == 0x13 })
    }

    @Test func `a receiver that gets a fix in the meantime gets no more data`() throws {
        var chip = AidedChip()
        chip.fixesAfter = 20
        var run = AidedRun(chip, stored: try collected())
        #expect(transferred(run.run(.restore)) != nil)
        #expect(run.chip.entries.count == 20 && !run.chip.acknowledges)
    }

    @Test func `the data of another chip or firmware is never sent`() throws {
        var data = try collected()
        var run = AidedRun(AidedChip(), stored: data)
        run.chip.number = [1, 2, 3, 4, 5, 7]
        #expect(run.run(.restore) == .failed(.nothingStored))
        run = AidedRun(AidedChip(), stored: data)
        run.chip.firmware = "ROM SPG 5.20 (abcdef)"
        #expect(run.run(.restore) == .failed(.otherFirmware))
        data.receiver.name = "ublox-00"
        run = AidedRun(AidedChip(), stored: data)
        #expect(run.run(.restore) == .failed(.nothingStored))
        #expect(!run.written.contains { UBXFrame($0.span)?.id.messageClass == 0x13 })
    }

    @Test(arguments: [(7 * 86_400 - 60, true), (7 * 86_400 + 60, false), (-60, false)])
    func `data older than a week or from the future is never sent`(
        _ age: Int, _ isSent: Bool
    ) throws {
        var run = AidedRun(AidedChip(), stored: try collected())
        run.clock?.time = UTCTime.noon.adding(Double(age))
        let outcome = run.run(.restore)
        #expect(isSent ? transferred(outcome) != nil : outcome == .failed(.outdated))
        #expect(run.chip.entries.isEmpty == !isSent)
    }

    @Test(arguments: [(3 * 3600.0, 540_003.0), (5 * 86_400.0, 6_000_000.0)])
    func `the stated accuracy of the position includes how far the receiver may have been carried`(
        _ age: Double, _ accuracy: Double
    ) throws {
        var run = AidedRun(AidedChip(), stored: try collected())
        run.clock?.time = UTCTime.noon.adding(age)
        #expect(transferred(run.run(.restore)) != nil)
        let stated = try #require(run.chip.positions.first?.accuracy)
        // The clock advances while the messages are sent.
        #expect(abs(stated - accuracy) < 200)
    }

    @Test func `without a synchronised clock nothing is sent, unless the receiver has the time`()
        throws
    {
        let data = try collected()
        var run = AidedRun(AidedChip(), stored: data)
        run.clock = nil
        #expect(run.run(.restore) == .failed(.clockNotSynchronized))
        run.chip.solution = AidedChip.fixed(at: UTCTime.noon.adding(300)).solution
        run.chip.solution.fixType = .none
        run.chip.solution.flags = NavPVT.Flags(rawValue: 0)
        let transfer = try #require(transferred(run.run(.restore)))
        #expect(!transfer.hasTime && transfer.age == 300)
        #expect(run.chip.times.isEmpty && run.chip.entries.count == 100)
    }

    @Test func `a slow line carries time and position alone`() throws {
        var run = AidedRun(AidedChip(), stored: try collected())
        run.baudRate = 9600
        #expect(transferred(run.run(.restore))?.acceptedCount == 2)
        #expect(run.chip.entries.isEmpty)
        run.chip.solution = AidedChip.fixed(at: .noon).solution
        guard case .collected(let data) = run.run(.collect) else { throw Missing() }
        #expect(data.entries.isEmpty && run.chip.polls == 0)
    }

    @Test func `messages that a receiver does not acknowledge do not count as used`() throws {
        var run = AidedRun(AidedChip(), stored: try collected())
        run.chip.hasFlowControl = false
        let transfer = try #require(transferred(run.run(.restore)))
        #expect(transfer.acceptedCount == 0 && transfer.unconfirmedCount == 2)
        #expect(
            "\(transfer)" == "the receiver got 2 messages of the data that was stored 0 min ago, "
                + "but does not acknowledge such messages")
    }

    @Test func `an empty entry of a database is not stored`() throws {
        var chip = AidedChip.fixed(at: .noon)
        chip.database = [[1, 2, 3], [], [4, 5, 6]]
        let data = try collected(chip)
        #expect(data.entries == [[1, 2, 3], [4, 5, 6]])
        #expect(try WarmStartData(toml: data.toml) == data)
    }

    @Test func `a line that is faster than its baud rate is not limited by it`() throws {
        var run = AidedRun(AidedChip(), stored: try collected())
        run.baudRate = 9600
        run.isUSB = true
        #expect(transferred(run.run(.restore))?.refusedCount == 0 && run.chip.entries.count > 50)
    }

    @Test(arguments: [(2..<4, 102, 103), (2..<1000, 2, 8)])
    func `lost acknowledgements end in a bounded number of repetitions`(
        _ lost: Range<Int>, _ accepted: Int, _ sent: Int
    ) throws {
        var run = AidedRun(AidedChip(), stored: try collected())
        run.chip.lost = lost
        let transfer = try #require(transferred(run.run(.restore)))
        let messages = run.written.filter { UBXFrame($0.span)?.id.messageClass == 0x13 }
        #expect(transfer.acceptedCount <= accepted && messages.count <= sent + 1)
        #expect(run.seconds < 12 && !run.chip.acknowledges)
    }

    @Test(arguments: [400, 900, 1500, 5000])
    func `late acknowledgements end in a bounded time`(_ delay: Int) throws {
        var run = AidedRun(AidedChip(), stored: try collected())
        run.chip.delay = delay
        #expect(transferred(run.run(.restore)) != nil)
        #expect(run.seconds < 20)
    }

    @Test func `the time is measured again for each attempt`() throws {
        var run = AidedRun(AidedChip(), stored: try collected())
        run.chip.lost = 0..<1
        #expect(transferred(run.run(.restore))?.hasTime == true)
        let seconds = run.chip.times.map { Double($0.second) + Double($0.nanoseconds) / 1e9 }
        #expect(seconds.count == 2)
        #expect(abs((seconds.last ?? 0) - (seconds.first ?? 0) - 1) < 0.1)
    }

    @Test func `without flow control the database is not sent, and read until silence`() throws {
        var run = AidedRun(AidedChip(), stored: try collected())
        run.chip.hasFlowControl = false
        #expect(transferred(run.run(.restore)) != nil)
        #expect(run.chip.entries.isEmpty && run.chip.times.count == 1)
        run.chip.solution = AidedChip.fixed(at: .noon).solution
        guard case .collected(let data) = run.run(.collect) else { throw Missing() }
        #expect(data.entries.count == 100)
    }

    @Test func `a database with a missing entry is requested again, and not stored`() {
        var run = AidedRun(.fixed(at: .noon))
        run.chip.losesEntry = true
        #expect(run.run(.collect) == .failed(.incomplete))
        #expect(run.chip.polls == 2 && !run.chip.acknowledges)
    }

    @Test func `a receiver without a fix, or with another time than the system's, is not stored`() {
        var run = AidedRun(AidedChip())
        #expect(run.run(.collect) == .failed(.noFix))
        run = AidedRun(.fixed(at: UTCTime.noon.adding(60)))
        #expect(run.run(.collect) == .failed(.timesDiffer))
    }

    @Test func `a receiver without a number is known by its USB device, or not at all`() {
        var chip = AidedChip.fixed(at: .noon)
        chip.hasNumber = false
        var run = AidedRun(chip)
        #expect(run.run(.collect) == .failed(.notIdentified))
        run.usbSerialNumber = "A10029XY"
        guard case .collected(let data) = run.run(.collect) else {
            Issue.record("nothing was collected")
            return
        }
        #expect(data.receiver.name == "M10-usb-A10029XY")
    }

    @Test func `a receiver that does not answer gets no more messages`() {
        var chip = AidedChip()
        chip.isMute = true
        var run = AidedRun(chip)
        #expect(run.run(.restore) == .failed(.unsupported))
        #expect(run.written.count == 2 && run.seconds < 4)
    }

    @Test func `data survives its file, and damaged files are errors`() throws {
        var data = try collected()
        data.firstFixes.withData = 2.5
        let text = data.toml
        #expect(try WarmStartData(toml: text) == data)
        for count in stride(from: 0, to: text.utf8.count - 2, by: 331) {
            #expect(throws: ConfigurationError.self) {
                try WarmStartData(toml: String(text.prefix(count)))
            }
        }
    }
}
