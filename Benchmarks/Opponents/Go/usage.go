// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ProcessUsage has the resources that this process has used.
type ProcessUsage struct {
	// User and system time.
	cpu time.Duration
	// The largest resident size so far, in bytes. It is not ru_maxrss, which is at least the size of the process that
	// started this one.
	peakResident int
	threads      int
}

func usageNow() ProcessUsage {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	status, _ := os.ReadFile("/proc/self/status")
	return ProcessUsage{
		cpu:          time.Duration(usage.Utime.Nano() + usage.Stime.Nano()),
		peakResident: number("VmHWM:", string(status)) * 1024,
		threads:      number("Threads:", string(status)),
	}
}

func number(key, status string) int {
	_, rest, _ := strings.Cut(status, key)
	line, _, _ := strings.Cut(rest, "\n")
	number, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(line), " kB"))
	return number
}

// Raises the limit of open descriptors to the highest that is allowed.
func raiseDescriptorLimit() {
	var limit syscall.Rlimit
	syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit)
	limit.Cur = limit.Max
	syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
}
