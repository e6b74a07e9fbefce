import { failure } from '../../../../kernel/failure.ts'
import { type Secret, secret } from '../../../../kernel/secret.ts'
import type { Deps } from '../../../../kit/deps.ts'
import type { Tx } from '../../../../storage/open.ts'
import { insertSentForm } from './form-store.ts'
import type { Session } from './session-store.ts'

type FormDeps = Pick<Deps, 'clock' | 'keyring'>

/** Identifies a form, so that sending it twice can be told from sending the form of the next page. */
export const newFormId = (deps: Pick<Deps, 'ids'>): string => deps.ids.text(24)

/** 32 letters and digits that belong to a form of a session: the same each time, and known only to who sends it. */
export function textOfForm({ keyring }: Pick<Deps, 'keyring'>, session: Session, formId: string): Secret<string> {
  const halves = ['1', '2'].map((half) => keyring.keyedHash('text-of-form', `${session.id} ${half} ${formId}`))
  return secret(halves.join('').replace(/[-_]/g, '').slice(0, 32))
}

/** Marks a form of a session as used: sending it again, by a reload or a second click, is refused. */
export async function markFormSent(deps: FormDeps, tx: Tx, session: Session, formId: string): Promise<void> {
  const hash = deps.keyring.keyedHash('form', `${session.id} ${formId}`)
  const { userId, expiresAt } = session
  if (await insertSentForm(tx, { hash, userId, createdAt: deps.clock.now(), expiresAt })) return
  throw failure('conflict', 'form.sent', 'This form was sent before.')
}
