import { setTimeout as sleep } from 'node:timers/promises'
import { readWhole } from '../connection/client.ts'
import { callOperation, type Resource, resourceOf } from '../connection/operations.ts'
import type { Session } from './noun.ts'

/** The two parts of a run that have a log. */
export type Phase = 'plan' | 'apply'

const finalStatuses = ['planned_and_finished', 'applied', 'errored', 'canceled', 'discarded']

/** True if a run with this status does nothing any more. */
export const isOver = (status: string): boolean => finalStatuses.includes(status)

const endedPhases = ['finished', 'errored', 'canceled', 'unreachable']

/** The first and the last character of every log; neither is in its text. */
const [startOfLog, endOfLog] = ['\u0002', '\u0003']

/** How often something that goes on is looked at. */
const lookMs = 500

/** The most that is read at once. */
const pieceBytes = 1024 * 1024

const phaseOf = async ({ client }: Session, { id }: Resource, phase: Phase): Promise<Resource> =>
  resourceOf(await callOperation(client, phase === 'plan' ? 'plans.of-run' : 'applies.of-run', { path: { runId: id } }))

/** What a plan changes, in words; the counts are null until it is known. */
export function summaryOf({ attributes }: Resource): string {
  const count = (name: string): number => Number(attributes[`resource-${name}`] ?? 0)
  if (typeof attributes['resource-additions'] !== 'number') return 'not known yet'
  const imported = count('imports') > 0 ? `, ${count('imports')} to import` : ''
  return `${count('additions')} to add, ${count('changes')} to change, ${count('destructions')} to destroy${imported}`
}

/** Prints the log of a phase from its beginning; with `follow` until the phase has ended. */
export async function printLog(
  session: Session,
  run: Resource,
  phase: Phase,
  { follow }: { readonly follow: boolean },
): Promise<void> {
  const { client, io } = session
  const { attributes } = await phaseOf(session, run, phase)
  const { pathname } = new URL(String(attributes['log-read-url']))
  // A character of several bytes may be split between two answers.
  const decoder = new TextDecoder()
  for (let offset = 0; ; ) {
    const piece = await readWhole(
      await client.open({ method: 'GET', path: `${pathname}?limit=${pieceBytes}&offset=${offset}` }),
    )
    offset += piece.length
    const marked = decoder.decode(piece, { stream: true })
    io.out(marked.replaceAll(startOfLog, '').replaceAll(endOfLog, ''))
    if (marked.endsWith(endOfLog)) return
    if (piece.length > 0) continue
    if (!follow || isPhaseOver(await phaseOf(session, run, phase))) return
    await sleep(lookMs)
  }
}

const isPhaseOver = ({ attributes }: Resource): boolean => endedPhases.includes(String(attributes.status))

/** Prints what a run does until it ends, or waits for somebody's approval; returns it as it is then. */
export async function followRun(session: Session, run: Resource): Promise<Resource> {
  const reload = async () => resourceOf(await callOperation(session.client, 'runs.show', { path: { runId: run.id } }))
  await waitWhile(session, reload, ['pending'])
  await printLog(session, run, 'plan', { follow: true })
  const planned = await reload()
  const status = String(planned.attributes.status)
  const rests = status.startsWith('planned') && planned.attributes['auto-apply'] !== true
  if (rests || (isOver(status) && status !== 'applied' && !(await hasApplied(session, run)))) return planned
  await waitWhile(session, reload, ['planned', 'confirmed'])
  await printLog(session, run, 'apply', { follow: true })
  return await reload()
}

/** True if the apply of a run began. */
async function hasApplied(session: Session, run: Resource): Promise<boolean> {
  const { attributes } = await phaseOf(session, run, 'apply')
  return !['pending', 'unreachable'].includes(String(attributes.status))
}

/** Waits while a run has one of these statuses, and tells why whenever that changes. */
async function waitWhile(
  session: Session,
  reload: () => Promise<Resource>,
  statuses: readonly string[],
): Promise<void> {
  for (let told = ''; ; await sleep(lookMs)) {
    const { attributes } = await reload()
    if (!statuses.includes(String(attributes.status))) return
    const reason = String(Object(attributes['wait-reason']).message ?? '')
    if (reason !== '' && reason !== told) session.io.err(`Waits: ${reason}\n`)
    told = reason
  }
}
