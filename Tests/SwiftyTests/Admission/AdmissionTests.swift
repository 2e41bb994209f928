// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

/// The tests of all that decides when a load is sent.
@Suite("Admission", .timeLimit(.minutes(15)))
enum AdmissionTests {}
