// SPDX-License-Identifier: MIT
import GPSIO

extension DeviceSource {
    /// Whether the source is the node of a pseudo terminal, not a link to one.
    var isPseudoTerminal: Bool {
        ttyPath.map { Node($0).absolutePath.hasPrefix("/dev/pts/") } ?? false
    }

    /// The links from the source's path to the node of a pseudo terminal; empty if it is not a path
    /// to one.
    ///
    /// Once the terminal is gone, the kernel may give its number to another program. Until one of
    /// the links is replaced, they point to the terminal of that program.
    var linksToPseudoTerminal: [Node.Link] {
        guard let ttyPath, Node(ttyPath).isPseudoTerminal else { return [] }
        return Node(ttyPath).links
    }
}
