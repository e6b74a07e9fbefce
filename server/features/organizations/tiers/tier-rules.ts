/** What can be subscribed to in the hosted edition, and the tier an organization then has. */
export const featureSets = [
  { id: 'fs-free', name: 'Free', tier: 'free' },
  { id: 'fs-trial', name: 'Trial', tier: 'plus' },
  { id: 'fs-standard', name: 'Standard (entitlement)', tier: 'standard' },
  { id: 'fs-business', name: 'Business', tier: 'plus' },
] as const

/** One of them. */
export type FeatureSet = (typeof featureSets)[number]

/** Those whose name contains a text, in any case. */
export const featureSetsNamed = (text: string): readonly FeatureSet[] =>
  featureSets.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
