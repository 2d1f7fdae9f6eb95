// SPDX-License-Identifier: MIT

/// Values of a receiver's solution that few receivers report, and that only gpsd's JSON contains.
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
    /// The offset of the receiver's clock in nanoseconds, as the receiver reports it. The one in
    /// `ReceiverClock` is computed from the time of the solution.
    package var clockBias: Int32?
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
    /// The rare values of the solution, and the drift of the receiver's clock, which are numbers in a
    /// `TPV` only. They are neither in `all` nor shown to people.
    package static let details: [FixProperty] = [
        .init(#","ecefx":"#, 4, { $0.x }, { $0.x = $1 }),
        .init(#","ecefy":"#, 4, { $0.y }, { $0.y = $1 }),
        .init(#","ecefz":"#, 4, { $0.z }, { $0.z = $1 }),
        .init(#","ecefvx":"#, 2, { $0.velocityX }, { $0.velocityX = $1 }),
        .init(#","ecefvy":"#, 2, { $0.velocityY }, { $0.velocityY = $1 }),
        .init(#","ecefvz":"#, 2, { $0.velocityZ }, { $0.velocityZ = $1 }),
        .init(#","ecefpAcc":"#, 4, { $0.positionAccuracy }, { $0.positionAccuracy = $1 }),
        .init(#","ecefvAcc":"#, 4, { $0.velocityAccuracy }, { $0.velocityAccuracy = $1 }),
        .init(
            "clockbias", { $0.details.clockBias.map { Double($0) } },
            { $0.details.clockBias = Int32(exactly: $1) }, "", 0,
            member: .gpsd(#","clockbias":"#)),
        .init(
            "clockdrift", { $0.receiverClock?.drift.map { Double($0) } },
            { fix, drift in
                guard let drift = Int32(exactly: drift) else { return }
                fix.receiverClock = fix.receiverClock ?? ReceiverClock()
                fix.receiverClock?.drift = drift
            }, "", 0, member: .gpsd(#","clockdrift":"#)),
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
}
