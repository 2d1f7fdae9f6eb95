// SPDX-License-Identifier: MIT
// refused: write 'subscribe { … } onCompletion: { … }': an event never fails
import Delegation

/// The compiler says what to write instead of RxSwift's names.
func follow(_ numbers: Event<Int>) {
    _ = numbers.subscribe(onNext: { print($0) })
}
