// SPDX-License-Identifier: MIT
package import GNSS

extension FixQuality {
    /// gpsd's `status`; `nil` for an autonomous fix and without a fix.
    package var gpsdStatus: Int? {
        switch self {
        case .invalid, .autonomous: nil
        case .differential: 2
        case .rtkFixed: 3
        case .rtkFloat: 4
        case .estimated: 5
        case .manual: 7
        case .simulated: 8
        case .precise: 9
        }
    }

    /// Creates a quality from gpsd's `status`. Returns `nil` for an autonomous fix and for unknown
    /// codes.
    init?(gpsdStatus status: Int?) {
        // Status 6 is dead reckoning with satellites.
        let status = status == 6 ? 5 : status
        guard let status, let quality = Self.allCases.first(where: { $0.gpsdStatus == status })
        else { return nil }
        self = quality
    }
}

extension Instruments.Quantity {
    /// The member of a `TPV` for this quantity: the text before the value, the number of decimals,
    /// and whether gpsd's `TPV` has this member.
    package var member: (text: StaticString, decimals: Int, isOfGPSD: Bool) {
        switch self {
        case .depth: (#","depth":"#, 3, true)
        case .depthOffset: (#","depthOffset":"#, 3, false)
        case .waterTemperature: (#","wtemp":"#, 3, true)
        case .apparentWindAngle: (#","wangler":"#, 1, true)
        case .apparentWindSpeed: (#","wspeedr":"#, 1, true)
        case .trueWindAngle: (#","trueWindAngle":"#, 1, false)
        case .trueWindDirection: (#","wanglet":"#, 1, true)
        case .magneticWindDirection: (#","wanglem":"#, 1, true)
        case .trueWindSpeed: (#","wspeedt":"#, 1, true)
        case .waterSpeed: (#","waterSpeed":"#, 3, false)
        case .log: (#","log":"#, 0, false)
        case .tripLog: (#","tripLog":"#, 0, false)
        case .rudder: (#","rudder":"#, 1, false)
        case .engineSpeed: (#","engineSpeed":"#, 0, false)
        case .portEngineSpeed: (#","portEngineSpeed":"#, 0, false)
        }
    }

    /// The name of the member of a `TPV` for this quantity, such as `wtemp`.
    package var memberName: String { String("\(member.text)".dropFirst(2).dropLast(2)) }
}

extension Instruments {
    private static let names = Quantity.allCases.map { ($0, $0.memberName) }

    /// Creates the values from the members of a `TPV`; `members` returns the number of a member.
    /// `invalid` contains the names of the members that are invalid.
    init(invalid: String?, members: (String) -> Double?) {
        self.init()
        let invalid = invalid?.split(separator: " ") ?? []
        for (quantity, name) in Self.names {
            self[quantity] = members(name)
            if invalid.contains(Substring(name)) { invalidate(quantity) }
        }
    }
}

extension Vote {
    package static let separator = ", "

    /// Creates a result from the members of a `TPV`; `nil` without a known state.
    init?(members: [String: JSONScalar]) {
        func names(_ name: String) -> [String] {
            members[name]?.string?.split(separator: Self.separator).map { String($0) } ?? []
        }
        guard let state = members["vote"]?.string.flatMap({ State(rawValue: $0) }) else {
            return nil
        }
        self.init(
            state: state, winner: members["voteWinner"]?.string, witnesses: names("voteWitnesses"),
            disagreeing: names("voteDisagreeing"), radius: members["voteRadius"]?.number)
    }
}

extension Integrity {
    package static let separator = "; "
    package static let colon = ": "

    /// Creates a verdict from the members of a `TPV`; `nil` without a known state. The reasons have
    /// a test and a text only.
    init?(members: [String: JSONScalar]) {
        guard let state = members["integrity"]?.string.flatMap({ State(rawValue: $0) }) else {
            return nil
        }
        var reasons: [Reason] = []
        for part in members["integrityReasons"]?.string?.split(separator: Self.separator) ?? [] {
            if let colon = part.firstRange(of: Self.colon),
                part[..<colon.lowerBound].allSatisfy({ $0.isASCII && $0.isLetter })
            {
                reasons.append(
                    Reason(
                        test: Test(rawValue: String(part[..<colon.lowerBound])), value: 0,
                        threshold: 0, unit: "", text: String(part[colon.upperBound...])))
            } else if let last = reasons.indices.last {
                reasons[last].text += Self.separator + part
            }
        }
        self.init(
            state: state,
            since: members["integritySince"]?.string.flatMap { UTCTime(written: $0) },
            reasons: reasons)
    }
}

extension Covariance {
    /// The members of a `TPV` for the numbers of a matrix: north, east and down.
    package enum MemberNames: String, CaseIterable {
        case covariance
        case velocityCovariance
    }

    /// Creates a matrix from the members of a `TPV`; `nil` unless there are six valid numbers.
    init?(_ names: MemberNames, members: [String: JSONScalar]) {
        let rows = ["NN", "NE", "ND", "EE", "ED", "DD"].compactMap {
            members[names.rawValue + $0]?.number.map { Float($0) }
        }
        self.init(rows: rows)
    }
}

extension ProtectionLevel {
    /// Creates a level from its values in a `TPV`; `nil` if one is missing or impossible.
    init?(_ horizontal: JSONScalar?, _ vertical: JSONScalar?, _ risk: JSONScalar?) {
        guard let horizontal = horizontal?.number, horizontal >= 0,
            let vertical = vertical?.number, vertical >= 0,
            let risk = risk?.number, 0...1 ~= risk
        else { return nil }
        self.init(horizontal: Float(horizontal), vertical: Float(vertical), risk: Float(risk))
    }
}
