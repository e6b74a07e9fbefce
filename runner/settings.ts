import type { Property } from './sandbox/sandbox.ts'

/** Everything that a runner is told when it starts. */
export type RunnerSettings = {
  readonly address: URL
  /** PEM of the authority of the server, beside those that everybody trusts. */
  readonly ca: string | undefined
  readonly name: string
  readonly dataFolder: string
  readonly layer: 'auto' | 'process' | 'namespace'
  readonly require: readonly Property[]
  readonly tools: 'path' | 'catalogue'
  /** Where tools are looked for. */
  readonly path: string
  readonly maxJobs: number | undefined
  readonly labels: Readonly<Record<string, string>>
  readonly allowsMetadata: boolean
  readonly memoryBytes: number
  readonly diskBytes: number
  readonly logBytes: number
  readonly stateIntervalMs: number
  readonly drainMs: number
  /** Folders with providers, which tools ask before the registry. */
  readonly providerMirrors: readonly string[]
  /** Variables of the environment of the runner that tools get, too: proxies and authorities. */
  readonly passedOn: Readonly<Record<string, string>>
}

const GiB = 1024 ** 3

/** What applies unless something else is said. */
export const runnerDefaults = {
  layer: 'auto',
  require: [],
  tools: 'catalogue',
  allowsMetadata: false,
  memoryBytes: 4 * GiB,
  diskBytes: 4 * GiB,
  logBytes: 64 * 1024 ** 2,
  stateIntervalMs: 10_000,
  drainMs: 600_000,
  providerMirrors: [],
  labels: {},
} as const

const passedOnNames = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR'],
]

/** The part of an environment that tools get, too. */
export const passedOnFrom = (environment: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    passedOnNames.flatMap((name) => {
      const value = environment[name]
      return value ? [[name, value]] : []
    }),
  )
