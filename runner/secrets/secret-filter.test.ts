import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SecretFilter } from './secret-filter.ts'
import { secretForms } from './secret-forms.ts'

const filterOf = (...values: string[]): SecretFilter => new SecretFilter(secretForms(values))

/** Sends bytes in pieces that end at the given places. */
function inPieces(filter: SecretFilter, bytes: Buffer, cuts: readonly number[]): string {
  const stream = filter.stream()
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  const pieces: Buffer[] = []
  let at = 0
  for (const end of [...ends, bytes.length]) {
    pieces.push(stream.push(bytes.subarray(at, end)))
    at = end
  }
  return Buffer.concat([...pieces, stream.end()]).toString('latin1')
}

const secret = 'correct horse/battery+staple'

describe('the filter of secrets', () => {
  it.each([
    ['as it is', secret],
    ['in JSON', JSON.stringify({ a: `x${secret}` })],
    ['in a URL', `https://a/?q=${encodeURIComponent(secret)}`],
    ['in a query with plus signs', new URLSearchParams({ q: secret }).toString()],
    ['in hexadecimal digits', Buffer.from(secret).toString('hex')],
    ['in large hexadecimal digits', Buffer.from(secret).toString('hex').toUpperCase()],
    ...[0, 1, 2, 3].flatMap((shift) =>
      (['base64', 'base64url'] as const).map((form) => [
        `in ${form} after ${shift} bytes`,
        Buffer.from(`${'-'.repeat(shift)}${secret}tail`).toString(form),
      ]),
    ),
  ])('replaces a secret %s', (_name, text) => {
    const shown = filterOf(secret).text(text)
    expect(shown).toContain('(sensitive)')
    expect(shown).not.toContain(secret)
    expect(Buffer.from(shown.replaceAll(/[^\w+/-]/g, ''), 'base64').toString()).not.toContain('battery')
  })

  it.each([
    ['shorter than six bytes', ['abcde'], 'abcde abcdef', 'abcde abcdef'],
    ['of six bytes', ['abcdef'], 'abcde abcdef', 'abcde (sensitive)'],
    ['of which one holds the other', ['abcdef', 'xabcdefx'], 'xabcdefx abcdef', '(sensitive) (sensitive)'],
    ['that overlap', ['abcdef', 'defghi'], 'abcdefghi', '(sensitive)'],
    ['that follow each other', ['abcdef'], 'abcdefabcdef!', '(sensitive)!'],
    ['that begin twice', ['aaaaaab'], 'aaaaaaaab', 'aa(sensitive)'],
    ['with quotes', ['a"b\\c\nd'], '{"k":"a\\"b\\\\c\\nd"}', '{"k":"(sensitive)"}'],
    ['with signs that Go escapes', ['a<b>&c'], '"a\\u003cb\\u003e\\u0026c"', '"(sensitive)"'],
    ['with a template sign', [`abc${'$'}{d}`], `"abc${'$$'}{d}"`, '"(sensitive)"'],
  ])('treats values %s', (_name, values, text, shown) => {
    expect(filterOf(...values).text(text)).toBe(shown)
  })

  it('replaces each longer line of a value of several lines', () => {
    const key = '-----BEGIN KEY-----\nshort\nQUJDREVGR0hJSg==\n-----END KEY-----\n'
    const shown = filterOf(key).text('first: QUJDREVGR0hJSg==, short, -----END KEY-----')
    expect(shown).toBe('first: (sensitive), short, (sensitive)')
  })

  it('lets nothing through at the border of pieces, and changes nothing else', () => {
    const alphabet = fc.string({ unit: fc.constantFrom('a', 'b', '"', '\n', 'ü'), minLength: 6, maxLength: 12 })
    fc.assert(
      fc.property(
        fc.array(alphabet, { minLength: 1, maxLength: 4 }),
        fc.array(fc.oneof(alphabet, fc.string(), fc.constant('(')), { maxLength: 8 }),
        fc.array(fc.nat(200), { maxLength: 8 }),
        (secrets, words, cuts) => {
          const filter = filterOf(...secrets)
          const bytes = Buffer.from([...words, secrets[0], 'b', ...words].join(''))
          const whole = inPieces(filter, bytes, [])
          expect(inPieces(filter, bytes, cuts)).toBe(whole)
          const left = whole.replaceAll('(sensitive)', '\u0000')
          for (const each of secrets) expect(left).not.toContain(Buffer.from(each).toString('latin1'))
        },
      ),
    )
  })

  it('changes no text without secrets', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.array(fc.nat(500)), (bytes, cuts) => {
        const filter = filterOf('this does not occur')
        expect(inPieces(filter, Buffer.from(bytes), cuts)).toBe(Buffer.from(bytes).toString('latin1'))
      }),
    )
  })

  it('holds back no more than the beginning of a secret, and lets go of it when told to', () => {
    const stream = filterOf('0123456789').stream()
    expect(stream.push(Buffer.from('hello 01234')).toString()).toBe('hello ')
    expect(stream.heldBytes).toBe(5)
    expect(stream.release().toString()).toBe('01234')
    expect(stream.push(Buffer.from('56789, 0')).toString()).toBe('(sensitive), ')
    expect(stream.end().toString()).toBe('0')
  })

  it('reads a megabyte with a thousand secrets in a moment', () => {
    const values = Array.from({ length: 1_000 }, (_each, index) => `secret-${index}-${'x'.repeat(50)}`)
    const stream = filterOf(...values).stream()
    const before = performance.now()
    for (let piece = 0; piece < 16; piece++) stream.push(Buffer.alloc(64 * 1024, 'secret-1 and more text, '))
    expect(performance.now() - before).toBeLessThan(2_000)
  })
})
