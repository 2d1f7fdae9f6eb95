// SPDX-License-Identifier: MIT

/// Makes gpsd's `AIS` objects of one device's sentences.
public struct VesselReports: Equatable, Sendable {
    private var assembler = AISAssembler()
    private var reports: AISReports

    /// Creates the reports of a device.
    public init(device: String) {
        reports = AISReports(device: device)
    }

    /// Returns the object of the message that a sentence completes, in each variant that has one, without
    /// line ends.
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
