// SPDX-License-Identifier: MIT
public import GNSS

/// Range residuals: how far each range is off the fix.
///
///     $--GRS,hhmmss.ss,x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,x.x,h,h*hh
///     $GNGRS,101520.00,1,0.54,0.83,-1.15,1.39,-1.80,,,,,,,,1,1*44
public struct GRS: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "GRS"
    /// Time and mode.
    public static let minimumFieldCount = 2

    /// UTC of the fix that it describes.
    public var time: TimeOfDay?
    /// 0: used in the fix, 1: worked out after it.
    public var mode: Int?
    /// Metres, in the order of GSA's satellites; without the empty ones at the end.
    public var residuals: [Double?] = []
    /// NMEA 4.10: the constellation of the satellites.
    public var systemID: UInt8?
    /// NMEA 4.10: their signal.
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
