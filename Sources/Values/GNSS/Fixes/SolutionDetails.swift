// SPDX-License-Identifier: MIT

/// Values of a receiver's solution that few receivers report, and that only gpsd's JSON contains.
@usableFromInline
package struct SolutionDetails: Hashable, Sendable, Codable {
    /// The position in metres, Earth-centred and Earth-fixed.
    package var x: Double?
    package var y: Double?
    package var z: Double?
    /// The accuracy of that position in metres, in three dimensions.
    package var positionAccuracy: Double?
    /// The velocity in metres per second, in the same directions.
    package var velocityX: Double?
    package var velocityY: Double?
    package var velocityZ: Double?
    /// The accuracy of that velocity in metres per second.
    package var velocityAccuracy: Double?
    /// The direction of the major axis of the 95 % error ellipse in degrees from true north, and its
    /// semi-axes in metres.
    package var ellipseOrientation: Double?
    package var semiMajor: Double?
    package var semiMinor: Double?
    /// The datum of the positions as gpsd names it: `WGS84`.
    package var datum: String?

    package init() {}
}

extension Fix {
    /// The rare values of the solution. Without any, the fix stores nothing.
    package var details: SolutionDetails {
        get { solutionDetails?.first ?? SolutionDetails() }
        set { solutionDetails = newValue == SolutionDetails() ? nil : [newValue] }
    }
}

extension FixProperty {
    /// The rare values of the solution that are numbers in a `TPV` only. They are neither in `all`
    /// nor shown to people.
    package static let details: [FixProperty] = [
        .init(#","ecefx":"#, 4, { $0.x }, { $0.x = $1 }),
        .init(#","ecefy":"#, 4, { $0.y }, { $0.y = $1 }),
        .init(#","ecefz":"#, 4, { $0.z }, { $0.z = $1 }),
        .init(#","ecefvx":"#, 2, { $0.velocityX }, { $0.velocityX = $1 }),
        .init(#","ecefvy":"#, 2, { $0.velocityY }, { $0.velocityY = $1 }),
        .init(#","ecefvz":"#, 2, { $0.velocityZ }, { $0.velocityZ = $1 }),
        .init(#","ecefpAcc":"#, 4, { $0.positionAccuracy }, { $0.positionAccuracy = $1 }),
        .init(#","ecefvAcc":"#, 4, { $0.velocityAccuracy }, { $0.velocityAccuracy = $1 }),
        .init(#","errEllOr":"#, 2, { $0.ellipseOrientation }, { $0.ellipseOrientation = $1 }),
        .init(#","errEllMaj":"#, 3, { $0.semiMajor }, { $0.semiMajor = $1 }),
        .init(#","errEllMin":"#, 3, { $0.semiMinor }, { $0.semiMinor = $1 }),
    ]

    /// The receiver's report about its clock: numbers in a `TPV` only, as above.
    package static let clock: [FixProperty] = [
        .init(clock: #","clockbias":"#, { $0.reportedBias }, { $0.reportedBias = $1 }),
        .init(clock: #","clockdrift":"#, { $0.drift }, { $0.drift = $1 }),
    ]

    private init(
        _ text: StaticString, _ decimals: Int,
        _ value: @escaping @Sendable (SolutionDetails) -> Double?,
        _ set: @escaping @Sendable (inout SolutionDetails, Double) -> Void
    ) {
        let member = Member.gpsd(text, decimals)
        self.init(
            member.name, { $0.solutionDetails.flatMap { $0.first.flatMap(value) } },
            { set(&$0.details, $1) }, "", decimals, member: member)
    }

    private init(
        clock text: StaticString, _ value: @escaping @Sendable (ReceiverClock) -> Int32?,
        _ set: @escaping @Sendable (inout ReceiverClock, Int32) -> Void
    ) {
        let member = Member.gpsd(text)
        self.init(
            member.name, { $0.receiverClock.flatMap(value).map { Double($0) } },
            { fix, number in
                guard let number = Int32(exactly: number) else { return }
                var clock = fix.receiverClock ?? ReceiverClock()
                set(&clock, number)
                fix.receiverClock = clock
            }, "", 0, member: member)
    }
}
