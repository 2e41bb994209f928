// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package main

import "encoding/json"

// Answer is the JSON of the response to a POST.
type Answer struct {
	Total int    `json:"total"`
	Items []Item `json:"items"`
}

// Item is a part of an Answer.
type Item struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Price float64  `json:"price"`
	Tags  []string `json:"tags"`
}

func decodeAnswer(content []byte) error {
	var answer Answer
	return json.Unmarshal(content, &answer)
}
