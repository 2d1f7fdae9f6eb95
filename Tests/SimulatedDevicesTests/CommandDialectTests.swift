// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import GPSTestTraits
import SimulatedDevices
import Testing

/// The commands of manufacturers other than u-blox; `SessionReplayTests` has the recorded answers.
@Suite(.timeLimit(.generous))
struct CommandDialectTests {
    private func send(_ line: String, _ chip: inout ConfiguredChip) -> String {
        String(decoding: chip.receiver.answers(to: Array("\(line)\r\n".utf8)), as: UTF8.self)
    }

    @Test(
        arguments: [
            (.mt3339, "$PMTK220,200*2C", "$PMTK001,220,3*30\r\n"),
            (.l76, "$PCAS02,200*1D", ""), (.at9880, "$PCAS02,200*1D", ""),
            (.lc29h, "$PAIR050,200*21", "$PAIR001,050,0*3E\r\n"),
            (.lg290p, "$PQTMCFGFIXRATE,W,200*6A", "$PQTMCFGFIXRATE,OK*27\r\n"),
        ] as [(Personality, String, String)])
    func `a command changes the rate`(
        _ personality: Personality, _ command: String, _ answer: String
    ) {
        var chip = ConfiguredChip(personality)
        #expect(send(command, &chip) == answer)
        #expect(chip.epochs(2).map { ($0.seconds * 10).rounded() } == [2, 4])
    }

    @Test func `a command without its checksum, or with a wrong one, is ignored`() {
        var chip = ConfiguredChip(.mt3339)
        #expect(send("$PMTK220,200*2D", &chip) == "")
        #expect(send("$PMTK220,200", &chip) == "")
        #expect(chip.epochs(1)[0].seconds == 1)
    }

    @Test func `an LC29H reports its own version, not that of an LG290P`() {
        var chip = ConfiguredChip(.lc29h)
        #expect(send("$PQTMVERNO*58", &chip).hasPrefix("$PQTMVERNO,LC29H"))
        #expect(send("$PAIR020*38", &chip).contains("$PAIR020,"))
    }

    @Test func `PMTK000 is acknowledged without leading zeros`() {
        var chip = ConfiguredChip(.mt3339)
        #expect(send("$PMTK000*32", &chip) == "$PMTK001,0,3*30\r\n")
    }

    @Test func `PMTK400 reports the interval of fixes, which PMTK300 sets`() {
        var chip = ConfiguredChip(.mt3339)
        #expect(send("$PMTK220,200*2C", &chip) == "$PMTK001,220,3*30\r\n")
        #expect(send("$PMTK400*36", &chip).hasPrefix("$PMTK500,1000,0,0,0.0,0.0*"))
        #expect(send("$PMTK300,200,0,0,0,0*2F", &chip).hasPrefix("$PMTK001,300,3"))
        #expect(send("$PMTK400*36", &chip).hasPrefix("$PMTK500,200,0,0,0.0,0.0*"))
    }

    @Test func `PMTK314 selects sentences, and PMTK414 reports them`() {
        var chip = ConfiguredChip(.mt3339)
        let answer = send("$PMTK314,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0*28", &chip)
        #expect(answer.hasPrefix("$PMTK001,314,3"))
        #expect(send("$PMTK414*33", &chip).hasPrefix("$PMTK514,0,1,0,1,0,"))
        let text = chip.epochs(1)[0].text
        #expect(text.contains("RMC") && text.contains("GGA") && !text.contains("GSA"))
    }

    @Test func `a frame of CASIC is found behind noise without a line end`() {
        var chip = ConfiguredChip(.l76)
        let poll: [UInt8] = [0xBA, 0xCE, 0, 0, 0x06, 0x04, 0, 0, 0x06, 0x04]
        #expect(!chip.receiver.answers(to: Array("noise".utf8) + [0x00, 0xFE] + poll).isEmpty)
        #expect(send("$PCAS06,0*1B", &chip).contains("SW="))
    }

    @Test func `PCAS04 selects constellations`() {
        var chip = ConfiguredChip(.l76)
        _ = send("$PCAS04,1*18", &chip)
        let used = chip.epochs(2)[1].observation.satellites.filter(\.isUsed)
        #expect(!used.isEmpty && used.allSatisfy { $0.id.constellation == .gps })
    }

    @Test func `PAIR003 switches the receiver off until PAIR002, and PAIR006 is a cold start`() {
        var chip = ConfiguredChip(.lc29h)
        #expect(send("$PAIR003*39", &chip).contains("PAIR001,003,0"))
        #expect(chip.epochs(3).allSatisfy { $0.bytes.isEmpty })
        #expect(send("$PAIR002*38", &chip).contains("PAIR001,002,0"))
        #expect(!chip.epochs(1)[0].bytes.isEmpty)
        #expect(send("$PAIR006*3C", &chip).contains("PAIR001,006,0"))
    }

