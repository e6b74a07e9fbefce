import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { ownFolder } from '../../test/support/folders.ts'
import {
  type ChainHead,
  linesOf,
  linkLines,
  newChain,
  type Prove,
  proveWith,
} from '../crypto/line-chains/line-chain.ts'
import { verifyFiles } from '../crypto/line-chains/line-chain-verify.ts'
import { randomIds } from '../kernel/ids.ts'
import { secret } from '../kernel/secret.ts'
import { readTail } from './chain-tail.ts'

let directory: string

beforeEach(async () => {
  directory = ownFolder()
})

const key = secret(randomIds.bytes(32))

/** Lines of a chain in groups of a size, and the end of the chain. */
function chainOf(
  count: number,
  start = newChain(randomIds, 'w0'),
  { prove, size = 1 }: { prove?: Prove; size?: number } = {},
): { lines: string[]; head: ChainHead } {
  const lines: string[] = []
  let head = start
  for (let from = 0; from < count; from += size) {
    const objects = Array.from({ length: size }, (_, index) => `{"type":"request","text":"n\u2028${from + index}"`)
    const group = linkLines(head, objects, { prove })
    lines.push(...linesOf(group).map(String))
    head = group.head
  }
  return { lines, head }
}

async function store(name: string, lines: readonly string[]): Promise<string> {
  const path = join(directory, name)
  await writeFile(path, lines.join(''))
  return path
}

const tailOf = async (path: string, slot: string) => {
  const file = await open(path, 'r')
  try {
    return await readTail(file, slot)
  } finally {
    await file.close()
  }
}

test('chain: an untouched file verifies, and every line is JSON', async () => {
  const { lines, head } = chainOf(50)
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ type: 'request', chain: head.chain })
  const report = await verifyFiles([await store('log', lines)], { expect: [head] })
  expect(report).toMatchObject({ ok: true, lines: 50, foreignLines: 0, proven: false, heads: [head] })
  expect(report.chains).toEqual([{ chain: head.chain, first: 1, last: 50, continued: false }])
})

