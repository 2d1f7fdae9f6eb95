// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

/// The parts of an address.
@Suite(.timeLimit(.generous)) struct AddressTests {
    private func statistics(_ address: String) -> Statistics {
        decode(line(address + ",1")).statistics
    }

    @Test(arguments: ["GNSTA", "ZZ7Q2"])
    func `a talker of two letters and a formatter of three are a standard address`(address: String)
    {
        #expect(statistics(address).raw == 1)
    }

    @Test(arguments: ["GPN", "LOG108", "GYOACC", "SNRSTATUS9"])
    func `addresses of other lengths are kept`(address: String) {
        #expect(statistics(address).raw == 1)
    }

    @Test(arguments: ["GpGGA", "GP GA", "GPG-A", "(GGA)", "LONGERNAMe"])
    func `invalid characters of an address are counted`(address: String) {
        #expect(statistics(address)[.badAddress] == 1)
    }

    @Test(arguments: ["PACME", "PACMETXTVersion 2", "Pfree form"])
    func `a proprietary address can have any form`(address: String) {
        #expect(statistics(address).proprietaryRaw == 1)
    }

    @Test func `Quectel's talker PQ is not a manufacturer`() {
        let decoded = decode(line("PQGSV,1,1,01,05,41,181,36,1,4"))
        #expect(decoded.inView == "C05")
        #expect(decoded.statistics.proprietaryRaw == 0)
    }

    @Test func `five letters ending in Q are a query`() {
        #expect(statistics("IIGPQ").query == 1)
    }
}
