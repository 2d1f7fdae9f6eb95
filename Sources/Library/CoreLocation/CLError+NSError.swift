// SPDX-License-Identifier: MIT

// Documented together.
/// Casts between `CLError` and `NSError`, as on Apple's systems. So `error as? CLError` and
/// `catch CLError.denied` also find an `NSError`, such as one that a mock created.
///
/// The Swift runtime calls these functions, also on Linux. `as?` fails if the error's domain is not
/// `kCLErrorDomain` or no `Code` has its code. A forced cast then stops the program.
extension CLError: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    @discardableResult
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSError, result: inout CLError?
    ) -> Bool {
        guard source.domain == kCLErrorDomain, Code(rawValue: source.code) != nil else {
            return false
        }
        result = CLError(_nsError: source)
        return true
    }

    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout CLError?) {
        result = _unconditionallyBridgeFromObjectiveC(source)
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> CLError {
        var result: CLError?
        if let source { _conditionallyBridgeFromObjectiveC(source, result: &result) }
        guard let result else { preconditionFailure("\(source as Any) is not a CLError") }
        return result
    }
}
