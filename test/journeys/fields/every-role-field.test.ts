import { describe, expect, test } from 'vitest'
import { sharedCertApp } from '../../support/cert-login.ts'
import { eachEngine } from '../../support/databases.ts'
import { mustBe, organization, person } from '../../support/platform.ts'
import { shared } from '../../support/shared.ts'
import { allWrittenSets, type WrittenSet } from './descriptions.ts'

type Written = WrittenSet['body'][string]

/** A kind of document: where it is written, and values where those of the kind of field are refused. */
type DocumentKind = {
  readonly set: string
  readonly path: string
  readonly base: (pem: string) => object
  readonly values: (pem: string) => Readonly<Record<string, unknown>>
  /** Read only while they are set. */
  readonly absent: readonly string[]
  /** Set when the document is made, or never. */
  readonly fixed?: readonly string[]
}

const documents: readonly DocumentKind[] = [
  {
    set: 'secrets/auth/cert/roles/role-fields.ts:roleFields',
    path: '/v1/auth/cert/certs/trip',
    base: (certificate) => ({ certificate }),
    values: (pem) => ({
      required_extensions: ['1.2.3:x*'],
      allowed_metadata_extensions: ['1.2.3'],
      ocsp_ca_certificates: pem,
      ocsp_servers_override: ['http://ocsp.example.com'],
      token_bound_cidrs: ['10.0.0.0/8'],
      token_type: 'batch',
      alias_source: 'fingerprint',
      platform_team: 'home/owners',
      platform_user: 'ann',
    }),
    absent: [],
  },
  {
    set: 'secrets/tokens/roles/token-role-fields.ts:roleFields',
    path: '/v1/auth/token/roles/trip',
    base: () => ({}),
    values: () => ({ token_bound_cidrs: ['10.0.0.0/8'], token_type: 'service' }),
    absent: ['token_bound_cidrs', 'token_num_uses'],
  },
  {
    set: 'secrets/auth/cert/config/config-fields.ts:configFields',
    path: '/v1/auth/cert/config',
    base: () => ({}),
    values: () => ({ crl_match: 'serial' }),
    absent: ['crl_match'],
  },
  {
    set: 'secrets/auth/approle/roles/role-fields.ts:roleFields',
    path: '/v1/auth/approle/role/trip',
    base: () => ({ secret_id_bound_cidrs: ['127.0.0.1'] }),
    values: () => ({
      secret_id_bound_cidrs: ['10.0.0.0/8'],
      token_bound_cidrs: ['10.0.0.0/8'],
      token_type: 'batch',
      platform_team: 'home/owners',
    }),
    absent: [],
    fixed: ['local_secret_ids'],
  },
  {
    set: 'secrets/auth/jwt/roles/role-fields.ts:roleFields',
    path: '/v1/auth/jwt/role/trip',
    base: () => ({ role_type: 'jwt', user_claim: 'sub', bound_subject: 'ann' }),
    values: () => ({
      bound_claims: { one: 'two' },
      bound_claims_type: 'glob',
      callback_mode: 'client',
      token_bound_cidrs: ['10.0.0.0/8'],
      token_type: 'batch',
      platform_team: 'home/owners',
    }),
    absent: [],
    fixed: ['role_type', 'oauth2_metadata', 'token_policies_template_claims'],
  },
]

const elsewhere = [
  // A write replaces all of it, which its own tests check.
  'secrets/auth/jwt/config/config-fields.ts:configFields',
  // Part of the roles of each method.
  'secrets/login-roles/login-role-fields.ts:tokenTerms',
]

const sets = await allWrittenSets()

test('every set of fields of /v1 belongs to a document whose fields are sent round', () => {
  expect([...sets.keys()].sort()).toEqual([...elsewhere, ...documents.map(({ set }) => set)].sort())
})

const madeFor = (field: Written, present: unknown): unknown => {
  switch (field['x-field']) {
    case 'flag':
      return !present
    case 'whole':
    case 'seconds':
      return Number(present) + 60
    case 'list':
      return ['one', 'two']
    case 'text-map':
      return { one: 'two' }
    default:
      return 'made-text'
  }
}

const noneOf = (field: Written): unknown => (field['x-field'] === 'list' ? [] : field['x-field'] === 'text' ? '' : 0)

eachEngine((engine) => {
  const app = sharedCertApp({ engine })
  shared(async () => {
    for (const type of ['approle', 'jwt']) mustBe(await app.root.post(`/v1/sys/auth/${type}`, { type }), 204)
    return organization(await person(app, 'ann'), 'home')
  })

  for (const { set, path, base, values, absent, fixed = [] } of documents) {
    const write = (fields: object) => app.root.post(path, fields)
    const read = async (name: string): Promise<unknown> => mustBe(await app.root.get(path), 200).body.data[name]

    describe(`fields of ${set}`, () => {
      test.each(Object.entries(sets.get(set)?.body ?? {}).filter(([name]) => !fixed.includes(name)))(
        '%s: is stored, shown, kept and set back; what it cannot be is refused',
        async (name, field) => {
          await app.root.delete(path)
          await write(base(app.ca.pem))
          const initial = await read(name)
          expect(initial === undefined).toBe(absent.includes(name))
          const sent = values(app.ca.pem)[name] ?? madeFor(field, initial ?? 0)
          expect((await write({ [name]: sent })).status).toBeLessThan(300)
          expect(await read(name)).toEqual(sent)
          await write({})
          expect(await read(name)).toEqual(sent)
          if (field['x-field'] !== 'any') mustBe(await write({ [name]: [{}] }), 400)
          expect(await read(name)).toEqual(sent)
          expect((await write({ [name]: initial ?? noneOf(field) })).status).toBeLessThan(300)
          expect(await read(name)).toEqual(initial)
        },
      )
    })
  }
})
