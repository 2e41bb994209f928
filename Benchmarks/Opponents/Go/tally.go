// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"sync"
	"time"
)

// Tally counts the loads of an open loop that are under way, and keeps the results of those that have ended.
type Tally struct {
	mutex       sync.Mutex
	measurement Measurement
	underWay    int
	all         sync.WaitGroup
}

// Has room for this many loads, so that none waits while the list of the others grows.
func newTally(count int) *Tally {
	return &Tally{measurement: Measurement{durations: make([]time.Duration, 0, count)}}
}

// Counts a load that starts. Returns false, and records the failure, if too many are under way.
func (tally *Tally) begin() bool {
	tally.mutex.Lock()
	defer tally.mutex.Unlock()
	if tally.underWay >= mostUnderWay {
		tally.measurement.stop(fmt.Errorf("stopped: %d loads were under way, the rate is too high", mostUnderWay))
		return false
	}
	tally.underWay++
	tally.all.Add(1)
	return true
}

func (tally *Tally) end(err error, duration time.Duration) {
	defer tally.all.Done()
	tally.mutex.Lock()
	defer tally.mutex.Unlock()
	tally.measurement.record(err, duration)
	tally.underWay--
}

// Waits until all loads have ended.
func (tally *Tally) wait() Measurement {
	tally.all.Wait()
	return tally.measurement
}
