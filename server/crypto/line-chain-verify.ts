import { createReadStream } from 'node:fs'
import { type ChainHead, type ChainLink, type Digest, isUnchanged, plainDigest, readLink } from './line-chain.ts'

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
  /** False when lines carry keyed hashes and no key was given: their order was checked, their content was not. */
  contentChecked: boolean
}

/** What is known beside the files. */
export type VerifyOptions = {
  /** The digest with its key, when lines are keyed. */
  digest?: Digest
  /** Ends of chains the files must reach, as the server knows them; without them a cut end cannot be seen. */
  expect?: readonly ChainHead[]
}

type Progress = {
  report: ChainReport
  heads: Map<string, ChainHead>
  digest: Digest | undefined
  expected: Map<string, ChainHead>
}

/** Checks files, oldest first, line by line, and stops at the first break. */
export async function verifyFiles(paths: readonly string[], options: VerifyOptions = {}): Promise<ChainReport> {
  const progress: Progress = {
    report: { ok: true, lines: 0, foreignLines: 0, chains: [], heads: [], contentChecked: true },
    heads: new Map(),
    digest: options.digest,
    expected: new Map(options.expect?.map((head) => [head.chain, head])),
  }
  const { report } = progress
  for (const file of paths) {
    const found = await verifyStream(progress, createReadStream(file))
    if (found) return { ...report, ok: false, firstBreak: { file, ...found }, heads: [...progress.heads.values()] }
  }
  report.heads = [...progress.heads.values()]
  const [missing] = progress.expected.values()
  if (!missing) return report
  const { chain, seq } = missing
  return { ...report, ok: false, firstBreak: { file: paths.at(-1) ?? '', line: 0, reason: 'cut-off', chain, seq } }
}

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
    if (reason) return { line, reason, chain: link.chain, seq: link.seq }
  }
  return undefined
}

function judge(progress: Progress, text: Buffer, link: ChainLink): BreakReason | undefined {
  if (!isContentRight(progress, text, link)) return 'changed'
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

/** A keyed line cannot be made to pass by hashing it anew without the key: with a key given, no other digest counts. */
function isContentRight(progress: Progress, text: Buffer, link: ChainLink): boolean {
  if (progress.digest) return isUnchanged(text, link, progress.digest)
  if (link.hash.startsWith('sha256:')) return isUnchanged(text, link, plainDigest)
  progress.report.contentChecked = false
  return true
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
