// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

use crate::failure::Failure;
use crate::latency::Latency;
use crate::process_usage::ProcessUsage;
use serde::Serialize;
use std::time::Duration;

/// The results of one run of one client.
#[derive(Default)]
pub struct Measurement {
    pub elapsed: Duration,
    pub failed: usize,
    /// The durations of the loads that succeeded.
    pub latency: Latency,
    /// The reason of the first failure, or of the end of the measurement before its time.
    pub failure: Option<String>,
}

/// The quantities that the benchmarks read, by their names.
#[derive(Serialize)]
pub struct Figures {
    /// Loads per second.
    rate: f64,
    failed: f64,
    /// Latencies in milliseconds.
    p50: f64,
    p99: f64,
    p999: f64,
    /// Microseconds per load.
    cpu: f64,
    /// Megabytes.
    peak: f64,
    threads: f64,
}

impl Measurement {
    pub fn record(&mut self, outcome: Result<(), Failure>, duration: Duration) {
        match outcome {
            Ok(()) => self.latency.record(duration),
            Err(error) => self.fail(error.to_string()),
        }
    }

    pub fn fail(&mut self, reason: String) {
        self.failed += 1;
        self.failure.get_or_insert(reason);
    }

    /// Counts a failure that says more than those of single loads.
    pub fn stop(&mut self, reason: String) {
        self.failed += 1;
        self.failure = Some(reason);
    }

    pub fn add(&mut self, other: Measurement) {
        self.failed += other.failed;
        self.latency.add(other.latency);
        self.failure = self.failure.take().or(other.failure);
    }

    pub fn figures(self, before: &ProcessUsage, after: &ProcessUsage) -> Figures {
        let completed = self.latency.count() as f64;
        let [p50, p99, p999] = self.latency.percentiles([50.0, 99.0, 99.9]);
        Figures {
            rate: completed / self.elapsed.as_secs_f64().max(1e-9),
            failed: self.failed as f64,
            p50,
            p99,
            p999,
            cpu: (after.cpu_microseconds - before.cpu_microseconds) as f64 / completed.max(1.0),
            peak: after.peak_resident as f64 / 1e6,
            threads: after.threads as f64,
        }
    }
}
