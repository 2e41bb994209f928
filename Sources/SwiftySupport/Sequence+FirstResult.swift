// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension Sequence {
    /// The first result that is not `nil`; the closure is not called for the elements after it.
    ///
    /// `lazy.compactMap(_:).first` calls the closure a second time for that element, and ends the process if it returns
    /// `nil` then, as for a file that was removed meanwhile.
    package func firstResult<Result, Failure: Error>(
        of body: (Element) throws(Failure) -> Result?
    ) throws(Failure) -> Result? {
        for element in self {
            if let result = try body(element) { return result }
        }
        return nil
    }
}
