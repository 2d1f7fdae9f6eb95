// SPDX-License-Identifier: MIT
public import GNSS

/// Where fixes come from, as written beside them.
public struct OutputSource: Hashable, Sendable {
    /// The receiver's or the recording's name.
    public var name: String

    /// Whether they are live, recorded or simulated, if that is known.
    public var origin: DataOrigin

    /// Creates a source.
    public init(name: String = "", origin: DataOrigin = .live) {
        self.name = name
        self.origin = origin
    }

    /// Creates a source by the name under which it was opened; a recording loses its folder, which is
    /// private.
    public init(opened name: String, origin: DataOrigin) {
        self.init(name: Self.title(name, origin), origin: origin)
    }

    /// The names of recordings: without their folders, which are private, unless two would have the same; `nil` for
    /// other sources.
    package static func titles(of sources: [OutputSource]) -> [String?] {
        let names = sources.map { title($0.name, $0.origin) }
        return zip(sources, names).map { source, name in
            source.origin == .replay && names.count { $0 == name } == 1 ? name : nil
        }
    }

    /// The name as outputs show it.
    private static func title(_ name: String, _ origin: DataOrigin) -> String {
        let name = FileName.shown(name)
        guard origin == .replay else { return name }
        return name.split(separator: "/").last.map(String.init) ?? name
    }

    /// Whether all fixes are simulated.
    var isSimulated: Bool { origin == .simulated }

    /// Whether a fix of this source is simulated, also by the receiver's own account.
    public func isSimulated(_ fix: Fix) -> Bool {
        isSimulated || fix.quality == .simulated
    }

    /// How files name the origin of a fix.
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
