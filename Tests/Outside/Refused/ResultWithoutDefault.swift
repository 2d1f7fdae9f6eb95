// SPDX-License-Identifier: MIT
// refused: add 'default: …', the result if no delegate is set
import Delegation

protocol PickerDelegate: AnyObject, Sendable {
    func pickerShouldClose(_ picker: Picker) -> Bool
}

final class Picker: HasRoutedDelegate, Sendable {
    let proxyStorage = ProxyStorage()
    let delegateSlot = DelegateSlot<any PickerDelegate>()
}

/// `relay` has no result for a picker without a delegate.
final class PickerProxy: DelegateProxyType, PickerDelegate {
    let base: DelegateProxy<Picker, any PickerDelegate>
    let shouldClose: MethodEvent<Void>

    init(_ base: DelegateProxy<Picker, any PickerDelegate>) {
        self.base = base
        shouldClose = base.event("shouldClose")
    }

    static func registerKnownImplementations() { register { PickerProxy($0) } }

    func pickerShouldClose(_ picker: Picker) -> Bool {
        relay(shouldClose, ()) { $0.pickerShouldClose(picker) }
    }
}
