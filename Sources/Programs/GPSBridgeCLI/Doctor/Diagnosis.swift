// SPDX-License-Identifier: MIT
import GNSS

/// The findings about a receiver, from the USB device to the reception of satellites.
package struct Diagnosis: Sendable {
    /// The findings, in the order of examination.
    package let findings: [Finding]

    /// The receiver's condition: the first error, because it may be the cause of later errors;
    /// `fixes` if there are no errors.
    package var condition: Condition {
        findings.lazy.compactMap { $0.level == .error ? $0.condition : nil }.first ?? .fixes
    }

    /// Evaluates the evidence. The same evidence always gives the same findings.
    package init(_ evidence: Evidence) {
        let presence = PresenceFindings(evidence).findings
        let access = AccessFindings(evidence).findings
        let line = evidence.line.map { LineFindings($0, evidence).findings } ?? []
        let sky = evidence.line.map { SkyFindings($0, evidence).findings } ?? []
        if let format = evidence.format {
            let name = evidence.name ?? "it"
            let text = "\(name) is a track file (\(format)), not the output of a receiver."
            let remedy =
                "to read it, use `gpsbridge convert` or `gpsbridge monitor`; `gpsbridge doctor` "
                + "examines only receivers and raw recordings"
            findings = presence + [.error(.otherFormat, text, remedy: remedy)]
            return
        }
        findings = presence + access + (line + sky).map { Self.fitting($0, evidence) }
    }

    /// Returns the finding, without a remedy that doesn't apply: one about cables and antennas for
    /// a file or a pipe, or about this machine's ports for a receiver on another machine.
    private static func fitting(_ finding: Finding, _ evidence: Evidence) -> Finding {
        guard let remedy = finding.remedy else { return finding }
        var finding = finding
        let isForFile = ["look at the data", "gpsbridge ", "record it again"]
            .contains { remedy.hasPrefix($0) }
        let isForSocket = remedy.contains("unplug") || remedy.contains("socket")
        let isData = evidence.origin == .replay || evidence.isPipe
        if isData && !isForFile || evidence.isNetwork && isForSocket {
            finding.remedy = nil
        }
        return finding
    }
}
