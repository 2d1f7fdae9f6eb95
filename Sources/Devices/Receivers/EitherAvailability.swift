// SPDX-License-Identifier: MIT

/// Reports when either of two reports.
struct EitherAvailability: DeviceAvailability {
    let one: any DeviceAvailability
    let other: any DeviceAvailability

    func next(until deadline: ContinuousClock.Instant?) async {
        await withTaskGroup(of: Void.self) { [one, other] group in
            group.addTask { await one.next(until: deadline) }
            group.addTask { await other.next(until: deadline) }
            await group.next()
            group.cancelAll()
        }
    }
}
