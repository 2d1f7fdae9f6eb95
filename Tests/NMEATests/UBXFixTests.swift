// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing
import UBX

@Suite(.timeLimit(.generous)) struct UBXFixTests {
    @Test func `a solution becomes a fix with all its values`() throws {
        let fixes = UBXStream.decode(UBXStream.pvt().frame).fixes
        let fix = try #require(fixes.first)
        #expect(fixes.count == 1)
        #expect(fix.time?.description == "2026-03-21T12:00:00.000Z")
        #expect(fix.mode == .threeD && fix.quality == .autonomous)
        #expect(fix.coordinate == Coordinate(latitude: 48.2082001, longitude: 16.3738001))
        #expect(fix.altitude == 170.5 && fix.ellipsoidalAltitude == 214.5)
        #expect(fix.geoidSeparation == 44)
        #expect(fix.speed == 10 && fix.course == 90 && fix.climb == 1)
        #expect(fix.satellitesUsed == 12 && fix.dilution.pdop == 1.5)
        #expect(fix.accuracy.horizontal == 2 * 1.07 && fix.accuracy.vertical == 3)
        #expect(fix.accuracy.source == .receiver)
        #expect(fix.accuracy.speed == 0.2 && fix.accuracy.course == 1.5)
        #expect(fix.accuracy.time == 20e-9)
        #expect(fix.jamming == nil && fix.spoofing == nil && fix.correctionSource == nil)
    }

    @Test func `a simulated fix stays simulated if the notice of its epoch is lost`() {
        let notice = UBXNotice(level: .notice, text: "SIMULATED").frame
        // The GGA of the last epoch shows that this fix is real.
        let gga = line("GNGGA,120002.00,4812.492,N,01622.428,E,1,12,0.9,170.5,M,44.0,M,,").bytes
        let fixes = UBXStream.decode(
            UBXStream.pvt().frame, notice, UBXStream.end(),
            UBXStream.pvt(after: 1000).frame, UBXStream.end(after: 1000),
            gga, UBXStream.pvt(after: 2000).frame, UBXStream.end(after: 2000)
        ).fixes
        #expect(fixes.map(\.quality) == [.simulated, .simulated, .autonomous])
    }

    @Test func `a GBS does not replace the accuracy of a solution, in any order`() {
        let gbs = line("GNGBS,120000.00,6.0,8.0,9.0,,,,").bytes
        let solution = UBXStream.pvt().frame
        for fixes in [
            UBXStream.decode(solution, gbs).fixes, UBXStream.decode(gbs, solution).fixes,
        ] {
            #expect(fixes.map(\.accuracy.horizontal) == [2 * 1.07])
            #expect(fixes.map(\.accuracy.vertical) == [3])
        }
    }

    @Test func `the zeros of a solution without a fix are not a position`() throws {
        let fix = try #require(UBXStream.decode(UBXStream.noFix().frame).fixes.first)
        #expect(fix.mode == .noFix && fix.coordinate == nil && fix.altitude == nil)
        #expect(fix.speed == nil && fix.course == nil && fix.accuracy == Accuracy())
        #expect(fix.time?.description == "2026-03-21T12:00:00.000Z")
    }

    @Test(
        arguments: [
            { @Sendable in $0.flags = NavPVT.Flags(rawValue: 0) },
            { @Sendable in $0.moreFlags = NavPVT.MoreFlags(rawValue: 1) },
            { @Sendable in $0.fixType = UBXFixType(rawValue: 7) },
        ] as [@Sendable (inout NavPVT) -> Void])
    func `a solution that the receiver itself calls invalid is not a position`(
        change: @Sendable (inout NavPVT) -> Void
    ) throws {
        let fix = try #require(UBXStream.decode(UBXStream.pvt(change).frame).fixes.first)
        #expect(fix.mode == .noFix && fix.coordinate == nil)
    }

    @Test func `a height that no receiver can have is absent, and the position stays`() throws {
        let solution = UBXStream.pvt {
            ($0.ellipsoidalAltitude, $0.altitude) = (2_147_483.647, -2_147_483.648)
        }
        let fix = try #require(UBXStream.decode(solution.frame).fixes.first)
        #expect(fix.coordinate != nil && fix.ellipsoidalAltitude == nil)
        #expect(fix.altitude == nil && fix.geoidSeparation == nil)
        #expect(fix.accuracy.horizontal != nil && fix.accuracy.vertical == nil)
        var old = NavSOL()
        (old.timeOfWeekMilliseconds, old.week) = (UBXStream.noon, 2410)
        (old.fixType, old.flags) = (.threeD, NavSOL.Flags(rawValue: 0b1101))
        // 21,000 km above the equator.
        (old.x, old.y) = (19_164_695, 19_164_695)
        let high = try #require(UBXStream.decode(old.frame).fixes.first)
        #expect(high.coordinate != nil && high.ellipsoidalAltitude == nil && high.altitude == nil)
    }

    @Test func `bits that some chips set in NAV-PVT do not change the fix`() {
        let count = UBXStream.pvt { $0.satellitesUsed = 0x80 | 12 }
        #expect(UBXStream.decode(count.frame).fixes.first?.satellitesUsed == 12)
        // In the message of generation 7, the bits of these flags are reserved.
        let flags = UBXStream.pvt { $0.moreFlags = NavPVT.MoreFlags(rawValue: 1) }
        let old = UBXFrame.bytes(NavPVT.id, payload: Array(flags.payload.prefix(84)))
        #expect(UBXStream.decode(old).fixes.map(\.mode) == [.threeD])
        #expect(UBXStream.decode(flags.frame).fixes.map(\.mode) == [.noFix])
    }

    @Test func `a surveyed position of a timing receiver is reported as such`() throws {
        let message = UBXStream.pvt { $0.fixType = .timeOnly }
        let fix = try #require(UBXStream.decode(message.frame).fixes.first)
        #expect(fix.mode == .threeD && fix.quality == .manual)
    }

    @Test func `the carrier solution and corrections give the quality`() throws {
        let flags: [(UInt8, FixQuality)] = [
            (0b11, .differential), (0b100_0011, .rtkFloat), (0b1000_0011, .rtkFixed),
        ]
        for (flags, quality) in flags {
            let message = UBXStream.pvt { $0.flags = NavPVT.Flags(rawValue: flags) }
            #expect(UBXStream.decode(message.frame).fixes.first?.quality == quality)
        }
        var status = NavSTATUS()
        (status.timeOfWeekMilliseconds, status.fixType) = (UBXStream.noon, .threeD)
        status.flags = NavSTATUS.Flags(rawValue: 1)
        status.detection = NavSTATUS.Detection(rawValue: 0b1000_0000)
        let marks: [(UInt8, FixQuality)] = [(0, .autonomous), (0b10, .rtkFixed)]
        for (corrections, quality) in marks {
            status.corrections = NavSTATUS.Corrections(rawValue: corrections)
            let fix = UBXStream.decode(UBXStream.pvt().frame, status.frame).fixes.first
            #expect(fix?.quality == quality)
        }
    }

    @Test func `the end of an epoch completes its fix at once`() {
        let first = UBXStream.decodeUnfinished(UBXStream.pvt().frame)
        #expect(first.isEmpty)
        let ended = UBXStream.decodeUnfinished(UBXStream.pvt().frame, UBXStream.end())
        #expect(ended.count == 1)
    }

    @Test func `without an end of the epoch, the last message of the cycle is learned`() {
        var dilutions = NavDOP()
        var pieces: [UInt8] = []
        for index in 0..<4 {
            dilutions.timeOfWeekMilliseconds = UBXStream.noon + UInt32(index * 1000)
            dilutions.horizontal = 0.9
            pieces += UBXStream.pvt(after: index * 1000).frame + dilutions.frame
        }
        // The first two epochs end with the next one, the others with their last message.
        #expect(UBXStream.decodeUnfinished(pieces).count == 4)
    }

    @Test
    func `sentences and messages of one instant become one fix with the more precise values`()
        throws
    {
        let sentences = line(
            "GNGGA,120000.00,4812.4900,N,01622.4300,E,1,10,0.9,171.0,M,44.0,M,,")
        for pieces in [
            [sentences.bytes, UBXStream.pvt().frame], [UBXStream.pvt().frame, sentences.bytes],
        ] {
            let fixes = UBXStream.decode(pieces[0], pieces[1], UBXStream.end()).fixes
            let fix = try #require(fixes.first)
            #expect(fixes.count == 1)
            #expect(fix.coordinate == Coordinate(latitude: 48.2082001, longitude: 16.3738001))
            #expect(fix.altitude == 170.5 && fix.dilution.hdop == 0.9)
            #expect(fix.satellitesUsed == 12)
        }
    }

    @Test func `a high-precision position is replaced neither by a solution nor by a sentence`()
        throws
    {
        var precise = NavHPPOSLLH()
        precise.timeOfWeekMilliseconds = UBXStream.noon
        (precise.coarseLatitude, precise.fineLatitude) = (482_082_001, 50)
        (precise.coarseLongitude, precise.fineLongitude) = (163_738_001, -20)
        (precise.coarseEllipsoidalAltitude, precise.coarseAltitude) = (214_500, 170_500)
        (precise.horizontalAccuracy, precise.verticalAccuracy) = (0.014, 0.02)
        let sentence = line("GNGGA,120000.00,4812.4900,N,01622.4300,E,4,10,0.9,171.0,M,44.0,M,,")
        let messages = [precise.frame, UBXStream.pvt().frame, sentence.bytes]
        for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0]] {
            let bytes = order.flatMap { messages[$0] } + UBXStream.end()
            let fix = try #require(UBXStream.decode(bytes).fixes.first)
            #expect(fix.coordinate?.latitude == 48.20820015)
            #expect(fix.coordinate?.longitude == 16.37380008)
            #expect(fix.accuracy.horizontal == 0.014 * 1.07)
        }
    }

    @Test func `a 2D solution is 2D, whatever other messages and sentences suggest`() {
        let solution = UBXStream.pvt { $0.fixType = .twoD }.frame
        var precise = NavHPPOSLLH()
        precise.timeOfWeekMilliseconds = UBXStream.noon
        (precise.coarseLatitude, precise.coarseLongitude) = (482_082_001, 163_738_001)
        (precise.horizontalAccuracy, precise.verticalAccuracy) = (1, 2)
        let sentence = line(
            "GNGGA,120000.00,4812.4900,N,01622.4300,E,1,10,0.9,171.0,M,44.0,M,,"
        ).bytes
        for other in [precise.frame, sentence] {
            #expect(UBXStream.decode(solution, other).fixes.map(\.mode) == [.twoD])
            #expect(UBXStream.decode(other, solution).fixes.map(\.mode) == [.twoD])
        }
    }

    @Test func `covariances are kept, and accuracies follow from them`() throws {
        var message = NavCOV()
        message.timeOfWeekMilliseconds = UBXStream.noon
        (message.isPositionValid, message.isVelocityValid) = (1, 1)
        (message.positionNN, message.positionEE, message.positionDD) = (4, 9, 16)
        message.positionNE = -1
        (message.velocityNN, message.velocityEE, message.velocityDD) = (0.01, 0.02, 0.03)
        let fix = try #require(
            UBXStream.decode(UBXStream.pvt().frame, message.frame).fixes.first)
        #expect(fix.covariance?.northEast == -1)
        #expect(fix.velocityCovariance?.downDown == 0.03)
        #expect(fix.standardDeviation.latitude == 2 && fix.standardDeviation.longitude == 3)
        #expect(fix.standardDeviation.altitude == 4)
        #expect(fix.accuracy.source == .standardDeviations)
        message.positionNN = .nan
        let bad = UBXStream.decode(UBXStream.pvt().frame, message.frame).fixes.first
        #expect(bad?.covariance == nil && bad?.accuracy.source == .receiver)
    }

    @Test func `a protection level that the receiver calls invalid is absent`() throws {
        var message = NavPL()
        message.timeOfWeekMilliseconds = UBXStream.noon
        (message.positionFrame, message.riskCoefficient, message.riskExponent) = (1, 5, -5)
        (message.position1, message.position2, message.position3) = (12.8, 14.5, 23.5)
        let invalid = UBXStream.decode(UBXStream.pvt().frame, message.frame).fixes.first
        #expect(invalid?.protectionLevel == nil)
        message.isPositionValid = 1
        let fix = try #require(
            UBXStream.decode(UBXStream.pvt().frame, message.frame).fixes.first)
        #expect(fix.protectionLevel?.vertical == 23.5)
        #expect(abs((fix.protectionLevel?.risk ?? 0) - 5e-7) < 1e-12)
    }

    @Test(arguments: [(1, 19.341), (2, 19.341), (3, 14.5)] as [(UInt8, Float)])
    func `the horizontal protection level combines two axes, and is the larger axis of an ellipse`(
        frame: UInt8, level: Float
    ) throws {
        var message = NavPL()
        (message.timeOfWeekMilliseconds, message.isPositionValid) = (UBXStream.noon, 1)
        (message.positionFrame, message.riskCoefficient) = (frame, 5)
        (message.position1, message.position2, message.position3) = (12.8, 14.5, 23.5)
        let fix = try #require(
            UBXStream.decode(UBXStream.pvt().frame, message.frame).fixes.first)
        let horizontal = try #require(fix.protectionLevel?.horizontal)
        #expect(abs(horizontal - level) < 0.001)
    }

    @Test func `a solution in Earth-centred coordinates becomes a position with UTC`() throws {
        var message = NavSOL()
        message.timeOfWeekMilliseconds = UBXStream.noon
        message.week = 2410
        message.fixType = .threeD
        message.flags = NavSOL.Flags(rawValue: 0b1101)
        (message.x, message.y, message.z) = (4_085_896.0, 1_200_385.0, 4_732_884.0)
        (message.accuracy, message.speedAccuracy) = (10, 0.5)
        let fix = try #require(UBXStream.decode(message.frame).fixes.first)
        #expect(fix.time?.description == "2026-03-21T12:00:00.000Z")
        let coordinate = try #require(fix.coordinate)
        #expect(abs(coordinate.latitude - 48.2) < 0.1 && abs(coordinate.longitude - 16.37) < 0.1)
        // The sea level is not known.
        #expect(fix.altitude == nil && fix.ellipsoidalAltitude != nil)
        #expect(fix.course == nil && fix.accuracy.horizontal == nil)
    }

    @Test func `a position without a report of its validity is not used`() throws {
        var message = NavPOSLLH()
        message.timeOfWeekMilliseconds = UBXStream.noon
        (message.latitude, message.longitude, message.horizontalAccuracy) = (48, 16, 5)
        #expect(UBXStream.decode(message.frame).fixes.first?.coordinate == nil)
        var status = NavSTATUS()
        status.timeOfWeekMilliseconds = UBXStream.noon
        (status.fixType, status.flags) = (.threeD, NavSTATUS.Flags(rawValue: 1))
        let fix = UBXStream.decode(message.frame, status.frame).fixes.first
        #expect(fix?.coordinate == Coordinate(latitude: 48, longitude: 16) && fix?.mode == .threeD)
    }

    @Test func `the same bytes in any pieces give the same fixes`() {
        var bytes: [UInt8] = []
        for index in 0..<3 {
            let after = index * 1000
            bytes += UBXStream.pvt(after: after).frame + UBXStream.satellites(after: after).frame
            bytes += UBXStream.signals(after: after).frame + UBXStream.end(after: after)
        }
        let whole = Transcript([ArraySlice(bytes)])
        for size in [1, 2, 3, 7, 50, 101] {
            let pieces = stride(from: 0, to: bytes.count, by: size).map {
                bytes[$0..<min($0 + size, bytes.count)]
            }
            #expect(Transcript(pieces) == whole)
        }
    }
}

