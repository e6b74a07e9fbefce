import { useState } from 'react'
import { useRefresh } from '../../api/answers.ts'
import { type AnswerOf, call } from '../../api/client.ts'
import { Button } from '../../kit/Button.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { count } from '../../kit/numbers.ts'
import { useToasts } from '../../kit/Toasts.tsx'
import { touched } from './RunAside.tsx'
import styles from './Runs.module.css'
import type { Run } from './runs.ts'

type PlanAttributes = AnswerOf<'plans.show'>['data']['attributes']

/** What a plan does in numbers, and the decision about it; nothing while there is nothing to decide. */
export function Decision({ run, plan }: { run: Run; plan: { readonly attributes: PlanAttributes } }) {
  const { attributes, id } = run
  const { actions, permissions } = attributes
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const [isBusy, setBusy] = useState(false)
  if (!actions?.['is-confirmable'] && !actions?.['is-discardable']) return null
  const attempt = async (failed: string, done: string, work: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await work()
      say.done(done)
    } catch (error) {
      say.failed(failed, error)
    }
    await refresh(touched)
    setBusy(false)
  }
  const params = { path: { runId: id } }
  // The server refuses a plan other than the one that is shown here.
  const digest = attributes['plan-digest']
  const approve = () =>
    attempt('The plan was not approved', 'Approved: it is applied now', () =>
      call('runs.apply', { params, body: digest ? { 'plan-digest': digest } : {} }),
    )
  const discard = async () => {
    const { yes, note } = await confirm({
      title: 'Discard this run?',
      text: 'Its plan is thrown away and nothing is changed. The next run of the workspace can begin.',
      action: 'Discard the run',
      note: { label: 'Why', hint: 'Kept with the run.' },
    })
    const body = note.trim() ? { comment: note.trim() } : {}
    if (yes)
      await attempt('The run was not discarded', 'The run is discarded', () => call('runs.discard', { params, body }))
  }
  const whyNot = permissions?.['can-apply'] ? undefined : 'You may not apply plans here. Ask a team that may.'
  const kinds = [
    ['+', 'creates', plan.attributes['resource-additions'], styles.create],
    ['~', 'changes', plan.attributes['resource-changes'], styles.change],
    ['−', 'destroys', plan.attributes['resource-destructions'], styles.destroy],
  ] as const
  const shown = kinds.filter(([, , of]) => (of ?? 0) > 0)
  return (
    <section className={styles.decision} aria-label="Decision">
      <div className={styles.sums}>
        {shown.map(([sign, word, of, look]) => (
          <span key={word}>
            <span className={`${styles.tile} ${look}`} aria-hidden="true">
              {sign}
            </span>
            {word} <strong>{count(of ?? 0)}</strong>
          </span>
        ))}
        {shown.length === 0 && <span>Changes no resource</span>}
        {digest && (
          <span className={styles.digest} data-tip={digest}>
            plan <code>{digest.slice(0, 8)}</code>
          </span>
        )}
      </div>
      {actions['is-discardable'] && (
        <Button reason={whyNot} busy={isBusy} onClick={discard}>
          Discard the run…
        </Button>
      )}
      {actions['is-confirmable'] && (
        <Button kind="primary" reason={whyNot} busy={isBusy} onClick={approve}>
          Approve and apply
        </Button>
      )}
    </section>
  )
}
