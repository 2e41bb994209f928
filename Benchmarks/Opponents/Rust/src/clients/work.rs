// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

use crate::answer::Answer;
use crate::failure::Failure;
use crate::load_task::LoadTask;
use hyper::body::Bytes;
use hyper::StatusCode;

/// What all clients need of a task for each load.
pub struct Work {
    urls: Vec<String>,
    /// The content of a POST; `None` for a GET.
    pub content: Option<Bytes>,
    /// The header fields beside those of every request.
    pub extra_fields: Vec<(String, String)>,
    decodes: bool,
}

impl Work {
    pub fn new(task: &LoadTask) -> Result<Work, Failure> {
        Ok(Work { urls: task.urls(), content: task.content()?, extra_fields: task.extra_fields(), decodes: task.decodes })
    }

    /// The URL of a load, which is parsed for each load: programs seldom load the same URL again.
    pub fn url(&self, number: usize) -> &str {
        &self.urls[number % self.urls.len()]
    }

    pub fn check_status(&self, status: StatusCode) -> Result<(), Failure> {
        match status {
            StatusCode::OK => Ok(()),
            _ => Err(format!("unexpected status {}", status).into()),
        }
    }

    /// Decodes the content if the task says so.
    pub fn use_content(&self, content: &[u8]) -> Result<(), Failure> {
        if self.decodes {
            Answer::decode(content)?;
        }
        Ok(())
    }
}
