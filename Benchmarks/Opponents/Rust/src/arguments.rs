// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

use crate::closed_loop::RunLength;
use crate::failure::Failure;
use crate::load_task::LoadTask;
use std::time::Duration;

const USAGE: &str = "usage: opponent-rust load CLIENT TASK-JSON [--seconds S] [--count N] [--warm-up N]";

/// The arguments of the subcommand `load`.
pub struct Arguments {
    pub client: String,
    pub task: LoadTask,
    pub length: RunLength,
    /// Loads before the measurement.
    pub warm_up: usize,
}

impl Arguments {
    pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, Failure> {
        if words.next().as_deref() != Some("load") {
            return Err(USAGE.into());
        }
        let client = words.next().ok_or(USAGE)?;
        let task: LoadTask = serde_json::from_str(&words.next().ok_or(USAGE)?)?;
        if task.rate.map_or(false, |rate| rate <= 0.0) {
            return Err("the rate must be greater than 0".into());
        }
        let length = RunLength::Time(Duration::from_secs(2));
        let mut arguments = Arguments { client, task, length, warm_up: 200 };
        arguments.parse_options(words)?;
        Ok(arguments)
    }

    /// A number of loads outweighs a time, in whichever order they are given.
    fn parse_options(&mut self, mut words: impl Iterator<Item = String>) -> Result<(), Failure> {
        let mut count = None;
        while let Some(option) = words.next() {
            let value = words.next().ok_or(USAGE)?;
            match option.as_str() {
                "--seconds" => self.length = RunLength::Time(Duration::from_secs_f64(value.parse()?)),
                "--count" => count = Some(RunLength::Count(value.parse()?)),
                "--warm-up" => self.warm_up = value.parse()?,
                _ => return Err(USAGE.into()),
            }
        }
        self.length = count.unwrap_or(self.length);
        Ok(())
    }
}
