// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// The interpretation of the evidence: everything from the socket to the sky, in that order.
public struct Diagnosis: Sendable {
    /// The findings, in the order of the chain.
    public let findings: [Finding]

    /// How the receiver is: what is wrong first, since it explains the rest.
    public var condition: Condition {
        findings.lazy.compactMap { $0.level == .error ? $0.condition : nil }.first ?? .fixes
    }

    /// Evaluates evidence; the same evidence gives the same findings.
    package init(_ evidence: Evidence) {
        let presence = Presence(evidence).findings
        let access = Access(evidence).findings
        let line = evidence.line.map { LineFindings($0, evidence).findings } ?? []
        let sky = evidence.line.map { SkyFindings($0, evidence).findings } ?? []
        if let format = evidence.format {
            let name = evidence.name ?? "it"
            let text = "\(name) is \(format), a file of tracks, not what a receiver sent."
            let remedy =
                "gpsbridge convert and monitor read it; doctor examines receivers and their recordings"
            findings = presence + [.error(.otherFormat, text, remedy: remedy)]
            return
        }
        findings = presence + access + (line + sky).map { Self.fitting($0, evidence) }
    }

    /// Without advice for cables and antennas where a file or a pipe is looked at, or for this machine's
    /// sockets where the receiver is at another one.
    private static func fitting(_ finding: Finding, _ evidence: Evidence) -> Finding {
        guard let remedy = finding.remedy else { return finding }
        var finding = finding
        let isForFile = ["look at it", "gpsbridge ", "record it again"]
            .contains { remedy.hasPrefix($0) }
        let isForSocket = remedy.contains("unplug") || remedy.contains("socket")
        let isData = evidence.origin == .replay || evidence.isPipe
        if isData && !isForFile || evidence.isNetwork && isForSocket {
            finding.remedy = nil
        }
        return finding
    }
}
