// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"sync"
	"time"
)

// RunLength is the length of a run.
type RunLength struct {
	// Loads start until this time has passed.
	time time.Duration
	// A number of loads instead of a time, unless it is zero.
	count int
}

func (length RunLength) isGoingOn(number int, elapsed time.Duration) bool {
	if length.count > 0 {
		return number < length.count
	}
	return elapsed < length.time
}

// The number of loads that start at a rate.
func (length RunLength) countAt(rate float64) int {
	if length.count > 0 {
		return length.count
	}
	return int(math.Ceil(length.time.Seconds() * rate))
}

// ClosedLoop keeps a number of loads in flight: each worker starts its next load when its last one has finished.
type ClosedLoop struct {
	client   *Client
	inFlight int
}

func (loop ClosedLoop) run(length RunLength) Measurement {
	start := time.Now()
	shares := make([]Measurement, loop.inFlight)
	var workers sync.WaitGroup
	workers.Add(loop.inFlight)
	for worker := range shares {
		go func(worker int) {
			defer workers.Done()
			shares[worker] = loop.work(worker, length, start)
		}(worker)
	}
	workers.Wait()
	var whole Measurement
	for _, share := range shares {
		whole.add(share)
	}
	whole.elapsed = time.Since(start)
	return whole
}

func (loop ClosedLoop) work(worker int, length RunLength, start time.Time) Measurement {
	var share Measurement
	begin := time.Now()
	for number := worker; length.isGoingOn(number, begin.Sub(start)); number += loop.inFlight {
		err := loop.client.load(number)
		end := time.Now()
		share.record(err, end.Sub(begin))
		begin = end
	}
	return share
}
