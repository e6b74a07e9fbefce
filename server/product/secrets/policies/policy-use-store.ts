import type { Instant } from '../../../kernel/clock.ts'
import type { Queryable } from '../../../storage/open.ts'
import { containsInAnyCase } from '../../../storage/search.ts'

/** What carries or hands out a policy: of each kind at most so many as were wanted. */
export type PolicyUses = {
  readonly entities: readonly { readonly id: string; readonly name: string }[]
  readonly certificateRoles: readonly { readonly mount: string; readonly name: string }[]
  readonly tokenRoles: readonly string[]
}

/** Lists are stored as JSON, where a name stands in quotes; what else is between quotes is told apart by the caller. */
const quoted = (name: string): string => JSON.stringify(name)

const listOf = (text: string, member: string): readonly string[] => {
  const list: unknown = (JSON.parse(text) as Record<string, unknown>)[member]
  return Array.isArray(list) ? list : []
}

const holds = (names: readonly string[], name: string): boolean => names.some((each) => each.toLowerCase() === name)

/** What carries a policy or hands it out, by name. */
export async function findPolicyUses(db: Queryable, name: string, most: number): Promise<PolicyUses> {
  const entities = await db
    .selectFrom('entities')
    .select(['id', 'name'])
    .where(containsInAnyCase('policies', quoted(name)))
    .orderBy('name_key')
    .limit(most)
    .execute()
  const roles = await db
    .selectFrom('cert_roles')
    .innerJoin('mounts', 'mounts.id', 'cert_roles.mount_id')
    .select(['mounts.path', 'cert_roles.name', 'settings'])
    .where(containsInAnyCase('settings', quoted(name)))
    .orderBy('mounts.path')
    .orderBy('name_key')
    .limit(most)
    .execute()
  const tokenRoles = await db
    .selectFrom('token_roles')
    .select(['name', 'terms'])
    .where(containsInAnyCase('terms', quoted(name)))
    .orderBy('name')
    .limit(most)
    .execute()
  return {
    entities,
    certificateRoles: roles
      .filter(({ settings }) => holds(listOf(settings, 'tokenPolicies'), name))
      .map(({ path, name: role }) => ({ mount: path, name: role })),
    tokenRoles: tokenRoles
      .filter(({ terms }) => holds(listOf(terms, 'allowedPolicies'), name))
      .map(({ name: role }) => role),
  }
}

/** How many stored tokens carry a policy themselves. Some of a family that was just revoked may be counted. */
export async function countTokensWith(db: Queryable, name: string, now: Instant): Promise<number> {
  const { count } = await db
    .selectFrom('tokens')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('revoked', '=', 0)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .where(containsInAnyCase('policies', quoted(name)))
    .executeTakeFirstOrThrow()
  return Number(count)
}
