// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

use crate::failure::Failure;
use serde::Deserialize;

/// The JSON of the response to a POST. Only the work of decoding it is measured.
#[derive(Deserialize)]
#[allow(dead_code)]
pub struct Answer {
    total: i64,
    items: Vec<Item>,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Item {
    id: i64,
    name: String,
    price: f64,
    tags: Vec<String>,
}

impl Answer {
    pub fn decode(content: &[u8]) -> Result<Answer, Failure> {
        Ok(serde_json::from_slice(content)?)
    }
}
