// SPDX-License-Identifier: MIT
import GNSS

extension Instruments.Quantity {
    /// The member of a `TPV` for this quantity: the text before the value, the number of decimals,
    /// and whether gpsd's `TPV` has this member.
    fileprivate var member: (text: StaticString, decimals: Int, isOfGPSD: Bool) {
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
    fileprivate var memberName: String { String("\(member.text)".dropFirst(2).dropLast(2)) }
}

extension RecordWriter {
    /// Appends the values of instruments. If `own` is `true`, members that gpsd does not have are
    /// included: further values, and the names of the invalid values.
    mutating func append(_ instruments: Instruments, own: Bool) {
        for (quantity, value) in instruments.known {
            let member = quantity.member
            if own || member.isOfGPSD {
                let written =
                    quantity.isDirection ? value.direction(decimals: member.decimals) : value
                append(member.text, written, decimals: member.decimals)
            }
        }
        let invalid = instruments.invalid
        guard own, !invalid.isEmpty else { return }
        var names = TextBuffer()
        names.append(json: invalid.map(\.memberName).joined(separator: " "))
        append(#","invalid":"#)
        append(names)
    }
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

extension RecordWriter {
    /// Appends the result of a vote of several receivers:
    ///
    ///     "vote":"agreed","voteWinner":"bow","voteWitnesses":"aft, mast","voteDisagreeing":"","voteRadius":2.500
    ///
    /// The lists are omitted if the names of the receivers are not known.
    mutating func append(_ vote: Vote?) {
        guard let vote else { return }
        let limit = String.maximumGPSDLength
        var text = TextBuffer()
        text.append(#","vote":"#, json: vote.state.rawValue)
        text.append(#","voteWinner":"#, json: vote.winner?.prefix(utf8: limit))
        if vote.hasNames {
            for (name, list) in [
                (#","voteWitnesses":"#, vote.witnesses),
                (#","voteDisagreeing":"#, vote.disagreeing),
            ] as [(StaticString, [String])] {
                text.append(name, json: list.joined(separator: Vote.separator, utf8: limit))
            }
        }
        text.append(#","voteRadius":"#, vote.radius, decimals: 3)
        append(text)
    }
}

extension Vote {
    fileprivate static let separator = ", "

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

extension RecordWriter {
    /// Appends the integrity verdict, with as many of its reasons as libgps accepts:
    ///
    ///     "integrity":"alarm","integritySince":"2026-03-21T12:01:00.000Z",
    ///     "integrityReasons":"positionStep: moved 412 m in 1 s; signalSpread: …"
    mutating func append(_ integrity: Integrity?) {
        guard let integrity else { return }
        append(#","integrity":""#)
        append(text: integrity.state.rawValue)
        append("\"")
        if let since = integrity.since {
            append(#","integritySince":""#)
            append(iso8601: since)
            append("\"")
        }
        guard !integrity.reasons.isEmpty else { return }
        let reasons = integrity.reasons.map { "\($0.test.rawValue)\(Integrity.colon)\($0.text)" }
        var text = TextBuffer()
        text.append(
            #","integrityReasons":"#,
            json: reasons.joined(separator: Integrity.separator, utf8: String.maximumGPSDLength))
        append(text)
    }
}

extension Integrity {
    fileprivate static let separator = "; "
    fileprivate static let colon = ": "

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

extension RecordWriter {
    /// Appends the upper half of a covariance matrix as six members. Appends nothing if a number is
    /// 1e9 or more, because it would be missing.
    mutating func append(_ names: Covariance.MemberNames, _ covariance: Covariance?) {
        guard let rows = covariance?.rows, rows.allSatisfy({ $0.magnitude < 1e9 }) else { return }
        for (name, number) in zip(names.texts, rows) { append(name, Double(number), decimals: 6) }
    }

    /// Appends the protection levels and their risk. Appends nothing if a level is 1e9 or more.
    mutating func append(_ level: ProtectionLevel?) {
        guard let level, max(level.horizontal, level.vertical) < 1e9 else { return }
        append(#","protectionLevelHorizontal":"#, Double(level.horizontal), decimals: 3)
        append(#","protectionLevelVertical":"#, Double(level.vertical), decimals: 3)
        append(#","protectionLevelRisk":"#, Double(level.risk), decimals: 12)
    }
}

extension Covariance {
    /// The members of a `TPV` for the numbers of a matrix: north, east and down.
    enum MemberNames: String, CaseIterable {
        case covariance
        case velocityCovariance

        fileprivate var texts: [StaticString] {
            switch self {
            case .covariance:
                [
                    #","covarianceNN":"#, #","covarianceNE":"#, #","covarianceND":"#,
                    #","covarianceEE":"#, #","covarianceED":"#, #","covarianceDD":"#,
                ]
            case .velocityCovariance:
                [
                    #","velocityCovarianceNN":"#, #","velocityCovarianceNE":"#,
                    #","velocityCovarianceND":"#, #","velocityCovarianceEE":"#,
                    #","velocityCovarianceED":"#, #","velocityCovarianceDD":"#,
                ]
            }
        }
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
