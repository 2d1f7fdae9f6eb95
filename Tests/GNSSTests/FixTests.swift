// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous)) struct FixTests {
    @Test func `properties can be set, changed and cleared`() {
        var fix = Fix()
        fix.speed = 0
        fix.coordinate = Coordinate(latitude: 0, longitude: -0.5)
        fix.accuracy.vertical = 3
        fix.standardDeviation.semiMajor = 1.5
        #expect(fix.speed == 0)
        #expect(fix.coordinate == Coordinate(latitude: 0, longitude: -0.5))
        #expect(fix.accuracy == Accuracy(vertical: 3))
        #expect(fix.standardDeviation == StandardDeviation(semiMajor: 1.5))
        fix.speed = nil
        fix.coordinate = nil
        fix.accuracy.vertical = nil
        fix.standardDeviation.semiMajor = nil
        #expect(fix == Fix())
        #expect(fix.hashValue == Fix().hashValue)
    }
}
