// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

mod hyper;
mod reqwest;
mod work;

use self::hyper::HyperClient;
use self::reqwest::ReqwestClient;
use crate::failure::Failure;
use crate::load_task::LoadTask;

/// A client under test. A load reads the whole content and checks the status.
pub enum Client {
    Reqwest(ReqwestClient),
    Hyper(HyperClient),
}

impl Client {
    pub fn new(name: &str, task: &LoadTask) -> Result<Client, Failure> {
        match name {
            "reqwest" => Ok(Client::Reqwest(ReqwestClient::new(task)?)),
            "hyper" => Ok(Client::Hyper(HyperClient::new(task)?)),
            _ => Err(format!("the client {} is unknown; known are reqwest and hyper", name).into()),
        }
    }

    /// Runs the load with this number.
    pub async fn load(&self, number: usize) -> Result<(), Failure> {
        match self {
            Client::Reqwest(client) => client.load(number).await,
            Client::Hyper(client) => client.load(number).await,
        }
    }
}
