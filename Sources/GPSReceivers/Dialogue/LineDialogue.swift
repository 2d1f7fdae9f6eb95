// SPDX-License-Identifier: MIT
package import GNSS

/// A dialogue with a receiver: requests, and their replies among the receiver's other output. A
/// value without a clock, a task or a descriptor; `ReceiverSession.conduct(_:)` carries it out.
package protocol LineDialogue: Sendable {
    /// Processes an event at `now`. `next(at:)` is called afterwards until it returns `nil`.
    mutating func receive(_ event: LineDialogueEvent, at now: MonotonicInstant)
    /// Returns the next action; `nil` to wait for an event.
    mutating func next(at now: MonotonicInstant) -> LineDialogueAction?
    /// The time to pass `.woke` if no other event comes first; `nil` if there is none.
    var wakeAt: MonotonicInstant? { get }
}

/// An event of an open line during a dialogue.
package enum LineDialogueEvent: Sendable {
    /// The line is open, or open again.
    case opened(device: String, DialogueLine)
    /// Bytes as received: replies and other messages, split anywhere.
    case bytes([UInt8])
    /// The device is gone, as after a restart of a receiver with built-in USB.
    case lost(DeviceError)
    /// An action has failed; the line is still open.
    case failed(DeviceError)
    /// The time `wakeAt` has been reached.
    case woke
}

/// The line of a dialogue.
package struct DialogueLine: Equatable, Sendable {
    /// The rate at which messages are received, or, if none are, the present one; `nil` if the line
    /// has none.
    package let baudRate: BaudRate?
    /// Whether it is the USB port of the chip itself, which has no rate.
    package let isNativeUSB: Bool
}

/// An action that a dialogue requests.
package enum LineDialogueAction: Sendable {
    /// Write bytes and wait until they have been sent.
    case write([UInt8])
    /// Set the line to another rate; the receiver has been asked to change to it.
    case set(BaudRate)
    /// Run this in the background, as for writing a file, before the next action.
    case perform(@Sendable () throws(DeviceError) -> Void)
    /// The dialogue is over.
    case finish
}
