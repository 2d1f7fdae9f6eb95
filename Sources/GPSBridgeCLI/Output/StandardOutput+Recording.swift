// SPDX-License-Identifier: MIT

extension StandardOutput {
    /// The error for an output that is the recording being read.
    struct Overwriting: Error, CustomStringConvertible {
        let name: String

        var description: String { "cannot write to \(name): it is the recording itself" }
    }

    /// Checks that the output is not the file that is read.
    ///
    /// Throws `Overwriting` if it is.
    func check(_ recording: Recording) throws {
        guard let file else { return }
        if file == recording.file { throw Overwriting(name: name) }
    }
}
