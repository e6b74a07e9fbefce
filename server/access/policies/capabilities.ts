import { type Capability, capabilityNames } from './policy.ts'

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
