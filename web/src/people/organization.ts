import { useParams } from '@tanstack/react-router'
import { useAnswer } from '../api/answers.ts'
import type { Schemas } from '../api/client.ts'

type Right = keyof NonNullable<Schemas['Organization']['attributes']['permissions']>

/** A part of the address of this page. */
export function usePart(name: 'organization' | 'team' | 'project' | 'pool'): string {
  const parts = useParams({ strict: false }) as Partial<Record<string, string>>
  return parts[name] ?? ''
}

/** Says why the caller may not do something in the organization; undefined if they may. */
export function useReasons(organization: string): (right: Right, what: string) => string | undefined {
  const { data } = useAnswer('organizations.show', { params: { path: { organization } } })
  const permissions = data?.data.attributes.permissions
  return (right, what) =>
    permissions === undefined || permissions[right]
      ? undefined
      : `You may not ${what} in ${organization}. An owner of the organization can, or can let you.`
}

/** The same about one thing, whose document says what the caller may do with it. */
export const unless = (may: boolean | undefined, what: string): string | undefined =>
  may === false ? `You may not ${what}. An owner of the organization can, or can let you.` : undefined

/** The ids that a document refers to. */
export function idsIn(relationship: unknown): readonly string[] {
  const { data } = Object(relationship) as { data?: { id: string } | readonly { id: string }[] | null }
  if (!data) return []
  return Array.isArray(data) ? data.map(({ id }) => id) : [(data as { id: string }).id]
}

/** The one id that a document refers to. */
export const idIn = (relationship: unknown): string | undefined => idsIn(relationship)[0]

/** The names of what came with a document, by id. */
export function namesOf({
  included = [],
}: {
  included?: readonly { id: string; attributes?: unknown }[] | undefined
}): ReadonlyMap<string, string> {
  return new Map(
    included.map(({ id, attributes }) => {
      const { name, username, email } = Object(attributes) as { name?: string; username?: string; email?: string }
      return [id, name ?? username ?? email ?? id]
    }),
  )
}

/** The teams of an organization, as many as a page holds. */
export const useTeams = (organization: string, q?: string) =>
  useAnswer(
    'teams.list',
    { params: { path: { organization }, query: { 'page[size]': 100, ...(q && { q }) } } },
    { keep: true },
  )
