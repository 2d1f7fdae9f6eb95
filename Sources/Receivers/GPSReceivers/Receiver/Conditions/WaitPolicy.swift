// SPDX-License-Identifier: MIT

/// How a consumer reacts if its receiver cannot be opened.
package enum WaitPolicy: Sendable {
    /// Waits regardless of the cause, because other programs depend on the consumer.
    case always
    /// Waits regardless of the cause, because other receivers are read too. The only exception is
    /// a gpsd server that was given as `tcp://…`, which is an error.
    case alongsideOthers
    /// Waits only if the receiver can be plugged in later or has been open before. Missing
    /// permissions for a connected device are an error, because waiting would not help.
    case whenUseful
    /// Waits regardless of the cause, except for missing permissions for a receiver that has not
    /// been open before.
    case unlessDenied
    /// Waits only if the receiver is missing or has been open before.
    case whileMissing

    /// Returns the error with which a consumer must end in a condition; `nil` if it waits, or if
    /// there is nothing to wait for. The end of the source is not considered.
    ///
    /// `wasUsable` is `true` if the receiver has been open, or if the policy has already allowed
    /// the consumer to wait for it.
    package func failure(
        in condition: ReceiverCondition, of source: any DeviceSource, wasUsable: Bool
    ) -> DeviceError? {
        switch (self, condition) {
        // The user named a gpsd server as `tcp://`, which sends sentences only on request, or the
        // server sends none.
        case (.alongsideOthers, .lost(let error)), (.whenUseful, .lost(let error)):
            error.code == .gpsd ? error : nil
        case (_, .waiting) where wasUsable: nil
        case (.whenUseful, .waiting(let error)):
            source.capabilities.contains(.hotPlug) && error.code != .permissionDenied ? nil : error
        case (.unlessDenied, .waiting(let error)): error.code == .permissionDenied ? error : nil
        case (.whileMissing, .waiting(let error)): error.isMissing ? nil : error
        default: nil
        }
    }
}
