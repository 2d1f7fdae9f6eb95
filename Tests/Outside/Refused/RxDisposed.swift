// SPDX-License-Identifier: MIT
// refused: write 'bag.append(subscription.scoped)', where 'bag' is a '[ScopedSubscription]'
import Delegation

/// The compiler says what to write instead of RxSwift's `disposed(by:)`.
func follow(_ numbers: Event<Int>, _ bag: AnyObject) {
    numbers.observe { print($0) }.disposed(by: bag)
}
