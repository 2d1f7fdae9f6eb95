// SPDX-License-Identifier: MIT

extension Fix {
    /// Draws up what an epoch amounts to, in the place of what was here.
    ///
    /// Inlined, so that the epoch is read where it is.
    @inline(__always)
    mutating func drawUp(
        _ epoch: inout Epoch, at instant: UTCTime?, receivedDate: CalendarDate?, inView: Int?,
        _ rangeError: RangeError
    ) {
        mode = epoch.coordinate == nil ? .noFix : epoch.mode
        if mode > .noFix { position(&epoch, rangeError) } else { noPosition(&epoch) }
        time = instant
        self.receivedDate = receivedDate
        timeOfDay = epoch.time
        satellitesInView = inView
        // Many receivers count to twelve only, or one constellation's; those named are used too.
        let named = epoch.satellitesUsed.count
        satellitesUsed = named == 0 ? epoch.satelliteCount : max(named, epoch.satelliteCount ?? 0)
    }

    /// What there is without a position.
    @inline(never)
    private mutating func noPosition(_ epoch: inout Epoch) {
        self = Fix()
        dilution = epoch.dilution
        magneticVariation = epoch.magneticVariation
    }

    /// All that there is only with a position.
    @inline(__always)
    private mutating func position(_ epoch: inout Epoch, _ rangeError: RangeError) {
        measurements = epoch.measurements
        quality = epoch.quality ?? .autonomous
        if let altitude, let geoidSeparation { ellipsoidalAltitude = altitude + geoidSeparation }
        correctionStation = epoch.correctionStation
        if epoch.facts.has(.standardDeviation) {
            standardDeviation = epoch.standardDeviation
        } else {
            let isExpected = epoch.facts.has(.expectedError)
            standardDeviation = isExpected ? epoch.expectedError : StandardDeviation()
        }
        accuracy = Accuracy(of: &epoch, quality: quality, mode: mode, rangeError)
    }
}

extension Accuracy {
    /// The first of GST, GBS, the receiver's own and DOP that says something.
    @inline(__always)
    init(of epoch: inout Epoch, quality: FixQuality, mode: FixMode, _ rangeError: RangeError) {
        let range = rangeError.assumed(for: quality)
        self.init()
        let isSaid = epoch.facts.hasAny(of: [
            .standardDeviation, .expectedError, .receiverAccuracy,
        ])
        if isSaid || epoch.receiverAccuracy.vertical != nil {
            take(epoch.standardDeviation, epoch.expectedError, epoch.receiverAccuracy)
        }
        if horizontal == nil, let range, let hdop = epoch.dilution.hdop {
            horizontal = Accuracy.planeFactor * hdop * range
            source = .dilution
        }
        if vertical == nil, let range, let vdop = epoch.dilution.vdop { vertical = vdop * range }
        if mode != .threeD { vertical = nil }
    }

    /// What the receiver itself says of its accuracy.
    @inline(never)
    private mutating func take(
        _ standardDeviation: StandardDeviation, _ expectedError: StandardDeviation, _ own: Accuracy
    ) {
        if let sigma = standardDeviation.horizontal {
            horizontal = Accuracy.planeFactor * sigma
            source = .standardDeviations
        } else if let sigma = expectedError.horizontal {
            horizontal = Accuracy.planeFactor * sigma
            source = .expectedErrors
        } else if let radius = own.horizontal {
            horizontal = radius
            source = .receiver
        }
        vertical = standardDeviation.altitude ?? expectedError.altitude ?? own.vertical
    }
}
