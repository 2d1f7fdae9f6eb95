// SPDX-License-Identifier: MIT

extension Fix {
    /// Draws up what an epoch amounts to, in the place of what was here.
    ///
    /// Inlined, so that the epoch is read where it is.
    @inline(__always)
    mutating func drawUp(
        _ epoch: borrowing Epoch, at instant: UTCTime?, receivedDate: CalendarDate?, inView: Int?,
        _ rangeError: RangeError
    ) {
        mode = epoch.coordinate == nil ? .noFix : epoch.mode
        if mode > .noFix { position(epoch, rangeError) } else { self = Fix() }
        time = instant
        self.receivedDate = receivedDate
        timeOfDay = epoch.time
        satellitesInView = inView
        // Many receivers count to twelve only, or one constellation's; those named are used too.
        let named = epoch.satellitesUsed.count
        satellitesUsed = named == 0 ? epoch.satelliteCount : max(named, epoch.satelliteCount ?? 0)
        dilution = epoch.dilution
        magneticVariation = epoch.magneticVariation
    }

    /// All that there is only with a position.
    @inline(__always)
    private mutating func position(_ epoch: borrowing Epoch, _ rangeError: RangeError) {
        coordinate = epoch.coordinate
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
    @inline(__always)
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
