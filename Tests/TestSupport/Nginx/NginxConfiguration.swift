/// The text of an nginx configuration that touches nothing outside its own folder.
struct NginxConfiguration {
  private let root: String
  private let own: String
  private let port: UInt16
  private let options: NginxOptions

  init(_ root: String, _ own: String, port: UInt16, _ options: NginxOptions) {
    self.root = root
    self.own = own
    self.port = port
    self.options = options
  }

  var text: String {
    """
    daemon off;
    # One process: nothing to leave behind, and no change of user.
    master_process off;
    pid "\(own)/nginx.pid";
    error_log "\(own)/error.log" warn;
    events { worker_connections 512; }
    http {
      log_format record escape=json \(NginxRecord.logFormat);
      access_log "\(own)/access.log" record;
      client_body_temp_path "\(own)/body";
      proxy_temp_path "\(own)/proxy";
      fastcgi_temp_path "\(own)/fastcgi";
      uwsgi_temp_path "\(own)/uwsgi";
      scgi_temp_path "\(own)/scgi";
      default_type application/octet-stream;
      sendfile on;
      sendfile_max_chunk 2m;
      tcp_nopush on;
      keepalive_requests 10000;
      \(server)
    }

    """
  }

  private var listen: String { "listen \(options.host):\(port)\(listenOptions);" }

  private var server: String {
    guard let server = options.server else {
      return (["server {", listen, "root \"\(root)\";"] + lines + ["}"])
        .joined(separator: "\n    ")
    }
    return server.split(separator: "\n").map { here(String($0)) }.joined(separator: "\n")
  }

  /// A line of a document's server block with what is different here.
  private func here(_ line: String) -> String {
    switch line.split(separator: " ").first {
    case "listen": listen
    case "root": "root \"\(root)\";"
    case "ssl_certificate":
      options.certificates.map { "ssl_certificate \"\($0.certificate)\";" } ?? ""
    case "ssl_certificate_key":
      options.certificates.map { "ssl_certificate_key \"\($0.key)\";" } ?? ""
    default: line
    }
  }

  private var listenOptions: String {
    guard options.certificates != nil else { return "" }
    return options.hasHTTP2 ? " ssl http2" : " ssl"
  }

  private var lines: [String] {
    var lines: [String] = []
    if let certificates = options.certificates {
      lines += [
        "ssl_certificate \"\(certificates.certificate)\";",
        "ssl_certificate_key \"\(certificates.key)\";",
        "ssl_protocols TLSv1.2 TLSv1.3;",
      ]
    }
    if let rate = options.limitRate { lines.append("limit_rate \(rate);") }
    if let count = options.maxRanges { lines.append("max_ranges \(count);") }
    if options.hasGzip {
      lines += ["gzip on;", "gzip_types *;", "gzip_min_length 0;", "gzip_proxied any;"]
    }
    if let status = options.status { lines.append("location / { return \(status); }") }
    for (path, place) in options.redirects.sorted(by: { $0.key < $1.key }) {
      lines.append("location \(path) { return 302 \(place)$request_uri; }")
    }
    return lines
  }
}
