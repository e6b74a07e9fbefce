import type { Deps } from '../kit/deps.ts'
import type { ListPlace } from '../kit/list.ts'
import type { IdentityFacts } from './policies/identity-template.ts'

/** Somebody or something that hands policies out, or has them. */
export type PolicyHolder = {
  readonly id: string
  readonly name: string
  /** The path of the mount that a role belongs to; empty for others. */
  readonly mount: string
  /** Whether it carries a policy. */
  readonly carries: (policy: string) => boolean
  /** All its policies, which are judged together; undefined if whoever uses it takes some of them. */
  readonly together: readonly string[] | undefined
  /** Who its rules with templates are about. */
  readonly facts?: IdentityFacts
}

/** The kinds of holders, in the order in which they are listed. */
export const holderKinds = ['entity', 'role', 'token_role'] as const

/** How a feature lists those of its things that carry policies. */
export type HolderSource = {
  readonly kind: (typeof holderKinds)[number]
  /** Tells sources of one kind apart, and orders them. */
  readonly source: string
  /** A page of holders in the order of a text, which goes on after that of the last one. */
  readonly page: (
    deps: Pick<Deps, 'reads' | 'store' | 'db' | 'mountKinds'>,
    place: ListPlace,
  ) => Promise<readonly { readonly after: string; readonly holder: PolicyHolder }[]>
}

declare module '../kit/parts.ts' {
  interface FeatureParts {
    /** Lists what of the feature carries policies. */
    holderSource: HolderSource
  }
}
