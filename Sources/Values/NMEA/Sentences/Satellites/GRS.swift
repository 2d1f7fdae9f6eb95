// SPDX-License-Identifier: MIT
public import GNSS

/// Range residuals: for each satellite used, the range calculated from the fix minus the measured
/// range.
///
///     $--GRS,hhmmss.ss,x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,h,h*hh
///     $GNGRS,101520.00,1,0.54,0.83,-1.15,1.39,-1.80,,,,,,,,1,1*44
public struct GRS: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "GRS"
    /// The time and the mode are required.
    public static let minimumFieldCount = 2

    /// The UTC time of the fix that the sentence describes.
    public var time: TimeOfDay?
    /// The mode: 0 if the residuals were used in the fix, 1 if they were calculated after it.
    public var mode: Int?
    /// The residuals in metres, in the order of the satellites in GSA, without trailing empty
    /// fields.
    public var residuals: [Double?] = []
    /// The constellation of the satellites, as a system ID (NMEA 4.10).
    public var systemID: UInt8?
    /// The signal of the satellites, as a signal ID (NMEA 4.10).
    public var signalID: UInt8?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.integer(&mode)
        coder.field(&residuals) { fields in
            var residuals = (0..<12).map { _ in fields.decimal() }
            while case .some(nil) = residuals.last { residuals.removeLast() }
            return residuals
        } write: { writer, residuals in
            for slot in 0..<12 {
                writer.decimal(slot < residuals.count ? residuals[slot] : nil, decimals: 1)
            }
        }
        coder.hexadecimal(&systemID)
        coder.hexadecimal(&signalID)
    }

    public var timing: EpochTiming { .attaches(time) }
}
