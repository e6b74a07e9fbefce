import { call, type Schemas } from '../../api/client.ts'
import { type BulkBody, type BulkOutcome, queriesOf, type Selection } from './bulk.ts'

const none: BulkOutcome = { rows: [], changed: 0, unchanged: 0, refused: 0, remaining: 0 }

/** Does it to all of them, or tells what would be done; goes on where a call had to end. */
export async function runBulk(organization: string, selection: Selection, body: BulkBody): Promise<BulkOutcome> {
  let sum = none
  for (const query of queriesOf(selection)) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page: object = after === '' ? {} : { 'page[after]': after }
      const answer: Schemas['WorkspacesBulkAnswer'] = await call('workspaces.bulk', {
        params: { path: { organization }, query: { ...query, ...page } },
        body,
      })
      const { changed, unchanged, refused } = answer.meta
      sum = {
        rows: [...sum.rows, ...answer.data],
        changed: sum.changed + changed,
        unchanged: sum.unchanged + unchanged,
        refused: sum.refused + refused,
        remaining: 0,
      }
      const { next } = answer.links ?? {}
      after = next ? (new URL(next, 'https://x').searchParams.get('page[after]') ?? undefined) : undefined
    }
  }
  return sum
}
