/** How much of a request is taken before it is refused. */
export type HttpLimits = {
  readonly v1BodyBytes: number
  /** Of callers under `/v1` who have not shown a token. */
  readonly anonymousBodyBytes: number
  /** Of all of them at the same time, where a body is large. */
  readonly anonymousTotalBytes: number
  readonly v2BodyBytes: number
  /** Of all large bodies that a process has in memory at the same time. */
  readonly bufferedBytes: number
  readonly jsonDepth: number
  readonly jsonEntries: number
  readonly jsonString: number
  readonly tokenHeaderBytes: number
  readonly bodyDeadlineMs: number
  readonly requestDeadlineMs: number
}

/** The limits of a server whose configuration names none. */
export const defaultHttpLimits: HttpLimits = {
  v1BodyBytes: 32 * 1024 * 1024,
  anonymousBodyBytes: 1024 * 1024,
  anonymousTotalBytes: 64 * 1024 * 1024,
  v2BodyBytes: 10 * 1024 * 1024,
  bufferedBytes: 512 * 1024 * 1024,
  jsonDepth: 500,
  jsonEntries: 10_000,
  jsonString: 1024 * 1024,
  tokenHeaderBytes: 8 * 1024,
  bodyDeadlineMs: 30_000,
  requestDeadlineMs: 90_000,
}
