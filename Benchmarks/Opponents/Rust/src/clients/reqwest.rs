// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

use super::work::Work;
use crate::failure::Failure;
use crate::load_task::{self, LoadTask, PATIENCE};
use reqwest::header::{ACCEPT, CONTENT_TYPE, USER_AGENT};
use reqwest::{Certificate, ClientBuilder, RequestBuilder};

/// reqwest's client, which most programs use. Its pool keeps all idle connections by default.
pub struct ReqwestClient {
    http: reqwest::Client,
    work: Work,
}

impl ReqwestClient {
    pub fn new(task: &LoadTask) -> Result<ReqwestClient, Failure> {
        Ok(ReqwestClient { http: builder(task)?.build()?, work: Work::new(task)? })
    }

    pub async fn load(&self, number: usize) -> Result<(), Failure> {
        let response = self.request(number).send().await?;
        self.work.check_status(response.status())?;
        self.work.use_content(&response.bytes().await?)
    }

    fn request(&self, number: usize) -> RequestBuilder {
        let url = self.work.url(number);
        let request = match &self.work.content {
            None => self.http.get(url),
            Some(content) => self.http.post(url).header(CONTENT_TYPE, load_task::CONTENT_TYPE).body(content.clone()),
        };
        let request = request.header(ACCEPT, load_task::ACCEPT).header(USER_AGENT, load_task::USER_AGENT);
        self.work.extra_fields.iter().fold(request, |request, (name, value)| request.header(name, value))
    }
}

/// A proxy of the environment would be measured instead of the client.
fn builder(task: &LoadTask) -> Result<ClientBuilder, Failure> {
    let mut builder = reqwest::Client::builder().timeout(PATIENCE).connect_timeout(PATIENCE).no_proxy();
    if task.is_http1 {
        builder = builder.http1_only();
    }
    match task.authority()? {
        None => Ok(builder),
        Some(pem) => Ok(builder.tls_built_in_root_certs(false).add_root_certificate(Certificate::from_pem(&pem)?)),
    }
}
