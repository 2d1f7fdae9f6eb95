// SPDX-License-Identifier: MIT

extension Fix {
    /// Draws up what an epoch amounts to, but for its instant.
    init(_ epoch: Epoch, inView: Int?, rangeError: RangeError) {
        timeOfDay = epoch.time
        satellitesInView = inView
        // Many receivers count to twelve only, or one constellation's; those named are used too.
        let named = epoch.satellitesUsed.count
        satellitesUsed = named == 0 ? epoch.satelliteCount : max(named, epoch.satelliteCount ?? 0)
        dilution = epoch.dilution
        magneticVariation = epoch.magneticVariation
        mode = epoch.mode
        guard mode > .noFix, let position = epoch.coordinate else {
            mode = .noFix
            return
        }
        coordinate = position
        quality = epoch.quality ?? .autonomous
        altitude = epoch.altitude
        geoidSeparation = epoch.geoidSeparation
        ellipsoidalAltitude = epoch.ellipsoidalAltitude
        if let altitude, let geoidSeparation { ellipsoidalAltitude = altitude + geoidSeparation }
        speed = epoch.speed
        course = epoch.course
        magneticCourse = epoch.magneticCourse
        correctionAge = epoch.correctionAge
        correctionStation = epoch.correctionStation
        standardDeviation =
            epoch.standardDeviation.isEmpty ? epoch.expectedError : epoch.standardDeviation
        accuracy = Accuracy(of: epoch, quality: quality, mode: mode, rangeError)
    }
}

extension Accuracy {
    /// The first of GST, GBS, the receiver's own and DOP that says something.
    init(of epoch: Epoch, quality: FixQuality, mode: FixMode, _ rangeError: RangeError) {
        let range = rangeError.assumed(for: quality)
        let diluted = range.flatMap { range in
            epoch.dilution.hdop.map { Accuracy.planeFactor * $0 * range }
        }
        let dilutedHeight = range.flatMap { range in epoch.dilution.vdop.map { $0 * range } }
        if let sigma = epoch.standardDeviation.horizontal {
            self.init(horizontal: Accuracy.planeFactor * sigma, source: .standardDeviations)
        } else if let sigma = epoch.expectedError.horizontal {
            self.init(horizontal: Accuracy.planeFactor * sigma, source: .expectedErrors)
        } else if let horizontal = epoch.receiverAccuracy.horizontal {
            self.init(horizontal: horizontal, source: .receiver)
        } else if let diluted {
            self.init(horizontal: diluted, source: .dilution)
        } else {
            self.init()
        }
        guard mode == .threeD else { return }
        vertical =
            epoch.standardDeviation.altitude ?? epoch.expectedError.altitude
            ?? epoch.receiverAccuracy.vertical ?? dilutedHeight
    }
}
