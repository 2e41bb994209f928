// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

//! Measures a client of Rust as the subcommand `load` of the benchmarks does, with the same arguments and output.

mod answer;
mod arguments;
mod clients;
mod closed_loop;
mod failure;
mod latency;
mod load_task;
mod measurement;
mod open_loop;
mod pace;
mod process_usage;
mod tally;

use arguments::Arguments;
use clients::Client;
use closed_loop::{ClosedLoop, RunLength};
use failure::Failure;
use measurement::{Figures, Measurement};
use open_loop::OpenLoop;
use process_usage::ProcessUsage;
use std::sync::Arc;

fn main() {
    if let Err(failure) = run() {
        eprintln!("opponent-rust: {}", failure);
        std::process::exit(1);
    }
}

fn run() -> Result<(), Failure> {
    let arguments = Arguments::parse(std::env::args().skip(1))?;
    process_usage::raise_descriptor_limit();
    // As many threads as there are processors, as every program has that does not choose.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let figures = runtime.block_on(measure(&arguments))?;
    println!("{}", serde_json::json!({ arguments.client: figures }));
    Ok(())
}

/// The first load runs alone, so that HTTP/2 clients learn that one connection suffices.
async fn measure(arguments: &Arguments) -> Result<Figures, Failure> {
    let client = Arc::new(Client::new(&arguments.client, &arguments.task)?);
    client.load(0).await?;
    if arguments.warm_up > 0 {
        closed_loop(arguments, &client, RunLength::Count(arguments.warm_up)).run().await;
    }
    let before = ProcessUsage::now()?;
    let measurement = run_loads(arguments, &client).await;
    let after = ProcessUsage::now()?;
    if let Some(reason) = &measurement.failure {
        eprintln!("{}: {}", arguments.client, reason);
    }
    Ok(measurement.figures(&before, &after))
}

/// At the task's rate if it has one, and otherwise as fast as the loads end.
async fn run_loads(arguments: &Arguments, client: &Arc<Client>) -> Measurement {
    let (client, length) = (client.clone(), arguments.length);
    match arguments.task.rate {
        Some(rate) => OpenLoop { client, rate, length }.run().await,
        None => closed_loop(arguments, &client, length).run().await,
    }
}

fn closed_loop(arguments: &Arguments, client: &Arc<Client>, length: RunLength) -> ClosedLoop {
    ClosedLoop { client: client.clone(), in_flight: arguments.task.in_flight, length }
}
