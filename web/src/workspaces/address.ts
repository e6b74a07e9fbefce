import { useNavigate, useParams, useSearch } from '@tanstack/react-router'

/** What the address of a page of workspaces says, and how to change that; the page stays where it is. */
export function useAddress<Search extends object>(): {
  readonly organization: string
  readonly search: Search
  change(next: Partial<Search>): void
  replaceAll(next: Search): void
} {
  const { organization = '' } = useParams({ strict: false }) as { organization?: string }
  const search = useSearch({ strict: false } as never) as Search
  const navigate = useNavigate()
  const go = (next: object) => navigate({ to: '.', search: next as never, replace: true })
  return {
    organization,
    search,
    change: (next) => {
      const all = Object.entries({ ...search, ...next })
      go(Object.fromEntries(all.filter(([, value]) => value !== undefined)))
    },
    replaceAll: go,
  }
}
