// SPDX-License-Identifier: MIT

/// Assembles AIS messages from the sentences of one device, and writes them as gpsd's `AIS`
/// objects.
public struct VesselReports: Equatable, Sendable {
    private var assembler = AISAssembler()
    private var reports: AISReports

    /// Creates a report writer for a device. `device` is the value of the member `device` of each
    /// object.
    public init(device: String) {
        reports = AISReports(device: device)
    }

    /// Adds a sentence. If the sentence completes a message, returns the message as one JSON object
    /// without a line end for each element of `variants`; otherwise returns an empty array. Omits
    /// an element for which `AISReports.object(of:_:)` returns `nil`.
    public mutating func objects(
        of sentence: [UInt8], _ variants: [AISReports.Options]
    ) -> [(options: AISReports.Options, text: String)] {
        guard let message = assembler.message(sentence) else { return [] }
        defer { reports.note(message) }
        return variants.compactMap { options in
            reports.object(of: message, options).map { (options, $0) }
        }
    }
}
