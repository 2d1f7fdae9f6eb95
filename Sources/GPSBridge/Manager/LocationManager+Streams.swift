// SPDX-License-Identifier: MIT
public import Delegation
public import GNSS

/// Each delegate method as a stream of the same name, for any number of consumers.
///
/// Each access creates a new stream, which receives everything from then on: create it before
/// starting updates, and keep it to read its `droppedCount`. For a live receiver, a slow reader
/// loses the oldest of 256 elements; a file or a pipe waits for the reader. After
/// `stopUpdatingLocation()`, a loop waits for the next start. It ends when its task is cancelled,
/// the manager is released or its source ends.
extension LocationManager {
    /// New locations: at least one, oldest first.
    public var didUpdateLocations: EventStream<[Location]> { proxy.didUpdateLocations.values() }

    /// New headings.
    public var didUpdateHeading: EventStream<Heading> { proxy.didUpdateHeading.values() }

    /// Changes of the evidence against a receiver's position.
    public var didChangeIntegrity: EventStream<Integrity> { proxy.didChangeIntegrity.values() }

    /// The reasons why locations are unavailable for now.
    public var didFailWithError: EventStream<LocationError> { proxy.didFailWithError.values() }

    /// Changes of the permission to read the receiver.
    public var didChangeAuthorization: EventStream<AuthorizationStatus> {
        proxy.didChangeAuthorization.values()
    }

    /// Losses of the receiver, for which the manager then waits.
    public var didPauseLocationUpdates: EventStream<Void> {
        proxy.didPauseLocationUpdates.values()
    }

    /// Returns of a lost receiver.
    public var didResumeLocationUpdates: EventStream<Void> {
        proxy.didResumeLocationUpdates.values()
    }
}
