import { type Instant, instant, later, toIso } from '../../../../../kernel/clock.ts'
import { failure, textOf } from '../../../../../kernel/failure.ts'
import { sentAddress } from '../../../../../kernel/hidden-credentials.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import { defineJob, type Job } from '../../../../../kit/job.ts'
import { refuseLongName } from '../../../../../kit/name-length.ts'
import { throttledRefresh } from '../../../../../kit/throttled-refresh.ts'
import { untilWritten } from '../../../../../kit/until-written.ts'
import {
  type Crl,
  countSerials,
  crlBytes,
  holdsSeveralCrls,
  type LoadedCrl,
  loadCrl,
  nameText,
} from '../../../../../pki/index.ts'
import { isOutcomeUnknown } from '../../../../../storage/database-errors.ts'
import type { Tx } from '../../../../../storage/open.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { requireMount } from '../../../mounts/index.ts'
import { isHttpUrl } from '../roles/role-rules.ts'
import type { StoredCrl } from './crl.ts'
import { type FetchedCrl, fetchCrl, rememberFetched } from './crl-fetch.ts'
import { adoptCrl, crlsUnlessLost, type KnownCrl, readNamedCrl, undefinedIfLost } from './crl-memory.ts'
import { longestRefreshInterval, refreshTime, replacementProblem, retryAfter } from './crl-rules.ts'
import { type Signer, signerOf } from './crl-signer.ts'
import {
  type CrlPlace,
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
import { recheckSigners } from './signer-actions.ts'

/** The fields of a CRL write; an empty one counts as not given. */
export type CrlInput = { readonly crl: string; readonly url: string }

/** Until when somebody waits for a write, and what refuses a caller who lost the right meanwhile. */
export type CrlWait = { readonly signal: AbortSignal; readonly checkAgain: () => Promise<void> }

/** Stores a list under a name, replacing the one that was there; returns warnings for the caller. */
export async function writeCrl(deps: Deps, place: CrlPlace, input: CrlInput, wait: CrlWait): Promise<string[]> {
  refuseLongName('The name of the list', place.name)
  const isUploaded = input.crl !== ''
  const url = isUploaded ? '' : await wholeUrl(deps, place, input.url)
  const fetched = isUploaded ? undefined : await fetchForWrite(deps, url, wait.signal)
  const der = fetched?.der ?? (await uploadedDer(input.crl))
  await wait.checkAgain()
  const loaded = await parseCrl(der)
  if (fetched) rememberFetched(deps, url, loaded.crl, fetched)
  const signer = await signerOf(deps, place.mountId, loaded)
  if (signer.kind === 'forged') throw invalid('signature', `The revocation list is not acceptable. ${signer.text}`)
  const list = { der, loaded, signer, url }
  const outOfForce = await storeCrl(deps, place, list, (current) => refuseOlder(current, list))
  logIfStale(deps, place, loaded.crl)
  return [...outOfForce, ...signerWarnings(signer), ...deltaWarnings(loaded.crl), ...(await severalWarnings(input.crl))]
}

/** A URL is read without its credentials: written back as it was read, it is the stored one. */
async function wholeUrl({ db }: Deps, place: CrlPlace, sent: string): Promise<string> {
  const url = sentAddress(sent, [(await findCrl(db, place))?.url ?? ''])
  if (url !== undefined) return url
  const rule = "Field 'url' holds [redacted] in place of credentials, but is not the stored URL"
  throw invalid('hidden', `${rule}: send it with its credentials, which are kept for one address only.`)
}

function refuseOlder(current: StoredCrl | undefined, list: NewCrl): void {
  const problem = replacementProblem(current, describe(list), 'written')
  if (problem === undefined) return
  throw invalid('older', `The revocation list is not acceptable. ${problem} Delete the list first if that is meant.`)
}

const signerWarnings = (signer: Signer): string[] =>
  signer.kind === 'unverifiable' ? [`The signature of the list was not verified: ${signer.text}`] : []

/** A stale list is in force like any other, so the write succeeds without a warning; the operator should know, though. */
function logIfStale({ log, clock }: Deps, { mountId, name }: CrlPlace, { nextUpdate }: Crl): void {
  if (nextUpdate === undefined || nextUpdate > clock.now()) return
  log.warn({ mount: mountId, list: name, nextUpdate: toIso(nextUpdate) }, 'a stored revocation list is out of date')
}

const severalWarnings = async (uploaded: string): Promise<string[]> =>
  (await holdsSeveralCrls(uploaded))
    ? ["Field 'crl' holds several lists; only the first is stored. Write each under a name of its own."]
    : []

/**
 * RFC 5280 §5.2.4. What a delta list names is revoked in addition to what other lists name; it does not replace its
 * base.
 */
const deltaWarnings = ({ deltaBase }: Crl): string[] =>
  deltaBase === undefined
    ? []
    : [
        `The list is a delta: it holds only what changed since list number ${deltaBase}. ` +
          'Store the complete list under another name as well.',
      ]

const inputText = (url: string): string =>
  url === ''
    ? "One of the fields 'crl' and 'url' must be given."
    : "Field 'url' must be an absolute http or https address."

const invalid = (code: string, text: string, cause?: unknown) => failure('invalid', `crl.${code}`, text, { cause })

function failUnreadable(text: string, cause?: unknown): never {
  throw invalid('unreadable', `The revocation list could not be parsed. ${text}`, cause)
}

async function parseCrl(der: Buffer): Promise<LoadedCrl> {
  try {
    return await loadCrl(der)
  } catch (error) {
    return failUnreadable(textOf(error), error)
  }
}

const uploadedDer = async (text: string): Promise<Buffer> =>
  (await crlBytes(text)) ?? failUnreadable('It has no PEM block named X509 CRL, and is not base64 of DER.')

async function fetchForWrite(deps: Deps, url: string, signal: AbortSignal): Promise<FetchedCrl | undefined> {
  if (!isHttpUrl(url)) throw invalid('input', inputText(url))
  try {
    return await fetchCrl(deps, url, { purpose: 'write', signal })
  } catch (error) {
    throw invalid('fetch', `The revocation list could not be fetched. ${textOf(error)}`, error)
  }
}

type NewCrl = { readonly der: Buffer; readonly loaded: LoadedCrl; readonly signer: Signer; readonly url: string }

const describe = ({ loaded: { crl }, signer }: NewCrl) => ({
  issuer: nameText(crl.issuer),
  number: crl.number,
  thisUpdate: crl.thisUpdate,
  signerKey: signer.kind === 'known' ? signer.key : '',
})

/**
 * Stores the bytes first, then swaps the list, so that the transaction is short however long the list is. Returns
 * warnings about lists that are out of force by now.
 */
async function storeCrl(
  deps: Deps,
  place: CrlPlace,
  list: NewCrl,
  check: (current: StoredCrl | undefined) => void,
): Promise<string[]> {
  // Before a hundred megabytes are written for nothing; the swap asks again.
  check(await findCrl(deps.db, place))
  const at = deps.clock.now()
  const blobId = await putCrlBytes(deps, place, { der: list.der, at })
  try {
    await swap(deps, place, storedCrl(place.name, list, { blobId, at }), check)
  } catch (error) {
    // If the outcome is unknown, the list may have been stored after all and need its bytes; unused ones are swept
    // later.
    if (!isOutcomeUnknown(error)) await dropCrlBytes(deps.db, place, blobId)
    throw error
  }
  // Put in force now, while the list is still in memory, so that the next login need not wait for it.
  adoptCrl(deps, blobId, list.loaded.crl)
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
  failure('conflict', 'crl.contended', 'The revocation list is being changed by others; try again.')

function storedCrl(name: string, list: NewCrl, { blobId, at }: { blobId: string; at: Instant }): StoredCrl {
  const { crl } = list.loaded
  return {
    name,
    url: list.url,
    blobId,
    size: list.der.length,
    entries: countSerials(crl),
    ...describe(list),
    nextUpdate: crl.nextUpdate,
    updatedAt: at,
    refreshAt: list.url === '' ? instant(0) : refreshTime(crl.nextUpdate, at),
    lastError: '',
    lastErrorAt: instant(0),
  }
}

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
  } catch (error) {
    if (signal.aborted) return
    const at = deps.clock.now()
    deps.log.warn(
      { crl: place.name, error: textOf(error) },
      'could not refresh revocation list; the old one stays in effect',
    )
    const refreshAt = instant(at + retryAfter)
    const { blobId } = current
    await noteFetchError(deps.db, place, { blobId, text: textOf(error).slice(0, 1_000), at, refreshAt })
  }
}