@Suite(.timeLimit(.generous)) struct UBXHeadingTests {
    @Test func `a vehicle's heading has the accuracy that the receiver reports`() {
        var message = NavPVAT()
        message.timeOfWeekMilliseconds = UBXStream.noon
        (message.latitude, message.longitude) = (48.2, 16.4)
        (message.heading, message.headingAccuracy) = (91, 0.7)
        // A fix, with and without a heading.
        let headings: [(UInt8, Double?)] = [(0b10_0001, 91), (1, nil)]
        for (flags, heading) in headings {
            (message.fixType, message.flags) = (.combined, NavPVAT.Flags(rawValue: flags))
            let attitude = UBXStream.decode(message.frame).fixes.first?.attitude
            #expect(attitude?.heading == heading)
            #expect(attitude?.headingAccuracy == heading.map { _ in 0.7 })
        }
    }

    @Test func `only a base on the same vehicle gives a heading`() {
        var message = NavRELPOSNED()
        message.timeOfWeekMilliseconds = UBXStream.noon
        (message.heading, message.accuracyHeading, message.coarseLength) = (45, 0.5, 100)
        (message.coarseNorth, message.fineNorth) = (71, -25)
        // Fix, corrections, a valid relative position and heading, fixed ambiguities.
        let valid: UInt32 = 0b1_0001_0111
        let headings: [(UInt32, Double?)] = [
            (valid | 1 << 5, 45), (valid, nil), (1 << 5 | 0b111, nil),
        ]
        for (flags, heading) in headings {
            message.flags = NavRELPOSNED.Flags(rawValue: flags)
            let fix = UBXStream.decode(UBXStream.pvt().frame, message.frame).fixes.first
            #expect(fix?.attitude.heading == heading)
            #expect(fix?.attitude.headingAccuracy == heading.map { _ in 0.5 })
            let isMoving = flags & 1 << 5 != 0
            #expect(fix?.corrections.baselineNorth == (isMoving ? 0.7075 : nil))
            #expect(fix?.corrections.baselineDown == (isMoving ? 0 : nil))
        }
    }

    @Test func `a heading without the position of its epoch is not a lost fix`() {
        var bytes: [UInt8] = []
        for second in 0..<4 {
            var message = NavRELPOSNED()
            message.timeOfWeekMilliseconds = UBXStream.noon + UInt32(second * 1000)
            (message.heading, message.accuracyHeading) = (45, 0.5)
            message.flags = NavRELPOSNED.Flags(rawValue: 0b1_0011_0111)
            if second != 2 { bytes += UBXStream.pvt(after: second * 1000).frame }
            bytes += message.frame + UBXStream.end(after: second * 1000)
        }
        let fixes = UBXStream.decode(bytes).fixes
        #expect(fixes.map { $0.time?.time.second } == [0, 1, 3])
        #expect(fixes.allSatisfy { $0.mode == .threeD && $0.attitude.heading == 45 })
    }
}

