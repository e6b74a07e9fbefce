import { failure } from '../../kernel/failure.ts'
import type { Deps } from '../../kit/deps.ts'
import type { Tx } from '../../storage/open.ts'
import { insertSentForm } from './link-store.ts'
import type { Session } from './session-store.ts'

type FormDeps = Pick<Deps, 'clock' | 'keyring'>

/** What tells one form on a page from the same form on the next. */
export const newFormNumber = (deps: Pick<Deps, 'ids'>): string => deps.ids.text(24)

/** Uses a form of a session up: whoever sends it again, by a reload or a second click, is refused. */
export async function sendFormOnce(deps: FormDeps, tx: Tx, session: Session, number: string): Promise<void> {
  const hash = deps.keyring.keyedHash('form', `${session.id} ${number}`)
  const { userId, expiresAt } = session
  if (await insertSentForm(tx, { hash, userId, createdAt: deps.clock.now(), expiresAt })) return
  throw failure('conflict', 'form.sent', 'This form was sent before.')
}
