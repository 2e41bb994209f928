// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// The program opponent-go measures the client of Go's standard library as the subcommand `load` of the benchmarks does,
// with the same arguments and output.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "opponent-go:", err)
		os.Exit(1)
	}
}

func run() error {
	arguments, err := parseArguments(os.Args[1:])
	if err != nil {
		return err
	}
	raiseDescriptorLimit()
	figures, err := measure(arguments)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]Figures{clientName: figures})
}

// The first load runs alone, so that an HTTP/2 client learns that one connection suffices.
func measure(arguments Arguments) (Figures, error) {
	client, err := newClient(arguments.task)
	if err != nil {
		return Figures{}, err
	}
	if err := client.load(0); err != nil {
		return Figures{}, err
	}
	closed := ClosedLoop{client: client, inFlight: arguments.task.InFlight}
	if arguments.warmUp > 0 {
		closed.run(RunLength{count: arguments.warmUp})
	}
	before := usageNow()
	measurement := runLoads(closed, arguments)
	after := usageNow()
	if measurement.failure != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", clientName, measurement.failure)
	}
	return measurement.figures(before, after), nil
}

// At the task's rate if it has one, and otherwise as fast as the loads end.
func runLoads(closed ClosedLoop, arguments Arguments) Measurement {
	if arguments.task.Rate == nil {
		return closed.run(arguments.length)
	}
	return OpenLoop{client: closed.client, rate: *arguments.task.Rate}.run(arguments.length)
}
