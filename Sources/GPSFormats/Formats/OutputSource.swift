// SPDX-License-Identifier: MIT
public import GNSS

/// The source of fixes, as written with them.
public struct OutputSource: Hashable, Sendable {
    /// The name of the receiver or the recording.
    public var name: String

    /// Whether the fixes are live, recorded or simulated, if known.
    public var origin: DataOrigin

    /// Creates a source.
    public init(name: String = "", origin: DataOrigin = .live) {
        self.name = name
        self.origin = origin
    }

    /// Creates a source from the name by which it was opened; the folder of a recording is private and is
    /// removed.
    public init(opened name: String, origin: DataOrigin) {
        self.init(name: Self.title(name, origin), origin: origin)
    }

    /// Returns the names of recordings, without their private folders unless two names would be equal; `nil`
    /// for other sources.
    package static func titles(of sources: [OutputSource]) -> [String?] {
        let names = sources.map { title($0.name, $0.origin) }
        return zip(sources, names).map { source, name in
            source.origin == .replay && names.count { $0 == name } == 1 ? name : nil
        }
    }

    /// Returns the name as outputs show it.
    private static func title(_ name: String, _ origin: DataOrigin) -> String {
        let name = FileName.shown(name)
        guard origin == .replay else { return name }
        return name.split(separator: "/").last.map(String.init) ?? name
    }

    /// Whether all fixes are simulated.
    var isSimulated: Bool { origin == .simulated }

    /// Whether a fix is simulated, by its source or as marked by the receiver.
    public func isSimulated(_ fix: Fix) -> Bool {
        isSimulated || fix.quality == .simulated
    }

    /// Returns the name of a fix's origin in files.
    func originName(isSimulated: Bool) -> StaticString {
        if isSimulated { return "simulated" }
        return switch origin {
        case .live: "live"
        case .replay: "replay"
        case .simulated: "simulated"
        case .unknown: "unknown"
        }
    }
}
