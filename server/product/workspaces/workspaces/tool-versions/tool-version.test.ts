import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byVersion, isAtLeast, type Release, readVersionRequest, resolveVersion } from './tool-version.ts'

const versions = ['0.15.4', '1.2.0', '1.2.9', '1.3.0', '1.9.0', '1.9.4', '1.10.0', '2.0.0', '2.1.0-rc1', '2.1.0-rc2']
const releases: Release[] = [
  ...versions.map((version) => ({ tool: 'one', version, beta: false })),
  { tool: 'one', version: '3.0.0', beta: true },
  { tool: 'two', version: '9.9.9', beta: false },
]
const resolve = (text: string): string | null | undefined => {
  const wish = readVersionRequest(text)
  const release = wish && resolveVersion(wish, releases, 'one')
  return wish && (release ? `${release.tool} ${release.version}` : null)
}

test.each([
  ['1.9.4', 'one 1.9.4'],
  ['0.11.0', 'one 0.11.0'],
  ['1.6.0-rc1', 'one 1.6.0-rc1'],
  ['latest', 'one 2.0.0'],
  ['two:latest', 'two 9.9.9'],
  ['two:1.0.0', 'two 1.0.0'],
  ['~> 1.2', 'one 1.10.0'],
  ['~> 1.2.0', 'one 1.2.9'],
  ['~>1.2.0', 'one 1.2.9'],
  ['~> 1', 'one 2.0.0'],
  ['>= 1.2, < 1.9', 'one 1.3.0'],
  ['>=1.2,<1.10,!=1.9.4', 'one 1.9.0'],
  ['= 1.9.0', 'one 1.9.0'],
  ['= 1.9', 'one 1.9.0'],
  ['1.9.0, < 2', 'one 1.9.0'],
  ['!= 2.0.0', 'one 1.10.0'],
  ['> 1.10.0', 'one 2.0.0'],
  ['<= 1.2.9', 'one 1.2.9'],
  ['>= 2.1.0-rc1', 'one 2.1.0-rc2'],
  ['>= 2.1.0-rc1, < 3.0.0', 'one 2.1.0-rc2'],
  ['9.9.9', 'two 9.9.9'],
  ['> 2.0.0', 'two 9.9.9'],
  ['one:> 2.0.0', null],
  ['~> 5.0', null],
  ['three:latest', null],
  ['nonexisting', undefined],
  ['', undefined],
  ['v1.2.3', undefined],
  ['1.2.3.4', undefined],
  ['1.9', undefined],
  ['1', undefined],
  ['two:9.9', undefined],
  ['>= 1.2, 1.9', undefined],
  ['01.2.3', undefined],
  ['>=', undefined],
  ['1.0.0 || 2.0.0', undefined],
  ['^1.0.0', undefined],
  ['1.x', undefined],
  ['>= 1.0,', undefined],
  [`~> 1.0${', != 1.0.0'.repeat(60)}`, undefined],
])('tool version: %j resolves to %j', (text, expected) => {
  expect(resolve(text)).toBe(expected)
})

test.each([
  ['0.10.0', 'opentofu', 'terraform'],
  ['1.5.9', 'opentofu', 'terraform'],
  ['1.6.0-alpha9', 'opentofu', 'opentofu'],
  ['1.6.9', 'opentofu', 'opentofu'],
  ['opentofu:0.10.0', 'terraform', 'opentofu'],
  ['1.99.0', 'terraform', 'terraform'],
] as const)('tool version: %s, in no catalogue and with %s as default, is of %s', (text, tool, expected) => {
  const catalogue = [
    { tool: 'opentofu', version: '1.12.6', beta: false },
    { tool: 'opentofu', version: '1.6.0', beta: false },
    { tool: 'terraform', version: '0.11.14', beta: false },
    { tool: 'terraform', version: '1.5.7', beta: false },
  ]
  const wish = readVersionRequest(text)
  expect(wish && resolveVersion(wish, catalogue, tool)?.tool).toBe(expected)
})

test('tool version: numbers beyond 2^53 are compared exactly', () => {
  const [older, newer] = ['1.2.9007199254740992', '1.2.9007199254740993']
  const long = ['1.2.1234567890123456789', older, newer].map((version) => ({ tool: 'one', version, beta: false }))
  const chosen = (text: string) => {
    const wish = readVersionRequest(text)
    return wish && resolveVersion(wish, long, 'one')?.version
  }
  expect(long.sort(byVersion).map(({ version }) => version)).toEqual(['1.2.1234567890123456789', newer, older])
  expect([chosen(older), chosen(`= ${older}`), chosen(`> ${older}, < 1.2.1234567890123456789`)]).toEqual([
    older,
    older,
    newer,
  ])
  expect([chosen('~> 1.2.9007199254740994'), chosen('~> 1.9007199254740993')]).toEqual([
    '1.2.1234567890123456789',
    undefined,
  ])
  expect([isAtLeast(newer, older), isAtLeast(older, newer), isAtLeast('latest', older)]).toEqual([true, false, false])
})

test('tool version: random input neither throws nor loops', () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => void resolve(text)))
})