/** Fetches a list and stores it; false if it is the one that is stored already. */
async function fetchAgain(deps: Deps, place: CrlPlace, current: StoredCrl, signal: AbortSignal): Promise<boolean> {
  const { url, blobId, nextUpdate } = current
  const before = await readNamedCrl(deps, place).catch(undefinedIfLost)
  const fetched = await fetchCrl(deps, url, { purpose: 'refresh', signal, known: before?.crl })
  const isNew = fetched !== undefined && (await storeIfNew(deps, place, { url, fetched, before }))
  if (!isNew) await noteUnchanged(deps.db, place, { blobId, refreshAt: refreshTime(nextUpdate, deps.clock.now()) })
  return isNew
}

type Refresh = { readonly url: string; readonly fetched: FetchedCrl; readonly before: KnownCrl | undefined }

async function storeIfNew(deps: Deps, place: CrlPlace, { url, fetched, before }: Refresh): Promise<boolean> {
  const { der } = fetched
  const loaded = await loadCrl(der)
  const signer = await signerOf(deps, place.mountId, loaded)
  if (signer.kind === 'forged') throw new Error(signer.text)
  rememberFetched(deps, url, loaded.crl, fetched)
  const list = { der, url, loaded, signer }
  if (before && isUnchanged(before, list)) return false
  if (loaded.crl.deltaBase !== undefined && before !== undefined && before.crl.deltaBase === undefined)
    throw new Error('It is a delta list, which cannot take the place of a complete one.')
  await storeCrl(deps, place, list, (stored) => {
    if (stored?.url !== list.url) throw new Error('The list was changed or deleted meanwhile.')
    const problem = replacementProblem(stored, describe(list), 'fetched-again')
    if (problem) throw new Error(problem)
  })
  return true
}

/**
 * A list may have a hundred megabytes, and many issuers renew theirs seldom: only one that differs is stored and read
 * again.
 */
const isUnchanged = ({ crl, stored }: KnownCrl, next: NewCrl): boolean =>
  crl.fingerprint === next.loaded.crl.fingerprint && stored.signerKey === describe(next).signerKey

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
    const counts = await countStaleCrls(deps.db, deps.clock.now())
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
