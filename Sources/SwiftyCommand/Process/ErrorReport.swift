// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// What is written to standard error about an error that ends the program.
enum ErrorReport {
    /// Writes the error, and returns the status to end with; `nil`, and nothing is written, for those of the parser.
    ///
    /// - Parameter hint: The hint of a wrong usage that is better than its own.
    static func write(_ error: any Error, hint: String? = nil) -> ExitStatus? {
        switch error {
        case let error as UsageError:
            Console.note(error.message, hint: hint ?? error.hint)
            if let place = error.place { Console.writeError(place.lines) }
            return .usage
        case let error as SwiftyError:
            Console.note(error.descriptionWithoutHint, hint: Hint.text(for: error))
            return ExitStatus(of: error)
        case let error as PlainFailure:
            Console.note(error.description)
            return error.status
        case let error as OutputError:
            if error.isClosedPipe { Console.endProcessByClosedPipe() }
            Console.note("\(error)")
            return .writeFailed
        default: return nil
        }
    }
}
