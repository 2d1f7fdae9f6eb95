// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import UBX

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
