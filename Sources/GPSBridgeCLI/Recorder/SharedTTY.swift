// SPDX-License-Identifier: MIT
import GPSReceivers

/// The error for a tty that another program also reads. Each program would receive only part of the
/// data.
struct SharedTTY: Error, CustomStringConvertible {
    private let path: String
    private let reader: String
    /// Whether the other program has locked the tty, so that `--share` would not help.
    private let isLocked: Bool

    init(path: String, reader: DeviceError.Detail, isLocked: Bool) {
        self.path = path
        self.isLocked = isLocked
        self.reader =
            if case .heldBy(let program, let processID) = reader {
                "\(program) (process \(processID))"
            } else {
                "another program"
            }
    }

    var description: String {
        isLocked
            ? "\(path) is read by \(reader), which has locked it: stop that program first"
            : "\(path) is read by \(reader): stop that program first, or record the remaining bytes with --share"
    }
}
