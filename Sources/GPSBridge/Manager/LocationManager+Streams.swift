// SPDX-License-Identifier: MIT
public import Delegation

/// Every delegate method is a stream of the same name, for any number of consumers.
///
/// Each access makes a new stream, which sees everything from then on: make it before updates start,
/// and keep it to read its `droppedCount`. Of a live receiver a slow reader loses the oldest of 256
/// elements; a file or a pipe waits for it. After `stopUpdatingLocation()` a loop waits for the next
/// start; it ends when its task is cancelled, the manager is released or its source comes to an end.
extension LocationManager {
    /// New locations: at least one, oldest first.
    public var didUpdateLocations: EventStream<[Location]> { proxy.didUpdateLocations.values() }

    /// New headings.
    public var didUpdateHeading: EventStream<Heading> { proxy.didUpdateHeading.values() }

    /// The reasons why locations are unavailable for now.
    public var didFailWithError: EventStream<LocationError> { proxy.didFailWithError.values() }

    /// Changes of whether the receiver may be read.
    public var didChangeAuthorization: EventStream<AuthorizationStatus> {
        proxy.didChangeAuthorization.values()
    }

    /// The receiver is gone, and waited for.
    public var didPauseLocationUpdates: EventStream<Void> {
        proxy.didPauseLocationUpdates.values()
    }

    /// The receiver is back.
    public var didResumeLocationUpdates: EventStream<Void> {
        proxy.didResumeLocationUpdates.values()
    }
}
