import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Json, redactPlan } from './redaction.ts'
import { SecretFilter } from './secret-filter.ts'
import { secretForms } from './secret-forms.ts'

const schemas = {
  format_version: '1.0',
  provider_schemas: {
    'registry/acme/things': {
      provider: { version: 0, block: { attributes: { region: { type: 'string' } } } },
      resource_schemas: {
        thing: {
          version: 0,
          block: {
            attributes: {
              token: { type: 'string' },
              size: { type: 'number' },
              tags: { type: ['map', 'string'] },
              rules: { type: ['list', ['object', { port: 'number', open: 'bool' }]] },
            },
            block_types: { disk: { nesting_mode: 'list', block: { attributes: { key: { type: 'string' } } } } },
          },
        },
      },
    },
  },
}

type Change = { [name: string]: Json | undefined }

function redactOne(change: Change, secrets: string[] = [], more: Change = {}) {
  const filter = new SecretFilter(secretForms(secrets))
  const plan = {
    format_version: '1.2',
    resource_changes: [{ address: 'thing.a', type: 'thing', ...more, change }],
    variables: { password: { value: 'top-secret' } },
    configuration: { root_module: {} },
    prior_state: {},
    planned_values: {},
    checks: [],
  }
  const redacted = redactPlan(plan, schemas, (text) => filter.text(text)) as {
    resource_changes: { change: Change; address: string }[]
  }
  const [resource] = redacted.resource_changes
  if (!resource) throw new Error('the change is gone')
  return { redacted, resource, change: resource.change }
}

describe('the redaction of a plan', () => {
  it.each<[string, Change, Change]>([
    [
      'a text that is created',
      { before: null, after: { token: 'a' }, before_sensitive: false, after_sensitive: { token: true } },
      { before: null, after: { token: '(sensitive, changed)' } },
    ],
    [
      'a text that stays',
      { before: { token: 'a' }, after: { token: 'a' }, after_sensitive: { token: true }, before_sensitive: {} },
      { before: { token: '(sensitive)' }, after: { token: '(sensitive)' } },
    ],
    [
      'a number that stays and one that changes',
      {
        before: { size: 4, rules: [{ port: 1, open: true }] },
        after: { size: 4, rules: [{ port: 2, open: false }] },
        after_sensitive: { size: true, rules: true },
      },
      {
        before: { size: 0, rules: [{ port: 0, open: false }] },
        after: { size: 0, rules: [{ port: 1, open: true }] },
      },
    ],
    [
      'a map that is secret as a whole, with the same keys in marks and on both sides',
      {
        before: { tags: { owner: 'me', cost: null } },
        after: { tags: { cost: 'x', owner: 'me', team: 'y' } },
        after_unknown: { tags: { team: true } },
        before_sensitive: { tags: true },
        after_sensitive: { tags: true },
      },
      {
        before: { tags: { k1: '(sensitive)', k2: null } },
        after: { tags: { k2: '(sensitive, changed)', k1: '(sensitive)', k3: '(sensitive, changed)' } },
        after_unknown: { tags: { k3: true } },
      },
    ],
    [
      'one entry of a list of blocks',
      {
        before: { disk: [{ key: 'a' }, { key: 'b' }] },
        after: { disk: [{ key: 'a' }, { key: 'c' }] },
        after_sensitive: { disk: [{}, { key: true }] },
      },
      {
        before: { disk: [{ key: 'a' }, { key: '(sensitive)' }] },
        after: { disk: [{ key: 'a' }, { key: '(sensitive, changed)' }] },
      },
    ],
    ['nothing', { before: { size: 1 }, after: { size: 2 } }, { before: { size: 1 }, after: { size: 2 } }],
  ])('hides %s', (_name, change, shown) => {
    expect(redactOne(change).change).toMatchObject(shown)
  })

  it('leaves out what holds values of variables', () => {
    const { redacted } = redactOne({ before: null, after: null })
    expect(Object.keys(redacted).sort()).toEqual([
      'output_changes',
      'plan_format_version',
      'provider_format_version',
      'provider_schemas',
      'relevant_attributes',
      'resource_changes',
      'resource_drift',
    ])
    expect(JSON.stringify(redacted)).not.toContain('top-secret')
  })

  it('replaces secrets in values, keys and addresses that nobody has marked', () => {
    const { resource, change } = redactOne(
      {
        before: null,
        after: { token: 'in eu-west-1!', tags: { 'eu-west-1': 'b' } },
        replace_paths: [
          ['tags', 'eu-west-1'],
          ['rules', 0],
        ],
        generated_config: 'region = "eu-west-1"',
      },
      ['eu-west-1'],
      { address: 'thing.a["eu-west-1"]', index: 'eu-west-1', provider_name: 'registry/acme/eu-west-1' },
    )
    expect(resource).toMatchObject({
      address: 'thing.a["(sensitive)"]',
      index: '(sensitive)',
      provider_name: 'registry/acme/eu-west-1',
    })
    expect(change).toMatchObject({
      after: { token: 'in (sensitive)!', tags: { '(sensitive)': 'b' } },
      replace_paths: [
        ['tags', '(sensitive)'],
        ['rules', 0],
      ],
      generated_config: 'region = "(sensitive)"',
    })
  })

  it('keeps names of attributes that are a secret somewhere else', () => {
    const { change } = redactOne({ before: null, after: { region: 'region', token: 'x' } }, ['region'])
    expect(change.after).toEqual({ region: '(sensitive)', token: 'x' })
  })

  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Json>(null, true, 3, 'plain', 'the secret!', 'x'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('token', 'tags', 'the secret!', 'other'), tie('value'), { maxKeys: 3 }),
    ),
  })).value

  it('keeps the kind of every value, and shows no secret', () => {
    fc.assert(
      fc.property(json, json, json, json, (before, after, before_sensitive, after_sensitive) => {
        const { change } = redactOne({ before, after, before_sensitive, after_sensitive }, ['the secret!'])
        expect(shape(change.before)).toEqual(shape(before))
        expect(shape(change.after)).toEqual(shape(after))
        expect(JSON.stringify(change)).not.toContain('the secret!')
      }),
    )
  })

  it('shows nothing of a value that is marked as a whole', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4, unit: 'binary-ascii' }), fc.dictionary(fc.string(), json), (text, rest) => {
        const value = { tags: { [`key ${text}`]: `value ${text}` }, rest }
        const { change } = redactOne({ before: value, after: value, before_sensitive: true, after_sensitive: true })
        expect(JSON.stringify(change)).not.toContain(JSON.stringify(`value ${text}`).slice(1, -1))
        expect(JSON.stringify(change)).not.toContain(JSON.stringify(`key ${text}`).slice(1, -1))
      }),
    )
  })
})

/** Kinds and lengths, without names and values. */
function shape(value: Json | undefined): unknown {
  if (Array.isArray(value)) return value.map(shape)
  if (value !== null && typeof value === 'object') return Object.values(value).map(shape)
  return value === null ? null : typeof value
}
