// SPDX-License-Identifier: MIT

/// Assembles AIS messages from the sentences of one device, and writes them as gpsd's `AIS`
/// objects.
public struct VesselReports: Equatable, Sendable {
    private var assembler = AISAssembler()
    private var reports: AISReports

    /// Creates a report writer for a device.
    public init(device: String) {
        reports = AISReports(device: device)
    }

    /// Adds a sentence. If it completes a message, returns the message as JSON objects without line
    /// ends: one for each element of `variants`, unless it produces no object for this message.
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
