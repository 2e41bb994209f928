// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

use std::time::Duration;

/// The durations of loads.
#[derive(Default)]
pub struct Latency {
    nanoseconds: Vec<u64>,
}

impl Latency {
    /// Makes room for this many loads, so that none waits while the list of the others grows.
    pub fn reserve(&mut self, count: usize) {
        self.nanoseconds.reserve(count);
    }

    pub fn record(&mut self, duration: Duration) {
        self.nanoseconds.push(duration.as_nanos() as u64);
    }

    pub fn add(&mut self, other: Latency) {
        self.nanoseconds.extend(other.nanoseconds);
    }

    pub fn count(&self) -> usize {
        self.nanoseconds.len()
    }

    /// Percentiles in milliseconds: the least duration that so many percent of the loads do not exceed.
    pub fn percentiles<const COUNT: usize>(mut self, percents: [f64; COUNT]) -> [f64; COUNT] {
        self.nanoseconds.sort_unstable();
        percents.map(|percent| {
            let rank = (percent / 100.0 * self.nanoseconds.len() as f64).ceil() as usize;
            self.nanoseconds.get(rank.saturating_sub(1)).map_or(0.0, |nanoseconds| *nanoseconds as f64 / 1e6)
        })
    }
}
