// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"flag"
	"fmt"
	"time"
)

const clientName = "go"

var errUsage = errors.New("usage: opponent-go load go TASK-JSON [--seconds S] [--count N] [--warm-up N]")

// Arguments are those of the subcommand `load`.
type Arguments struct {
	task   LoadTask
	length RunLength
	// Loads before the measurement.
	warmUp int
}

func parseArguments(words []string) (Arguments, error) {
	if len(words) < 3 || words[0] != "load" {
		return Arguments{}, errUsage
	}
	if words[1] != clientName {
		return Arguments{}, fmt.Errorf("the client %s is unknown; known is %s", words[1], clientName)
	}
	task, err := parseTask(words[2])
	if err != nil {
		return Arguments{}, err
	}
	arguments := Arguments{task: task}
	err = arguments.parseOptions(words[3:])
	return arguments, err
}

func (arguments *Arguments) parseOptions(words []string) error {
	options := flag.NewFlagSet("load", flag.ContinueOnError)
	seconds := options.Float64("seconds", 2, "Seconds.")
	options.IntVar(&arguments.length.count, "count", 0, "The number of loads, instead of a time.")
	options.IntVar(&arguments.warmUp, "warm-up", 200, "Loads before the measurement.")
	if err := options.Parse(words); err != nil {
		return err
	}
	if options.NArg() > 0 {
		return errUsage
	}
	arguments.length.time = time.Duration(*seconds * float64(time.Second))
	return nil
}
