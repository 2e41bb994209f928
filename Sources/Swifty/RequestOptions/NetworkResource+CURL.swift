// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension NetworkResource {
    /// Makes the request of a curl command, as browsers and the documentation of APIs give it.
    ///
    ///     let request = NetworkResource(curl: "curl -H 'X-Id: 1' -d a=1 https://api.example.com/users")
    ///
    /// The command is one for a POSIX shell: with quotes, `$'…'` and lines that end with a backslash. What curl would
    /// send is the request: method, URL (`http` without a scheme), header fields and those that are left out, cookies,
    /// content of any kind, `-u` with Basic or Digest, range, time limits, `--retry`, `--limit-rate`,
    /// `--max-filesize`. Files are read when they are sent, and the line ends of `-d @FILE` stay. Everything else is
    /// that of the network interface: `User-Agent`, `Accept-Encoding`, redirects, which statuses are failures.
    ///
    /// Options for output, messages and connections are ignored. One that says what is sent, to where, or how the
    /// server is verified, and that a request cannot have (`-k`, `-x`, `--cert`, `-c FILE`), fails the load with
    /// ``SwiftyError/Code/requestRefused``, and so does what a shell would expand (`$TOKEN`) and a command that cannot
    /// be parsed. The reason names the option, and repeats no values of fields and content.
    ///
    /// A command decides where a request goes and which files it sends: check one that another person has written.
    ///
    /// - Parameters:
    ///   - command: The command with its first word, `curl`.
    ///   - networkInterface: The interface that loads the request.
    ///   - function: Filled in by the compiler: the name of the function that describes the request is also the name of
    ///     its mock file.
    public convenience init(
        curl command: String,
        networkInterface: any NetworkInterface = Swifty.shared,
        function: StaticString = #function
    ) {
        let request = CURLRequest(command, function: function)
        self.init(draft: request.draft, networkInterface: networkInterface)
        if let (user, password) = request.digest { authentication(.digest(user: user, password: password)) }
        if let limit = request.contentLimit { contentLimit(limit) }
    }
}
