// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// A contact picker, not ours, whose delegate has two methods that differ only in an argument's
/// type, and one that is asked a question.
final class ContactPicker {
    weak var delegate: (any ContactPickerDelegate)?

    /// What the user does.
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

// It has `delegate` already; saying so is all there is to do.
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

    // Ordinary overloads, two events: no selector that could be ambiguous, nothing to cast.
    func picker(_ picker: ContactPicker, didSelect contact: Contact) {
        relay(didSelectContact, contact) { $0.picker(picker, didSelect: contact) }
    }
    func picker(_ picker: ContactPicker, didSelect property: ContactProperty) {
        relay(didSelectProperty, property) { $0.picker(picker, didSelect: property) }
    }
    // Observed like the others; the user's delegate answers, and `true` stands in for it.
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

    @Test func `the app's delegate goes on answering while its question is observed`() {
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
