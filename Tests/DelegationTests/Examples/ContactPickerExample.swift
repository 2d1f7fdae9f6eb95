// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// A third-party contact picker. Two methods of its delegate differ only in an argument's type; a
/// third one returns a value.
final class ContactPicker {
    weak var delegate: (any ContactPickerDelegate)?

    /// Called when the user selects a contact.
    func select(_ contact: Contact) { delegate?.picker(self, didSelect: contact) }
    func select(_ property: ContactProperty) { delegate?.picker(self, didSelect: property) }
    func tapOutside() -> Bool { delegate?.pickerShouldClose(self) ?? true }
}

struct Contact: Equatable { let name: String }
struct ContactProperty: Equatable { let key: String }

protocol ContactPickerDelegate: AnyObject {
    func picker(_ picker: ContactPicker, didSelect contact: Contact)
    func picker(_ picker: ContactPicker, didSelect property: ContactProperty)
    func pickerShouldClose(_ picker: ContactPicker) -> Bool
}

// The class already has a `delegate` property.
extension ContactPicker: HasDelegate, HasEvents {}

final class ContactPickerProxy: DelegateProxyType, ContactPickerDelegate {
    let base: DelegateProxy<ContactPicker, any ContactPickerDelegate>
    let didSelectContact: MethodEvent<Contact>
    let didSelectProperty: MethodEvent<ContactProperty>
    let shouldClose: MethodEvent<Void>

    init(_ base: DelegateProxy<ContactPicker, any ContactPickerDelegate>) {
        self.base = base
        didSelectContact = base.event("didSelectContact")
        didSelectProperty = base.event("didSelectProperty")
        shouldClose = base.event("shouldClose")
    }

    static func registerKnownImplementations() { register { ContactPickerProxy($0) } }

    // Two overloads are two events: no ambiguous selectors, no casts.
    func picker(_ picker: ContactPicker, didSelect contact: Contact) {
        relay(didSelectContact, contact) { $0.picker(picker, didSelect: contact) }
    }
    func picker(_ picker: ContactPicker, didSelect property: ContactProperty) {
        relay(didSelectProperty, property) { $0.picker(picker, didSelect: property) }
    }
    // Observed like the others. Returns the delegate's answer, or `true` without a delegate.
    func pickerShouldClose(_ picker: ContactPicker) -> Bool {
        relay(shouldClose, (), default: true) { $0.pickerShouldClose(picker) }
    }
}

extension EventNamespace where Base == ContactPicker {
    var didSelectContact: MethodEvent<Contact> {
        ContactPickerProxy.proxy(for: base).didSelectContact
    }
    var didSelectProperty: MethodEvent<ContactProperty> {
        ContactPickerProxy.proxy(for: base).didSelectProperty
    }
    var shouldClose: MethodEvent<Void> { ContactPickerProxy.proxy(for: base).shouldClose }
}

@Suite(.timeLimit(.generous), .leavesNothing)
struct ContactPickerExample {
    @Test func `methods that differ only in the argument's type are two events`() {
        let picker = ContactPicker()
        let contacts = Log<Contact>()
        let properties = Log<ContactProperty>()
        picker.events.didSelectContact.observe { contacts.append($0) }
        picker.events.didSelectProperty.observe { properties.append($0) }

        picker.select(Contact(name: "Ada"))
        #expect(contacts.entries == [Contact(name: "Ada")] && properties.count == 0)

        picker.select(ContactProperty(key: "email"))
        #expect(contacts.count == 1 && properties.entries == [ContactProperty(key: "email")])
    }

    @Test func `the app's delegate answers a call that is also observed`() {
        let picker = ContactPicker()
        let keepsOpen = KeepsOpen()
        let questions = Log<String>()
        picker.delegate = keepsOpen
        picker.events.shouldClose.observe { questions.append("asked") }

        #expect(!picker.tapOutside())
        #expect(questions.entries == ["asked"])

        ContactPickerProxy.proxy(for: picker).setForwardToDelegate(nil)
        #expect(picker.tapOutside())
    }

    final class KeepsOpen: ContactPickerDelegate {
        func picker(_ picker: ContactPicker, didSelect contact: Contact) {}
        func picker(_ picker: ContactPicker, didSelect property: ContactProperty) {}
        func pickerShouldClose(_ picker: ContactPicker) -> Bool { false }
    }
}
