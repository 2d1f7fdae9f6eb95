// SPDX-License-Identifier: MIT

/// Reports its owner when it is made and when it goes, so that a test can count what is alive.
///
/// Debug builds only; it takes no space in others.
struct LiveToken: ~Copyable, Sendable {
    #if DEBUG
        private let kind: LiveObjects.Kind
        private let report = LiveObjects.report

        init(_ kind: LiveObjects.Kind) {
            self.kind = kind
            report?(kind, 1)
        }

        deinit {
            report?(kind, -1)
        }
    #else
        init(_ kind: LiveObjects.Kind) {}
    #endif
}

/// Where live tokens report to.
package enum LiveObjects {
    /// What is counted: bases of proxies, observers, buffers of streams, and promises.
    package enum Kind: CaseIterable, Sendable {
        case proxies, observers, streams, promises
    }

    /// Called with how many there are more; that of the task or thread that makes the owner.
    @TaskLocal package static var report: (@Sendable (Kind, Int) -> Void)?
}
