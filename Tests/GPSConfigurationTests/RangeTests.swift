// SPDX-License-Identifier: MIT
import GPSConfiguration
import GPSTestTraits
import Testing

/// Settings that a program can request, but a file cannot contain.
@Suite(.timeLimit(.generous))
struct RangeTests {
    private static let mediaTek = ScriptedChip([
        ("$PMTK605", ["PMTK705,AXN_2.31_3339_13101700,5632,PA6H,1.0"]),
        ("$PMTK414", ["PMTK514,LIST"]), ("$PMTK400", ["PMTK500,PERIOD,0,0,0.0,0.0"]),
    ])

    /// Returns the error of a request that changes nothing.
    private func error(
        _ request: ConfigurationRequest, _ chip: some ModelChip
    ) -> ConfigurationError? {
        var conversation = Conversation(request, chip)
        guard case .failed(let error, .unchanged)? = conversation.run() else { return nil }
        return error
    }

    @Test(arguments: ["0", "-1", "nan", "inf", "1e-300", "1e300"])
    func `a rate that is not possible is an error`(_ text: String) {
        let request = DatabaseTests.request { $0.rate = Double(text) }
        #expect(error(request, Self.mediaTek)?.code == .unsupported)
        #expect(error(request, LegacyChip())?.code == .unsupported)
        #expect(error(request, DatabaseChip())?.code == .unsupported)
    }

    @Test(arguments: ["-1", "nan", "inf", "1e300"])
    func `a speed of static hold that is not possible is an error`(_ text: String) {
        let request = DatabaseTests.request { $0.staticHoldSpeed = Double(text) }
        #expect(error(request, LegacyChip())?.code == .unsupported)
        #expect(error(request, DatabaseChip())?.code == .unsupported)
    }

    @Test(arguments: [-1, 256])
    func `an interval of a message that is not possible is an error`(_ interval: Int) {
        let request = DatabaseTests.request { $0.messages = .list(["RMC": interval]) }
        let reason = "messages: expected 0 to 255 fixes for RMC"
        #expect(error(request, DatabaseChip())?.reason == reason)
    }
}
