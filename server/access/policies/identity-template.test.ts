import { expect, test } from 'vitest'
import { fillIdentityTemplate, type IdentityFacts, parseIdentityTemplate } from './identity-template.ts'

const facts: IdentityFacts = {
  entity: {
    id: 'e-1',
    name: 'web',
    metadata: { team: 'blue', 'a.b': 'dotted', star: 'x*', plus: '+', slash: 'a/b', empty: '' },
    aliases: [
      {
        mountAccessor: 'auth_cert_1',
        id: 'a-1',
        name: 'web.example',
        metadata: { cn: 'web' },
        customMetadata: { zone: 'z' },
      },
      { mountAccessor: 'auth_cert_2', id: 'a-2', name: 'evil/*', metadata: {}, customMetadata: {} },
    ],
  },
  groups: [{ id: 'g-1', name: 'ops', metadata: { tier: 'gold' } }],
}

const fill = (path: string, known: IdentityFacts = facts): string | undefined => {
  const template = parseIdentityTemplate(path)
  if (typeof template === 'string') throw new Error(template)
  return fillIdentityTemplate(template, known)
}

test.each([
  ['kv/{{identity.entity.id}}/x', 'kv/e-1/x'],
  ['{{ identity.entity.name }}', 'web'],
  ['{{identity.entity.id}}{{identity.entity.name}}-{{identity.entity.id}}*', 'e-1web-e-1*'],
  ['kv/{{identity.entity.metadata.team}}', 'kv/blue'],
  ['kv/{{identity.entity.metadata.a.b}}', 'kv/dotted'],
  ['kv/{{identity.entity.aliases.auth_cert_1.id}}', 'kv/a-1'],
  ['kv/{{identity.entity.aliases.auth_cert_1.name}}', 'kv/web.example'],
  ['kv/{{identity.entity.aliases.auth_cert_1.metadata.cn}}', 'kv/web'],
  ['kv/{{identity.entity.aliases.auth_cert_1.custom_metadata.zone}}', 'kv/z'],
  ['kv/{{identity.groups.ids.g-1.name}}', 'kv/ops'],
  ['kv/{{identity.groups.names.ops.id}}', 'kv/g-1'],
  ['kv/{{identity.groups.names.ops.metadata.tier}}', 'kv/gold'],
  ['kv/plain', 'kv/plain'],
])('template: %s is filled in', (path, expected) => {
  expect(fill(path)).toBe(expected)
})

test.each([
  ['a missing fact', 'kv/{{identity.entity.metadata.none}}'],
  ['an inherited property', 'kv/{{identity.entity.metadata.constructor}}'],
  ['an unknown mount', 'kv/{{identity.entity.aliases.auth_cert_9.name}}'],
  ['a foreign group', 'kv/{{identity.groups.ids.g-2.name}}'],
  ['an empty value', 'kv/{{identity.entity.metadata.empty}}*'],
  ['a value with a star', 'kv/{{identity.entity.metadata.star}}'],
  ['a value with a plus', 'kv/{{identity.entity.metadata.plus}}/x'],
  ['a value with a slash', 'kv/{{identity.entity.metadata.slash}}'],
  ['a certificate name full of wildcards', 'kv/{{identity.entity.aliases.auth_cert_2.name}}'],
])('template: %s makes the rule void', (_name, path) => {
  expect(fill(path)).toBeUndefined()
})

test('template: without an entity the rule is void', () => {
  expect(fill('kv/{{identity.entity.id}}', {})).toBeUndefined()
})

test.each([
  ['kv/{{identity.entity.id', "'{{' is not closed"],
  ['kv/identity.entity.id}}', "'}}' without '{{'"],
  ['kv/{{identity.entity.id}}/}}', "'}}' without '{{'"],
  ['kv/{{}}', "'{{}}' names nothing"],
  ['kv/{{ }}/x', "'{{}}' names nothing"],
])('template: %s is refused when it is parsed', (path, expected) => {
  expect(parseIdentityTemplate(path)).toBe(expected)
})

test.each([
  'time.now',
  'identity.entity.secret',
  'identity.entity.metadata',
  'identity.entity.aliases.x.secret',
  'identity.groups.ids.x',
  'my.identity.entity.id',
  'identity.entity.id.x',
  'my.identity.entity.aliases.x.id',
  'identity.entity.aliases.x.id.x',
  'identity.entity.aliases..id',
  'my.identity.groups.ids.x.id',
  'identity.groups.ids.x.id.x',
  'identity.groups.ids..id',
])('template: %s is unknown, and the rule with it void', (reference) => {
  const unknown: string[] = []
  parseIdentityTemplate(`kv/{{${reference}}}`, (each) => unknown.push(each))
  expect(unknown).toEqual([reference])
  expect(fill(`kv/{{${reference}}}`, facts)).toBeUndefined()
})
