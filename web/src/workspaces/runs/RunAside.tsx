import { useRefresh } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { Button } from '../../kit/Button.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { IconMessage } from '../../kit/icons.ts'
import { Section } from '../../kit/Page.tsx'
import { StatusShape } from '../../kit/Status.tsx'
import { Time } from '../../kit/Time.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { duration } from '../../kit/times.ts'
import { type Included, type Names, nameIn } from '../names.ts'
import styles from './Runs.module.css'
import { isOver, type Run, type RunStep, stepsOf } from './runs.ts'

type AsideProps = { readonly run: Run; readonly included: readonly Included[]; readonly names: Names }

/** Beside a run: its steps, why it waits, how to end it, and what was said. */
export function RunAside({ run, included, names }: AsideProps) {
  const { attributes, relationships = {} } = run
  const confirmedBy = nameIn(names, relationships['confirmed-by'])
  const wait = attributes['wait-reason']
  return (
    <aside className={styles.aside}>
      <ol className={styles.steps} aria-label="Steps">
        {stepsOf(run, confirmedBy ? { confirmedBy } : {}).map((step) => (
          <Step key={step.name} of={step} />
        ))}
      </ol>
      {wait && (
        <Section title="Why it waits">
          <p className="soft">
            {wait.message}, <Time at={wait.since} />
          </p>
        </Section>
      )}
      {!isOver(run) && <Cancel run={run} />}
      <Comments run={run} included={included} names={names} />
    </aside>
  )
}

function Step({ of: { name, shape, word, note, begun, ended } }: { of: RunStep }) {
  const seconds = begun && ended ? (Date.parse(ended) - Date.parse(begun)) / 1000 : undefined
  return (
    <li className={styles.step} data-begun={begun !== undefined || undefined}>
      <StatusShape shape={shape} />
      <span>
        {name}
        <span className="unseen"> {word}</span>
        {note && <span className={styles.stepNote}>{note}</span>}
      </span>
      <span className={styles.took}>
        {seconds !== undefined ? duration(seconds) : begun !== undefined ? <Time at={begun} /> : null}
      </span>
    </li>
  )
}

/** What is asked for again after something was done to a run. */
export const touched = ['runs', 'workspaces']

function Cancel({ run }: { run: Run }) {
  const { attributes, id } = run
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const { actions, permissions } = attributes
  const force = actions?.['is-force-cancelable'] === true
  if (!force && actions?.['is-cancelable'] !== true) return null
  const isAllowed = force ? permissions?.['can-force-cancel'] : permissions?.['can-cancel']
  const whyNot = isAllowed ? undefined : 'You may not cancel this run. Ask who may apply it.'
  const cancel = async () => {
    const { yes, note } = await confirm({
      title: force ? 'Kill this run?' : 'Cancel this run?',
      text: force
        ? 'The tool was asked to end and goes on. Killed, it may leave changes that its state does not know.'
        : 'The tool is asked to stop after the resource that it works on, and its state is stored.',
      action: force ? 'Kill the run' : 'Cancel the run',
      note: { label: 'Why', hint: 'Kept with the run.' },
    })
    if (!yes) return
    try {
      const body = note.trim() ? { comment: note.trim() } : {}
      await call(force ? 'runs.force-cancel' : 'runs.cancel', { params: { path: { runId: id } }, body })
      say.done(force ? 'The run is killed' : 'The run is asked to end')
    } catch (error) {
      say.failed('The run was not canceled', error)
    }
    await refresh(touched)
  }
  return (
    <Section title="Cancel">
      <p className="soft">
        {force
          ? 'It was asked to end, and goes on.'
          : 'The tool stops after the resource that it works on, and its state is stored.'}
      </p>
      <Button kind="danger" small reason={whyNot} onClick={cancel}>
        {force ? 'Kill the run…' : 'Cancel the run…'}
      </Button>
    </Section>
  )
}

type Told = Included & {
  readonly attributes: {
    readonly body?: string
    readonly description?: string
    readonly action?: string
    readonly 'created-at'?: string
  }
  readonly relationships?: Readonly<Record<string, unknown>>
}

function Comments({ run, included, names }: AsideProps) {
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const events = included.filter(({ type }) => type === 'run-events') as readonly Told[]
  const comments = included.filter(({ type }) => type === 'comments') as readonly Told[]
  const bodies = new Map(comments.map(({ id, attributes }) => [id, attributes.body]))
  const whyNot = run.attributes.permissions?.['can-comment'] ? undefined : 'Who may start runs here may comment.'
  const comment = async () => {
    const { yes, note } = await confirm({
      title: 'Comment on this run?',
      text: 'Everybody who can see the run can read it.',
      action: 'Comment',
      destroys: false,
      note: { label: 'Comment' },
    })
    if (!yes || !note.trim()) return
    try {
      const body = { data: { type: 'comments' as const, attributes: { body: note.trim() } } }
      await call('comments.create', { params: { path: { runId: run.id } }, body })
    } catch (error) {
      say.failed('The comment was not kept', error)
    }
    await refresh(['runs'])
  }
  return (
    <Section
      title="What happened"
      actions={
        <Button small kind="quiet" reason={whyNot} onClick={comment}>
          <IconMessage size={14} stroke={1.6} aria-hidden="true" />
          Comment
        </Button>
      }
    >
      <ol className={styles.events}>
        {events.map(({ id, attributes, relationships = {} }) => {
          const said = bodies.get(String(Object(Object(relationships.comment).data).id))
          return (
            <li key={id}>
              <span className="strong">{nameIn(names, relationships.actor) || 'Holdfast'}</span>{' '}
              <Time at={attributes['created-at']} />
              <p className="soft">{said ?? attributes.description}</p>
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
