import { useEffect, useState } from 'react'
import { ApiFailure, isMissing } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Button, IconButton } from '../../kit/Button.tsx'
import { type Draft, useDraft } from '../../kit/drafts.ts'
import { Field } from '../../kit/Field.tsx'
import { AreaField, Form, Line } from '../../kit/Form.tsx'
import { IconPlus, IconTrash } from '../../kit/icons.ts'
import { ActionRow, Note } from '../../kit/Page.tsx'
import { Segments } from '../../kit/Segments.tsx'
import { callIn, nameOf, type Read, readSecret, type Spot } from './engine.ts'
import {
  hasHugeNumber,
  lineProblem,
  linesOf,
  parseValue,
  type Value,
  type Line as ValueLine,
  valueFrom,
} from './values.ts'

/** What is typed: lines, or JSON where a secret has more than texts. */
type Typed = { readonly way: 'lines' | 'json'; readonly lines: readonly ValueLine[]; readonly json: string }

const blank: ValueLine = { name: '', text: '' }

/** Where a secret begins to be written. */
export function typedOf(value: Value): Typed {
  const lines = linesOf(value)
  return {
    way: lines ? 'lines' : 'json',
    lines: lines?.length ? lines : [blank],
    json: JSON.stringify(value, null, 2),
  }
}

/** What keeps it from being sent. */
export const problemOf = ({ way, lines, json }: Typed): string | undefined => {
  if (way === 'lines') return lineProblem(lines)
  const parsed = parseValue(json)
  return 'problem' in parsed ? parsed.problem : undefined
}

/** The secret that was typed. */
export function typedValue({ way, lines, json }: Typed): Value {
  const parsed = parseValue(json)
  return way === 'json' && 'value' in parsed ? parsed.value : valueFrom(lines)
}

/** Writes a secret; with versions, only onto the one that is named. Returns what was written. */
export async function writeSecret(spot: Spot, value: Value, cas: number | undefined): Promise<number | undefined> {
  const params = { path: { path: spot.key } }
  if (!spot.engine.hasVersions) {
    await callIn(spot, 'kv1.write', { params, body: value as never })
    return undefined
  }
  const body = { data: value, options: { cas } } as never
  return (await callIn(spot, 'kv.write', { params, body })).data.version
}

/** True if somebody else has written in the meantime. */
export const isOutrun = (error: unknown): boolean =>
  error instanceof ApiFailure && error.status === 400 && error.message.includes('check-and-set')

type EditorProps = {
  readonly spot: Spot
  /** The number of the latest version, which may be deleted. */
  readonly latest: number | undefined
  readonly done: (version: number | undefined) => unknown
  readonly cancel: () => void
}

/** A secret is read once, to be written anew. */
export function EditSecret({ spot, latest, done, cancel }: EditorProps) {
  const [read, setRead] = useState<Read>()
  const [error, setError] = useState<unknown>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed must outlive new answers about the secret.
  useEffect(() => {
    let isHere = true
    readSecret(spot).then(
      (found) => isHere && setRead(found),
      // The latest version may be deleted: then one begins with nothing.
      (failed) => isHere && (isMissing(failed) ? setRead({ value: {}, version: latest ?? 0 }) : setError(failed)),
    )
    return () => {
      isHere = false
    }
  }, [nameOf(spot)])
  return (
    <Answer of={{ data: read, error, refetch: () => setError(null) }} failed="The secret could not be read">
      {(found) =>
        hasHugeNumber(found.value) ? (
          <Note tone="warn">
            It has a number that browsers cannot keep exactly. Change it with{' '}
            <code>holdfast kv patch {nameOf(spot)}</code>.
          </Note>
        ) : (
          <Edit spot={spot} read={found} done={done} cancel={cancel} />
        )
      }
    </Answer>
  )
}

