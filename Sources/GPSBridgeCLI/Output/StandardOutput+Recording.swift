// SPDX-License-Identifier: MIT

extension StandardOutput {
    /// The recording would be overwritten while it is read.
    struct Overwriting: Error, CustomStringConvertible {
        let name: String

        var description: String { "cannot write to \(name): it is the recording itself" }
    }

    /// Checks that it is not the file that is read.
    ///
    /// Throws `Overwriting`.
    func check(_ recording: Recording) throws {
        guard let file else { return }
        if file == recording.file { throw Overwriting(name: name) }
    }
}
