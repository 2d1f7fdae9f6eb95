// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct VoteTests {
    @Test(arguments: [
        (
            Vote(state: .agreed, winner: "bow", witnesses: ["aft", "mast"]),
            "bow, confirmed by aft, mast", "winner bow, witnesses aft, mast"
        ),
        (
            Vote(state: .agreed, winner: "bow", witnesses: ["aft"], disagreeing: ["mast"]),
            "bow, confirmed by aft, not by mast", "winner bow, witnesses aft, disagreeing mast"
        ),
        (
            Vote(state: .disputed, winner: "bow", disagreeing: ["aft"]),
            "bow, disputed by aft", "disputed, winner bow, disagreeing aft"
        ),
        (
            Vote(state: .single, winner: "bow"),
            "bow, which no other receiver confirms", "winner bow"
        ),
        (Vote(state: .noPosition), "no receiver has a position", "no position"),
    ])
    func `a result is described for messages and for recordings`(
        vote: Vote, summary: String, line: String
    ) {
        #expect(vote.summary == summary)
        #expect(vote.recordingLine == "# vote: \(line)\r\n")
    }

    @Test func `an outvoted receiver is named with the cause`() {
        var vote = Vote(
            state: .agreed, winner: "bow", witnesses: ["aft"], disagreeing: ["mast", "\u{1B}"])
        vote.causes = ["503 m away, integrity alarm"]
        #expect(vote.dissent == "mast (503 m away, integrity alarm), \\u{1B}")
        #expect(
            vote.summary
                == "bow, confirmed by aft, not by mast (503 m away, integrity alarm), \\u{1B}")
    }
}
