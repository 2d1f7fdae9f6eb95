// SPDX-License-Identifier: MIT
package import GNSS

extension Instruments.Quantity {
    /// The name of the member of a `TPV` for this quantity, such as `wtemp`.
    package var memberName: String { FixProperty.ofQuantity[self]?.member?.name ?? rawValue }
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
            members[name]?.string?.parts(separatedBy: Self.separator).map { String($0) } ?? []
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
        for part in members["integrityReasons"]?.string?.parts(separatedBy: Self.separator) ?? [] {
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
    /// Creates a level from the members of a `TPV`; `nil` if one is missing or impossible.
    init?(members: [String: JSONScalar]) {
        guard let horizontal = members["protectionLevelHorizontal"]?.number, horizontal >= 0,
            let vertical = members["protectionLevelVertical"]?.number, vertical >= 0,
            let risk = members["protectionLevelRisk"]?.number, 0...1 ~= risk
        else { return nil }
        self.init(horizontal: Float(horizontal), vertical: Float(vertical), risk: Float(risk))
    }
}
