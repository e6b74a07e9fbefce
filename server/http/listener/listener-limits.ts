/** What one listener allows a client before it stops listening to it. Times are milliseconds. */
export type ListenerLimits = {
  /** All header lines of one request together; more is answered 431. */
  maxHeaderBytes: number
  /** Number of header lines of one request; more is answered 431. */
  maxHeaders: number
  /** Connections open at once, per process; further ones are closed as they come. */
  maxConnections: number
  /** Of these, connections whose client sent certificates of unusual size or number; further ones are closed as well. */
  maxLargeChains: number
  /** Connections beyond the maximum that may ask one question of `/healthz`, `/readyz` or `/v1/sys/health`. */
  probeConnections: number
  /** From the connection to the end of the headers of such a question; later ones are cut off. */
  probeTimeoutMs: number
  /** From the first byte of a request to the end of its headers; longer is answered 408. */
  headersTimeoutMs: number
  /** From the first byte of a request to the end of its body, unless the body is streamed; longer is answered 408. */
  requestTimeoutMs: number
  /** How long an idle connection is kept for a next request. */
  keepAliveTimeoutMs: number
  /** How much longer than announced to clients. One that sends in time would lose its request if this process was held up. */
  keepAliveSlackMs: number
  /** How long a client may take no byte of an answer that waits for it. */
  stallTimeoutMs: number
  /** How long a TLS handshake may take. */
  handshakeTimeoutMs: number
  /** How long unread input is thrown away after a refusal, so that the client gets to read the answer. */
  lingerMs: number
}

/** Limits that suit a server on the open network. */
export const defaultListenerLimits: ListenerLimits = {
  maxHeaderBytes: 32 * 1024,
  maxHeaders: 100,
  maxConnections: 10_000,
  probeConnections: 16,
  probeTimeoutMs: 2_000,
  maxLargeChains: 256,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 300_000,
  keepAliveTimeoutMs: 75_000,
  keepAliveSlackMs: 10_000,
  stallTimeoutMs: 60_000,
  handshakeTimeoutMs: 10_000,
  lingerMs: 1_000,
}
