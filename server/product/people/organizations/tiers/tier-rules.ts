/** The feature sets that can be subscribed to in the hosted edition, and the tier that each gives an organization. */
export const featureSets = [
  { id: 'fs-free', name: 'Free', tier: 'free' },
  { id: 'fs-trial', name: 'Trial', tier: 'plus' },
  { id: 'fs-standard', name: 'Standard (entitlement)', tier: 'standard' },
  { id: 'fs-business', name: 'Business', tier: 'plus' },
] as const

/** One of the feature sets. */
type FeatureSet = (typeof featureSets)[number]

/** Feature sets whose name contains a text, in any case. */
export const featureSetsNamed = (text: string): readonly FeatureSet[] =>
  featureSets.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
