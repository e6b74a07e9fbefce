import { expect, test } from 'vitest'
import { instant } from '../kernel/clock.ts'
import type { ParentToken, TokenCircumstances, TokenPlan, TokenRequest, TokenRole } from './token-plan.ts'
import { planToken, tokenDisplayName, tokenPath } from './token-rules.ts'

const blank: TokenRequest = {
  id: '',
  policies: [],
  noParent: false,
  noDefaultPolicy: false,
  renewable: true,
  type: '',
  displayName: '',
  numUses: 0,
  entityAlias: '',
  ttl: '',
  explicitMaxTtl: undefined,
  period: null,
}

const dev: ParentToken = {
  type: 'service',
  policies: ['default', 'dev'],
  limitedUses: false,
  expires: true,
  boundCidrs: ['10.0.0.0/8'],
}
const root: ParentToken = { ...dev, policies: ['root'], expires: false, boundCidrs: [] }
const expiringRoot: ParentToken = { ...root, expires: true }

const plainRole: TokenRole = {
  name: 'ci',
  type: 'default-service',
  orphan: false,
  renewable: true,
  pathSuffix: '',
  allowedEntityAliases: [],
  boundCidrs: [],
  explicitMaxTtl: 0,
  period: 0,
  numUses: 0,
  allowedPolicies: [],
  allowedPoliciesGlob: [],
  disallowedPolicies: [],
  disallowedPoliciesGlob: [],
  noDefaultPolicy: false,
}

type Around = Partial<Omit<TokenCircumstances, 'role'>> & { role?: Partial<TokenRole> }

/** Asked by a token with the policies default and dev, unless said otherwise. */
const decide = (request: Partial<TokenRequest>, { role, ...around }: Around = {}) =>
  planToken(
    { ...blank, ...request },
    {
      parent: dev,
      role: role && { ...plainRole, ...role },
      sudo: false,
      orphanPath: false,
      now: instant(1_000_000_000_000),
      mount: { defaultLeaseTtl: 2_764_800, maxLeaseTtl: 2_764_800 },
      ...around,
    },
  )

const byRoot: Around = { parent: root, sudo: true }
const bySudo: Around = { sudo: true }

const refusal = (request: Partial<TokenRequest>, around?: Around): string => {
  const decision = decide(request, around)
  return decision.ok ? 'made' : decision.text
}

const made = (request: Partial<TokenRequest>, around?: Around): TokenPlan => {
  const decision = decide(request, around)
  if (!decision.ok) throw new Error(decision.text)
  return decision.plan
}

/** Each fault alone, in the order in which they are to be found. */
const faults: [string, Partial<TokenRequest>, Around, string][] = [
  ['batch parent', {}, { parent: { ...dev, type: 'batch' } }, 'batch tokens cannot create tokens'],
  [
    'parent with few uses',
    {},
    { parent: { ...dev, limitedUses: true } },
    'a token with a limited number of uses cannot create tokens',
  ],
  [
    'batch with a maximum',
    { type: 'batch', explicitMaxTtl: '1h' },
    {},
    "batch tokens cannot have 'explicit_max_ttl' set",
  ],
  ['batch with uses', { type: 'batch', numUses: 1 }, {}, "batch tokens cannot have 'num_uses' set"],
  [
    'batch where the role counts uses',
    { type: 'batch' },
    { role: { numUses: 1 } },
    'the role limits the number of uses, which batch tokens do not have',
  ],
  ['batch with a period', { type: 'batch', period: '1h' }, {}, "batch tokens cannot have 'period' set"],
  ['unknown type', { type: 'Batch' }, {}, "unknown token type 'Batch'"],
  ['negative uses', { numUses: -1 }, {}, 'the number of uses cannot be negative'],
  ['alias without role', { entityAlias: 'web' }, {}, "'entity_alias' needs a token role"],
  [
    'alias not allowed',
    { entityAlias: 'web' },
    { role: { allowedEntityAliases: ['db*'] } },
    "the role does not allow the entity alias 'web'",
  ],
  ['chosen id', { id: 'mine' }, {}, 'root or sudo privileges are needed to choose a token id'],
  ['chosen id with a dot', { id: 'hfs.mine' }, bySudo, 'a token id is printable ASCII without blanks and dots'],
  ['chosen id after a blank', { id: ' mine' }, bySudo, 'a token id is printable ASCII without blanks and dots'],
  ['chosen id before a line break', { id: 'mine\n' }, bySudo, 'a token id is printable ASCII without blanks and dots'],
  ['long id', { id: 'x'.repeat(257) }, bySudo, 'a token id is printable ASCII without blanks and dots'],
  ['chosen id of a batch token', { id: 'mine', type: 'batch' }, bySudo, 'the id of a batch token cannot be chosen'],
  ['foreign policy', { policies: ['ops'] }, {}, "child policies must be a subset of the parent's: 'ops' is not"],
  ['root by sudo', { policies: ['root'] }, bySudo, 'root tokens can only be created by root tokens'],
  ['root in another spelling', { policies: [' ROOT '] }, bySudo, 'root tokens can only be created by root tokens'],
  ['root as batch', { type: 'batch', policies: ['root'] }, byRoot, 'batch tokens cannot be root tokens'],
  ['orphan', { noParent: true }, {}, 'root or sudo privileges are needed to create an orphan token'],
  ['periodic', { period: 60 }, {}, 'root or sudo privileges are needed to create a periodic token'],
  ['unreadable ttl', { ttl: 'soon' }, {}, "'ttl' is not a duration"],
  ['negative ttl', { ttl: -1 }, {}, "'ttl' is not a duration"],
  ['negative maximum', { explicitMaxTtl: '-1h' }, {}, "'explicit_max_ttl' is not a duration"],
  ['unreadable period', { period: '1w' }, bySudo, "'period' is not a duration"],
  [
    'endless root from an expiring one',
    {},
    { parent: expiringRoot, sudo: true },
    'a root token that expires cannot create one that does not',
  ],
]

