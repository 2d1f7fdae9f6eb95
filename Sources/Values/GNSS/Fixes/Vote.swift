// SPDX-License-Identifier: MIT

/// The result of comparing the positions of several receivers at one time.
///
/// It is stored in the fix of the winning receiver, which is otherwise unchanged. See
/// `docs/integrity.md`.
public struct Vote: Hashable, Sendable, Codable {
    /// The relation of the receivers' positions.
    ///
    /// `gpsbridge-fleet` transmits a state as its index in this list, so the order must not change.
    public enum State: String, CaseIterable, Hashable, Sendable, Codable {
        /// No receiver has a position.
        case noPosition = "none"
        /// Only one receiver has a position, or the others are worse, such as 2D. Nothing confirms
        /// the position.
        case single
        /// At least two receivers agree with each other, and no other group of agreeing receivers
        /// is as large.
        case agreed
        /// Receivers disagree, and at least two groups of agreeing receivers are equally large.
        /// Worse receivers, such as 2D, count only if there is a single better one.
        case disputed
    }

    /// The relation of the receivers' positions.
    public var state: State

    /// The name of the receiver whose fix was selected; `nil` without a position.
    public var winner: String?

    /// The names of the other receivers that agree with the winner.
    public var witnesses: [String]

    /// The names of the receivers whose positions disagree with the winner's.
    public var disagreeing: [String]

    /// The radius of the circle around the winner's position that contains the true position with
    /// 68 % probability, in metres; `nil` if receivers disagree, or if the winner reports no
    /// accuracy.
    public var radius: Double?

    /// Why each receiver in `disagreeing` does, in the same order: `503 m away, integrity alarm`.
    /// Empty if that is unknown. It is not stored.
    public var causes: [String] = []

    private enum CodingKeys: String, CodingKey {
        case state, winner, witnesses, disagreeing, radius
    }

    /// Creates a result.
    package init(
        state: State, winner: String? = nil, witnesses: [String] = [], disagreeing: [String] = [],
        radius: Double? = nil
    ) {
        self.state = state
        self.winner = winner
        self.witnesses = witnesses
        self.disagreeing = disagreeing
        self.radius = radius
    }
}

extension Vote {
    /// Whether the names of the receivers are known. The messages of `gpsbridge-fleet` omit them.
    package var hasNames: Bool { winner != nil || state == .noPosition }

    /// The receivers that disagree, with the causes: `mast (503 m away)`; `nil` if there are none.
    package var dissent: String? {
        guard !disagreeing.isEmpty else { return nil }
        return disagreeing.indices.map { index in
            TerminalText.safe(disagreeing[index])
                + (causes.indices.contains(index) ? " (\(causes[index]))" : "")
        }.joined(separator: ", ")
    }

    /// The warning for a line of status: `OUTVOTED: mast (503 m away)` or, if no majority shows which
    /// receivers are right, `DISPUTED: mast (503 m away)`; `nil` if all receivers agree.
    package var warning: String? {
        dissent.map { (state == .disputed ? "DISPUTED: " : "OUTVOTED: ") + $0 }
    }

    /// The result as text: `bow, confirmed by aft, not by mast (503 m away)`.
    package var summary: String {
        guard let winner else { return "no receiver has a position" }
        let others = dissent ?? ""
        if state == .disputed { return "\(winner), disputed by \(others)" }
        let relation =
            witnesses.isEmpty
            ? "which no other receiver confirms"
            : "confirmed by \(witnesses.joined(separator: ", "))"
        return "\(winner), \(relation)" + (disagreeing.isEmpty ? "" : ", not by \(others)")
    }

    /// The comment line that states the result in a recording, with CR LF: `# vote: winner bow,
    /// witnesses aft`.
    package var recordingLine: String {
        var parts: [String] = state == .disputed ? ["disputed"] : []
        parts.append(winner.map { "winner \($0)" } ?? "no position")
        for (title, names) in [("witnesses", witnesses), ("disagreeing", disagreeing)]
        where !names.isEmpty {
            parts.append("\(title) \(names.joined(separator: ", "))")
        }
        let text = parts.joined(separator: ", ").map { $0.isNewline ? " " : $0 }
        return "\(Self.recordingMark)\(String(text))\r\n"
    }

    private static let recordingMark = "# vote: "

    /// Creates the result that a `recordingLine` states, without its line end. Returns `nil` for any
    /// other line. The radius and the causes are not recorded.
    package init?(recordingLine line: ArraySlice<UInt8>) {
        guard line.starts(with: Self.recordingMark.utf8) else { return nil }
        let text = String(decoding: line.dropFirst(Self.recordingMark.utf8.count), as: UTF8.self)
        var result = Vote(state: .noPosition)
        var names = [String: [String]]()
        var title = ""
        // A name follows its title, or the name before it.
        for part in text.parts(separatedBy: ", ") {
            let words = part.split(separator: " ", maxSplits: 1)
            if words.count == 2, ["winner", "witnesses", "disagreeing"].contains(words[0]) {
                title = String(words[0])
                names[title] = [String(words[1])]
            } else if part == "disputed", title.isEmpty {
                result.state = .disputed
            } else {
                names[title, default: []].append(String(part))
            }
        }
        result.winner = names["winner"]?.joined(separator: ", ")
        result.witnesses = names["witnesses"] ?? []
        result.disagreeing = names["disagreeing"] ?? []
        guard result.winner != nil || text == "no position" else { return nil }
        if result.winner != nil, result.state != .disputed {
            result.state = result.witnesses.isEmpty ? .single : .agreed
        }
        self = result
    }

    /// Returns whether another result has the same state, winner and disagreeing receivers.
    package func isSameResult(as other: Vote) -> Bool {
        (state, winner) == (other.state, other.winner) && disagreeing == other.disagreeing
    }
}
