// SPDX-License-Identifier: MIT
import Delegation
import GPSTestTraits
import Testing

/// A map SDK's location manager: a third-party singleton with functions that add and remove
/// delegates, and without a `delegate` property.
final class MapLocationManager: Sendable {
    static let shared = MapLocationManager()

    private let delegates = MulticastDelegate<any MapLocationManagerDelegate>()

    func add(delegate: any MapLocationManagerDelegate) { delegates.add(delegate) }
    func remove(delegate: any MapLocationManagerDelegate) { delegates.remove(delegate) }

    /// Called by the SDK when it has a position.
    func report(latitude: Double, longitude: Double) {
        delegates.forEach { $0.locationManager(self, didUpdate: (latitude, longitude)) }
    }
    func fail(_ reason: String?) {
        delegates.forEach { $0.locationManager(self, didFail: reason) }
    }
}

protocol MapLocationManagerDelegate: AnyObject {
    func locationManager(_ manager: MapLocationManager, didUpdate position: (Double, Double))
    func locationManager(_ manager: MapLocationManager, didFail reason: String?)
}

// Step 1: declare how a delegate is added and removed.
extension MapLocationManager: HasMulticastDelegate {
    func addDelegate(_ delegate: any MapLocationManagerDelegate) { add(delegate: delegate) }
    func removeDelegate(_ delegate: any MapLocationManagerDelegate) { remove(delegate: delegate) }
}

// Step 2: declare an event for each method, and relay each call.
final class MapLocationProxy: DelegateProxyType, MapLocationManagerDelegate {
    let base: DelegateProxy<MapLocationManager, any MapLocationManagerDelegate>
    let didUpdate: MethodEvent<(Double, Double)>
    let didFail: MethodEvent<String?>

    init(_ base: DelegateProxy<MapLocationManager, any MapLocationManagerDelegate>) {
        self.base = base
        didUpdate = base.event("didUpdate")
        didFail = base.event("didFail")
    }

    static func registerKnownImplementations() { register { MapLocationProxy($0) } }

    func locationManager(_ manager: MapLocationManager, didUpdate position: (Double, Double)) {
        relay(didUpdate, position) { $0.locationManager(manager, didUpdate: position) }
    }
    func locationManager(_ manager: MapLocationManager, didFail reason: String?) {
        relay(didFail, reason) { $0.locationManager(manager, didFail: reason) }
    }
}

// Step 3: name the events.
extension MapLocationManager: HasEvents {}

extension EventNamespace where Base == MapLocationManager {
    var didUpdate: MethodEvent<(Double, Double)> { MapLocationProxy.proxy(for: base).didUpdate }
    var didFail: MethodEvent<String?> { MapLocationProxy.proxy(for: base).didFail }
}

@Suite(.timeLimit(.generous), .serialized)
struct MapLocationSingletonExample {
    @Test func `an app's own delegate and two streams all receive the singleton's calls`() async {
        let manager = MapLocationManager.shared
        let screen = Screen()
        manager.add(delegate: screen)

        let forTheLogger = manager.events.didUpdate.values()
        let forTheServer = manager.events.didUpdate.values(buffering: .newest(1))
        let failures = manager.events.didFail.values()

        manager.report(latitude: 37.5, longitude: 127.0)
        manager.report(latitude: 37.6, longitude: 127.1)
        manager.fail(nil)

        #expect(screen.latitudes == [37.5, 37.6])
        #expect(await collect(2, of: forTheLogger).map(\.0) == [37.5, 37.6])
        #expect(await collect(1, of: forTheServer).map(\.0) == [37.6])
        #expect(forTheServer.droppedCount == 1)
        #expect(await collect(1, of: failures) == [nil])
    }

    @Test func `the next good position is a promise`() async throws {
        let manager = MapLocationManager.shared
        let north = manager.events.didUpdate.sentMessage.first { latitude, _ in latitude > 60 }
        manager.report(latitude: 37.5, longitude: 127.0)
        manager.report(latitude: 61.5, longitude: 24.0)
        #expect(try await north.value.1 == 24.0)
    }

    /// An ordinary delegate in the app.
    final class Screen: MapLocationManagerDelegate {
        var latitudes: [Double] = []
        func locationManager(_ manager: MapLocationManager, didUpdate position: (Double, Double)) {
            latitudes.append(position.0)
        }
        func locationManager(_ manager: MapLocationManager, didFail reason: String?) {}
    }
}

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
