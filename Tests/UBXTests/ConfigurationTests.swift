// SPDX-License-Identifier: MIT
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct ConfigurationTests {
    /// Frames whose bytes equal those of another implementation.
    @Test func `messages that configure have the bytes of the specification`() {
        var rate = CfgRATE()
        rate.measurementPeriod = 200
        #expect(rate.frame == hexadecimal("B5620608 0600 C80001000100 DE6A"))
        #expect(
            CfgMSG(NavPVT.id, rate: 1).frame == hexadecimal("B5620601 0300 010701 1351"))
        let item = ConfigurationItem(.measurementPeriod, 200)
        #expect(
            CfgVALSET([item]).frame
                == hexadecimal("B562068A 0A00 00010000 01002130 C800 B581"))
        let baudRate = ConfigurationKey.baudRate(of: .uart1)
        #expect(
            CfgVALSET([baudRate].compactMap { $0.map { ConfigurationItem($0, 115_200) } }).frame
                == hexadecimal("B562068A 0C00 00010000 01005240 00C20100 F3A5"))
        #expect(
            CfgVALGET([baudRate].compactMap(\.self)).frame
                == hexadecimal("B562068B 0800 00000000 01005240 2C79"))
        var port = CfgPRT()
        port.mode = 0x08D0
        port.baudRate = 115_200
        port.input = .ubx.union(.nmea).union(.rtcm3)
        port.output = .ubx.union(.nmea)
        #expect(
            port.frame
                == hexadecimal(
                    "B5620600 1400 01000000 D0080000 00C20100 2300 0300 0000 0000 DC5E"))
        let restarts: [(UInt16, String)] = [
            (0, "B5620604 0400 00000200 1068"), (1, "B5620604 0400 01000200 116C"),
            (0xFFFF, "B5620604 0400 FFFF0200 0E61"),
        ]
        for (cleared, bytes) in restarts {
            var restart = CfgRST()
            restart.clearedData = cleared
            #expect(restart.frame == hexadecimal(bytes))
        }
    }

    @Test func `values have the size of their key`() {
        let items = [
            ConfigurationItem(.autonomousAssistance, true),
            ConfigurationItem(.minimumElevation, 0xFB), ConfigurationItem(.measurementPeriod, 200),
            ConfigurationItem(.timePulsePeriod, 1_000_000),
            ConfigurationItem(.sbasPRNs, 0x1_0000_0001),
        ]
        #expect(items.map(\.key.size) == [1, 1, 2, 4, 8])
        #expect(CfgVALSET(items).items == items)
        #expect(items[1].signedValue == -5)
        var damaged = CfgVALSET(items)
        damaged.data.removeLast()
        #expect(damaged.items == nil)
    }

    @Test(arguments: [
        (ConfigurationKey.measurementPeriod, "CFG-RATE-MEAS"),
        (ConfigurationKey(0x1031_0001), "CFG-SIGNAL-GPS_L1CA_ENA"),
        (ConfigurationKey(0x2091_0007), "CFG-MSGOUT-UBX_NAV_PVT_UART1"),
        (ConfigurationKey(0x2091_00AE), "CFG-MSGOUT-NMEA_ID_RMC_USB"),
        (ConfigurationKey(0x4053_0001), "CFG-UART2-BAUDRATE"),
        (ConfigurationKey(0x1078_0002), "CFG-USBOUTPROT-NMEA"),
        (ConfigurationKey(0x1073_0004), "CFG-UART1INPROT-RTCM3X"),
        (ConfigurationKey(0x2031_0999), "0x20310999"),
    ])
    func `keys have u-blox's names`(_ key: ConfigurationKey, _ name: String) {
        #expect(key.name == name)
    }

    @Test func `only the keys that lock a chip are forbidden`() {
        #expect(ConfigurationKey.configurationLock.isForbidden)
        #expect(!ConfigurationKey.jammingSensitivityHigh.isForbidden)
    }

    private func hexadecimal(_ text: String) -> [UInt8] {
        let digits = Array(text.filter { $0 != " " })
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
    }
}