@Suite(.timeLimit(.generous)) struct EarthCentredTests {
    private func position() -> NavPOSECEF {
        var message = NavPOSECEF()
        message.timeOfWeekMilliseconds = UBXStream.noon
        (message.x, message.y, message.z) = (4_085_896.12, 1_200_385, -4_732_884)
        message.accuracy = 2.5
        return message
    }

    private func precise() -> NavHPPOSECEF {
        var message = NavHPPOSECEF()
        message.timeOfWeekMilliseconds = UBXStream.noon
        (message.coarseX, message.coarseY, message.coarseZ) = (408_589_612, 120_038_500, -1)
        (message.fineX, message.fineY, message.fineZ) = (-34, 56, -7)
        message.accuracy = 0.0142
        return message
    }

    @Test func `an Earth-centred position and velocity are those that the receiver reports`()
        throws
    {
        var velocity = NavVELECEF()
        velocity.timeOfWeekMilliseconds = UBXStream.noon
        (velocity.velocityX, velocity.velocityY, velocity.velocityZ) = (0.1, -0.05, 0)
        velocity.accuracy = 0.14
        let bytes = UBXStream.decode(UBXStream.pvt().frame, position().frame, velocity.frame)
        let details = try #require(bytes.fixes.first).details
        #expect((details.x, details.y, details.z) == (4_085_896.12, 1_200_385, -4_732_884))
        #expect(details.positionAccuracy == 2.5 && details.velocityAccuracy == 0.14)
        #expect(
            (details.velocityX, details.velocityY, details.velocityZ) == (0.1, -0.05, 0))
    }

    @Test func `an error ellipse is that of NAV-EELL, unless its size is not known`() {
        var ellipse = NavEELL()
        ellipse.timeOfWeekMilliseconds = UBXStream.noon
        (ellipse.orientation, ellipse.semiMajor, ellipse.semiMinor) = (23.88, 9.788, 8.152)
        func details(_ message: NavEELL) -> SolutionDetails? {
            UBXStream.decode(UBXStream.pvt().frame, message.frame).fixes.first?.details
        }
        let known = details(ellipse)
        #expect(known?.ellipseOrientation == 23.88)
        #expect((known?.semiMajor, known?.semiMinor) == (9.788, 8.152))
        ellipse.semiMajor = 0
        #expect(details(ellipse)?.semiMinor == nil)
    }

    @Test func `the attitude of NAV-ATT is set as far as its accuracy is known`() {
        var message = NavATT()
        message.timeOfWeekMilliseconds = UBXStream.noon
        (message.heading, message.pitch, message.roll) = (-10, 2.5, -1.25)
        (message.headingAccuracy, message.pitchAccuracy) = (0.5, 0.1)
        #expect(message.frame.count == 32 + 8)
        let known = UBXStream.decode(UBXStream.pvt().frame, message.frame).fixes.first?.attitude
        #expect(known?.heading == 350 && known?.headingAccuracy == 0.5 && known?.pitch == 2.5)
        #expect(known?.roll == nil)
        message.headingAccuracy = 180
        let lost = UBXStream.decode(UBXStream.pvt().frame, message.frame).fixes.first?.attitude
        #expect(lost?.heading == nil && lost?.pitch == 2.5)
    }

    @Test func `a more precise position has priority in any order`() {
        for messages in [
            [position().frame, precise().frame], [precise().frame, position().frame],
        ] {
            let fixes = UBXStream.decode(UBXStream.pvt().frame, messages[0], messages[1]).fixes
            #expect(fixes.map(\.details.x) == [4_085_896.1166])
            #expect(fixes.map(\.details.y) == [1_200_385.0056])
            #expect(fixes.map(\.details.z) == [-0.0107])
            #expect(fixes.map(\.details.positionAccuracy) == [0.0142])
        }
    }

    @Test func `without a fix, or from other messages alone, there is no such position`() {
        let lost = UBXStream.decode(UBXStream.noFix().frame, position().frame).fixes
        #expect(lost.map(\.solutionDetails) == [nil])
        #expect(UBXStream.decode(UBXStream.pvt().frame).fixes.map(\.solutionDetails) == [nil])
        #expect(UBXStream.decode(position().frame).fixes.allSatisfy { $0.coordinate == nil })
        var invalid = precise()
        invalid.flags = NavHPPOSECEF.Flags(rawValue: 1)
        let fixes = UBXStream.decode(UBXStream.pvt().frame, invalid.frame).fixes
        #expect(fixes.map(\.solutionDetails) == [nil])
    }

    @Test func `the solution of old chips has both`() throws {
        var message = NavSOL()
        (message.timeOfWeekMilliseconds, message.week) = (UBXStream.noon, 2410)
        (message.fixType, message.flags) = (.threeD, NavSOL.Flags(rawValue: 0b1101))
        (message.x, message.y, message.z) = (4_085_896, 1_200_385, 4_732_884)
        (message.velocityX, message.accuracy, message.speedAccuracy) = (-2.82, 10, 0.5)
        let details = try #require(UBXStream.decode(message.frame).fixes.first).details
        #expect(details.z == 4_732_884 && details.positionAccuracy == 10)
        #expect(details.velocityX == -2.82 && details.velocityAccuracy == 0.5)
    }
}

