import type { JobVariable } from '../job/variables.ts'
import type { Isolation } from '../sandbox/sandbox.ts'

/** The version of the protocol that this runner speaks. */
export const protocolVersion = '1'

/** One phase of a run, as it is handed to a runner. Members that are not here are ignored. */
export type Job = {
  readonly job_id: string
  /** `plan` or `apply`; another one is refused. */
  readonly kind: string
  readonly fence: number
  readonly lease_ms: number
  readonly deadline_ms: number
  readonly token: string
  readonly tool_token: string
  readonly run: RunOptions
  readonly tool: ToolChoice
  readonly configuration: {
    readonly sha256: string | null
    readonly bytes: number | null
    readonly working_directory?: string | null
  }
  /** For an apply: the folder that its plan was made in. */
  readonly work_root?: string | null
  readonly state: {
    readonly url: string | null
    readonly md5?: string | null
    readonly serial?: number | null
    readonly lineage?: string | null
  } | null
  readonly variables: readonly JobVariable[]
  readonly ssh_key?: string | null
  readonly api: { readonly base_url: string; readonly ca_pem?: string | null }
  readonly plan?: { readonly sha256: string | null } | null
  readonly lock_file?: { readonly sha256: string | null } | null
}

/** What was asked for with the run. */
export type RunOptions = {
  readonly id: string
  readonly organization: string
  readonly project?: { readonly id: string; readonly name: string } | null
  readonly workspace: { readonly id: string; readonly name: string }
  readonly is_destroy?: boolean
  readonly refresh?: boolean
  readonly refresh_only?: boolean
  readonly targets?: readonly string[] | null
  readonly replaces?: readonly string[] | null
  readonly invokes?: readonly string[] | null
  readonly plan_only?: boolean
  readonly generate_config?: boolean
  readonly debug?: boolean
  readonly log_format?: 'text' | 'json'
  readonly ingress?: { readonly branch?: string; readonly commit_sha?: string; readonly tag?: string } | null
}

/** The tool of a run, and where it can be had. */
export type ToolChoice = {
  readonly name: string
  readonly version: string
  readonly source?: 'path' | 'catalogue'
  readonly downloads?: readonly ToolDownload[]
}

/** An archive of a tool for one platform. */
export type ToolDownload = {
  readonly os: string
  readonly arch: string
  readonly url: string
  readonly sha256?: string | null
  readonly mirror_urls?: readonly string[]
}

/** What a runner says of itself. */
export type Registration = {
  readonly name: string
  readonly version: string
  readonly os: string
  readonly arch: string
  readonly max_jobs: number
  readonly executor: 'process' | 'namespace'
  readonly isolation: Isolation & { readonly not_in_force: readonly string[] }
  readonly tools: readonly { readonly name: string; readonly version: string; readonly sha256: string }[]
  readonly capabilities: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  /** The folder below which each run has its own, as its tool sees it. */
  readonly work_root: string
  readonly previous_session?: string
  readonly resume_jobs: readonly {
    readonly job_id: string
    readonly fence: number
    readonly process: 'alive' | 'gone'
  }[]
}

/** The answer to a registration. */
export type Registered = {
  readonly runner_id: string
  readonly session: string
  readonly heartbeat_ms: number
  readonly claim_wait_ms: number
  readonly log_chunk_bytes: number
  readonly jobs?: readonly {
    readonly job_id: string
    readonly fence: number
    readonly verdict: 'continue' | 'abandon'
    readonly job?: Job
  }[]
}

/** What the server wants of a job that runs. */
export type Renewal = {
  readonly lease_ms: number
  readonly signal: 'none' | 'interrupt' | 'kill'
  readonly deadline_ms: number
}

/** What a phase came to. */
export type PhaseSummary = {
  readonly has_changes?: boolean
  readonly additions?: number
  readonly changes?: number
  readonly destructions?: number
  readonly imports?: number
  readonly output_changes?: number
  readonly generated_configuration?: boolean
  readonly tool?: string
  readonly tool_version?: string
  readonly providers?: readonly string[]
}

/** The end of a job. */
export type Finish = {
  readonly outcome: 'finished' | 'errored' | 'canceled'
  readonly exit_code: number | null
  readonly error?: { readonly code: string; readonly message: string }
  readonly log_length: number
  readonly summary: PhaseSummary
  readonly usage: { readonly cpu_ms: number; readonly max_rss: number; readonly wall_ms: number }
}
