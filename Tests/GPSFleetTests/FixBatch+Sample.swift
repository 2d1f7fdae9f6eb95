// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import Testing

extension FixBatch {
    /// A batch of one fix. `change` may change the fix.
    static func sample(
        _ origin: DataOrigin = .live, _ change: (inout Fix) -> Void = { _ in }
    ) throws -> FixBatch {
        var fix = Fix()
        fix.time = UTCTime(unixNanoseconds: 1_795_000_000_400_000_000)
        fix.mode = .threeD
        fix.quality = .differential
        fix.coordinate = Coordinate(latitude: 48.208_173_2, longitude: 16.373_843)
        fix.altitude = 171.4
        fix.geoidSeparation = 44.1
        fix.speed = 10.1
        fix.course = 84.2
        fix.accuracy.horizontal = 1.2
        fix.satellitesUsed = 11
        change(&fix)
        let member = try #require(MemberName(fleet: "buses", bridge: "b-7", receiver: "roof"))
        return FixBatch(
            member: member, boot: "4f1c", origin: origin, software: "gpsbridge 1",
            rows: [FixRow(fix, sequence: 7, received: 1_795_000_000_600)])
    }
}
