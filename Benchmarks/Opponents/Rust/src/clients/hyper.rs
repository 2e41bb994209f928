// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

use super::work::Work;
use crate::failure::Failure;
use crate::load_task::{self, LoadTask, PATIENCE};
use hyper::body::Bytes;
use hyper::client::HttpConnector;
use hyper::header::{ACCEPT, CONTENT_TYPE, USER_AGENT};
use hyper::{Body, Request};
use hyper_tls::HttpsConnector;
use native_tls::{Certificate, TlsConnector};

/// hyper's client, which reqwest is built on. Its pool keeps all idle connections by default.
pub struct HyperClient {
    http: hyper::Client<HttpsConnector<HttpConnector>>,
    work: Work,
}

impl HyperClient {
    /// The connector does not tell hyper which protocol was negotiated, so HTTP/2 is the only one that is offered.
    pub fn new(task: &LoadTask) -> Result<HyperClient, Failure> {
        let is_http2 = task.is_secure() && !task.is_http1;
        let tls = make_tls(task, if is_http2 { "h2" } else { "http/1.1" })?;
        let connector = HttpsConnector::from((make_tcp(), tls.into()));
        let http = hyper::Client::builder().http2_only(is_http2).build(connector);
        Ok(HyperClient { http, work: Work::new(task)? })
    }

    /// hyper leaves the time limit of a load to its user; the other clients have one.
    pub async fn load(&self, number: usize) -> Result<(), Failure> {
        let content = tokio::time::timeout(PATIENCE, self.exchange(number)).await??;
        self.work.use_content(&content)
    }

    async fn exchange(&self, number: usize) -> Result<Bytes, Failure> {
        let response = self.http.request(self.request(number)?).await?;
        self.work.check_status(response.status())?;
        Ok(hyper::body::to_bytes(response.into_body()).await?)
    }

    fn request(&self, number: usize) -> Result<Request<Body>, Failure> {
        let mut request = Request::builder()
            .uri(self.work.url(number))
            .header(ACCEPT, load_task::ACCEPT)
            .header(USER_AGENT, load_task::USER_AGENT);
        for (name, value) in &self.work.extra_fields {
            request = request.header(name, value);
        }
        Ok(match &self.work.content {
            None => request.body(Body::empty())?,
            Some(content) => request
                .method("POST")
                .header(CONTENT_TYPE, load_task::CONTENT_TYPE)
                .body(Body::from(content.clone()))?,
        })
    }
}

/// Sends without delay, as reqwest does.
fn make_tcp() -> HttpConnector {
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    connector.set_connect_timeout(Some(PATIENCE));
    connector.enforce_http(false);
    connector
}

fn make_tls(task: &LoadTask, protocol: &str) -> Result<TlsConnector, Failure> {
    let mut builder = TlsConnector::builder();
    builder.request_alpns(&[protocol]);
    if let Some(pem) = task.authority()? {
        builder.disable_built_in_roots(true).add_root_certificate(Certificate::from_pem(&pem)?);
    }
    Ok(builder.build()?)
}
