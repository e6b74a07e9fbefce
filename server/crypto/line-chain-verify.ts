import { createReadStream } from 'node:fs'
import { equalInConstantTime } from '../kernel/secret.ts'
import { type ChainHead, type ChainLink, isUnchanged, type Prove, readLink } from './line-chain.ts'

/** Why a line does not fit. */
export type BreakReason =
  /** The line is not as it was written. */
  | 'changed'
  /** Lines before it were removed. */
  | 'gap'
  /** It stands after a line it does not follow. */
  | 'unlinked'
  /** It was written again, or out of order. */
  | 'repeated'
  /** Lines known to have been written are not there. */
  | 'cut-off'
  /** Its proof was not made with the key, or there is none at the end of a chain. */
  | 'unproven'

/** The first place where a file is not what was written. */
export type ChainBreak = { file: string; line: number; reason: BreakReason; chain: string; seq: number }

/** What a check found. `continued` chains began in an earlier file, which was not given. */
export type ChainReport = {
  ok: boolean
  lines: number
  /** Lines without chain fields: written by something else, or torn by a crash and never acknowledged. */
  foreignLines: number
  chains: { chain: string; first: number; last: number; continued: boolean }[]
  heads: ChainHead[]
  firstBreak?: ChainBreak
  /** True if the proofs were checked with the key: then nobody without it made these lines. */
  proven: boolean
}

/** What is known beside the files. */
export type VerifyOptions = {
  /** Makes proofs with the key of the chain. */
  prove?: Prove
  /** Ends of chains the files must reach, as the server knows them; without them a cut end cannot be seen. */
  expect?: readonly ChainHead[]
}

type Progress = {
  report: ChainReport
  heads: Map<string, ChainHead>
  /** The ends of chains that still wait for a proof. */
  unproven: Map<string, Omit<ChainBreak, 'file'>>
  prove: Prove | undefined
  expected: Map<string, ChainHead>
}

/** Checks files, oldest first, line by line, and stops at the first break. */
export async function verifyFiles(paths: readonly string[], options: VerifyOptions = {}): Promise<ChainReport> {
  const progress: Progress = {
    report: { ok: true, lines: 0, foreignLines: 0, chains: [], heads: [], proven: options.prove !== undefined },
    heads: new Map(),
    unproven: new Map(),
    prove: options.prove,
    expected: new Map(options.expect?.map((head) => [head.chain, head])),
  }
  let last = ''
  for (const file of paths) {
    last = file
    const found = await verifyStream(progress, createReadStream(file))
    if (found) return broken(progress, { file, ...found })
  }
  const [end] = [...missingOf(progress), ...progress.unproven.values()]
  return end ? broken(progress, { file: last, ...end }) : { ...progress.report, heads: [...progress.heads.values()] }
}

const broken = ({ report, heads }: Progress, firstBreak: ChainBreak): ChainReport => ({
  ...report,
  ok: false,
  firstBreak,
  heads: [...heads.values()],
})

const missingOf = ({ expected }: Progress): Omit<ChainBreak, 'file'>[] =>
  [...expected.values()].map(({ chain, seq }) => ({ line: 0, reason: 'cut-off', chain, seq }))

async function verifyStream(
  progress: Progress,
  bytes: AsyncIterable<Buffer>,
): Promise<Omit<ChainBreak, 'file'> | undefined> {
  let line = 0
  for await (const text of splitLines(bytes)) {
    line += 1
    if (text.length === 0) continue
    progress.report.lines += 1
    const link = readLink(text)
    if (!link) {
      progress.report.foreignLines += 1
      continue
    }
    const reason = judge(progress, text, link)
    const place = { line, chain: link.chain, seq: link.seq }
    if (reason) return { ...place, reason }
    if (progress.prove && link.proof === undefined) progress.unproven.set(link.chain, { ...place, reason: 'unproven' })
    else progress.unproven.delete(link.chain)
  }
  return undefined
}

function judge(progress: Progress, text: Buffer, link: ChainLink): BreakReason | undefined {
  if (!isUnchanged(text, link)) return 'changed'
  if (progress.prove && link.proof !== undefined && !equalInConstantTime(link.proof, progress.prove(link.hash))) {
    return 'unproven'
  }
  const before = progress.heads.get(link.chain)
  const reason = before ? misfit(before, link) : badStart(link)
  if (reason) return reason
  const { chain, seq, hash } = link
  progress.heads.set(chain, { chain, seq, hash })
  note(progress.report, link)
  const expected = progress.expected.get(chain)
  if (expected?.seq === seq) {
    if (expected.hash !== hash) return 'unlinked'
    progress.expected.delete(chain)
  }
  return undefined
}

function misfit(before: ChainHead, link: ChainLink): BreakReason | undefined {
  if (link.seq <= before.seq) return 'repeated'
  if (link.seq > before.seq + 1) return 'gap'
  return link.prev === before.hash ? undefined : 'unlinked'
}

/** A chain begins at 1 with nothing before it; one that begins later must name what it follows. */
const badStart = (link: ChainLink): BreakReason | undefined =>
  (link.seq === 1) === (link.prev === '') ? undefined : 'gap'

function note(report: ChainReport, { chain, seq }: ChainLink): void {
  const known = report.chains.find((item) => item.chain === chain)
  if (known) known.last = seq
  else report.chains.push({ chain, first: seq, last: seq, continued: seq > 1 })
}

/** Lines by line feed alone; a JSON text may hold other line separators. */
async function* splitLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  for await (const block of source) {
    let from = 0
    for (let end = block.indexOf(10); end >= 0; end = block.indexOf(10, from)) {
      const part = block.subarray(from, end)
      yield parts.length > 0 ? Buffer.concat([...parts, part]) : part
      parts = []
      from = end + 1
    }
    if (from < block.length) parts.push(block.subarray(from))
  }
  if (parts.length > 0) yield Buffer.concat(parts)
}
