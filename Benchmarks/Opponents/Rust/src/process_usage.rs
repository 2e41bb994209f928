// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

use crate::failure::Failure;

/// The resources that this process has used.
pub struct ProcessUsage {
    /// User and system time.
    pub cpu_microseconds: i64,
    /// The largest resident size so far, in bytes. It is not `ru_maxrss`, which is at least the size of the process
    /// that started this one.
    pub peak_resident: usize,
    pub threads: usize,
}

impl ProcessUsage {
    pub fn now() -> Result<ProcessUsage, Failure> {
        let status = std::fs::read_to_string("/proc/self/status")?;
        Ok(ProcessUsage {
            cpu_microseconds: cpu_microseconds(),
            peak_resident: number("VmHWM:", &status) * 1024,
            threads: number("Threads:", &status),
        })
    }
}

fn number(key: &str, status: &str) -> usize {
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

fn cpu_microseconds() -> i64 {
    // Safety: `rusage` is plain numbers, and the pointer is valid during the call.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    microseconds(usage.ru_utime) + microseconds(usage.ru_stime)
}

fn microseconds(time: libc::timeval) -> i64 {
    time.tv_sec as i64 * 1_000_000 + time.tv_usec as i64
}

/// Raises the limit of open descriptors to the highest that is allowed.
pub fn raise_descriptor_limit() {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // Safety: the pointers are valid during the calls.
    unsafe {
        libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit);
        limit.rlim_cur = limit.rlim_max;
        libc::setrlimit(libc::RLIMIT_NOFILE, &limit);
    }
}
