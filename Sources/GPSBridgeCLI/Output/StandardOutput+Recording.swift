// SPDX-License-Identifier: MIT

extension StandardOutput {
    /// The error for an output that would overwrite the recording being read.
    struct OverwriteError: Error, CustomStringConvertible {
        let name: String

        var description: String { "cannot write to \(name): it is the recording itself" }
    }

    /// Throws `OverwriteError` if the output is the file that is being read.
    func check(_ recording: Recording) throws {
        guard let file else { return }
        if file == recording.file { throw OverwriteError(name: name) }
    }
}
