// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"sort"
	"time"
)

// Measurement has the results of one run.
type Measurement struct {
	elapsed time.Duration
	failed  int
	// The durations of the loads that succeeded.
	durations []time.Duration
	// The reason of the first failure, or of the end of the measurement before its time.
	failure error
}

// Figures are the quantities that the benchmarks read, by their names.
type Figures struct {
	// Loads per second.
	Rate   float64 `json:"rate"`
	Failed float64 `json:"failed"`
	// Latencies in milliseconds.
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p999"`
	// Microseconds per load.
	CPU float64 `json:"cpu"`
	// Megabytes.
	Peak    float64 `json:"peak"`
	Threads float64 `json:"threads"`
}

func (measurement *Measurement) record(err error, duration time.Duration) {
	if err == nil {
		measurement.durations = append(measurement.durations, duration)
	} else {
		measurement.fail(err)
	}
}

func (measurement *Measurement) fail(err error) {
	measurement.failed++
	if measurement.failure == nil {
		measurement.failure = err
	}
}

// Counts a failure that says more than those of single loads.
func (measurement *Measurement) stop(reason error) {
	measurement.failed++
	measurement.failure = reason
}

func (measurement *Measurement) add(other Measurement) {
	measurement.failed += other.failed
	measurement.durations = append(measurement.durations, other.durations...)
	if measurement.failure == nil {
		measurement.failure = other.failure
	}
}

func (measurement *Measurement) figures(before, after ProcessUsage) Figures {
	durations, completed := measurement.durations, float64(len(measurement.durations))
	sort.Slice(durations, func(i, j int) bool { return durations[i] < durations[j] })
	return Figures{
		Rate:    completed / math.Max(measurement.elapsed.Seconds(), 1e-9),
		Failed:  float64(measurement.failed),
		P50:     percentile(durations, 50),
		P99:     percentile(durations, 99),
		P999:    percentile(durations, 99.9),
		CPU:     float64((after.cpu - before.cpu).Microseconds()) / math.Max(completed, 1),
		Peak:    float64(after.peakResident) / 1e6,
		Threads: float64(after.threads),
	}
}

// The least duration that so many percent of the loads do not exceed, in milliseconds.
func percentile(sorted []time.Duration, percent float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(percent / 100 * float64(len(sorted))))
	return float64(sorted[rank-1].Nanoseconds()) / 1e6
}