test.each(faults)('create: %s is refused', (_name, request, around, expected) => {
  expect(refusal(request, around)).toBe(expected)
})

test('create: of several faults the first in order is reported', () => {
  const everything: Partial<TokenRequest> = {
    numUses: -1,
    entityAlias: 'web',
    id: 'mine',
    policies: ['ops'],
    noParent: true,
    period: 60,
    ttl: 'soon',
  }
  const mend = (...fields: (keyof TokenRequest)[]) =>
    refusal({ ...everything, ...Object.fromEntries(fields.map((field) => [field, blank[field]])) })
  expect(mend()).toContain('uses')
  expect(mend('numUses')).toContain('entity_alias')
  expect(mend('numUses', 'entityAlias')).toContain('token id')
  expect(mend('numUses', 'entityAlias', 'id')).toContain('subset')
  expect(mend('numUses', 'entityAlias', 'id', 'policies')).toContain('orphan')
  expect(mend('numUses', 'entityAlias', 'id', 'policies', 'noParent')).toContain('periodic')
  expect(mend('numUses', 'entityAlias', 'id', 'policies', 'noParent', 'period')).toContain('ttl')
})

test('create: a child without further fields inherits from its parent', () => {
  expect(made({})).toEqual({
    type: 'service',
    policies: ['default', 'dev'],
    orphan: false,
    entity: 'parent',
    path: 'auth/token/create',
    displayName: 'token',
    numUses: 0,
    renewable: true,
    ttl: 2_764_800,
    explicitMaxTtl: 0,
    period: 0,
    boundCidrs: ['10.0.0.0/8'],
    warnings: [],
  })
})

test('create: blank fields, as Terraform sends them, count as unset', () => {
  const plan = made({
    displayName: 'terraform',
    ttl: '1200s',
    explicitMaxTtl: '1200s',
    renewable: false,
    type: '',
    entityAlias: '',
  })
  expect(plan).toMatchObject({
    ttl: 1_200,
    explicitMaxTtl: 1_200,
    renewable: false,
    type: 'service',
    displayName: 'token-terraform',
  })
})

test.each<[string, Partial<TokenRequest>, Around, Partial<TokenPlan>]>([
  ['root makes root without end', {}, byRoot, { policies: ['root'], ttl: 0, renewable: false, boundCidrs: [] }],
  ['root makes root with a ttl', { ttl: '1h' }, byRoot, { policies: ['root'], ttl: 3_600, renewable: true }],
  ['root makes root with an explicit maximum', { explicitMaxTtl: 60 }, byRoot, { policies: ['root'], ttl: 60 }],
  [
    'root makes root with an explicit maximum beyond the mount’s',
    { explicitMaxTtl: '9000h' },
    byRoot,
    {
      ttl: 2_764_800,
      warnings: ['a TTL of 32400000 seconds is above the maximum TTL and was lowered to 2764800 seconds'],
    },
  ],
  [
    'an expiring root makes an expiring root',
    { ttl: 60 },
    { parent: expiringRoot, sudo: true },
    { policies: ['root'], ttl: 60 },
  ],
  [
    'root without end is bound to no addresses',
    {},
    { parent: { ...root, boundCidrs: ['10.0.0.0/8'] }, sudo: true },
    { ttl: 0, boundCidrs: [] },
  ],
  ['root makes root with a period', { period: 60 }, byRoot, { policies: ['root'], period: 60, ttl: 60 }],
  ['root makes another token', { policies: ['dev'] }, byRoot, { policies: ['default', 'dev'], ttl: 2_764_800 }],
  ['orphan by sudo', { noParent: true }, bySudo, { orphan: true, entity: 'none', boundCidrs: ['10.0.0.0/8'] }],
  ['orphan by path', {}, { orphanPath: true }, { orphan: true, entity: 'none' }],
  ['periodic by sudo', { period: '1h' }, bySudo, { period: 3_600, ttl: 3_600 }],
  ['batch', { type: 'batch', ttl: 60 }, {}, { type: 'batch', renewable: false, ttl: 60 }],
  ['not renewable', { renewable: false }, {}, { renewable: false }],
  ['few uses', { numUses: 3 }, {}, { numUses: 3 }],
  [
    'a ttl above the maximum',
    { ttl: '1000h' },
    {},
    {
      ttl: 2_764_800,
      warnings: ['a TTL of 3600000 seconds is above the maximum TTL and was lowered to 2764800 seconds'],
    },
  ],
  [
    'a maximum above the lifetime that the mount gives',
    { explicitMaxTtl: '2h' },
    { mount: { defaultLeaseTtl: 3_600, maxLeaseTtl: 86_400 } },
    { explicitMaxTtl: 7_200, ttl: 3_600, warnings: [] },
  ],
  ['the longest chosen id', { id: 'x'.repeat(256) }, bySudo, {}],
  ['a chosen id', { id: 'mine' }, bySudo, { warnings: ['a chosen token id is easier to guess than a generated one'] }],
])('create: resulting plan: %s', (_name, request, around, expected) => {
  expect(made(request, around)).toMatchObject(expected)
})

