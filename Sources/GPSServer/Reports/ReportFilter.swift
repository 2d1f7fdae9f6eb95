// SPDX-License-Identifier: MIT
package import AIS

/// Data for clients, encoded once for all of them.
package struct Report: Sendable {
    /// The kind of a report, which clients select by.
    package enum Kind: Hashable, Sendable {
        /// A JSON object.
        case object
        /// An AIS object in this variant.
        case vessel(AISReports.Options)
        /// TOFF or PPS.
        case timing
        /// A sentence with its line end. The formatter is empty for a proprietary sentence.
        case sentence(formatter: String)
        /// Unchanged bytes from the receiver.
        case bytes
    }

    /// The kind of the report.
    package let kind: Kind
    /// The path of its device.
    package let device: String
    /// A whole line, or for `Kind.bytes` a chunk of any length.
    package let bytes: [UInt8]
    /// The line with times, for clients that ask for timing; `nil` if it does not differ.
    package let timedBytes: [UInt8]?

    /// Creates a report.
    package init(
        _ kind: Kind, device: String, bytes: [UInt8], timedBytes: [UInt8]? = nil
    ) {
        self.kind = kind
        self.device = device
        self.bytes = bytes
        self.timedBytes = timedBytes
    }
}

/// A client's selection of reports. Clients with equal filters share one encoded batch.
package struct ReportFilter: Hashable, Sendable {
    /// Whether JSON objects are sent.
    package var objects = false
    /// The variant of AIS objects.
    package var vessels = AISReports.Options()
    /// Whether TOFF and PPS are sent.
    package var timing = false
    /// Whether sentences are sent.
    package var sentences = false
    /// Whether unchanged bytes are sent.
    package var bytes = false
    /// Whether objects include the times of arrival and report.
    package var isTimed = false
    /// The only device to send reports of; `nil` for all.
    package var device: String?
    /// Devices to leave out, because they would receive their own data.
    package var excludedDevices: Set<String> = []
    /// The formatters of the sentences to send; `nil` for all.
    package var formatters: Set<String>?

    /// Creates a filter that selects nothing.
    package init() {}

    /// Creates the filter for a client's `?WATCH` settings.
    package init(_ watch: Watch) {
        objects = watch.wantsReports
        if objects {
            vessels = AISReports.Options(
                isScaled: watch.scaled, splitsType24: watch.split24)
        }
        timing = watch.wantsReports && watch.pps
        sentences = watch.wantsSentences
        bytes = watch.wantsBytes
        isTimed = watch.wantsReports && watch.timing
        device = watch.device
    }

    /// Whether no report passes.
    package var isClosed: Bool { !objects && !timing && !sentences && !bytes }

    /// Returns whether a report passes.
    package func passes(_ report: Report) -> Bool {
        if let device, device != report.device { return false }
        if excludedDevices.contains(report.device) { return false }
        switch report.kind {
        case .object: return objects
        case .vessel(let options): return objects && options == vessels
        case .timing: return timing
        case .bytes: return bytes
        case .sentence(let formatter):
            guard sentences, let formatters else { return sentences }
            return formatters.contains(formatter)
        }
    }
}
