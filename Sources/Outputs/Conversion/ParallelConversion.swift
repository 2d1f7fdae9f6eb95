// SPDX-License-Identifier: MIT

/// Converts pieces of recordings on several processor cores, to the very bytes that one would give.
///
/// What a sentence means depends on those before it: the date, the lists of satellites, where the cycle
/// ends. So a piece is converted from a guess: the last state that is known for certain, and what comes
/// right before the piece. When the piece before it is done, its end is compared with what had been
/// guessed; where they differ, the piece is given up at once and begun again.
///
/// Where most guesses are wrong, as in a recording of many receivers, pieces are converted one after the
/// other, and ever fewer guesses are made: it takes about as long as on one core.
package struct ParallelConversion: ~Copyable {
    /// With so many wrong guesses more than right ones pieces are converted one after the other.
    private static let mostMisses = 3
    /// The number of those pieces. It doubles each time that the next guess is wrong, too.
    private static let (leastPause, mostPause) = (16, 1024)

    private struct Work {
        let piece: ConversionPiece
        /// The guess that it is begun from; `nil` where that is the state behind the piece before it.
        let guess: Task<ConversionState, Never>?
        let task: Task<ConvertedPiece, Never>
    }

    /// How many pieces are under way at the most, and of how many bytes; one is in any case.
    private let (mostPieces, mostBytes): (Int, Int)
    /// How many bytes before a piece its beginning is guessed from; more after each wrong guess.
    private var warmUp: Int
    private let mostWarmUp: Int
    /// The state behind the last piece that is certain.
    private var state: ConversionState
    /// The state before that piece.
    private var earlierState: ConversionState
    private var work: [Work] = []
    /// Outputs that have been written, for the next pieces.
    private var outputs: [PieceOutput] = []
    /// Right guesses of late less the wrong ones.
    private var balance = 0
    private var pause = Self.leastPause
    /// How many pieces are to come before it is guessed again.
    private var pauseCount = 0
    /// How many guesses were wrong.
    package private(set) var missCount = 0
    /// How many bytes have been converted.
    private var byteCount = 0

    /// Whether a format can be written in pieces.
    package static func supports(_ format: any OutputFormat.Type) -> Bool {
        let conversion = Conversion(to: format)
        return conversion.isInterchangeable(with: conversion)
    }

    /// Continues a conversion, to a format that is supported, on `jobs` cores; guesses from `warmUp` bytes, or up to 16
    /// times as many, and has pieces of `mostBytes` under way.
    package init(
        continuing conversion: consuming Conversion, warmUp: Int, jobs: Int, mostBytes: Int
    ) {
        // Short ones are over before the next could be begun.
        mostPieces = 8 * jobs
        self.mostBytes = mostBytes
        self.warmUp = warmUp
        mostWarmUp = 16 * warmUp
        state = ConversionState(conversion)
        earlierState = state
    }

    /// How many fixes have been written.
    package private(set) var fixCount = 0

    /// The conversion behind the last piece that has been handed over; it does not count the fixes of all of them.
    package var conversion: Conversion { state.conversion.copy() }

    /// Starts converting the next piece; hands over what is finished where enough pieces are under way.
    ///
    /// Throws what `handle` or the reading of a piece throws, which has been handed over as far as it was
    /// read, and `CancellationError` where the task is cancelled.
    package mutating func push(
        _ piece: ConversionPiece, _ handle: (borrowing PieceResult) throws -> Void
    ) async throws {
        // With the first piece begins what can be guessed from.
        guard byteCount > 0, pauseCount == 0 else {
            try await finish(handle)
            return try convert(piece, handle)
        }
        while !work.isEmpty, !hasRoom(for: piece) { try await finishOldest(handle) }
        start(piece)
    }

    private func hasRoom(for piece: ConversionPiece) -> Bool {
        let byteCount = work.reduce(piece.range.count) { $0 + $1.piece.range.count }
        return work.count < mostPieces && byteCount <= mostBytes
    }

    /// Waits for all pieces that are under way.
    package mutating func finish(_ handle: (borrowing PieceResult) throws -> Void) async throws {
        while !work.isEmpty { try await finishOldest(handle) }
    }

    /// Gives up what is under way.
    package mutating func cancel() {
        for work in work {
            work.guess?.cancel()
            work.task.cancel()
        }
        work.removeAll()
    }

    /// The same, once it has stopped; returns the pieces.
    private mutating func withdraw() async -> [ConversionPiece] {
        let withdrawn = work
        cancel()
        // At its next read each of them stops.
        for work in withdrawn { outputs.append(await work.task.value.result.output) }
        return withdrawn.map(\.piece)
    }

    /// Starts converting a piece: from the state behind the piece before it where that is known, which it is where
    /// none is under way.
    private mutating func start(_ piece: ConversionPiece) {
        let (state, warmUp, output) = (state, warmUp, takeOutput())
        let guess =
            work.isEmpty
            ? nil
            : Task(executorPreference: globalConcurrentExecutor) {
                piece.guessedStart(from: state, warmUp: warmUp)
            }
        let task = Task(executorPreference: globalConcurrentExecutor) {
            let start = await guess?.value ?? piece.start(after: state)
            return ConvertedPiece(piece, from: start, into: output)
        }
        work.append(Work(piece: piece, guess: guess, task: task))
    }

    /// Converts a piece while none is under way.
    private mutating func convert(
        _ piece: ConversionPiece, _ handle: (borrowing PieceResult) throws -> Void
    ) throws {
        if pauseCount > 0 {
            pauseCount -= 1
            if pauseCount == 0 { tryGuess(of: piece) }
        }
        try accept(
            ConvertedPiece(piece, from: piece.start(after: state), into: takeOutput()), handle)
    }

    /// Checks whether the beginning of a piece, which is known, could have been guessed.
    private mutating func tryGuess(of piece: ConversionPiece) {
        let guess = piece.guessedStart(from: earlierState, warmUp: warmUp)
        if piece.canStart(from: guess, after: state) { noteHit() } else { noteMiss() }
    }

    private mutating func takeOutput() -> PieceOutput { outputs.popLast() ?? PieceOutput() }

    private mutating func finishOldest(
        _ handle: (borrowing PieceResult) throws -> Void
    ) async throws {
        let oldest = work[0]
        // Before the piece is done: from a wrong guess that would be time lost.
        if let guess = oldest.guess {
            guard oldest.piece.canStart(from: await guess.value, after: state) else {
                noteMiss()
                // The others have been guessed from the same state, which has proved wrong.
                for piece in await withdraw() {
                    if pauseCount > 0 {
                        try await finish(handle)
                        try convert(piece, handle)
                    } else {
                        start(piece)
                    }
                }
                return
            }
            noteHit()
        }
        let converted = await oldest.task.value
        work.removeFirst()
        try accept(converted, handle)
    }

    private mutating func noteHit() {
        balance = min(balance + 1, Self.mostMisses)
        if balance > 0 { pause = Self.leastPause }
    }

    private mutating func noteMiss() {
        missCount += 1
        balance -= 1
        warmUp = min(2 * warmUp, mostWarmUp)
        guard balance <= -Self.mostMisses else { return }
        // One more wrong guess afterwards, and there is the next pause.
        balance += 1
        pauseCount = pause
        pause = min(2 * pause, Self.mostPause)
    }

    private mutating func accept(
        _ converted: ConvertedPiece, _ handle: (borrowing PieceResult) throws -> Void
    ) throws {
        (earlierState, state) = (state, converted.end)
        fixCount += converted.result.fixCount
        byteCount += converted.result.byteCount
        try handle(converted.result)
        outputs.append(converted.result.output)
        if let failure = converted.result.failure { throw failure }
        try Task.checkCancellation()
    }
}
