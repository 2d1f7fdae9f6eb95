// SPDX-License-Identifier: MIT

/// Something that may be sent to clients, encoded once for all of them.
package struct Report: Sendable {
    /// The kind of a report, by which clients select.
    package enum Kind: Hashable, Sendable {
        /// A JSON object.
        case object
        /// TOFF or PPS.
        case timing
        /// A sentence with its line end; the formatter is empty where it is proprietary.
        case sentence(formatter: String)
        /// Bytes as they came.
        case bytes
    }

    /// The kind of the report.
    package let kind: Kind
    /// The path of the device that it comes from.
    package let device: String
    /// A whole line, but for bytes as they came.
    package let bytes: [UInt8]
    /// The same for clients that ask for timing; `nil` where it does not differ.
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
    /// Bytes as they came.
    package var bytes = false
    /// Whether objects have the times of arrival and report.
    package var isTimed = false
    /// Only this device.
    package var device: String?
    /// Not these devices: what they sent would come back to them.
    package var excludedDevices: Set<String> = []
    /// Of the sentences only those with these formatters.
    package var formatters: Set<String>?

    /// Creates a filter that lets nothing through.
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

    /// Whether nothing passes.
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
