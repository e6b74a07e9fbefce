import { setTimeout as sleep } from 'node:timers/promises'
import { type Instant, later } from '../../../../../kernel/clock.ts'
import { Failure, textOf } from '../../../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../../../kit/deps.ts'
import type { RequestFacts } from '../../../../../kit/endpoint.ts'
import { defineJob, type Job } from '../../../../../kit/job.ts'
import { throttledRefresh } from '../../../../../kit/throttled-refresh.ts'
import type { Certificate } from '../../../../../pki/index.ts'
import { inBatches } from '../../../../../storage/batches.ts'
import type { Tx } from '../../../../../storage/open.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { requireMount } from '../../../mounts/index.ts'
import {
  factsOf,
  keptChain,
  keyText,
  type LoginFacts,
  type LoginKey,
  minuteOf,
  mostKept,
  newLoginId,
  type RecordedLogin,
  refusalsPerMinute,
  withoutIdentity,
} from './login-record.ts'
import {
  countRows,
  deleteLoginsBefore,
  deleteLoginsBeyond,
  findLogin,
  loginTable,
  putLogins,
  type SealedLogin,
} from './login-record-store.ts'

/** A login to be recorded: its certificate, as it was read and as it was sent, and where it came from. */
type Attempt = {
  readonly key: LoginKey
  readonly leaf: Certificate | undefined
  readonly request: Pick<RequestFacts, 'certificate' | 'remoteAddress'>
  /** The reason in words. */
  readonly text: string
}

/** Equal logins of this minute, as this process counts them. */
type Row = Omit<RecordedLogin, 'count' | 'lastAt'> & {
  lastAt: Instant
  count: number
  readonly facts: LoginFacts
  /** What is kept of the certificates that were sent. */
  readonly sent: readonly Buffer[]
  /** Sealed when it is first written. */
  sealed?: Pick<SealedLogin, 'facts' | 'chain'>
}

/** Rows are written together after this many milliseconds, or as soon as there are so many. */
const writeAfter = 2_000
const writeFrom = 500

/** Rows of one transaction: it costs more than they do. */
const rowsAtOnce = 250

/** Rows that wait while the store refuses to take them; further ones are lost. */
const mostWaiting = 5_000

type RecorderDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'ids' | 'keyring' | 'log' | 'settings' | 'metrics'>

/** Counts logins in memory and writes them down together, so that no login waits for its record. */
class LoginRecorder {
  readonly #deps: RecorderDeps
  readonly #waiting = new Set<Row>()
  #rows = new Map<string, Row>()
  #minute = 0
  #refusals = 0
  #isDue = false
  #writing: Promise<void> = Promise.resolve()

  constructor(deps: RecorderDeps) {
    this.#deps = deps
  }

