// SPDX-License-Identifier: MIT
import GPSReceivers

/// The receivers to keep, add and remove when the list of sources changes.
struct SourceChange<Receiver> {
    /// All receivers, in the order of their sources.
    private(set) var all: [Receiver] = []
    /// The receivers created for new sources.
    private(set) var added: [Receiver] = []
    /// The receivers whose source is no longer listed.
    private(set) var removed: [Receiver]

    /// Keeps each existing receiver whose source is equivalent to one of `sources`. For every other
    /// source, calls `create` with its index.
    init(
        of present: [Receiver], to sources: [any DeviceSource],
        source: (Receiver) -> any DeviceSource, create: (Int) -> Receiver
    ) {
        removed = present
        for (index, new) in sources.enumerated() {
            if let kept = removed.firstIndex(where: { source($0).readsSame(as: new) }) {
                all.append(removed.remove(at: kept))
            } else {
                added.append(create(index))
                all += added.suffix(1)
            }
        }
    }
}

extension DeviceSource {
    /// Returns whether another source reads the same receiver with the same settings.
    func readsSame(as other: any DeviceSource) -> Bool {
        guard baudRate == other.baudRate, origin == other.origin,
            parts.map(\.baudRate) == other.parts.map(\.baudRate)
        else { return false }
        if identity == other.identity { return true }
        // Recordings and simulations never have equal identities, so they are compared by name.
        return parts.count == 1 && other.parts.count == 1 && kind == other.kind
            && name == other.name
    }
}
