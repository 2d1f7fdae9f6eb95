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
    ///     "vote":{"state":"agreed","winner":"/dev/ttyUSB0","witnesses":["/dev/ttyACM0"],"disagreeing":[],
    ///      "radius":2.500}
    ///
    /// The lists are omitted if the names of the receivers are not known.
    mutating func append(_ vote: Vote?) {
        guard let vote else { return }
        var text = TextBuffer()
        text.append(#","vote":{"state":"#, json: vote.state.rawValue)
        text.append(#","winner":"#, json: vote.winner)
        if vote.hasNames {
            text.append(#","witnesses":["#)
            text.append(list: vote.witnesses)
            text.append(#"],"disagreeing":["#)
            text.append(list: vote.disagreeing)
            text.append("]")
        }
        text.append(#","radius":"#, vote.radius, decimals: 3)
        text.append("}")
        append(text)
    }
}

extension TextBuffer {
    fileprivate mutating func append(list: [String]) {
        for (index, text) in list.enumerated() {
            if index > 0 { append(",") }
            append(json: text)
        }
    }
}

extension TextBuffer {
    /// Creates the text of the members `anchor` and `waypoint` of a `TPV`, each with a comma before
    /// it.
    init(navigation: Navigation) {
        self.init()
        if let anchor = navigation.anchor { append(text: ",\"anchor\":\(anchor.json)") }
        if let waypoint = navigation.waypoint { append(text: ",\"waypoint\":\(waypoint.json)") }
    }
}
