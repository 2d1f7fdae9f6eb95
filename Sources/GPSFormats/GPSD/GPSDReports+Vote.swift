// SPDX-License-Identifier: MIT
import GNSS

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
