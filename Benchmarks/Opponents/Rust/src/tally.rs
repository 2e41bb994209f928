// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

use crate::failure::Failure;
use crate::load_task::MOST_UNDER_WAY;
use crate::measurement::Measurement;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// Counts the loads of an open loop that are under way, and keeps the results of those that have ended.
pub struct Tally {
    state: Mutex<State>,
    all_ended: Condvar,
}

#[derive(Default)]
struct State {
    measurement: Measurement,
    under_way: usize,
}

impl Tally {
    /// Makes a tally with room for this many loads.
    pub fn new(count: usize) -> Tally {
        let mut state = State::default();
        state.measurement.latency.reserve(count);
        Tally { state: Mutex::new(state), all_ended: Condvar::new() }
    }

    /// Counts a load that starts. Returns `false`, and records the failure, if too many are under way.
    pub fn begin(&self) -> bool {
        let mut state = self.state.lock().unwrap();
        if state.under_way >= MOST_UNDER_WAY {
            state.measurement.stop(format!("stopped: {} loads were under way, the rate is too high", MOST_UNDER_WAY));
            return false;
        }
        state.under_way += 1;
        true
    }

    pub fn end(&self, outcome: Result<(), Failure>, duration: Duration) {
        let mut state = self.state.lock().unwrap();
        state.measurement.record(outcome, duration);
        state.under_way -= 1;
        if state.under_way == 0 {
            self.all_ended.notify_all();
        }
    }

    /// Blocks the thread until all loads have ended, and takes their results.
    pub fn wait(&self) -> Measurement {
        let state = self.state.lock().unwrap();
        let mut state = self.all_ended.wait_while(state, |state| state.under_way > 0).unwrap();
        std::mem::take(&mut state.measurement)
    }
}
