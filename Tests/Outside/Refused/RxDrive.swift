// SPDX-License-Identifier: MIT
// refused: write 'subscribe(on: .main) { … } onCompletion: { … }'
import Delegation

/// The compiler says what to write instead of RxCocoa's `drive`.
func follow(_ numbers: Event<Int>) {
    _ = numbers.drive(onNext: { print($0) })
}
