import { expect, test } from 'vitest'
import { instant } from '../../../kernel/clock.ts'
import { type Alias, aliasAfterLogin, checkAliasName, fitsAlias, type LoginFacts } from './identity.ts'

const at = instant(0)

const alias: Alias = {
  id: 'alias',
  entityId: 'entity',
  mountAccessor: 'mount',
  name: 'web',
  metadata: { common_name: 'web' },
  customMetadata: { team: 'blue' },
  mergedFromIds: [],
  createdAt: at,
  updatedAt: at,
}

test.each<[string, LoginFacts]>([
  ['tells nothing', { metadata: undefined }],
  ['tells what is known', { metadata: { common_name: 'web' }, customMetadata: { team: 'blue' } }],
  ['tells custom metadata that was set to something else', { metadata: undefined, customMetadata: { team: 'red' } }],
])('alias: a login that %s changes nothing', (_what, login) => {
  expect(aliasAfterLogin(alias, login)).toBe(alias)
})

test.each<[string, LoginFacts, Partial<Alias>]>([
  ['another value', { metadata: { common_name: 'api' } }, { metadata: { common_name: 'api' } }],
  ['another key', { metadata: { serial: 'web' } }, { metadata: { serial: 'web' } }],
  [
    'one key more',
    { metadata: { common_name: 'web', serial: '1' } },
    { metadata: { common_name: 'web', serial: '1' } },
  ],
  ['no metadata at all', { metadata: {} }, { metadata: {} }],
  [
    'new custom metadata',
    { metadata: undefined, customMetadata: { site: 'x' } },
    { customMetadata: { team: 'blue', site: 'x' } },
  ],
  [
    'custom metadata, known and new, beside known metadata',
    { metadata: { common_name: 'web' }, customMetadata: { team: 'red', site: 'x' } },
    { customMetadata: { team: 'blue', site: 'x' } },
  ],
])('alias: a login that tells %s changes that and nothing else', (_what, login, changed) => {
  expect(aliasAfterLogin(alias, login)).toEqual({ ...alias, ...changed })
})

test.each([
  ['2048 bytes', 'x'.repeat(2_048), true],
  ['2049 bytes', 'x'.repeat(2_049), false],
  ['1400 bytes that are 2100 in lower case', 'İ'.repeat(700), false],
])('alias: a name of %s is checked in lower case', (_what, name, fits) => {
  expect(fitsAlias(name)).toBe(fits)
  if (fits) expect(() => checkAliasName(name)).not.toThrow()
  else expect(() => checkAliasName(name)).toThrow(/2048/)
})
