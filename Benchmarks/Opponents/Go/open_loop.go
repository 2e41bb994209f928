// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"runtime"
	"time"
)

// OpenLoop starts loads at a rate, whether or not earlier ones have ended. The duration of a load counts from the time
// at which it should have started, so that a slow client cannot hide the time that loads wait for it.
type OpenLoop struct {
	client *Client
	// Loads per second.
	rate float64
}

// The runtime has as many processors as ever, although the thread that starts the loads keeps one until the runtime
// sees that it sleeps. In short tries, one more processor cost more CPU per load, and did not lower p99 reliably.
func (loop OpenLoop) run(length RunLength) Measurement {
	count := length.countAt(loop.rate)
	tally := newTally(count)
	done := make(chan Measurement)
	go func() { done <- loop.runOnThread(count, tally) }()
	return <-done
}

// The thread ends with its goroutine, because it is never unlocked.
func (loop OpenLoop) runOnThread(count int, tally *Tally) Measurement {
	runtime.LockOSThread()
	wakeOnTime()
	pace := newPace()
	loop.startAll(count, pace, tally)
	whole := tally.wait()
	whole.elapsed = pace.elapsed()
	return whole
}

func (loop OpenLoop) startAll(count int, pace Pace, tally *Tally) {
	for number := 0; number < count; number++ {
		due := time.Duration(float64(number) / loop.rate * 1e9)
		pace.sleepUntil(due)
		if !tally.begin() {
			return
		}
		go func(number int) { tally.end(loop.client.load(number), pace.elapsed()-due) }(number)
	}
}
