import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from './json-body.ts'
import { parseLongJson } from './long-json.ts'

const sizes = { long: 6, piece: 7, around: 100_000 }
const limits = { maxDepth: 500, maxEntries: 10_000, maxTotalEntries: 100_000, maxString: 1_000, allowsNul: false }
const read = (text: string | Buffer) => parseLongJson(Buffer.from(text), limits, sizes)

test('long JSON: gives the same result as the ordinary parser, wherever its pieces end', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 }).map((each) => each.replaceAll('\0', ''))
  const value = fc.dictionary(
    fc.stringMatching(/^[a-z]{0,3}$/),
    fc.oneof(text, fc.array(text), fc.integer(), fc.boolean()),
  )
  const spelled = fc.tuple(value, fc.constantFrom(0, 2), fc.boolean()).map(([document, indent, escaped]) => {
    const written = JSON.stringify(document, null, indent)
    const spellOut = (each: string) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`
    return escaped ? written.replace(/[\u0080-\uffff+/]/g, spellOut) : written
  })
  await fc.assert(
    fc.asyncProperty(spelled, async (written) => {
      expect(await read(written)).toEqual(parseJson(Buffer.from(written), limits))
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['runs of backslashes', `{"a":"${'\\\\'.repeat(40)}"}`],
  ['backslashes and quotes', `{"a":"${'\\\\\\"'.repeat(40)}","b":"${'\\"'.repeat(9)}"}`],
  ['characters outside the plane, as they are and escaped', `{"a":"${'😀\\ud83d\\ude00'.repeat(20)}"}`],
  ['texts in lists', `["${'x'.repeat(50)}",["${'y'.repeat(50)}"],"z"]`],
  ['one text alone', `"${'x'.repeat(50)}"`],
  ['nothing long', '{"a":[1,{"b":null}]}'],
])('long JSON: parses %s', async (_what, written) => {
  expect(await read(written)).toEqual(JSON.parse(written))
})

test.each([
  ['a text without an end', `{"a":"${'x'.repeat(50)}`],
  ['a text that ends in an escape', `{"a":"${'x'.repeat(50)}\\"}`],
  ['no end at all', `{"a":"${'x'.repeat(50)}"`],
  ['an unknown escape', `{"a":"${'x'.repeat(50)}\\q"}`],
  ['a line break in a text', `{"a":"${'x'.repeat(50)}\n"}`],
  ['a NUL', `{"a":"${'x'.repeat(50)}\\u0000"}`],
  ['half a surrogate pair', `{"a":"${'x'.repeat(50)}\\ud83d"}`],
  ['broken UTF-8', Buffer.concat([Buffer.from(`{"a":"${'x'.repeat(50)}`), Buffer.from([0xff]), Buffer.from('"}')])],
  [
    'a character that goes on and on',
    Buffer.concat([Buffer.from('{"a":"x'), Buffer.alloc(50, 0x80), Buffer.from('"}')]),
  ],
  ['a key given twice', `{"a":"${'x'.repeat(50)}","a":"${'x'.repeat(50)}"}`],
  ['a long key', `{"${'x'.repeat(50)}":1}`],
  ['a text above the limit', `{"a":"${'x'.repeat(1_001)}"}`],
  ['more around its texts than there may be', `{"a":[${'1,'.repeat(60_000)}1]}`],
  ['quotes without end', `{"a":"${'\\"'.repeat(30_000)}"}`],
  ['backslashes without end', `{"a":"${'\\'.repeat(2_200_000)}"}`],
])('long JSON: %s is refused as malformed', async (_what, written) => {
  await expect(read(written)).rejects.toMatchObject({ kind: 'malformed' })
})
