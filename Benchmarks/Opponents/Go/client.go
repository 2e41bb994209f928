// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
)

// Client loads with the client of the standard library.
type Client struct {
	http    *http.Client
	urls    []string
	content []byte
	fields  []Field
	decodes bool
}

func newClient(task LoadTask) (*Client, error) {
	content, err := task.content()
	if err != nil {
		return nil, err
	}
	transport, err := newTransport(task)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Transport: transport}
	return &Client{client, task.urls(), content, task.extraFields(), task.Decodes}, nil
}

// Runs the load with this number, which reads the whole content and checks the status.
func (client *Client) load(number int) error {
	request, err := client.request(number)
	if err != nil {
		return err
	}
	response, err := client.http.Do(request)
	if err != nil {
		return err
	}
	content, err := readAll(response)
	if err == nil && client.decodes {
		err = decodeAnswer(content)
	}
	return err
}

// The URL is parsed for each load: programs seldom load the same URL again.
func (client *Client) request(number int) (*http.Request, error) {
	method, body := http.MethodGet, io.Reader(nil)
	if client.content != nil {
		method, body = http.MethodPost, bytes.NewReader(client.content)
	}
	request, err := http.NewRequest(method, client.urls[number%len(client.urls)], body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", accept)
	request.Header.Set("User-Agent", userAgent)
	for _, field := range client.fields {
		request.Header.Set(field.name, field.value)
	}
	if client.content != nil {
		request.Header.Set("Content-Type", contentType)
	}
	return request, nil
}

// Reads the content into memory of its size, if the server has told it; io.ReadAll would move a large content often.
func readAll(response *http.Response) ([]byte, error) {
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("unexpected status %s", response.Status)
	}
	size := bytes.MinRead
	if response.ContentLength > 0 {
		size += int(response.ContentLength)
	}
	buffer := bytes.NewBuffer(make([]byte, 0, size))
	_, err := buffer.ReadFrom(response.Body)
	return buffer.Bytes(), err
}
