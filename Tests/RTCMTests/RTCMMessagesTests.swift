// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSTestSupport
import GPSTestTraits
import RTCM
import Testing

@Suite(.timeLimit(.generous))
struct RTCMMessagesTests {
    private func message(_ bytes: [UInt8]) throws -> CorrectionMessage {
        try #require(messages(bytes).first)
    }

    @Test func `reads a reference position`() throws {
        let position = try #require(RTCMReferencePosition(message(Specimen.position)))
        #expect(position.station == 0)
        #expect(!position.isVirtual)
        #expect(
            position.position == Vector(x: -2_386_072.731, y: -3_922_192.5049, z: 4_414_363.4131))
        #expect(position.antennaHeight == nil)
        let geodetic = try #require(position.geodetic)
        #expect(abs(geodetic.coordinate.latitude - 44.0692) < 0.001)
        #expect(abs(geodetic.coordinate.longitude + 121.3141) < 0.001)
    }

    @Test func `reads a reference position with the antenna's height`() throws {
        let position = try #require(
            RTCMReferencePosition(message(Specimen.positionWithHeight)))
        #expect(position.station == 2003)
        #expect(position.position == Vector(x: 4_075_580.1234, y: 931_853.7, z: 4_801_568.2))
        #expect(position.antennaHeight == 1.5)
    }

    @Test func `reads a station's equipment`() throws {
        let equipment = try #require(RTCMEquipment(message(Specimen.equipment)))
        #expect(equipment.station == 2003)
        #expect(equipment.antenna == "TRM57971.00     NONE")
        #expect(equipment.antennaSerial == "1441112501")
        #expect(equipment.receiver == "SEPT POLARX5")
        #expect(equipment.firmware == "5.4.0")
        #expect(equipment.receiverSerial == "3013")
    }

    @Test func `reads the biases of GLONASS`() throws {
        let biases = try #require(RTCMGLONASSBiases(message(Specimen.biases)))
        #expect(biases.isAligned)
        #expect(biases.biases == [0, nil, 0, nil])
        let other = Specimen.rtcm([(1230, 12), (5, 12), (0, 4), (9, 4), (-100, 16), (50, 16)])
        #expect(try RTCMGLONASSBiases(message(other))?.biases == [-2, nil, nil, 1])
    }

    @Test func `reads the head of observations`() throws {
        let head = try #require(RTCMObservationsHead(message(Specimen.beiDou)))
        #expect(head.station == 0)
        #expect(head.constellation == .beiDou)
        #expect(head.format == 7)
        #expect(head.epoch == 375_213_001)
        #expect(!head.isContinued)
        #expect(head.satellites == [27, 30, 37])
        #expect(head.signals == [2])
        #expect(head.cellCount == 3)
    }

    /// The same instant, Thursday 8:13:47.001 GPS time, in the time of each constellation.
    @Test(
        arguments: [
            (1077, 375_227_001), (1097, 375_227_001), (1127, 375_213_001), (1107, 375_227_001),
            (1087, 4 << 27 | 40_409_001), (1087, 7 << 27 | 40_409_001),
        ])
    func `the age does not depend on the constellation`(type: Int, epoch: Int) throws {
        let bytes = Specimen.rtcm([(type, 12), (0, 12), (epoch, 30), (0, 115)])
        let head = try #require(RTCMObservationsHead(message(bytes)))
        let time = GPSTime(week: 2134, nanoseconds: 375_228_501_000_000)
        #expect(head.age(at: time, leapSeconds: 18) == 1.5)
        let before = GPSTime(week: 2134, nanoseconds: 375_227_000_000_000)
        #expect(head.age(at: before, leapSeconds: 18) == -0.001)
    }

    @Test func `a message that is too short or of another type has no values`() throws {
        let short = try message(Specimen.rtcm(Array(Specimen.position[3..<20])))
        #expect(RTCMReferencePosition(short) == nil)
        let equipment = Array(Specimen.equipment[3..<50])
        #expect(RTCMEquipment(try message(Specimen.rtcm(equipment))) == nil)
        let biases = Specimen.rtcm([(1230, 12), (5, 12), (0, 4), (15, 4), (0, 16)])
        #expect(RTCMGLONASSBiases(try message(biases)) == nil)
        #expect(RTCMObservationsHead(try message(Specimen.rtcm([(1077, 12), (0, 60)]))) == nil)
        let masks = Specimen.rtcm([(1077, 12), (0, 61), (-1, 64), (3, 32), (0, 128)])
        #expect(RTCMObservationsHead(try message(masks)) == nil)
        #expect(RTCMReferencePosition(try message(Specimen.biases)) == nil)
        #expect(RTCMObservationsHead(try message(Specimen.position)) == nil)
    }
}

/// A recording of a ZED-F9T, if it exists.
@Suite(
    .timeLimit(.generous),
    .enabled(if: Recording.bytes != nil, "no recording: set GPSBRIDGE_CORPUS to its folder"))
struct RTCMRecordingTests {
    @Test(arguments: [1, 1000, .max])
    func `the messages of a recording are those that pyrtcm finds`(size: Int) throws {
        let found = messages(try #require(Recording.bytes), inPiecesOf: size)
        var counts: [CorrectionMessage.Kind: Int] = [:]
        for message in found { counts[message.kind, default: 0] += 1 }
        let types = [1005, 1077, 1087, 1097, 1127, 1230]
        var expected: [CorrectionMessage.Kind: Int] = [.rtcm(type: 4072, station: nil): 26]
        for type in types { expected[.rtcm(type: type, station: 0)] = 26 }
        #expect(counts == expected)
        #expect(found.count { RTCMObservationsHead($0) != nil } == 104)
    }
}

private enum Recording {
    static let bytes: [UInt8]? = {
        let environment = ProcessInfo.processInfo.environment
        let folder =
            environment["GPSBRIDGE_CORPUS"] ?? PackageFile.folder + "/../shared/corpus/gpsd"
        let path = folder + "/../ubx/ublox-zed-f9t-rtcm3.log"
        return FileManager.default.contents(atPath: path).map { Array($0) }
    }()
}
