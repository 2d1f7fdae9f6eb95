// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// The sentences that contribute to a fix: one rule for every property, as stated in `Epoch`.
///
/// The properties are enumerated by reflection, and the sentences are the specimens of the types'
/// documentation, so that new properties and sentences are tested automatically.
@Suite(.timeLimit(.generous)) struct ContributionTests {
    private static let specimens: [String] =
        knownSentences.compactMap { try? SentenceFiles.specimen(of: $0) } + [
            // Fields that most receivers leave empty.
            line("GNGGA,101520.00,4812.50000,N,01622.42000,E,2,12,0.70,171.4,M,43.1,M,1.5,0120"),
            line("GNVTG,54.31,T,50.12,M,1.234,N,2.285,K,D"),
            line("GNRMC,101520.00,A,4812.50000,N,01622.42000,E,1.234,54.31,210326,4.2,E,D,V"),
        ]

    /// The first sentence of a cycle.
    private static func opening(_ second: Int) -> String {
        line("GPGLL,4812.50000,N,01622.42000,E,1015\(20 + second).00,A,A")
    }

    /// A specimen as a talker would send it a number of seconds later.
    private static func sentence(
        _ specimen: String, _ second: Int, talker: String = "GN"
    ) -> String {
        var body = String(specimen.dropFirst().prefix { $0 != "*" })
        // Proprietary sentences and KSXT have no talker.
        if !body.hasPrefix("P"), !body.hasPrefix("KSXT") { body = talker + body.dropFirst(2) }
        return line(body.replacing("101520.00", with: "1015\(20 + second).00"))
    }

    private func fix(of sentences: String...) -> Fix {
        var bench = Bench()
        for sentence in sentences { bench.send(sentence) }
        bench.finish()
        return bench.fixes.first ?? Fix()
    }

    /// The known properties, including those of accuracies and DOPs.
    private func known(_ value: Any, _ prefix: String = "") -> Set<String> {
        var names: Set<String> = []
        for child in Mirror(reflecting: value).children {
            let name = prefix + (child.label ?? "")
            let mirror = Mirror(reflecting: child.value)
            switch mirror.displayStyle {
            case .optional: if !mirror.children.isEmpty { names.insert(name) }
            case .struct: names.formUnion(known(child.value, name + "."))
            default: break
            }
        }
        return names
    }

    @Test func `each property of a fix is set by a sentence`() {
        // These follow from the date and the times, the lists of satellites and the evidence.
        var set: Set = [
            "receivedDate", "followsRepeatedTimes", "satellitesInView", "mode", "quality",
        ]
        // Only UBX reports these; see UBXFixTests and InterferenceTests.
        set.formUnion([
            "covariance", "velocityCovariance", "protectionLevel", "jamming", "spoofing",
            "interferenceLevel", "correctionSource", "jammedFrequency", "gain", "receiverClock",
            "leapSeconds",
            // No message contains these values: a session examines the fixes.
            "integrity", "vote", "isStationary",
            // From other devices, which do not end a cycle; see InstrumentTests.
            "instruments",
        ])
        for specimen in Self.specimens {
            let properties = known(fix(of: Self.opening(0), specimen))
            set.formUnion(properties.map { String($0.prefix { $0 != "." }) })
        }
        let all = Mirror(reflecting: Fix()).children.compactMap(\.label)
        #expect(Set(all).subtracting(set) == [])
    }

    @Test(arguments: specimens)
    func `the cycle ends with a sentence that adds a property`(specimen: String) {
        let before = known(fix(of: Self.opening(0)))
        // The date carries over from one epoch to the next.
        let news = known(fix(of: Self.opening(0), specimen)).subtracting(before.union(["time"]))
        guard !news.isEmpty else { return }
        var bench = Bench()
        for second in 0..<5 {
            bench.send(Self.opening(second), Self.sentence(specimen, second))
        }
        #expect(bench.moments == [3, 5, 6, 8, 10], "\(news)")
        #expect(bench.fixes.allSatisfy { news.isSubset(of: known($0)) }, "\(news)")
    }

    // A proprietary sentence does not identify its device.
    @Test(arguments: specimens.filter { !$0.hasPrefix("$P") && !$0.hasPrefix("$KSXT") })
    func `a sentence of another device after a cycle does not end it`(specimen: String) {
        var bench = Bench()
        for second in 0..<5 {
            bench.send(Self.opening(second), Self.sentence(specimen, second, talker: "II"))
        }
        // The cycle ender is known from the third cycle on, and is the only sentence of the cycle.
        #expect(bench.moments == [3, 5, 5, 7, 9])
    }
}
