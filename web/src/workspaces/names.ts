/** A resource that an answer contains besides what was asked for. */
export type Included = { readonly type: string; readonly id: string; readonly attributes?: unknown }

/** The names of what an answer refers to, by type and id. */
export type Names = ReadonlyMap<string, string>

/** The names in what an answer includes. */
export const namesOf = ({ included = [] }: { readonly included?: readonly Included[] }): Names =>
  new Map(
    included.map(({ type, id, attributes }) => {
      const { name, username } = Object(attributes) as { name?: string; username?: string }
      return [`${type}/${id}`, name ?? username ?? id]
    }),
  )

type Reference = { readonly type: string; readonly id: string }

/** What a relationship leads to, if that is one thing. */
export const targetOf = (relationship: unknown): Reference | undefined =>
  (Object(relationship) as { data?: Reference | null }).data ?? undefined

/** The name of what a relationship leads to; empty if it leads nowhere, or to what the caller may not see. */
export function nameIn(names: Names, relationship: unknown): string {
  const target = targetOf(relationship)
  return (target && names.get(`${target.type}/${target.id}`)) ?? ''
}
