import type { Call } from '../kit/endpoint.ts'
import type { OrganizationGrants } from './permissions/index.ts'

/** Something that a search has found. */
export type SearchHit = { readonly type: string; readonly id: string; readonly name: string }

/** What is looked for, by a caller who has these rights in an organization; at most `limit` by name are returned. */
export type SearchWords = { readonly grants: OrganizationGrants; readonly text: string; readonly limit: number }

/** How a feature finds what belongs to it, in one organization and among what the caller may see. */
export type Searcher = (
  call: Pick<Call, 'deps' | 'caller' | 'request'>,
  words: SearchWords,
) => Promise<readonly SearchHit[]>

declare module '../kit/parts.ts' {
  interface FeatureParts {
    /** Finds things of the feature by a part of their name. */
    searcher: Searcher
  }
}
