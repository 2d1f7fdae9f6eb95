// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing
import UBX

/// An M8 that no longer answers the request for a group of settings, after this group was changed.
private struct ForgetfulChip: ModelChip {
    private var chip = LegacyChip()
    var forgotten: UBXMessageID

    init(_ forgotten: UBXMessageID) { self.forgotten = forgotten }

    var baudRate: Int { chip.baudRate }

    mutating func answers(to bytes: [UInt8]) -> [(delay: Int, bytes: [UInt8])] {
        if let frame = UBXFrame(bytes.span), frame.id == forgotten, isPoll(frame),
            chip.changes.contains(forgotten)
        {
            return []
        }
        return chip.answers(to: bytes)
    }

    private func isPoll(_ frame: UBXFrame) -> Bool {
        frame.payload.isEmpty || frame.id == CfgMSG.id && frame.payload.count == 2
    }

    mutating func output(tenth: Int) -> [UInt8] { chip.output(tenth: tenth) }
}

@Suite(.timeLimit(.generous))
struct RereadingTests {
    @Test(arguments: [(CfgNAV5.id, "elevation"), (CfgMSG.id, "message GGA")])
    func `a change that the receiver does not report afterwards is not verified`(
        _ group: UBXMessageID, _ name: String
    ) throws {
        let request = DatabaseTests.request {
            if group == CfgNAV5.id {
                $0.minimumElevation = 12
            } else {
                $0.messages = .list(["GGA": 2, "RMC": 1])
            }
        }
        var conversation = Conversation(request, ForgetfulChip(group))
        let report = try conversation.report()
        #expect(report.warnings.contains { $0.contains(name) }, "\(report.warnings)")
    }

    @Test func `a change that the receiver reports has no warning`() throws {
        let request = DatabaseTests.request { $0.minimumElevation = 12 }
        var conversation = Conversation(request, LegacyChip())
        let report = try conversation.report()
        #expect(
            !report.warnings.contains { $0.contains("report") || $0.contains("verified") },
            "\(report.warnings)")
    }

    @Test func `a change of a setting that the receiver never reports has a warning`() throws {
        var chip = DatabaseChip()
        chip.unreadable = [.minimumElevation]
        let request = DatabaseTests.request { $0.minimumElevation = 12 }
        var conversation = Conversation(request, chip)
        let report = try conversation.report()
        #expect(conversation.chip.values[.minimumElevation] == 12)
        #expect(
            report.warnings.contains { $0.contains("did not report elevation") },
            "\(report.warnings)")
    }

    @Test func `a setting that the receiver never reports is saved with the requested value`()
        throws
    {
        var chip = DatabaseChip()
        chip.unreadable = [.minimumElevation]
        var request = DatabaseTests.request { $0.minimumElevation = 12 }
        request.saves = true
        var conversation = Conversation(request, chip)
        #expect(try conversation.report().saved?.storage == .flash)
        #expect(conversation.chip.saved == [.minimumElevation: 12])
    }

    @Test func `a receiver that reports no settings is not reported to have saved them`() {
        var request = ConfigurationRequest()
        request.saves = true
        var chip = DatabaseChip()
        chip.answersValues = false
        var conversation = Conversation(request, chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else {
            Issue.record("reported as saved")
            return
        }
        #expect(error.code == .noAnswer)
    }

    @Test func `a baud rate that the receiver never reports is verified, because it answers at it`()
        throws
    {
        var chip = DatabaseChip()
        chip.unreadable = [try #require(ConfigurationKey.baudRate(of: .uart1))]
        let request = DatabaseTests.request { $0.baudRate = 115_200 }
        var conversation = Conversation(request, chip)
        let report = try conversation.report()
        #expect(conversation.hostRate == 115_200 && conversation.chip.baudRate == 115_200)
        #expect(report.before?.configuration.baudRate == nil)
        #expect(report.warnings.isEmpty, "\(report.warnings)")
    }
}
