// SPDX-License-Identifier: MIT
package import GNSS

/// A dialogue with a receiver: the requests to send, and the detection of their replies among the
/// receiver's other output. It is a value without a clock, a task or a descriptor;
/// `ReceiverSession.conduct(_:)` executes it.
package protocol LineDialogue: Sendable {
    /// Processes an event. Afterwards, `next(at:)` is called until it returns `nil`.
    mutating func receive(_ event: LineDialogueEvent, at now: MonotonicInstant)
    /// Returns the next action to execute; `nil` means to wait for an event.
    mutating func next(at now: MonotonicInstant) -> LineDialogueAction?
    /// The time at which to send `.woke` if no other event arrives before; `nil` to wait without a
    /// limit.
    var wakeAt: MonotonicInstant? { get }
    /// Whether the dialogue has written a request that may change the receiver's settings or reset
    /// it. The integrity tests then do not compare later data with earlier data.
    var hasChangedReceiver: Bool { get }
}

extension LineDialogue {
    /// The default: `false`, for a dialogue that changes no settings.
    package var hasChangedReceiver: Bool { false }
}

/// An event of an open line during a dialogue.
package enum LineDialogueEvent: Sendable {
    /// The line has been opened or reopened. The dialogue may send requests.
    case opened(device: String, DialogueLine)
    /// Bytes were received: replies and other messages, split at any point.
    case bytes([UInt8])
    /// The device was disconnected, for example by a restart of a receiver with built-in USB.
    case lost(DeviceError)
    /// An action has failed; the line is still open.
    case failed(DeviceError)
    /// The time `wakeAt` has been reached.
    case woke
}

/// The properties of the line that a dialogue uses.
package struct DialogueLine: Equatable, Sendable {
    /// The baud rate at which messages are received or, if none have been received, the line's
    /// current one; `nil` if the line has no baud rate.
    package let baudRate: BaudRate?
    /// Whether the line is the receiver chip's own USB port, which has no baud rate.
    package let isNativeUSB: Bool
}

/// An action that a dialogue requests.
package enum LineDialogueAction: Sendable {
    /// Write bytes and wait until they have been sent.
    case write([UInt8])
    /// Set this computer's side of the line to another baud rate. The receiver must already have
    /// received the command to change to it.
    case set(BaudRate)
    /// Run the closure on a background thread, for example to write a file, and wait until it
    /// returns.
    case perform(@Sendable () throws(DeviceError) -> Void)
    /// End the dialogue.
    case finish
}
