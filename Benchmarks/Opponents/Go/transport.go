// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"os"
)

// As many connections as there are loads in flight, all of them kept; by default, two are. Connecting and waiting have
// time limits, and not the whole load: its limit would be a context, at whose end Go 1.19 breaks off the handshake that
// the load began, although the load has used another connection in the meantime. Most handshakes would be in vain.
// There is no proxy of the environment, and no compression, which the other clients do not ask for either.
func newTransport(task LoadTask) (*http.Transport, error) {
	roots, err := authorities(task.Authority)
	mostConnections, mostIdle := task.connections()
	transport := &http.Transport{
		DialContext:           (&net.Dialer{Timeout: patience}).DialContext,
		MaxConnsPerHost:       mostConnections,
		MaxIdleConnsPerHost:   mostIdle,
		DisableCompression:    true,
		ForceAttemptHTTP2:     !task.IsHTTP1,
		TLSClientConfig:       &tls.Config{RootCAs: roots},
		TLSHandshakeTimeout:   patience,
		ResponseHeaderTimeout: patience,
	}
	return transport, err
}

// The limits of all and of idle connections. An open loop has no limit of all, like the other clients; zero is none.
func (task LoadTask) connections() (most, mostIdle int) {
	if task.Rate != nil {
		return 0, mostUnderWay
	}
	return task.InFlight, task.InFlight
}

// Those of the system if no file is given.
func authorities(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s has no certificate", file)
	}
	return pool, nil
}
