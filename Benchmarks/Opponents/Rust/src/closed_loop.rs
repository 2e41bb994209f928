// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

use crate::clients::Client;
use crate::measurement::Measurement;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The length of a run.
#[derive(Clone, Copy)]
pub enum RunLength {
    /// Loads start until this time has passed.
    Time(Duration),
    /// A number of loads.
    Count(usize),
}

impl RunLength {
    fn is_going_on(self, number: usize, elapsed: Duration) -> bool {
        match self {
            RunLength::Time(limit) => elapsed < limit,
            RunLength::Count(count) => number < count,
        }
    }

    /// The number of loads that start at a rate.
    pub fn count(self, rate: f64) -> usize {
        match self {
            RunLength::Time(limit) => (limit.as_secs_f64() * rate).ceil() as usize,
            RunLength::Count(count) => count,
        }
    }
}

/// Keeps a number of loads in flight: each worker starts its next load when its last one has finished.
#[derive(Clone)]
pub struct ClosedLoop {
    pub client: Arc<Client>,
    pub in_flight: usize,
    pub length: RunLength,
}

impl ClosedLoop {
    pub async fn run(self) -> Measurement {
        let start = Instant::now();
        let workers: Vec<_> =
            (0..self.in_flight).map(|worker| tokio::spawn(self.clone().work(worker, start))).collect();
        let mut whole = Measurement::default();
        for worker in workers {
            whole.add(worker.await.expect("a panic ends the program"));
        }
        whole.elapsed = start.elapsed();
        whole
    }

    async fn work(self, worker: usize, start: Instant) -> Measurement {
        let mut share = Measurement::default();
        let mut number = worker;
        let mut begin = Instant::now();
        while self.length.is_going_on(number, begin.saturating_duration_since(start)) {
            let outcome = self.client.load(number).await;
            let end = Instant::now();
            share.record(outcome, end - begin);
            begin = end;
            number += self.in_flight;
        }
        share
    }
}
