// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

use crate::clients::Client;
use crate::closed_loop::RunLength;
use crate::measurement::Measurement;
use crate::pace;
use crate::tally::Tally;
use std::sync::Arc;
use std::time::Duration;

/// Starts loads at a rate, whether or not earlier ones have ended. The duration of a load counts from the time at which
/// it should have started, so that a slow client cannot hide the time that loads wait for it.
pub struct OpenLoop {
    pub client: Arc<Client>,
    /// Loads per second.
    pub rate: f64,
    pub length: RunLength,
}

impl OpenLoop {
    /// A separate thread starts the loads, which none of tokio's threads for tasks waits for.
    pub async fn run(self) -> Measurement {
        tokio::task::spawn_blocking(move || self.run_blocking()).await.expect("a panic ends the program")
    }

    fn run_blocking(self) -> Measurement {
        let count = self.length.count(self.rate);
        let tally = Arc::new(Tally::new(count));
        pace::wake_on_time();
        let start = pace::now();
        self.start_all(count, start, &tally);
        let mut whole = tally.wait();
        whole.elapsed = Duration::from_nanos(pace::now() - start);
        whole
    }

    fn start_all(&self, count: usize, start: u64, tally: &Arc<Tally>) {
        let runtime = tokio::runtime::Handle::current();
        for number in 0..count {
            let due = start + (number as f64 / self.rate * 1e9) as u64;
            pace::sleep_until(due);
            if !tally.begin() {
                return;
            }
            runtime.spawn(load(self.client.clone(), number, due, tally.clone()));
        }
    }
}

async fn load(client: Arc<Client>, number: usize, due: u64, tally: Arc<Tally>) {
    let outcome = client.load(number).await;
    tally.end(outcome, Duration::from_nanos(pace::now() - due));
}
