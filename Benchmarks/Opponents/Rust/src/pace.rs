// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

//! A clock by which a thread can sleep exactly; a tokio timer has steps of a millisecond.

/// The time in nanoseconds.
pub fn now() -> u64 {
    // Safety: `timespec` is plain numbers, and the pointer is valid during the call.
    let time = unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time);
        time
    };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Blocks the thread until a time; returns at once if it has passed.
pub fn sleep_until(nanoseconds: u64) {
    if now() >= nanoseconds {
        return;
    }
    let time =
        libc::timespec { tv_sec: (nanoseconds / 1_000_000_000) as _, tv_nsec: (nanoseconds % 1_000_000_000) as _ };
    // Safety: the pointer is valid during the call.
    let sleep =
        || unsafe { libc::clock_nanosleep(libc::CLOCK_MONOTONIC, libc::TIMER_ABSTIME, &time, std::ptr::null_mut()) };
    while sleep() == libc::EINTR {}
}

/// Lets this thread wake on time. By default, Linux lets a sleep end up to 50 microseconds late.
pub fn wake_on_time() {
    // Safety: changes nothing but this thread's timers.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1) };
}