test.each<[string, Partial<TokenRequest>, Partial<TokenRole>, Partial<TokenPlan>]>([
  ['path', {}, {}, { path: 'auth/token/create/ci' }],
  ['path with suffix', {}, { pathSuffix: 'nightly' }, { path: 'auth/token/create/ci/nightly' }],
  ['orphan by the role alone', {}, { orphan: true }, { orphan: true, entity: 'none' }],
  ['no orphan though asked for', { noParent: true }, { orphan: false }, { orphan: false }],
  [
    'entity alias by glob, without case',
    { entityAlias: 'Web-1' },
    { allowedEntityAliases: ['db', 'WEB-*'] },
    { entity: 'alias' },
  ],
  [
    'addresses of the role replace the parent’s',
    {},
    { boundCidrs: ['192.168.0.0/16'] },
    { boundCidrs: ['192.168.0.0/16'] },
  ],
  ['no addresses in the role replace them too', {}, { boundCidrs: [] }, { boundCidrs: [] }],
  ['not renewable by the role', {}, { renewable: false }, { renewable: false }],
  ['uses: the lesser', { numUses: 5 }, { numUses: 3 }, { numUses: 3 }],
  ['uses: of the role', {}, { numUses: 3 }, { numUses: 3 }],
  ['uses: of the request', { numUses: 5 }, {}, { numUses: 5 }],
  ['period of the role needs no sudo', {}, { period: 60 }, { period: 60, ttl: 60, warnings: [] }],
  ['maximum of the role', { ttl: 90 }, { explicitMaxTtl: 60 }, { explicitMaxTtl: 60, ttl: 60 }],
  ['kind forced by the role', { type: 'service' }, { type: 'batch' }, { type: 'batch' }],
  ['kind by default of the role', {}, { type: 'default-batch' }, { type: 'batch' }],
  ['kind of the request over a default', { type: 'service' }, { type: 'default-batch' }, { type: 'service' }],
  [
    'batch ignores the lifetimes of the role',
    {},
    { type: 'batch', period: 60, explicitMaxTtl: 60 },
    { period: 0, explicitMaxTtl: 0, numUses: 0, ttl: 2_764_800 },
  ],
])('create with a role: resulting plan: %s', (_name, request, role, expected) => {
  expect(made(request, { role })).toMatchObject(expected)
})

test('create with a role: of two limits the lower applies, with a warning', () => {
  const plan = made({ explicitMaxTtl: 100, period: 20 }, { sudo: true, role: { explicitMaxTtl: 50, period: 30 } })
  expect(plan).toMatchObject({ explicitMaxTtl: 50, period: 20, ttl: 20 })
  expect(plan.warnings).toEqual([
    "'explicit_max_ttl' is set by request and role; the lesser, 50 seconds, is used",
    "'period' is set by request and role; the lesser, 20 seconds, is used",
  ])
})

test.each([
  ['', 'token'],
  ['terraform', 'token-terraform'],
  ['My App/1.0 ü', 'token-My-App-1-0--'],
  ['a\n"b', 'token-a--b'],
])('display name: %j is kept as %s', (given, expected) => {
  expect(tokenDisplayName(given)).toBe(expected)
})

test('token path: names the role and its suffix', () => {
  expect(tokenPath(undefined)).toBe('auth/token/create')
  expect(tokenPath({ name: 'ci', pathSuffix: 'x' })).toBe('auth/token/create/ci/x')
})
