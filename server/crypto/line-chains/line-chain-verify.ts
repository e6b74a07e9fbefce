import { createReadStream } from 'node:fs'
import { equalInConstantTime } from '../../kernel/secret.ts'
import {
  beginDigest,
  type ChainHead,
  type ChainLink,
  type ChainSeal,
  type GroupDigest,
  type Prove,
  readLink,
  sealedPart,
} from './line-chain.ts'

/** Why a line does not fit. */
export type BreakReason =
  /** The line is not as it was written, or one of its group is not. */
  | 'changed'
  /** Lines before it were removed. */
  | 'gap'
  /** It comes after a line that is not its predecessor. */
  | 'unlinked'
  /** It was written again, or out of order. */
  | 'repeated'
  /** Lines known to have been written are not there. */
  | 'cut-off'
  /** Its proof was not made with the key, or there is none at the end of a chain. */
  | 'unproven'

/** The first place where a file is not what was written: a line, or one of those from `firstLine` to it. */
type ChainBreak = {
  file: string
  firstLine: number
  line: number
  reason: BreakReason
  chain: string
  seq: number
}

/** What a check found. `continued` chains began in an earlier file, which was not given. */
export type ChainReport = {
  ok: boolean
  lines: number
  /** Lines outside of every chain: written by something else, or torn from their group by a crash and never acknowledged. */
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

/** Lines of a group whose end was not read yet. */
type OpenGroup = { firstLine: number; firstSeq: number; lastSeq: number; digest: GroupDigest }

const lineCount = ({ firstSeq, lastSeq }: OpenGroup): number => lastSeq - firstSeq + 1

/** A line with chain fields, and where it is. */
type ReadLine = { line: number; text: Buffer; link: ChainLink }

type ChainProblem = Omit<ChainBreak, 'file'>

type Progress = {
  report: ChainReport
  heads: Map<string, ChainHead>
  open: Map<string, OpenGroup>
  /** The ends of chains that still wait for a proof. */
  unproven: Map<string, ChainProblem>
  prove: Prove | undefined
  expected: Map<string, ChainHead>
}

/** Checks files, oldest first, line by line, and stops at the first break. */
export async function verifyFiles(paths: readonly string[], options: VerifyOptions = {}): Promise<ChainReport> {
  const progress: Progress = {
    report: { ok: true, lines: 0, foreignLines: 0, chains: [], heads: [], proven: options.prove !== undefined },
    heads: new Map(),
    open: new Map(),
    unproven: new Map(),
    prove: options.prove,
    expected: new Map(options.expect?.map((head) => [head.chain, head])),
  }
  let last = ''
  for (const file of paths) {
    last = file
    const found = await verifyStream(progress, createReadStream(file))
    if (found) return brokenReport(progress, { file, ...found })
  }
  for (const group of progress.open.values()) progress.report.foreignLines += lineCount(group)
  const [end] = [...missingChains(progress), ...progress.unproven.values()]
  return end
    ? brokenReport(progress, { file: last, ...end })
    : { ...progress.report, heads: [...progress.heads.values()] }
}

const brokenReport = ({ report, heads }: Progress, firstBreak: ChainBreak): ChainReport => ({
  ...report,
  ok: false,
  firstBreak,
  heads: [...heads.values()],
})

const missingChains = ({ expected }: Progress): ChainProblem[] =>
  [...expected.values()].map(({ chain, seq }) => ({ firstLine: 0, line: 0, reason: 'cut-off', chain, seq }))

async function verifyStream(progress: Progress, bytes: AsyncIterable<Buffer>): Promise<ChainProblem | undefined> {
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
    const found = verifyLine(progress, { line, text, link })
    if (found) return found
  }
  return undefined
}

function verifyLine(progress: Progress, read: ReadLine): ChainProblem | undefined {
  const { line, text, link } = read
  const { chain, seq, seal } = link
  const group = groupFor(progress, read)
  if (typeof group === 'string') return { firstLine: line, line, reason: group, chain, seq }
  group.digest.add(seal ? sealedPart(text, seal) : text)
  if (!seal) {
    group.digest.add(lineFeed)
    return undefined
  }
  progress.open.delete(chain)
  const reason = findBreak(progress, group, { chain, seq, seal })
  const place = { firstLine: group.firstLine, line, chain, seq }
  if (reason) return { ...place, reason }
  if (progress.prove && seal.proof === undefined) progress.unproven.set(chain, { ...place, reason: 'unproven' })
  else progress.unproven.delete(chain)
  return undefined
}

/** The group that a line belongs to, counting it in; or why it belongs to none. */
function groupFor({ open, heads, report }: Progress, { line, link }: ReadLine): OpenGroup | BreakReason {
  const { chain, seq } = link
  const head = heads.get(chain)
  const begun = open.get(chain)
  if (begun && seq === begun.lastSeq + 1) {
    begun.lastSeq = seq
    return begun
  }
  const start = head ? head.seq + 1 : (begun?.firstSeq ?? seq)
  if (seq < start) return 'repeated'
  if (seq > start) return 'gap'
  // A crash or a full disk ended the group before its last line; the next one took its place.
  if (begun) report.foreignLines += lineCount(begun)
  const group = { firstLine: line, firstSeq: seq, lastSeq: seq, digest: beginDigest() }
  open.set(chain, group)
  return group
}

function findBreak(
  progress: Progress,
  group: OpenGroup,
  { chain, seq, seal }: { chain: string; seq: number; seal: ChainSeal },
): BreakReason | undefined {
  if (!group.digest.matches(seal.hash)) return 'changed'
  const { prove, heads, expected, report } = progress
  if (prove && seal.proof !== undefined && !equalInConstantTime(seal.proof, prove(seal.hash))) return 'unproven'
  const before = heads.get(chain)
  if (before && seal.prev !== before.hash) return 'unlinked'
  // A chain begins at 1 with nothing before it; one that begins later must name what it follows.
  if (!before && (group.firstSeq === 1) !== (seal.prev === '')) return 'gap'
  heads.set(chain, { chain, seq, hash: seal.hash })
  noteGroup(report, chain, group)
  const end = expected.get(chain)
  if (end?.seq === seq) {
    if (end.hash !== seal.hash) return 'unlinked'
    expected.delete(chain)
  }
  return undefined
}

function noteGroup(report: ChainReport, chain: string, { firstSeq, lastSeq }: OpenGroup): void {
  const known = report.chains.find((item) => item.chain === chain)
  if (known) known.last = lastSeq
  else report.chains.push({ chain, first: firstSeq, last: lastSeq, continued: firstSeq > 1 })
}

const lineFeed = Buffer.from('\n')

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
