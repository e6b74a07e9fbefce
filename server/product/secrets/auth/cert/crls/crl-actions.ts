import { instant, later, toIso } from '../../../../../kernel/clock.ts'
import { Failure, failure, textOf } from '../../../../../kernel/failure.ts'
import { sentAddress } from '../../../../../kernel/hidden-credentials.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import { defineJob, type Job } from '../../../../../kit/job.ts'
import { refuseLongName } from '../../../../../kit/name-length.ts'
import { throttledRefresh } from '../../../../../kit/throttled-refresh.ts'
import { untilWritten } from '../../../../../kit/until-written.ts'
import { type Crl, crlBytes, holdsSeveralCrls, loadCrl } from '../../../../../pki/index.ts'
import { isOutcomeUnknown } from '../../../../../storage/database-errors.ts'
import type { Tx } from '../../../../../storage/open.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { requireMount } from '../../../mounts/index.ts'
import { isHttpUrl } from '../roles/role-check.ts'
import {
  type ArrivedCrl,
  type CrlPlace,
  type CrlSource,
  describeNew,
  isUnchanged,
  longestRefreshInterval,
  type NewCrl,
  newCrlWarnings,
  refreshTime,
  replacementProblem,
  retryAfter,
  type StoredCrl,
  storedFrom,
} from './crl.ts'
import { type FetchTerms, fetchCrl, rememberFetched } from './crl-adapter.ts'
import { adoptCrl, crlsUnlessLost, readNamedCrl, undefinedIfLost } from './crl-memory-actions.ts'
import {
  countStaleCrls,
  deleteCrl,
  dropCrlBytes,
  dueCrls,
  findCrl,
  noteFetchError,
  noteUnchanged,
  putCrlBytes,
  swapCrl,
  sweepCrlBytes,
} from './crl-store.ts'
import { isInForce, notInForceText, recheckSigners, signerOf } from './signer-actions.ts'

/** The fields of a CRL write; an empty one counts as not given. */
export type CrlInput = { readonly crl: string; readonly url: string }

/**
 * Until when somebody waits for a write, what refuses a caller who lost the right meanwhile, and whether the caller may
 * know how a call of the server ended.
 */
export type CrlWait = {
  readonly signal: AbortSignal
  readonly checkAgain: () => Promise<void>
  readonly maySeeCalls: () => Promise<boolean>
}

/** Stores a list under a name, replacing the one that was there; returns warnings for the caller. */
export async function writeCrl(deps: Deps, place: CrlPlace, input: CrlInput, wait: CrlWait): Promise<string[]> {
  refuseLongName('The name of the list', place.name)
  const list = await (input.crl === '' ? fetchForWrite(deps, place, input.url, wait) : uploaded(deps, place, input.crl))
  const outOfForce = await storeCrl(deps, place, list, 'written')
  logIfStale(deps, place, list.crl)
  return [
    ...outOfForce,
    ...(await idleWarnings(deps, place, list)),
    ...newCrlWarnings(list),
    ...(await severalWarnings(input.crl)),
  ]
}

async function uploaded(deps: Deps, place: CrlPlace, text: string): Promise<NewCrl> {
  const der = await crlBytes(text)
  if (der) return await examine(deps, place, { der, url: '', ifChanged: {} })
  throw unacceptable('crl.unreadable', 'It has no PEM block named X509 CRL, and is not base64 of DER.')
}

async function fetchForWrite(deps: Deps, place: CrlPlace, sent: string, wait: CrlWait): Promise<NewCrl> {
  const url = await wholeUrl(deps, place, sent)
  if (!isHttpUrl(url)) throw invalid('input', inputText(url))
  try {
    const fetched = await fetchList(deps, url, { purpose: 'write', signal: wait.signal })
    if (!fetched) throw new Error('A server that is not told which list is known has to send one.')
    await wait.checkAgain()
    return await examine(deps, place, fetched)
  } catch (thrown) {
    throw isAboutFetch(thrown) && !(await wait.maySeeCalls()) ? withheld(deps, place, thrown) : thrown
  }
}

/** Refusals that tell what answered at a URL, or that nothing did. */
const isAboutFetch = (thrown: unknown): thrown is Failure =>
  thrown instanceof Failure && (thrown.code === 'crl.fetch' || thrown.code === 'crl.unreadable')

/** The one answer to callers who could learn by others which ports in the network of the server are open. */
function withheld({ log }: Deps, { name }: CrlPlace, thrown: Failure): Failure {
  log.warn({ crl: name, error: thrown.message }, 'revocation list not fetched')
  return failure('invalid', 'crl.fetch', `The revocation list could not be fetched. ${seeLog}`, { cause: thrown })
}

/** In place of what is wrong with a fetch, for callers without sudo. */
export const seeLog = 'The log of the server has the reason; callers with sudo on this path see it.'

async function fetchList(deps: Deps, url: string, terms: FetchTerms): Promise<ArrivedCrl | undefined> {
  try {
    return await fetchCrl(deps, url, terms)
  } catch (error) {
    throw unacceptable('crl.fetch', error)
  }
}

