// SPDX-License-Identifier: MIT

/// What an epoch's sentences say about there being a fix, and of how many dimensions.
public struct FixEvidence: Hashable, Sendable {
    /// A sentence said that there is no fix; that wins over everything else.
    public var isVoid = false

    /// A sentence with a status, but without a satellite count, said that there is a fix (RMC, GLL).
    public var isValid = false

    /// A sentence with a satellite count said that there is a fix (GGA, GNS).
    public var isCounted = false

    /// The most satellites that such a sentence counted.
    public private(set) var satelliteCount: Int?

    /// The dimensions that the receiver names itself (GSA); only rises within an epoch.
    public private(set) var named: FixMode?

    /// Whether the previous epoch had three dimensions; the assembler sets it.
    var wasThreeD = false

    /// Makes evidence of nothing.
    public init() {}

    /// Notes the dimensions that the receiver names itself.
    public mutating func name(_ mode: FixMode) {
        named = max(named ?? mode, mode)
    }

    /// Notes a count of satellites used; one constellation's counts no less than another's.
    public mutating func count(_ satellites: Int) {
        satelliteCount = max(satelliteCount ?? 0, satellites)
    }

    /// The verdict.
    ///
    /// A count of four or more with an altitude is three dimensions whatever GSA says; where
    /// neither GSA nor a count speaks, an altitude or the previous epoch decides.
    func mode(satellitesUsed: Int, hasAltitude: Bool) -> FixMode {
        guard !isVoid, isValid || isCounted || (named ?? .noFix) > .noFix else { return .noFix }
        if named == .threeD { return .threeD }
        if hasAltitude, (satelliteCount ?? 0) >= 4 || satellitesUsed >= 4 { return .threeD }
        let isUndecided = (named ?? .noFix) == .noFix && satelliteCount == nil
        return isUndecided && (hasAltitude || wasThreeD) ? .threeD : .twoD
    }
}
