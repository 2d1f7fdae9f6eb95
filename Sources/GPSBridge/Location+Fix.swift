// SPDX-License-Identifier: MIT
package import Devices
public import FoundationEssentials
public import GNSS

extension Location {
    /// The accuracy said of a receiver that says nothing of its own, in metres.
    static let unknownHorizontalAccuracy = 100.0

    /// The only bridge from what a receiver said to CoreLocation's terms; `nil` without a position.
    ///
    /// `received` is used where the receiver never tells a date.
    package init?(
        _ fix: Fix, satellites: SatelliteView, device: String, origin: DataOrigin, received: Date
    ) {
        guard fix.mode > .noFix, let coordinate = fix.coordinate else { return nil }
        self.coordinate = coordinate
        self.fix = fix
        self.satellites = satellites
        self.device = device
        altitude = fix.mode == .threeD ? fix.altitude ?? 0 : 0
        ellipsoidalAltitude = fix.ellipsoidalAltitude ?? 0
        horizontalAccuracy = fix.accuracy.horizontal ?? Self.unknownHorizontalAccuracy
        let hasAltitude = fix.mode == .threeD && fix.altitude != nil
        // An altitude of unknown accuracy would count as no altitude at all.
        verticalAccuracy =
            hasAltitude ? fix.accuracy.vertical ?? 1.5 * horizontalAccuracy : -1
        course = fix.course ?? -1
        courseAccuracy = -1
        speed = fix.speed ?? -1
        speedAccuracy = -1
        isTimestampFromSystemClock = fix.time == nil
        timestamp = fix.time.map { Date($0) } ?? received
        let isInvented = fix.quality == .simulated && origin == .live
        sourceInformation = SourceInformation(
            origin: isInvented ? .simulated : origin, source: device)
    }
}

extension Date {
    /// The instant of a receiver's time.
    public init(_ time: UTCTime) {
        self.init(timeIntervalSince1970: Double(time.unixNanoseconds) / 1e9)
    }
}
