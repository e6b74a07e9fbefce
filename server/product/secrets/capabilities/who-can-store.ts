import type { Instant } from '../../../kernel/clock.ts'
import type { Queryable } from '../../../storage/open.ts'

/** How many living tokens carry each set of policies. */
export async function countLivingTokens(
  db: Queryable,
  now: Instant,
): Promise<readonly { readonly policies: readonly string[]; readonly tokens: number }[]> {
  const rows = await db
    .selectFrom('tokens')
    .select((eb) => ['policies', eb.fn.countAll().as('tokens')])
    .where('revoked', '=', 0)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .groupBy('policies')
    .execute()
  return rows.map(({ policies, tokens }) => ({ policies: JSON.parse(policies) as string[], tokens: Number(tokens) }))
}