@Suite(.timeLimit(.generous)) struct UBXVelocityTests {
    /// Returns a solution of a chip of generation 4 to 7, which moves with 10 m/s.
    private func solution() -> NavSOL {
        var message = NavSOL()
        (message.timeOfWeekMilliseconds, message.week) = (UBXStream.noon, 2410)
        (message.fixType, message.flags) = (.threeD, NavSOL.Flags(rawValue: 0b1101))
        (message.x, message.y, message.z) = (4_085_896, 1_200_385, 4_732_884)
        (message.velocityX, message.velocityY) = (-2.82, 9.59)
        (message.accuracy, message.speedAccuracy) = (10, 0.5)
        return message
    }

    @Test func `an accuracy of the course that the message does not report is unknown`() throws {
        let old = try #require(UBXStream.decode(solution().frame).fixes.first)
        #expect(old.course != nil && old.accuracy.speed == 0.5 && old.accuracy.course == nil)
        var message = NavPVAT()
        message.timeOfWeekMilliseconds = UBXStream.noon
        (message.fixType, message.flags) = (.threeD, NavPVAT.Flags(rawValue: 1))
        (message.latitude, message.longitude) = (48.2, 16.4)
        (message.groundSpeed, message.course, message.speedAccuracy) = (10, 90, 0.2)
        let fix = try #require(UBXStream.decode(message.frame).fixes.first)
        #expect(fix.course == 90 && fix.accuracy.speed == 0.2 && fix.accuracy.course == nil)
    }

    @Test func `a velocity in Earth-centred coordinates is used if no other message has one`()
        throws
    {
        var position = NavPOSLLH()
        position.timeOfWeekMilliseconds = UBXStream.noon
        (position.latitude, position.longitude, position.horizontalAccuracy) = (48.2, 16.4, 5)
        let fix = try #require(UBXStream.decode(position.frame, solution().frame).fixes.first)
        #expect(fix.coordinate == Coordinate(latitude: 48.2, longitude: 16.4))
        #expect(abs((fix.speed ?? 0) - 10) < 0.01 && abs((fix.course ?? 0) - 90) < 1)
        #expect(fix.accuracy.horizontal == 5 * 1.07 && fix.accuracy.speed == 0.5)
        var velocity = NavVELNED()
        velocity.timeOfWeekMilliseconds = UBXStream.noon
        (velocity.groundSpeed, velocity.course, velocity.courseAccuracy) = (12, 80, 2)
        for messages in [velocity.frame + solution().frame, solution().frame + velocity.frame] {
            let fix = UBXStream.decode(position.frame, messages).fixes.first
            #expect(fix?.speed == 12 && fix?.course == 80)
        }
    }

    @Test func `a sentence before it does not hide a velocity in Earth-centred coordinates`() throws
    {
        let sentence = line(
            "GNRMC,120000.00,A,4812.4900,N,01622.4300,E,19.4,90.0,210326,,,A"
        ).bytes
        for bytes in [sentence + solution().frame, solution().frame + sentence] {
            let fix = try #require(UBXStream.decode(bytes).fixes.first)
            #expect(fix.climb != nil && fix.accuracy.speed == 0.5)
            #expect(abs((fix.speed ?? 0) - 10) < 0.05)
        }
    }
}
