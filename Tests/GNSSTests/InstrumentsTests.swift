// SPDX-License-Identifier: MIT
import FoundationEssentials
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous)) struct InstrumentsTests {
    @Test func `a value that is not known is nil, and no value replaces another by nil`() {
        var instruments = Instruments()
        #expect(instruments.isEmpty && instruments[.depth] == nil)
        instruments[.rudder] = -3
        instruments[.rudder] = nil
        #expect(instruments[.rudder] == -3 && instruments[.depth] == nil && !instruments.isEmpty)
        #expect(instruments.known.map(\.quantity) == [.rudder])
    }

    @Test func `an invalid value is not filled with an earlier one`() {
        var (earlier, later) = (Instruments(), Instruments())
        earlier[.rudder] = -3
        earlier[.depth] = 7
        later[.rudder] = 2
        later.invalidate(.rudder)
        #expect(later[.rudder] == nil && later.known.isEmpty)
        later.fillGaps(with: earlier)
        #expect(later[.rudder] == nil && later[.depth] == 7 && later.invalid == [.rudder])
    }

    @Test func `a stored fix has its instruments`() throws {
        var fix = Fix()
        fix.instruments[.depth] = 7.5
        fix.instruments[.apparentWindAngle] = 300
        let data = try JSONEncoder().encode(fix)
        #expect(String(decoding: data, as: UTF8.self).contains(#""instruments":{"#))
        #expect(try JSONDecoder().decode(Fix.self, from: data) == fix)
        let empty = try JSONEncoder().encode(Fix())
        #expect(!String(decoding: empty, as: UTF8.self).contains("instruments"))
    }
}
