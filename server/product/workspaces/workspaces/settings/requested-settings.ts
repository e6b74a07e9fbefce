import type { Fault } from '../../../../kernel/failure.ts'
import type { Values } from '../../../../kit/jsonapi/attributes.ts'
import type { KeyValue } from '../tagging/tag-binding.ts'
import type { deciding, inheritable, settings } from '../workspace-fields.ts'

/** Where documents may name the pool of a workspace. */
export const poolPointers = {
  attribute: '/data/attributes/agent-pool-id',
  relationship: '/data/relationships/agent-pool',
} as const

/** One of those places. */
type PoolPointer = (typeof poolPointers)[keyof typeof poolPointers]

/** Settings as they were sent: absent ones keep their value, null clears it where that is allowed. */
export type RequestedSettings = Partial<
  Values<typeof settings.fields> & Values<typeof inheritable.fields> & Values<typeof deciding>
> & {
  /** Where the document names the pool; in the attribute if absent. */
  readonly poolPointer?: PoolPointer
}

/** A repository link as it was sent; absent members keep their value. */
export type RequestedVcsRepo = NonNullable<RequestedSettings['vcsRepo']>

/** A document about a workspace, whose faults are not yet thrown. */
export type WorkspaceDraft = {
  readonly requested: RequestedSettings
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
  { poolPointer: pointer = poolPointers.attribute }: Pick<RequestedSettings, 'poolPointer'>,
  detail: string,
  basis: readonly string[] = [],
): Fault => ({ detail, pointer, dependsOn: [...Object.values(poolPointers), ...basis] })
