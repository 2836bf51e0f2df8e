//! HTTP/1.1 as far as a scripted provider needs it: one request a connection, sized or chunked
//! both ways. No TLS, no keep-alive, no compression.

use std::io::{self, BufRead, Read as _, Write};

/// The largest body taken: a long conversation with a 300 KiB prompt in it, several times over.
const BODY_BYTES_MAX: usize = 32 << 20;

/// One request.
pub struct Request {
    pub method: String,
    /// Path and query.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(had, _)| had == name).map(|(_, value)| value.as_str())
    }
}

/// Reads one request; none when the peer says nothing at all.
pub fn read(from: &mut impl BufRead, to: &mut impl Write) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if from.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut request = Request {
        method: method.to_owned(),
        path: path.to_owned(),
        headers: headers(from)?,
        body: Vec::new(),
    };
    if request.header("expect").is_some() {
        to.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    request.body = body(&request, from)?;
    Ok(Some(request))
}

fn headers(from: &mut impl BufRead) -> io::Result<Vec<(String, String)>> {
    let mut all = Vec::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { return Ok(all) };
        all.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
}

fn body(request: &Request, from: &mut impl BufRead) -> io::Result<Vec<u8>> {
    if request.header("transfer-encoding").is_some_and(|how| how.contains("chunked")) {
        return chunked(from);
    }
    let length = request.header("content-length").and_then(|text| text.parse().ok());
    sized(from, length.unwrap_or(0))
}

fn sized(from: &mut impl BufRead, length: usize) -> io::Result<Vec<u8>> {
    if length > BODY_BYTES_MAX {
        return Err(io::Error::other("a body beyond all measure"));
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn chunked(from: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let size = line.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(size, 16).map_err(io::Error::other)?;
        all.extend(sized(from, size)?);
        // Each chunk, the last one too, is closed by an empty line.
        from.by_ref().take(2).read_to_end(&mut Vec::new())?;
        if size == 0 {
            return Ok(all);
        }
        if all.len() > BODY_BYTES_MAX {
            return Err(io::Error::other("a body beyond all measure"));
        }
    }
}

/// A whole answer of known size.
pub fn answer(to: &mut impl Write, status: u16, kind: &str, more: &str, body: &[u8]) {
    let reason = reason(status);
    let head = format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
         Connection: close\r\n{more}\r\n",
        body.len()
    );
    // A peer that left does not want the answer.
    let _ = to.write_all(head.as_bytes()).and_then(|()| to.write_all(body));
    let _ = to.flush();
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        401 => "Unauthorized",
        404 => "Not Found",
        429 => "Too Many Requests",
        _ => "Internal Server Error",
    }
}

/// Begins a stream of events.
pub fn begin(to: &mut impl Write) -> io::Result<()> {
    to.write_all(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n\
          Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
    )?;
    to.flush()
}

/// One chunk of a stream.
pub fn chunk(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    if bytes.is_empty() {
        // An empty chunk would end the stream.
        return Ok(());
    }
    write!(to, "{:x}\r\n", bytes.len())?;
    to.write_all(bytes)?;
    to.write_all(b"\r\n")?;
    to.flush()
}

/// Ends a stream as it should be ended.
pub fn end(to: &mut impl Write) -> io::Result<()> {
    to.write_all(b"0\r\n\r\n")?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_sized_and_chunked() {
        let table: [(&str, &str); 4] = [
            ("GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n", ""),
            ("POST /a?b=c HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", "hello"),
            ("POST /a?b=c HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx", "x"),
            (
                "POST /a?b=c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\
                 5\r\nhello\r\n2;x=y\r\n, \r\nA\r\n0123456789\r\n0\r\n\r\n",
                "hello, 0123456789",
            ),
        ];
        for (text, body) in table {
            let request = read(&mut text.as_bytes(), &mut Vec::new()).unwrap().unwrap();
            assert_eq!(request.path, "/a?b=c", "{text}");
            assert_eq!(String::from_utf8(request.body).unwrap(), body, "{text}");
        }
        assert!(read(&mut &b""[..], &mut Vec::new()).unwrap().is_none());
        for cut in ["POST /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhel", {
            "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe"
        }] {
            assert!(read(&mut cut.as_bytes(), &mut Vec::new()).is_err(), "{cut}");
        }
    }

    #[test]
    fn a_stream_that_is_written_can_be_read_back() {
        let mut wire = Vec::new();
        begin(&mut wire).unwrap();
        for part in ["data: 1\n\n", "", "data: 中\n\n"] {
            chunk(&mut wire, part.as_bytes()).unwrap();
        }
        end(&mut wire).unwrap();
        let at = wire.windows(4).position(|part| part == b"\r\n\r\n").unwrap() + 4;
        let body = chunked(&mut &wire[at..]).unwrap();
        assert_eq!(String::from_utf8(body).unwrap(), "data: 1\n\ndata: 中\n\n");
    }
}
