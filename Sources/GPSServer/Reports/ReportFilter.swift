// SPDX-License-Identifier: MIT

/// Something that may be sent to clients, encoded once for all of them.
package struct Report: Sendable {
    /// The kind of a report, by which clients filter.
    package enum Kind: Hashable, Sendable {
        /// A JSON object.
        case object
        /// TOFF or PPS.
        case timing
        /// A sentence with its line end; the formatter is empty if it is proprietary.
        case sentence(formatter: String)
        /// Bytes as received.
        case bytes
    }

    /// The kind of the report.
    package let kind: Kind
    /// The path of the device that it comes from.
    package let device: String
    /// A whole line, except for bytes as received.
    package let bytes: [UInt8]
    /// The bytes for clients that request timing; `nil` if they do not differ.
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
    /// JSON objects.
    package var objects = false
    /// TOFF and PPS.
    package var timing = false
    /// Sentences.
    package var sentences = false
    /// Bytes as received.
    package var bytes = false
    /// Whether objects have the times of arrival and report.
    package var isTimed = false
    /// Only this device.
    package var device: String?
    /// Excluded devices: they would receive their own sentences.
    package var excludedDevices: Set<String> = []
    /// The formatters of the sentences that are sent.
    package var formatters: Set<String>?

    /// Creates a filter that passes nothing.
    package init() {}

    /// Creates the filter of a client that watches.
    package init(_ watch: Watch) {
        objects = watch.wantsReports
        timing = watch.wantsReports && watch.pps
        sentences = watch.wantsSentences
        bytes = watch.wantsBytes
        isTimed = watch.wantsReports && watch.timing
        device = watch.device
    }

    /// Whether the filter passes nothing.
    package var isClosed: Bool { !objects && !timing && !sentences && !bytes }

    /// Whether a report passes.
    package func passes(_ report: Report) -> Bool {
        if let device, device != report.device { return false }
        if excludedDevices.contains(report.device) { return false }
        switch report.kind {
        case .object: return objects
        case .timing: return timing
        case .bytes: return bytes
        case .sentence(let formatter):
            guard sentences, let formatters else { return sentences }
            return formatters.contains(formatter)
        }
    }
}
