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

/** Capabilities as a set of bits, so that a check is one operation. */
export type CapabilityBits = number

/** Words without effect; they are read and then forgotten. */
const ineffectiveCapabilities: readonly Capability[] = ['subscribe', 'recover', 'scan']

/** Each capability that has an effect, with its bit, in alphabetical order. */
const effectiveCapabilities: readonly (readonly [Capability, CapabilityBits])[] = capabilityNames
  .filter((name) => !ineffectiveCapabilities.includes(name))
  .map((name, index) => [name, 1 << index] as const)

const bits: ReadonlyMap<Capability, CapabilityBits> = new Map(effectiveCapabilities)

/** The bit of a capability; none for a word without effect. */
export const bitOf = (capability: Capability): CapabilityBits => bits.get(capability) ?? 0

/** The bit that outweighs all others. */
export const denyBit: CapabilityBits = bitOf('deny')

/** The capabilities as sorted words; `deny` alone when there are none or when they hold it. */
export function capabilityWords(granted: CapabilityBits): Capability[] {
  if (granted === 0 || (granted & denyBit) !== 0) return ['deny']
  return effectiveCapabilities.filter(([, bit]) => (granted & bit) !== 0).map(([name]) => name)
}
