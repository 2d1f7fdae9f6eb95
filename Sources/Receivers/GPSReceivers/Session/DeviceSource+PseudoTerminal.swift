// SPDX-License-Identifier: MIT
import GPSIO

extension DeviceSource {
    /// The node that a `SerialSource` names; `nil` for any other source.
    ///
    /// `ttyPath` is not used, because a source that has a USB serial number asks udev for it. That
    /// can wait for a device, and must not delay the polling thread.
    private var namedNode: Node? { (self as? SerialSource).map { Node($0.path) } }

    /// Whether the source is the node of a pseudo terminal, not a link to one.
    var isPseudoTerminal: Bool { namedNode?.absolutePath.hasPrefix("/dev/pts/") ?? false }

    /// The links from the source's path to the node of a pseudo terminal; empty if it is not a path
    /// to one.
    ///
    /// Once the terminal is gone, the kernel may give its number to another program. Until one of
    /// the links is replaced, they point to the terminal of that program.
    var linksToPseudoTerminal: [Node.Link] {
        guard let namedNode, namedNode.isPseudoTerminal else { return [] }
        return namedNode.links
    }
}
