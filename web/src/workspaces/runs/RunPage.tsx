import { Link, useParams } from '@tanstack/react-router'
import { useAnswer } from '../../api/answers.ts'
import { type AnswerOf, isMissing } from '../../api/client.ts'
import { Answer, Empty } from '../../kit/Answer.tsx'
import { buttonClass } from '../../kit/Button.tsx'
import { Id } from '../../kit/Copy.tsx'
import { Fold, Folds } from '../../kit/Fold.tsx'
import { Note, Page, Section } from '../../kit/Page.tsx'
import { Time } from '../../kit/Time.tsx'
import { type Included, nameIn, namesOf } from '../names.ts'
import { Decision } from './Decision.tsx'
import { PlanChanges } from './PlanChanges.tsx'
import { RunAside } from './RunAside.tsx'
import { RunLog } from './RunLog.tsx'
import styles from './Runs.module.css'
import { RunStatus } from './RunTable.tsx'
import { isOver, kindOf, lookEvery, type Run } from './runs.ts'

const include = 'plan,apply,created_by,confirmed_by,workspace,comments,run_events' as const

type Phase = { readonly id: string; readonly type: string; readonly attributes: PhaseAttributes }
type PhaseAttributes = AnswerOf<'plans.show'>['data']['attributes']

/** One run: how it stands, what it changes, what it prints, and what can be done. */
export function RunPage() {
  const { organization = '', name = '', run: runId = '' } = useParams({ strict: false }) as Record<string, string>
  const params = { path: { runId }, query: { include } }
  const asked = useAnswer('runs.show', { params }, { every: (answer) => lookEvery(answer?.data) })
  if (isMissing(asked.error)) return <NoSuchRun organization={organization} name={name} />
  return (
    <Answer of={asked} failed="The run could not be read">
      {({ data, included = [] }) => (
        <Shown
          key={data.id}
          organization={organization}
          name={name}
          run={data}
          included={included as readonly Included[]}
        />
      )}
    </Answer>
  )
}

type ShownProps = {
  readonly organization: string
  readonly name: string
  readonly run: Run
  readonly included: readonly Included[]
}

function Shown({ organization, name, run, included }: ShownProps) {
  const { attributes, relationships = {} } = run
  const names = namesOf({ included })
  const plan = included.find(({ type }) => type === 'plans') as Phase | undefined
  const apply = included.find(({ type }) => type === 'applies') as Phase | undefined
  const kind = kindOf(run)
  return (
    <>
      <Page
        title={attributes.message || run.id}
        beside={<RunStatus run={run} pill />}
        facts={
          <>
            <Id id={run.id} />
            <span>
              of{' '}
              <Link to={'/$organization/workspaces/$name' as never} params={{ organization, name } as never}>
                {name}
              </Link>
            </span>
            {nameIn(names, relationships['created-by']) && <span>by {nameIn(names, relationships['created-by'])}</span>}
            {kind && <span>{kind}</span>}
            <span>
              {attributes['tool-name']} {attributes['tool-version']}
            </span>
            <Time at={attributes['created-at']} />
          </>
        }
      >
        {attributes['debugging-mode'] && (
          <Note tone="warn">
            The tool logs everything that it does, which may include secrets in forms nobody knows.
          </Note>
        )}
        <div className={styles.two}>
          <RunAside run={run} included={included} names={names} />
          <div className={styles.main}>
            {attributes.error && (
              <Note tone="bad">
                <p className="strong">
                  The {attributes.error.phase} failed ({attributes.error.code})
                </p>
                <p>{attributes.error.message}</p>
              </Note>
            )}
            {plan && <PlanChanges plan={plan} />}
            <Section
              title="Log"
              lead="Values of sensitive variables are replaced here. That stops accidents; it does not stop code that wants to print them."
            >
              <Folds>
                {plan && <PhaseLog phase="plan" of={plan} open={!hasBegun(apply)} />}
                {apply && hasBegun(apply) && <PhaseLog phase="apply" of={apply} open />}
              </Folds>
            </Section>
          </div>
        </div>
      </Page>
      {!isOver(run) && plan && <Decision run={run} plan={plan} />}
    </>
  )
}

const hasBegun = (phase: Phase | undefined): boolean =>
  phase !== undefined && !['pending', 'unreachable'].includes(phase.attributes.status ?? '')

const ended = ['finished', 'errored', 'canceled', 'unreachable']

function PhaseLog({ phase, of: { attributes }, open }: { phase: 'plan' | 'apply'; of: Phase; open: boolean }) {
  const isLive = !ended.includes(attributes.status ?? '')
  return (
    <Fold title={phase === 'plan' ? 'Plan' : 'Apply'} note={attributes.status} open={open}>
      <div className={styles.fold}>
        <RunLog url={attributes['log-read-url'] ?? ''} phase={phase} isLive={isLive} />
      </div>
    </Fold>
  )
}

const NoSuchRun = ({ organization, name }: { organization: string; name: string }) => (
  <Page title="No such run">
    <Empty
      title="There is no such run"
      action={
        <Link
          to={'/$organization/workspaces/$name/runs' as never}
          params={{ organization, name } as never}
          className={buttonClass('primary')}
        >
          Show the runs of {name}
        </Link>
      }
    >
      It belongs to another workspace, was removed with it, or you may not see it.
    </Empty>
  </Page>
)
