// SPDX-License-Identifier: MIT
import Synchronization

// Safety: the name is immutable, and the other values are under a lock.
/// The base class of areas to monitor. Only a `CLCircularRegion` can be monitored.
nonisolated open class CLRegion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The region's name. A manager that starts to monitor another region with the same name stops
    /// monitoring this one.
    open var identifier: String { name }
    private let name: String

    private let notifications = Mutex((entry: true, exit: true))

    /// Whether `didEnterRegion` is called. Default: `true`.
    open var notifyOnEntry: Bool {
        get { notifications.withLock { $0.entry } }
        set { notifications.withLock { $0.entry = newValue } }
    }

    /// Whether `didExitRegion` is called. Default: `true`.
    open var notifyOnExit: Bool {
        get { notifications.withLock { $0.exit } }
        set { notifications.withLock { $0.exit = newValue } }
    }

    /// Creates a region with an empty name and no area.
    public override init() {
        name = ""
    }

    init(identifier: String) {
        name = identifier
    }

    /// Returns whether another object is a region with the same class and name.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLRegion else { return false }
        return type(of: other) == type(of: self) && other.identifier == identifier
    }

    /// A hash of the name.
    open override var hash: Int { identifier.hashValue }

    /// The region on one line in Apple's format: `CLRegion (identifier:'home')`.
    open override var description: String {
        "\(type(of: self)) (identifier:'\(identifier)')"
    }

    /// Returns a new region with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CLRegion(identifier: identifier)
        copy.setNotifications(of: self)
        return copy
    }

    func setNotifications(of region: CLRegion) {
        notifyOnEntry = region.notifyOnEntry
        notifyOnExit = region.notifyOnExit
    }

    /// Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all values.
    open func encode(with coder: NSCoder) {
        coder.encode(identifier as NSString, forKey: "kCLRegionCodingKeyIdentifier")
        coder.encode(notifyOnEntry, forKey: "kCLRegionCodingKeyNotifyOnEntry")
        coder.encode(notifyOnExit, forKey: "kCLRegionCodingKeyNotifyOnExit")
    }

    /// Reads the values that `encode(with:)` wrote. Returns `nil` if the archive contains no
    /// identifier.
    public required init?(coder: NSCoder) {
        guard
            let name = coder.decodeObject(of: NSString.self, forKey: "kCLRegionCodingKeyIdentifier")
        else {
            return nil
        }
        self.name = name as String
        super.init()
        if coder.containsValue(forKey: "kCLRegionCodingKeyNotifyOnEntry") {
            notifyOnEntry = coder.decodeBool(forKey: "kCLRegionCodingKeyNotifyOnEntry")
        }
        if coder.containsValue(forKey: "kCLRegionCodingKeyNotifyOnExit") {
            notifyOnExit = coder.decodeBool(forKey: "kCLRegionCodingKeyNotifyOnExit")
        }
    }
}
