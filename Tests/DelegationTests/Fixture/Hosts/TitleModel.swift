// SPDX-License-Identifier: MIT
import Delegation

/// A view model, which belongs to the main actor.
@MainActor final class TitleModel: HasEvents {
    var title = "" { didSet { MainActor.preconditionIsolated() } }
    var caption: String? { didSet { MainActor.preconditionIsolated() } }
}