    @Test func `PAIR864 accepts only standard baud rates`() {
        var chip = ConfiguredChip(.lc29h) { $0.baudRate = .default }
        #expect(send("$PAIR864,0,0,12345*2D", &chip).contains("PAIR001,864,2"))
        #expect(send("$PAIR864,0,0,115200*1B", &chip).contains("PAIR001,864,0"))
    }

    @Test func `PQTMRESTOREPAR takes effect after the restart`() {
        var chip = ConfiguredChip(.lg290p)
        _ = send("$PQTMCFGFIXRATE,W,200*6A", &chip)
        _ = send("$PQTMCFGRCVRMODE,W,2*29", &chip)
        #expect(send("$PQTMRESTOREPAR*13", &chip).contains("OK"))
        #expect(send("$PQTMCFGFIXRATE,R*71", &chip).contains("OK,200"))
        #expect(send("$PQTMCFGRCVRMODE,R*32", &chip).contains("OK,2"))
        _ = send("$PQTMSRR*4B", &chip)
        _ = chip.epochs(10)
        #expect(send("$PQTMCFGFIXRATE,R*71", &chip).contains("OK,1000"))
        #expect(send("$PQTMCFGRCVRMODE,R*32", &chip).contains("OK,1"))
    }

    @Test func `CONFIG reports the baud rate of the line`() {
        var chip = ConfiguredChip(.um980) { $0.baudRate = BaudRate(rawValue: 38400) }
        #expect(send("CONFIG", &chip).contains("$CONFIG,COM1,CONFIG COM1 38400*"))
        _ = send("FRESET", &chip)
        _ = chip.epochs(3)
        #expect(send("CONFIG", &chip).contains("$CONFIG,COM1,CONFIG COM1 115200*"))
    }

    @Test func `MASK lists the constellations that are off`() {
        var chip = ConfiguredChip(.um980)
        _ = send("MASK GLO", &chip)
        _ = send("MASK GAL", &chip)
        _ = send("UNMASK GAL", &chip)
        let answer = send("MASK", &chip)
        #expect(answer.contains("$CONFIG,MASK,MASK 5.0*") && answer.contains(",MASK GLO*"))
        #expect(!answer.contains(",MASK GAL*"))
    }

    @Test(arguments: ["nan", "inf", "91", "-1e300"])
    func `MASK accepts only possible elevations`(_ elevation: String) {
        var chip = ConfiguredChip(.um980)
        #expect(send("MASK 10", &chip).contains("response: OK"))
        #expect(send("MASK \(elevation)", &chip).contains("PARSING FAILD"))
        #expect(send("MASK", &chip).contains("MASK 10"))
    }

    @Test func `a receiver without commands is switched off, too`() {
        let supply = SupplySwitch()
        var receiver = ConfiguredChip(.generic) { $0.supply = supply }
        supply.cut()
        #expect(receiver.epochs(2).allSatisfy { $0.bytes.isEmpty })
        supply.restore()
        #expect(receiver.epochs(1).allSatisfy { !$0.bytes.isEmpty })
    }

    @Test func `settings that were not saved are lost when the power is cut`() {
        let supply = SupplySwitch()
        var chip = ConfiguredChip(.lg290p) { $0.supply = supply }
        for (saves, mode) in [(false, "1"), (true, "2")] {
            _ = send("$PQTMCFGRCVRMODE,W,2*29", &chip)
            if saves { #expect(send("$PQTMSAVEPAR*5A", &chip) == "$PQTMSAVEPAR,OK*72\r\n") }
            supply.cut()
            _ = chip.epochs(1)
            supply.restore()
            _ = chip.epochs(1)
            #expect(send("$PQTMCFGRCVRMODE,R*32", &chip).contains("OK,\(mode)"))
        }
    }

    @Test(arguments: [true, false])
    func `a MediaTek chip keeps its settings as long as its battery lasts`(_ keepsBattery: Bool) {
        let supply = SupplySwitch()
        var chip = ConfiguredChip(.mt3339) { $0.supply = supply }
        _ = send("$PMTK300,200,0,0,0,0*2F", &chip)
        _ = send("$PMTK314,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0*28", &chip)
        supply.cut(keepsBattery: keepsBattery)
        _ = chip.epochs(1)
        supply.restore()
        _ = chip.epochs(1)
        let interval = keepsBattery ? "200" : "1000"
        #expect(send("$PMTK400*36", &chip).hasPrefix("$PMTK500,\(interval),"))
        let isKept = send("$PMTK414*33", &chip).hasPrefix("$PMTK514,0,1,0,1,0,0,")
        #expect(isKept == keepsBattery)
    }
}
