// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A web API whose requests are known by the name of its type: a ``WebService`` or a ``WebServiceClient``.
///
/// Mocks, cassettes and replaced interfaces are for the requests of one such type: `withMocks(for: GitHub.self)`.
public protocol NamedService: SendableMetatype {}
