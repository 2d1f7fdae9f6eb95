// SPDX-License-Identifier: MIT
public import Delegation
public import GNSS

/// Provides each delegate method as a stream of the same name, for any number of consumers.
///
/// Each access creates a new stream, which receives everything from then on. Create it before
/// starting updates, and store it if you want to read its `droppedCount`. The stream of a live
/// receiver buffers 256 elements, and drops the oldest ones if the reader is too slow. A file or a
/// pipe waits for the reader. After `stopUpdatingLocation()`, a loop waits for the next start. It
/// ends when its task is cancelled, the manager is released or the source ends. A stream does not
/// retain the manager, so keep a reference to it.
extension LocationManager {
    /// New locations: at least one, oldest first.
    ///
    /// Each access creates a new stream. Start updates by `startUpdatingLocation()`, and keep a
    /// reference to the manager: without one, the stream ends.
    public var didUpdateLocations: EventStream<[Location]> { proxy.didUpdateLocations.values() }

    /// New headings, after `startUpdatingHeading()`.
    public var didUpdateHeading: EventStream<Heading> { proxy.didUpdateHeading.values() }

    /// Changes of the integrity of a receiver's position.
    public var didChangeIntegrity: EventStream<Integrity> { proxy.didChangeIntegrity.values() }

    /// Errors that explain why locations are unavailable.
    public var didFailWithError: EventStream<LocationError> { proxy.didFailWithError.values() }

    /// Changes of the permission to read the receiver. `authorizationStatus` is its current value.
    public var didChangeAuthorization: EventStream<AuthorizationStatus> {
        proxy.didChangeAuthorization.values()
    }

    /// One element for each loss of the receiver. The manager waits for its return.
    public var didPauseLocationUpdates: EventStream<Void> {
        proxy.didPauseLocationUpdates.values()
    }

    /// One element for each return of a lost receiver.
    public var didResumeLocationUpdates: EventStream<Void> {
        proxy.didResumeLocationUpdates.values()
    }
}