/** A URL is read without its credentials: written back as it was read, it is the stored one. */
async function wholeUrl({ db }: Deps, place: CrlPlace, sent: string): Promise<string> {
  const url = sentAddress(sent, [(await findCrl(db, place))?.url ?? ''])
  if (url !== undefined) return url
  const rule = "Field 'url' holds [redacted] in place of credentials, but is not the stored URL"
  throw invalid('hidden', `${rule}: send it with its credentials, which are kept for one address only.`)
}

async function idleWarnings(deps: Deps, { mountId }: CrlPlace, list: NewCrl): Promise<string[]> {
  const described = describeNew(list)
  return (await isInForce(deps, mountId, { ...list, ...described })) ? [] : [notInForceText(described)]
}

/** A stale list is in force like any other, so the write succeeds without a warning; the operator should know, though. */
function logIfStale({ log, clock }: Deps, { mountId, name }: CrlPlace, { nextUpdate }: Crl): void {
  if (nextUpdate === undefined || nextUpdate > clock.now()) return
  log.warn({ mount: mountId, list: name, nextUpdate: toIso(nextUpdate) }, 'a stored revocation list is out of date')
}

const severalWarnings = async (uploaded: string): Promise<string[]> =>
  (await holdsSeveralCrls(uploaded))
    ? ["Field 'crl' holds several lists; only the first is stored. Write each under a name of its own."]
    : []

const inputText = (url: string): string =>
  url === ''
    ? "One of the fields 'crl' and 'url' must be given."
    : "Field 'url' must be an absolute http or https address."

const invalid = (code: string, text: string) => failure('invalid', `crl.${code}`, text)

/** Why a list that came is not stored, by the code of the failure. */
const refusals = {
  'crl.fetch': 'could not be fetched.',
  'crl.unreadable': 'could not be parsed.',
  'crl.signature': 'is not acceptable.',
  'crl.older': 'is not acceptable.',
} as const

const unacceptable = (code: keyof typeof refusals, reason: unknown, advice = '') =>
  failure('invalid', code, `The revocation list ${refusals[code]} ${textOf(reason)}${advice}`, { cause: reason })

/** What is wrong with a list, without the words for people who write one. */
const reasonOf = (thrown: unknown): string =>
  textOf(thrown instanceof Failure && thrown.code in refusals ? thrown.cause : thrown)

/** Reads a list that came, however it came, and looks at its signature. */
async function examine(deps: Deps, place: CrlPlace, arrived: ArrivedCrl): Promise<NewCrl> {
  const loaded = await loadCrl(arrived.der).catch((error) => {
    throw unacceptable('crl.unreadable', error)
  })
  const signer = await signerOf(deps, place.mountId, loaded)
  if (signer.kind === 'forged') throw unacceptable('crl.signature', signer.text)
  const list = { ...arrived, crl: loaded.crl, signer }
  rememberFetched(deps, list)
  return list
}

/** Refuses a list that must not take the place of the stored one. */
function requireSuccessor(current: StoredCrl | undefined, list: NewCrl, source: CrlSource): void {
  if (source === 'fetched-again' && current?.url !== list.url)
    throw new Error('Another request changed or deleted the list at the same time.')
  const problem = replacementProblem(current, describeNew(list), source)
  if (problem !== undefined) throw unacceptable('crl.older', problem, ' Delete the list first if that is meant.')
}

/**
 * Stores the bytes first, then swaps the list, so that the transaction is short however long the list is. Returns
 * warnings about lists that are out of force by now.
 */
async function storeCrl(deps: Deps, place: CrlPlace, list: NewCrl, source: CrlSource): Promise<string[]> {
  const check = (current: StoredCrl | undefined): void => requireSuccessor(current, list, source)
  // Before a hundred megabytes are written for nothing; the swap asks again.
  check(await findCrl(deps.db, place))
  const at = deps.clock.now()
  const blobId = await putCrlBytes(deps, place, { der: list.der, at })
  try {
    await swap(deps, place, storedFrom(list, place.name, { blobId, at }), check)
  } catch (error) {
    // If the outcome is unknown, the list may have been stored after all and need its bytes; unused ones are swept
    // later.
    if (!isOutcomeUnknown(error)) await dropCrlBytes(deps.db, place, blobId)
    throw error
  }
  // Put in force now, while the list is still in memory, so that the next login need not wait for it.
  adoptCrl(deps, blobId, list.crl)
  await crlsUnlessLost(deps, place.mountId)
  return list.signer.kind === 'unknown' ? await refreshAndRecheckSigners(deps, place.mountId) : []
}

/**
 * A role that trusts the issuer may have been written meanwhile, perhaps by another process, before the list was
 * visible to it.
 */
async function refreshAndRecheckSigners(deps: Deps, mountId: string): Promise<string[]> {
  await deps.store.versions.refresh()
  return recheckSigners(deps, mountId)
}

