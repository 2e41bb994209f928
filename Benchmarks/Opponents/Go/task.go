// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// The header fields that every client sends.
const (
	accept      = "application/json"
	userAgent   = "benchmark"
	contentType = "application/json"
)

// The time limit of a load and of a connection; long, because time limits are not measured here.
const patience = 150 * time.Second

// The most loads of an open loop that may be under way.
const mostUnderWay = 20_000

// LoadTask is a client's work: the requests and how many run simultaneously.
type LoadTask struct {
	// The URL; on 127.0.0.1 if there are several hosts.
	URL string `json:"url"`
	// The PEM file of the authority of the server's certificate.
	Authority string `json:"authority"`
	// The file with the JSON of a POST; empty for a GET.
	ContentFile string `json:"contentFile"`
	// Whether the content of the response is decoded as an Answer.
	Decodes bool `json:"decodes"`
	// Whether HTTP/1.1 is spoken even where the server offers HTTP/2.
	IsHTTP1 bool `json:"isHTTP1"`
	// The number of loads in flight; with a rate, only before the measurement.
	InFlight int `json:"inFlight"`
	// The loads per second of an open loop; nil for the closed loop.
	Rate *float64 `json:"rate"`
	// The number of hosts that the loads go to in turn.
	Hosts int `json:"hosts"`
	// The number of header fields that are sent beside those of every request.
	ExtraFields int `json:"extraFields"`
}

// Field is a header field.
type Field struct {
	name, value string
}

// A field that is not known here would change the work, and is an error.
func parseTask(text string) (LoadTask, error) {
	task := LoadTask{Hosts: 1}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&task)
	if err == nil && task.Rate != nil && *task.Rate <= 0 {
		err = errors.New("the rate must be greater than 0")
	}
	return task, err
}

// The URLs that the loads go to, in turn.
func (task LoadTask) urls() []string {
	if task.Hosts == 1 {
		return []string{task.URL}
	}
	urls := make([]string, task.Hosts)
	for host := range urls {
		urls[host] = strings.ReplaceAll(task.URL, "127.0.0.1", address(host))
	}
	return urls
}

// The header fields that are sent beside those of every request.
func (task LoadTask) extraFields() []Field {
	fields := make([]Field, task.ExtraFields)
	for number := range fields {
		fields[number] = Field{fmt.Sprintf("x-field-%d", number), fmt.Sprintf("value %d", number)}
	}
	return fields
}

// The content of a POST; nil for a GET.
func (task LoadTask) content() ([]byte, error) {
	if task.ContentFile == "" {
		return nil, nil
	}
	return os.ReadFile(task.ContentFile)
}

// The addresses of the server that several hosts stand for, from 127.1.0.1 on.
func address(host int) string {
	return fmt.Sprintf("127.1.%d.%d", host/250, host%250+1)
}
