// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

use crate::failure::Failure;
use hyper::body::Bytes;
use serde::Deserialize;
use std::time::Duration;

/// The header fields that every client sends.
pub const ACCEPT: &str = "application/json";
pub const USER_AGENT: &str = "benchmark";
pub const CONTENT_TYPE: &str = "application/json";
/// The most loads of an open loop that may be under way.
pub const MOST_UNDER_WAY: usize = 20_000;
/// The time limit of a load and of a connection; long, because time limits are not measured here.
pub const PATIENCE: Duration = Duration::from_secs(150);

/// A client's work: the requests and how many run simultaneously. A field that is not known here would change the work,
/// and is an error.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LoadTask {
    /// The URL; on 127.0.0.1 if there are several hosts.
    url: String,
    /// The PEM file of the authority of the server's certificate.
    authority: Option<String>,
    /// The file with the JSON of a POST; `None` for a GET.
    content_file: Option<String>,
    /// Whether the content of the response is decoded as an `Answer`.
    #[serde(default)]
    pub decodes: bool,
    /// Whether HTTP/1.1 is spoken even where the server offers HTTP/2.
    #[serde(default, rename = "isHTTP1")]
    pub is_http1: bool,
    /// The number of loads in flight; with a rate, only before the measurement.
    pub in_flight: usize,
    /// The loads per second of an open loop; `None` for the closed loop.
    pub rate: Option<f64>,
    /// The number of hosts that the loads go to in turn.
    #[serde(default = "one")]
    hosts: usize,
    /// The number of header fields that are sent beside those of every request.
    #[serde(default)]
    extra_fields: usize,
}

fn one() -> usize {
    1
}

impl LoadTask {
    /// The URLs that the loads go to, in turn.
    pub fn urls(&self) -> Vec<String> {
        if self.hosts == 1 {
            return vec![self.url.clone()];
        }
        (0..self.hosts).map(|host| self.url.replace("127.0.0.1", &address(host))).collect()
    }

    /// The names and values of the header fields that are sent beside those of every request.
    pub fn extra_fields(&self) -> Vec<(String, String)> {
        (0..self.extra_fields).map(|number| (format!("x-field-{}", number), format!("value {}", number))).collect()
    }

    pub fn is_secure(&self) -> bool {
        self.url.starts_with("https:")
    }

    pub fn content(&self) -> Result<Option<Bytes>, Failure> {
        Ok(self.content_file.as_ref().map(std::fs::read).transpose()?.map(Bytes::from))
    }

    /// The PEM of the authority.
    pub fn authority(&self) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.authority.as_ref().map(std::fs::read).transpose()?)
    }
}

/// The addresses of the server that several hosts stand for, from 127.1.0.1 on.
fn address(host: usize) -> String {
    format!("127.1.{}.{}", host / 250, host % 250 + 1)
}