function Edit({ spot, read, done, cancel }: Omit<EditorProps, 'latest'> & { read: Read }) {
  const [first] = useState(() => typedOf(read.value))
  const [base, setBase] = useState(read.version)
  const [newer, setNewer] = useState<number>()
  const draft = useDraft(first)
  const { hasVersions } = spot.engine
  const send = async (typed: Typed) => {
    try {
      await done(await writeSecret(spot, typedValue(typed), hasVersions ? (base ?? 0) : undefined))
    } catch (error) {
      if (isOutrun(error)) setNewer(await latestOf(spot))
      throw error
    }
  }
  return (
    <>
      {newer !== undefined && newer !== base && (
        <Note
          tone="warn"
          action={<Button onClick={() => setBase(newer)}>Write after version {newer} nevertheless</Button>}
        >
          Somebody wrote version {newer} while you were typing; you began with version {base}. Nothing that you typed is
          lost, and nothing was written. Look at version {newer} first.
        </Note>
      )}
      <Form
        draft={draft}
        action={hasVersions ? 'Write new version' : 'Replace secret'}
        effect={
          hasVersions
            ? `Version ${base ?? 0} stays readable until it is deleted.`
            : 'What was there before is lost: this engine keeps no versions.'
        }
        reason={problemOf(draft.values)}
        cancel={cancel}
        send={send}
      >
        <ValueFields draft={draft} />
      </Form>
    </>
  )
}

async function latestOf(spot: Spot): Promise<number | undefined> {
  const asked = await callIn(spot, 'kv.read-metadata', { params: { path: { path: spot.key } } }).catch(() => undefined)
  return (asked as { data: { current_version: number } } | undefined)?.data.current_version
}

/** The keys and values of a secret, as lines or as JSON. */
export function ValueFields<Values extends Typed>({ draft: given }: { draft: Draft<Values> }) {
  const draft = given as unknown as Draft<Typed>
  const { way, lines, json } = draft.values
  const problem = problemOf(draft.values)
  const change = (next: string) => {
    if (next === way) return
    if (next === 'json') draft.set('json', JSON.stringify(valueFrom(lines), null, 2))
    else draft.set('lines', linesOf(typedValue(draft.values)) ?? lines)
    draft.set('way', next as Typed['way'])
  }
  const parsed = parseValue(json)
  const isPlain = way === 'lines' || ('value' in parsed && linesOf(parsed.value) !== undefined)
  return (
    <>
      <Segments
        label="How it is written"
        value={way}
        choices={[
          ['lines', 'Keys and values'],
          ['json', 'JSON'],
        ]}
        change={isPlain ? change : () => undefined}
      />
      {!isPlain && <span className="soft">Only JSON can say this: not every value is a text.</span>}
      {way === 'lines' ? (
        <Lines lines={lines} change={(next) => draft.set('lines', next)} />
      ) : (
        <AreaField draft={draft} name="json" label="Secret" rows={14} mono problem={problem} />
      )}
    </>
  )
}

type LinesProps = { readonly lines: readonly ValueLine[]; readonly change: (lines: readonly ValueLine[]) => void }

function Lines({ lines, change }: LinesProps) {
  const put = (at: number, part: Partial<ValueLine>) =>
    change(lines.map((line, each) => (each === at ? { ...line, ...part } : line)))
  return (
    <>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place; its name is being typed.
        <Line key={at}>
          <Field label={`Key ${at + 1}`} value={line.name} change={(name) => put(at, { name })} />
          <Field
            label={`Value ${at + 1}`}
            rows={Math.min(8, line.text.split('\n').length)}
            masked
            value={line.text}
            change={(text) => put(at, { text })}
          />
          <IconButton
            label={`Remove ${line.name || `line ${at + 1}`}`}
            onClick={() => change(lines.filter((_, each) => each !== at))}
          >
            <IconTrash size={15} stroke={1.6} />
          </IconButton>
        </Line>
      ))}
      <ActionRow>
        <Button small onClick={() => change([...lines, blank])}>
          <IconPlus size={14} stroke={1.6} aria-hidden="true" />
          Add a key
        </Button>
      </ActionRow>
    </>
  )
}
