// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"syscall"
	"time"
	"unsafe"
)

// Names of Linux that the package syscall does not have.
const (
	clockMonotonic   = 1
	timerAbstime     = 1
	prSetTimerslack  = 29
	timerSlackOfPace = 1
)

// Pace is a clock by which a thread can sleep exactly.
type Pace struct {
	start time.Time
	// The same time on the kernel's clock, in nanoseconds.
	kernelStart int64
}

func newPace() Pace {
	var now syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&now)), 0)
	return Pace{start: time.Now(), kernelStart: now.Nano()}
}

func (pace Pace) elapsed() time.Duration {
	return time.Since(pace.start)
}

// Blocks the thread until this time after the start; returns at once if it has passed.
func (pace Pace) sleepUntil(offset time.Duration) {
	if pace.elapsed() >= offset {
		return
	}
	due := syscall.NsecToTimespec(pace.kernelStart + offset.Nanoseconds())
	for isInterrupted := true; isInterrupted; {
		_, _, failure := syscall.Syscall6(syscall.SYS_CLOCK_NANOSLEEP, clockMonotonic, timerAbstime,
			uintptr(unsafe.Pointer(&due)), 0, 0, 0)
		isInterrupted = failure == syscall.EINTR
	}
}

// Lets this thread wake on time. By default, Linux lets a sleep end up to 50 microseconds late.
func wakeOnTime() {
	syscall.Syscall(syscall.SYS_PRCTL, prSetTimerslack, timerSlackOfPace, 0)
}
