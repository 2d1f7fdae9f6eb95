// SPDX-License-Identifier: MIT
package import AIS

/// Encoded data for clients. It is encoded once, however many clients receive it.
package struct Report: Sendable {
    /// The kind of a report. Clients select reports by kind.
    package enum Kind: Hashable, Sendable {
        /// A JSON object.
        case object
        /// A `DEVICE` object: a device has been opened, closed or recognised.
        case device
        /// A JSON object with an AIS message, encoded with the given options.
        case vessel(AISReports.Options)
        /// A `TOFF` or `PPS` object.
        case timing
        /// A sentence with its line end. The formatter is empty for a proprietary sentence.
        case sentence(formatter: String)
        /// Raw bytes from the receiver.
        case bytes
        /// A delta message of Signal K.
        case signalK
    }

    /// The kind of the report.
    package let kind: Kind
    /// The path of the device.
    package let device: String
    /// A complete line or, for `Kind.bytes`, whole messages. After a pause within a message, also
    /// its beginning, and later its rest.
    package let bytes: [UInt8]
    /// The line for clients that requested timing; `nil` if it is the same as `bytes`.
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
    /// Whether `DEVICE` objects are sent even without other JSON objects.
    package var devices = false
    /// The options of the AIS objects that are sent.
    package var vessels = AISReports.Options()
    /// Whether `TOFF` and `PPS` are sent.
    package var timing = false
    /// Whether sentences are sent.
    package var sentences = false
    /// Whether raw bytes from the receiver are sent.
    package var bytes = false
    /// Whether delta messages of Signal K are sent.
    package var signalK = false
    /// Whether each report is sent as a WebSocket frame instead of a line.
    package var isFramed = false
    /// Whether objects include the times when they arrived and were reported.
    package var isTimed = false
    /// The only device whose reports are sent; `nil` for all.
    package var device: String?
    /// The devices whose reports are omitted, so that a device does not receive its own data.
    package var excludedDevices: Set<String> = []
    /// The formatters of the sentences to send; `nil` for all.
    package var formatters: Set<String>?

    /// Creates a filter that selects nothing.
    package init() {}

    /// Creates the filter for a client's `?WATCH` settings.
    package init(_ watch: Watch) {
        device = watch.device
        guard watch.isEnabled else { return }
        objects = watch.json
        devices = watch.isExtended
        if objects {
            vessels = AISReports.Options(
                isScaled: watch.scaled, splitsType24: watch.split24)
        }
        timing = watch.pps
        sentences = watch.raw < 2 && (watch.nmea || watch.raw == 1)
        bytes = watch.raw >= 2
        isTimed = watch.json && watch.timing
    }

    /// Whether the filter selects nothing.
    package var isClosed: Bool {
        !objects && !devices && !timing && !sentences && !bytes && !signalK
    }

    /// Returns whether the filter selects a report.
    package func passes(_ report: Report) -> Bool {
        if let device, device != report.device { return false }
        if excludedDevices.contains(report.device) { return false }
        switch report.kind {
        case .object: return objects
        case .device: return objects || devices
        case .vessel(let options): return objects && options == vessels
        case .timing: return timing
        case .bytes: return bytes
        case .signalK: return signalK
        case .sentence(let formatter):
            guard sentences, let formatters else { return sentences }
            return formatters.contains(formatter)
        }
    }
}