  note(attempt: Attempt): void {
    const at = this.#deps.clock.now()
    this.#beginMinute(at)
    const row = this.#rowOf(attempt, at)
    row.count++
    row.lastAt = at
    if (this.#waiting.size >= mostWaiting && !this.#waiting.has(row)) {
      lostRows(this.#deps).inc()
      return
    }
    this.#waiting.add(row)
    if (this.#waiting.size === writeFrom) void this.write()
    else if (!this.#isDue) void this.#writeLater()
  }

  #beginMinute(at: Instant): void {
    const minute = minuteOf(at)
    if (minute === this.#minute) return
    this.#minute = minute
    this.#rows = new Map()
    this.#refusals = 0
  }

  #rowOf(attempt: Attempt, at: Instant): Row {
    const known = this.#rows.get(keyText(attempt.key))
    if (known) return known
    if (attempt.key.accepted) return this.#add(attempt, at)
    if (this.#refusals < refusalsPerMinute) {
      this.#refusals++
      return this.#add(attempt, at)
    }
    const key = withoutIdentity(attempt.key)
    return this.#rows.get(keyText(key)) ?? this.#add({ ...attempt, key, leaf: undefined, text: manyText }, at)
  }

  #add({ key, leaf, request, text }: Attempt, at: Instant): Row {
    const { certificate, remoteAddress } = request
    const isKept = !key.accepted && leaf !== undefined && certificate !== undefined
    const row: Row = {
      ...key,
      id: newLoginId(this.#deps.ids, at),
      at,
      lastAt: at,
      count: 0,
      facts: factsOf(leaf, { remoteAddress: text === manyText ? '' : remoteAddress, text }),
      sent: isKept ? [certificate.leaf, ...certificate.intermediates] : [],
    }
    this.#rows.set(keyText(key), row)
    return row
  }

  async #writeLater(): Promise<void> {
    this.#isDue = true
    await sleep(writeAfter, undefined, { ref: false })
    this.#isDue = false
    await this.write()
  }

  /** Writes what waits; resolves when it is stored, or when it is known that the store does not take it. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeAll())
    return this.#writing
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.size > 0) await this.#writeSome([...this.#waiting].slice(0, rowsAtOnce))
    } catch (thrown) {
      this.#deps.log.warn(
        { error: textOf(thrown), rows: this.#waiting.size },
        'record of certificate logins not written',
      )
    }
  }

  async #writeSome(rows: readonly Row[]): Promise<void> {
    const counts = rows.map((row) => row.count)
    const sealed = rows.map((row) => this.#sealed(row))
    await inTransaction(this.#deps.db, async (tx) => {
      const present = await presentMounts(tx, new Set(rows.map(({ mountId }) => mountId)))
      const kept = sealed.filter(({ mountId }) => present.has(mountId))
      if (kept.length > 0) await putLogins(tx, kept)
    })
    rows.forEach((row, index) => {
      if (row.count === counts[index]) this.#waiting.delete(row)
    })
  }

  #sealed(row: Row): SealedLogin {
    const { keyring } = this.#deps
    const { facts, sent, sealed, ...rest } = row
    const place = (column: string) => ({ table: loginTable, column, row: row.id })
    const chain = keptChain(sent)
    row.sealed ??= {
      facts: keyring.seal(JSON.stringify(facts), place('facts')),
      chain: chain === '' ? null : keyring.seal(chain, place('chain')),
    }
    return { ...rest, ...row.sealed }
  }
}

const manyText = 'One of very many different refusals of this minute, which are only counted.'

/** Whoever writes rows of a mount makes sure that it is still there. */
async function presentMounts(tx: Tx, mountIds: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const present = new Set<string>()
  for (const id of mountIds) {
    try {
      await requireMount(tx, id)
      present.add(id)
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown
    }
  }
  return present
}

const lostRows = ({ metrics }: Pick<Deps, 'metrics'>) =>
  metrics.counter('holdfast_cert_login_record_lost_total', 'Certificate logins that could not be recorded.')

const recorders = perApp((deps: RecorderDeps) => new LoginRecorder(deps))

/** Records a login, unless the settings say that none is recorded. It costs the login no more than a look into a map. */
export function recordLogin(deps: RecorderDeps, attempt: Attempt): void {
  if (deps.settings.loginRecord.entries > 0) recorders(deps).note(attempt)
}

/** Writes down what this process has counted: whoever reads the record finds his own logins in it. */
export const writeRecord = (deps: RecorderDeps): Promise<void> => recorders(deps).write()

/** What is sealed in a row; empty where its key is gone, as after a restore from elsewhere. */
export function openFacts(deps: Pick<Deps, 'keyring'>, { id, facts }: Pick<SealedLogin, 'id' | 'facts'>): LoginFacts {
  try {
    return JSON.parse(deps.keyring.openText(facts, { table: loginTable, column: 'facts', row: id })) as LoginFacts
  } catch {
    return factsOf(undefined, { remoteAddress: '', text: '' })
  }
}

/** A login of the record, who it was, and its certificates as PEM if they were kept. */
export type FoundLogin = RecordedLogin & { readonly who: LoginFacts; readonly certificate: string }

/** One login of the record. */
export async function loadRecorded(deps: RecorderDeps, mountId: string, id: string): Promise<FoundLogin | undefined> {
  await writeRecord(deps)
  const login = await findLogin(deps.db, mountId, id)
  if (!login) return undefined
  const { chain, facts, ...rest } = login
  const place = { table: loginTable, column: 'chain', row: id }
  const certificate = chain === null ? '' : deps.keyring.openText(chain, place)
  return { ...rest, who: openFacts(deps, { id, facts }), certificate }
}

const day = 86_400_000

/** Keeps the record within its bounds. */
export async function trimRecord(deps: Pick<Deps, 'db' | 'clock' | 'settings'>): Promise<void> {
  const bounds = deps.settings.loginRecord
  const before = later(deps.clock.now(), -bounds.days * day)
  await inBatches(deps.db, (tx, limit) => deleteLoginsBefore(tx, before, limit))
  for (const accepted of [true, false]) {
    const most = { accepted, kept: mostKept(bounds, accepted) }
    await inBatches(deps.db, (tx, limit) => deleteLoginsBeyond(tx, most, limit))
  }
}

/** Measures how long the record is. */
export function measureRecord(deps: Pick<Deps, 'reads' | 'clock' | 'log' | 'metrics'>): void {
  const rows = deps.metrics.gauge(
    'holdfast_cert_login_record_rows',
    'Rows of the record of certificate logins by outcome.',
    ['outcome'],
    { stored: true },
  )
  const refresh = async (): Promise<void> => {
    const { accepted, refused } = await countRows(deps.reads)
    rows.set({ outcome: 'accepted' }, accepted)
    rows.set({ outcome: 'refused' }, refused)
  }
  deps.metrics.onRender(
    throttledRefresh(deps, { refresh, goodFor: 300_000, failed: 'length of the record of logins not read' }),
  )
}

/** Background work on the record. */
export const recordJobs: readonly Job[] = [
  defineJob({ name: 'cert-auth.trim-logins', every: '10m', jitter: '1m', run: trimRecord }),
]
