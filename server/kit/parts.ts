/**
 * What a feature can add to features below it, by name. Whoever uses such a part declares it, beside the code that does:
 *
 * ```ts
 * declare module '../../../kit/parts.ts' {
 *   interface FeatureParts {
 *     departureStep: DepartureStep
 *   }
 * }
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by those who declare parts
export interface FeatureParts {}

/** The parts of all features, in the order of the features. */
export type CollectedParts = { readonly [Name in keyof FeatureParts]?: readonly FeatureParts[Name][] }

/** Puts together what each feature adds. */
export function collectParts(features: readonly { readonly parts?: Partial<FeatureParts> }[]): CollectedParts {
  const added = features.flatMap(({ parts = {} }) => Object.entries(parts))
  const names = new Set(added.map(([name]) => name))
  return Object.fromEntries(
    [...names].map((name) => [name, added.filter(([other]) => other === name).map(([, part]) => part)]),
  ) as CollectedParts
}

/** What features add under a name; often nothing. */
export const partsOf = <Name extends keyof FeatureParts>(
  { parts }: { readonly parts: CollectedParts },
  name: Name,
): readonly FeatureParts[Name][] => parts[name] ?? []
