import type { IdentityTemplate } from './identity-template.ts'

/** All words a rule may grant. `subscribe`, `recover` and `scan` are known and have no effect. */
export const capabilityNames = [
  'create',
  'delete',
  'deny',
  'list',
  'patch',
  'read',
  'recover',
  'scan',
  'subscribe',
  'sudo',
  'update',
] as const

/** What a rule grants, or `deny`. */
export type Capability = (typeof capabilityNames)[number]

/** For each field (lower case) the values a rule names; an empty list means any value. */
export type ParameterLists = ReadonlyMap<string, readonly unknown[]>

/** What one `path` block says. */
export type PolicyRule = {
  /** The pattern without its leading slash. */
  readonly path: string
  /** The pattern taken apart, if it refers to the caller. */
  readonly template: IdentityTemplate | undefined
  readonly capabilities: ReadonlySet<Capability>
  readonly allowedParameters: ParameterLists
  readonly deniedParameters: ParameterLists
  readonly requiredParameters: ReadonlySet<string>
  /** Seconds; 0 means no bound. */
  readonly minWrappingTtl: number
  readonly maxWrappingTtl: number
}

/** A policy as it was read; the warnings are for whoever wrote it. */
export type Policy = {
  readonly name: string
  readonly rules: readonly PolicyRule[]
  readonly warnings: readonly string[]
}
