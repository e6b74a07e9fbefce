import { useAnswer } from '../../api/answers.ts'
import type { AnswerOf } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Diff, DiffCounts } from '../../kit/Diff.tsx'
import { Section } from '../../kit/Page.tsx'
import { changesOf, type ShownPlan } from './plan.ts'
import styles from './Runs.module.css'

type Plan = { readonly id: string; readonly attributes: AnswerOf<'plans.show'>['data']['attributes'] }

/** What a plan changes, by module: attribute, before, after. */
export function PlanChanges({ plan: { id, attributes } }: { plan: Plan }) {
  const isThere = attributes.status === 'finished'
  const asked = useAnswer('plans.json-output-redacted', { params: { path: { planId: id } } }, { when: isThere })
  if (!isThere) return null
  return (
    <Answer of={asked} failed="The changes of the plan could not be read">
      {(answer) => {
        const groups = changesOf((answer ?? {}) as unknown as ShownPlan)
        const items = groups.flatMap((group) => group.items)
        return (
          <Section title="Plan" actions={<DiffCounts items={items} />}>
            {items.length === 0 && <p className="soft">Nothing changes.</p>}
            {groups.map(({ module, items: own }) => (
              <div key={module} className={styles.module}>
                {groups.length > 1 && <h3>{module || 'Root module'}</h3>}
                <Diff items={own} />
              </div>
            ))}
          </Section>
        )
      }}
    </Answer>
  )
}
