// SPDX-License-Identifier: MIT
import Devices

/// Another program reads the tty, too: each gets a part of the data.
struct SharedTTY: Error, CustomStringConvertible {
    private let path: String
    private let reader: String

    init(path: String, reader: DeviceError.Detail) {
        self.path = path
        self.reader =
            if case .heldBy(let program, let processID) = reader {
                "\(program) (process \(processID))"
            } else {
                "another program"
            }
    }

    /// The warning of `monitor`, which continues.
    var warning: String {
        "\(path) is read by \(reader), too: each of the two gets only a part"
    }

    /// The error of `record`, which ends.
    var description: String {
        "\(path) is read by \(reader): stop it first, or record what is left by --share"
    }
}
