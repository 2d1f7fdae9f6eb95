// SPDX-License-Identifier: MIT
import Devices

/// Another program reads the tty that is to be recorded: each would get a part of the data.
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

    var description: String {
        "\(path) is read by \(reader): stop it first, or record what is left by --share"
    }
}
