// SPDX-License-Identifier: MIT
import Synchronization

extension ManagerEngine {
    static var isHeadingAvailable: Bool { hasHeading.load(ordering: .relaxed) }
    var heading: CLHeading? { nil }
    func startUpdatingHeading() {}
    func stopUpdatingHeading() {}
}