async function swap(
  deps: Pick<Deps, 'db' | 'ids'>,
  place: CrlPlace,
  stored: StoredCrl,
  check: (current: StoredCrl | undefined) => void,
): Promise<void> {
  const swapOnce = async (tx: Tx): Promise<boolean> => {
    await requireMount(tx, place.mountId)
    const current = await findCrl(tx, place)
    check(current)
    const next = { ...stored, name: current?.name ?? place.name }
    if (!(await swapCrl(tx, place.mountId, { current, next }))) return false
    if (current) await dropCrlBytes(tx, place, current.blobId)
    return true
  }
  await untilWritten(() => inTransaction(deps.db, swapOnce, { operationId: deps.ids.uuid() }), contended)
}

const contended = () =>
  failure('conflict', 'crl.contended', 'Other requests are changing the revocation list; try again.')

/** Removes a list; what it revoked may log in again. */
export async function removeCrl(deps: Pick<Deps, 'db'>, place: CrlPlace): Promise<void> {
  if (!(await inTransaction(deps.db, (tx) => deleteCrl(tx, place)))) throw noSuchCrl()
}

/** The words clients know for a list that is not there. */
export const noSuchCrl = () => invalid('missing', 'no such CRL')

/** Downloads that run at the same time. */
const maxDownloads = 4

/**
 * Fetches every list that is due. If one cannot be fetched, the old one stays in force, and the next try follows soon.
 */
export async function refreshDueCrls(deps: Deps, signal: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  const due = await dueCrls(deps.db, now, later(now, longestRefreshInterval))
  const worker = async (): Promise<void> => {
    for (let place = due.shift(); place !== undefined && !signal.aborted; place = due.shift())
      await refreshCrl(deps, place, signal)
  }
  // All of them have ended before the lease of this job does, even if one fails.
  const outcomes = await Promise.allSettled(Array.from({ length: maxDownloads }, worker))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

async function refreshCrl(deps: Deps, place: CrlPlace, signal: AbortSignal): Promise<void> {
  const current = await findCrl(deps.db, place)
  if (!current || current.url === '') return
  try {
    const isNew = await fetchAgain(deps, place, current, signal)
    if (isNew) deps.log.info({ crl: place.name }, 'revocation list refreshed')
  } catch (thrown) {
    if (signal.aborted) return
    const at = deps.clock.now()
    const error = reasonOf(thrown)
    deps.log.warn({ crl: place.name, error }, 'could not refresh revocation list; the old one stays in effect')
    const { blobId } = current
    await noteFetchError(deps.db, place, {
      blobId,
      text: error.slice(0, 1_000),
      at,
      refreshAt: instant(at + retryAfter),
    })
  }
}

/** Fetches a list and stores it; false if it is the one that is stored already. */
async function fetchAgain(deps: Deps, place: CrlPlace, current: StoredCrl, signal: AbortSignal): Promise<boolean> {
  const { url, blobId, nextUpdate } = current
  const before = await readNamedCrl(deps, place).catch(undefinedIfLost)
  const arrived = await fetchList(deps, url, { purpose: 'refresh', signal, known: before?.crl })
  const list = arrived && (await examine(deps, place, arrived))
  if (!list || (before && isUnchanged(before, list))) {
    await noteUnchanged(deps.db, place, { blobId, refreshAt: refreshTime(nextUpdate, deps.clock.now()) })
    return false
  }
  if (list.crl.deltaBase !== undefined && before !== undefined && before.crl.deltaBase === undefined)
    throw new Error('It is a delta list, which cannot take the place of a complete one.')
  await storeCrl(deps, place, list, 'fetched-again')
  return true
}

/** An upload takes minutes at most, so bytes without a list that are older than this are left over. */
const abandonedAfter = 3_600_000

/** Counts, whenever metrics are collected, the lists of each mount whose successor should be there by now. */
export function measureStaleLists(deps: Deps): void {
  const gauge = deps.metrics.gauge(
    'holdfast_cert_crls_stale',
    'Revocation lists of a mount that are past their next update; they keep revoking.',
    ['mount'],
    { stored: true },
  )
  const refresh = async (): Promise<void> => {
    const counts = await countStaleCrls(deps.reads, deps.clock.now())
    gauge.reset()
    for (const { mountPath, stale } of counts) gauge.set({ mount: mountPath }, stale)
  }
  deps.metrics.onRender(
    throttledRefresh(deps, { refresh, goodFor: 60_000, failed: 'stale revocation lists not counted' }),
  )
}

/** Background work on revocation lists. */
export const crlJobs: readonly Job[] = [
  defineJob({
    name: 'cert-auth.refresh-crls',
    every: '1m',
    jitter: '5s',
    run: (deps, { signal }) => refreshDueCrls(deps, signal),
  }),
  defineJob({
    name: 'cert-auth.sweep-crls',
    every: '6h',
    jitter: '1h',
    run: (deps) => sweepCrlBytes(deps.db, later(deps.clock.now(), -abandonedAfter)),
  }),
]