test.each([
  ['a changed text', (lines: string[]) => lines.with(4, lines[4]?.replace('request', 'REQUEST') ?? ''), 5, 'changed'],
  ['a changed number', (lines: string[]) => lines.with(4, lines[4]?.replace('"seq":5', '"seq":6') ?? ''), 5, 'gap'],
  ['a removed line', (lines: string[]) => lines.toSpliced(4, 1), 5, 'gap'],
  ['a doubled line', (lines: string[]) => lines.toSpliced(4, 0, lines[4] ?? ''), 6, 'repeated'],
  [
    'two swapped lines',
    (lines: string[]) => [...lines.slice(0, 3), lines[4] ?? '', lines[3] ?? '', ...lines.slice(5)],
    4,
    'gap',
  ],
  ['a garbled line', (lines: string[]) => lines.with(4, 'garbage\n'), 6, 'gap'],
  [
    'a changed hash',
    (lines: string[]) => lines.with(4, lines[4]?.replace(/.{3}"\}\n$/, 'zzz"}\n') ?? ''),
    5,
    'changed',
  ],
])('chain: %s is found', async (_name, tamper, line, reason) => {
  const { lines } = chainOf(10)
  const report = await verifyFiles([await store('log', tamper(lines))])
  expect(report).toMatchObject({ ok: false, firstBreak: { line, reason } })
})

test.each([
  [
    'a changed text',
    (lines: string[]) => lines.with(4, lines[4]?.replace('request', 'REQUEST') ?? ''),
    [4, 6],
    'changed',
  ],
  ['a removed line', (lines: string[]) => lines.toSpliced(4, 1), [5, 5], 'gap'],
  ['a removed first line of a group', (lines: string[]) => lines.toSpliced(3, 1), [4, 4], 'gap'],
  ['a removed last line of a group', (lines: string[]) => lines.toSpliced(5, 1), [6, 6], 'gap'],
  ['a removed group', (lines: string[]) => lines.toSpliced(3, 3), [4, 4], 'gap'],
  ['a doubled line', (lines: string[]) => lines.toSpliced(4, 0, lines[4] ?? ''), [6, 6], 'gap'],
  ['a doubled group', (lines: string[]) => lines.toSpliced(6, 0, ...lines.slice(3, 6)), [7, 7], 'repeated'],
  ['a garbled line', (lines: string[]) => lines.with(4, 'garbage\n'), [6, 6], 'gap'],
  [
    'two swapped lines',
    (lines: string[]) => [...lines.slice(0, 3), lines[4] ?? '', lines[3] ?? '', ...lines.slice(5)],
    [4, 4],
    'gap',
  ],
])('chain: in groups of three, %s is found', async (_name, tamper, [firstLine, line], reason) => {
  const { lines, head } = chainOf(12, undefined, { size: 3 })
  expect(await verifyFiles([await store('log', lines)], { expect: [head] })).toMatchObject({ ok: true, lines: 12 })
  const report = await verifyFiles([await store('log', tamper(lines))])
  expect(report).toMatchObject({ ok: false, firstBreak: { firstLine, line, reason } })
})

test('chain: an incomplete group is ignored, and the next group takes its place', async () => {
  const first = chainOf(3, undefined, { size: 3 })
  const cut = chainOf(3, first.head, { size: 3 }).lines.slice(0, 2)
  const second = chainOf(3, first.head, { size: 3 })
  const path = await store('log', [...first.lines, ...cut, ...second.lines, ...cut.slice(0, 1)])
  const report = await verifyFiles([path], { expect: [second.head] })
  expect(report).toMatchObject({ ok: false, firstBreak: { line: 9, reason: 'repeated' } })
  const whole = await store('log', [...first.lines, ...cut, ...second.lines])
  expect(await verifyFiles([whole], { expect: [second.head] })).toMatchObject({ ok: true, lines: 8, foreignLines: 2 })
  const ending = await store('log', [...first.lines, ...cut])
  expect(await verifyFiles([ending], { expect: [first.head] })).toMatchObject({ ok: true, foreignLines: 2 })
  expect(await tailOf(ending, 'w0')).toEqual({ head: first.head, torn: false })
})

test('chain: a cut-off end is found if the expected head is known', async () => {
  const { lines, head } = chainOf(10)
  const path = await store('log', lines.slice(0, 9))
  expect((await verifyFiles([path])).ok).toBe(true)
  expect(await verifyFiles([path], { expect: [head] })).toMatchObject({
    ok: false,
    firstBreak: { reason: 'cut-off', seq: 10 },
  })
})

test('chain: an inserted line with a valid hash of its own breaks the next link', async () => {
  const { lines, head } = chainOf(3)
  const first = { ...head, seq: 1, hash: JSON.parse(lines[0] ?? '').hash }
  const forged = linesOf(linkLines(first, ['{"forged":true'])).join('')
  const report = await verifyFiles([await store('log', lines.with(1, forged))])
  expect(report.firstBreak).toMatchObject({ line: 3, reason: 'unlinked' })
})

test('chain: with the key, a file rewritten as a whole is found as unproven', async () => {
  const prove = proveWith(key)
  const { lines } = chainOf(5, undefined, { prove })
  const path = await store('log', lines)
  expect(await verifyFiles([path], { prove })).toMatchObject({ ok: true, proven: true })
  expect(await verifyFiles([path])).toMatchObject({ ok: true, proven: false })
  const bare = await store('bare', chainOf(5).lines)
  expect(await verifyFiles([bare], { prove })).toMatchObject({
    ok: false,
    firstBreak: { line: 5, reason: 'unproven' },
  })
  const forged = await store('forged', chainOf(5, undefined, { prove: proveWith(secret(randomIds.bytes(32))) }).lines)
  expect(await verifyFiles([forged], { prove })).toMatchObject({
    ok: false,
    firstBreak: { line: 1, reason: 'unproven' },
  })
})

/** Written when lines were hashed with SHA-256, under a key of 32 sevens. */
const olderHash = 'sha256:7359c35ef93d95759754bd22571ad7f452ab633eea4673cbe8aac99b2a1a1792'
const olderProof = 'keyed-sha256:c8b18214df72a2bb2305211d8fa98c0fd484d1aa5c9591ccddd406a80b44b285'
const older = [
  '{"n":1,"chain":"w0.0123abcd","seq":1}\n',
  `{"n":2,"chain":"w0.0123abcd","seq":2,"prev":"","hash":"${olderHash}","proof":"${olderProof}"}\n`,
]

test('chain: a file begun with SHA-256 hashes is verified and continued', async () => {
  const prove = proveWith(secret(Buffer.alloc(32, 7)))
  const begun = await tailOf(await store('log', older), 'w0')
  const { lines, head } = chainOf(4, begun.head, { prove, size: 2 })
  expect(head.hash).toMatch(/^blake2b512:[0-9a-f]{128}$/)
  const options = { prove, expect: [head] }
  expect(await verifyFiles([await store('log', [...older, ...lines])], options)).toMatchObject({ ok: true, lines: 6 })
  const changed = older.with(0, older[0]?.replace('"n":1', '"n":9') ?? '')
  const report = await verifyFiles([await store('log', [...changed, ...lines])], options)
  expect(report.firstBreak).toMatchObject({ line: 2, reason: 'changed' })
  const forged = older.with(1, older[1]?.replace(olderProof, olderProof.replace(/.$/, 'z')) ?? '')
  expect((await verifyFiles([await store('log', forged)], { prove })).firstBreak).toMatchObject({ reason: 'unproven' })
})

test('chain: a proof covers all lines before it but none after it', async () => {
  const prove = proveWith(key)
  const first = chainOf(3)
  const second = chainOf(1, first.head, { prove })
  expect(await verifyFiles([await store('log', [...first.lines, ...second.lines])], { prove })).toMatchObject({
    ok: true,
  })
  const third = chainOf(1, second.head)
  const all = await store('log', [...first.lines, ...second.lines, ...third.lines])
  expect(await verifyFiles([all], { prove })).toMatchObject({ ok: false, firstBreak: { line: 5, reason: 'unproven' } })
})

test('chain: rotated files verify in sequence, and a later one alone is reported as continued', async () => {
  const first = chainOf(5)
  const second = chainOf(5, first.head)
  const [one, two] = [await store('log.1', first.lines), await store('log', second.lines)]
  expect(await verifyFiles([one, two], { expect: [second.head] })).toMatchObject({ ok: true, lines: 10 })
  expect((await verifyFiles([two])).chains).toMatchObject([{ first: 6, last: 10, continued: true }])
  const shortened = await store('log', second.lines.slice(1))
  expect(await verifyFiles([one, shortened])).toMatchObject({
    ok: false,
    firstBreak: { file: shortened, line: 1, reason: 'gap' },
  })
})

test('chain: chains of several processes in one file verify, and a missing line of either is found', async () => {
  const a = chainOf(20, newChain(randomIds, 'w0'))
  const b = chainOf(20, newChain(randomIds, 'w1'))
  const mixed = a.lines.flatMap((line, index) =>
    index % 2 ? [line, b.lines[index] ?? ''] : [b.lines[index] ?? '', line],
  )
  expect(await verifyFiles([await store('log', mixed)], { expect: [a.head, b.head] })).toMatchObject({
    ok: true,
    lines: 40,
  })
  // Without the first line of a chain, what is left looks like the continuation of an earlier file, and says so.
  const headless = await verifyFiles([await store('log', mixed.toSpliced(0, 1))])
  expect(headless.chains.map(({ continued }) => continued).sort()).toEqual([false, true])
  for (let at = 2; at < mixed.length - 2; at++) {
    expect(await verifyFiles([await store('log', mixed.toSpliced(at, 1))]), `line ${at + 1}`).toMatchObject({
      ok: false,
    })
  }
})

test('chain: foreign and torn lines are counted and do not break the chain', async () => {
  const { lines } = chainOf(4)
  const torn = lines[3]?.slice(0, 30) ?? ''
  const path = await store('log', [...lines.slice(0, 2), 'hello\n', '\n', ...lines.slice(2), torn])
  expect(await verifyFiles([path])).toMatchObject({ ok: true, foreignLines: 2 })
})

test('tail: the last line of a slot is found among lines of others, even far back', async () => {
  const mine = chainOf(3, newChain(randomIds, 'w0'))
  const other = chainOf(4000, newChain(randomIds, 'w00'))
  const path = await store('log', [...mine.lines, ...other.lines])
  expect((await readFile(path)).length).toBeGreaterThan(600_000)
  expect(await tailOf(path, 'w0')).toEqual({ head: mine.head, torn: false })
  expect(await tailOf(path, 'w00')).toEqual({ head: other.head, torn: false })
  expect(await tailOf(path, 'w1')).toEqual({ head: undefined, torn: false })
})

test('tail: an empty file has no head, and a torn or overlong line is skipped', async () => {
  expect(await tailOf(await store('empty', []), 'w0')).toEqual({ head: undefined, torn: false })
  const { lines, head } = chainOf(3)
  expect(await tailOf(await store('torn', [...lines, '{"half']), 'w0')).toEqual({ head, torn: true })
  const long = `{"long":"${'x'.repeat(700_000)}"}\n`
  expect(await tailOf(await store('long', [...lines, long]), 'w0')).toEqual({ head, torn: false })
})

test('slot: a name with a quote is refused', () => {
  expect(() => newChain(randomIds, 'a"b')).toThrow(TypeError)
})
