// SPDX-License-Identifier: MIT

/// The values of a fix that few receivers report. `Fix` documents them.
@usableFromInline
struct RareValues: Hashable, Sendable {
    @usableFromInline var receivedDate: CalendarDate?
    @usableFromInline var attitude = Attitude()
    @usableFromInline var instruments = Instruments()
    @usableFromInline var covariance: Covariance?
    @usableFromInline var velocityCovariance: Covariance?
    @usableFromInline var protectionLevel: ProtectionLevel?
    @usableFromInline var jammedFrequency: UInt32?
    @usableFromInline var receiverClock: ReceiverClock?
    @usableFromInline var authentication: FixAuthentication?
    @usableFromInline var receiverAuthentication: FixAuthentication.State?
    @usableFromInline var integrity: Integrity?
    @usableFromInline var vote: Vote?
    @usableFromInline var followsRepeatedTimes: Bool?
    @usableFromInline var correctionReport: [CorrectionReport]?
    @usableFromInline var solutionDetails: [SolutionDetails]?

    @usableFromInline
    init() {}

    /// The rare values of a fix, which its copies share until one of them is changed. Without any,
    /// nothing is stored.
    @usableFromInline
    struct Reference: Sendable {
        /// One element; `nil` if no value is known. An array is copied when it is changed.
        @usableFromInline var values: [RareValues]?

        init() {}

        /// A value, or `unknown` without one.
        @inlinable @inline(__always)
        subscript<Value: Equatable>(
            property: WritableKeyPath<RareValues, Value>, unknown: @autoclosure () -> Value
        ) -> Value {
            get {
                if let values { return values[0][keyPath: property] }
                return unknown()
            }
            set {
                if values == nil {
                    if newValue == unknown() { return }
                    values = [RareValues()]
                }
                values?[0][keyPath: property] = newValue
            }
        }
    }
}

extension RareValues.Reference: Hashable {
    private var known: RareValues { values?.first ?? RareValues() }

    @usableFromInline
    static func == (one: Self, other: Self) -> Bool {
        one.values == nil && other.values == nil || one.known == other.known
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(known) }
}

/// Stores an optional number in eight bytes instead of nine, which take sixteen in a group.
@propertyWrapper
public struct Compact: Hashable, Sendable {
    /// The inverted bits of the number; 0, the inverse of a NaN that no calculation returns, if there
    /// is none. So a group without numbers consists of zeros.
    @usableFromInline var stored: UInt64 = 0

    /// Creates a property that is `nil`.
    @inlinable
    public init() {}

    init(_ number: Double?) { wrappedValue = number }

    /// The number, or `nil` if it is unknown.
    @inlinable public var wrappedValue: Double? {
        @inline(__always) get { stored == 0 ? nil : Double(bitPattern: ~stored) }
        @inline(__always) set { stored = newValue.map { ~$0.bitPattern } ?? 0 }
    }

    /// Compares the numbers: two NaN differ.
    @inlinable
    public static func == (one: Self, other: Self) -> Bool {
        if one.stored == 0 || other.stored == 0 { return one.stored == other.stored }
        return Double(bitPattern: ~one.stored) == Double(bitPattern: ~other.stored)
    }

    /// Adds the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension Compact: CustomReflectable, CustomDebugStringConvertible {
    /// An optional number, so that `dump` shows the number and not its bits.
    public var customMirror: Mirror { Mirror(reflecting: wrappedValue as Any) }

    /// The text of the optional number.
    public var debugDescription: String { "\(wrappedValue as Any)" }
}

/// Stores an optional integer in eight bytes. `Int.min` is stored as the next number.
@usableFromInline
struct CompactInteger: Hashable, Sendable {
    @usableFromInline var stored = Int.min

    init() {}

    @inlinable var value: Int? {
        @inline(__always) get { stored == .min ? nil : stored }
        @inline(__always) set { stored = newValue.map { max($0, .min + 1) } ?? .min }
    }
}
