import type { Instant } from '../../../../kernel/clock.ts'
import type { Fault } from '../../../../kernel/failure.ts'
import type { ExecutionMode } from '../../../people/organizations/index.ts'
import type { KeyValue } from '../tagging/binding-rules.ts'

/** A repository link as it was sent; absent members keep their value. */
export type AskedVcsRepo = {
  readonly identifier?: string
  readonly oauthTokenId?: string | null
  readonly vcsAppInstallationId?: string | null
  readonly branch?: string | null
  readonly ingressSubmodules?: boolean
  readonly tagsRegex?: string | null
}

/** Where documents may name the pool of a workspace. */
export const poolPointers = {
  attribute: '/data/attributes/agent-pool-id',
  relationship: '/data/relationships/agent-pool',
} as const

/** One of those places. */
type PoolPointer = (typeof poolPointers)[keyof typeof poolPointers]

/** Settings as they were sent: absent ones keep their value, null clears it where that is allowed. */
export type AskedSettings = {
  readonly name?: string
  readonly description?: string | null
  readonly executionMode?: ExecutionMode
  readonly operations?: boolean
  readonly agentPoolId?: string | null
  /** Where the document names the pool; in the attribute if absent. */
  readonly poolPointer?: PoolPointer
  readonly settingOverwrites?: { readonly executionMode?: boolean; readonly agentPool?: boolean } | null
  readonly allowDestroyPlan?: boolean
  readonly assessmentsEnabled?: boolean
  readonly autoApply?: boolean
  readonly autoApplyRunTrigger?: boolean
  readonly autoDestroyAt?: Instant | null
  readonly autoDestroyActivityDuration?: string | null
  readonly inheritsProjectAutoDestroy?: boolean | null
  readonly fileTriggersEnabled?: boolean
  readonly triggerPrefixes?: readonly string[] | null
  readonly triggerPatterns?: readonly string[] | null
  readonly globalRemoteState?: boolean
  readonly projectRemoteState?: boolean
  readonly queueAllRuns?: boolean
  readonly speculativeEnabled?: boolean
  readonly structuredRunOutputEnabled?: boolean
  readonly toolVersion?: string
  readonly workingDirectory?: string | null
  readonly vcsRepo?: AskedVcsRepo | null
}

/** A document about a workspace, whose faults are not yet thrown. */
export type WorkspaceDraft = {
  readonly asked: AskedSettings
  readonly projectId: string | undefined
  /** If undefined, they stay as they are. */
  readonly bindings: readonly KeyValue[] | undefined
  /** Throws the faults of the document together with these. */
  readonly requireNoFaults: (faults: readonly Fault[]) => unknown
}

/** A fault of an attribute; `path` is below `/data/attributes/`. */
export const faultAt = (path: string, detail: string, code?: string): Fault => ({
  detail,
  pointer: `/data/attributes/${path}`,
  ...(code ? { code } : {}),
})

/**
 * A fault of the pool, reported where the document names it; it depends on both places, and on the members given here.
 */
export const poolFault = (
  { poolPointer: pointer = poolPointers.attribute }: Pick<AskedSettings, 'poolPointer'>,
  detail: string,
  basis: readonly string[] = [],
): Fault => ({ detail, pointer, dependsOn: [...Object.values(poolPointers), ...basis] })
