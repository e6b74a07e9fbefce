import { expect, test } from 'vitest'
import { attribute } from './attribute-kinds.ts'
import { sentPointerIn } from './resource-bodies.ts'

const shape = {
  attributes: {
    toolVersion: attribute.text('.', { aliases: ['terraform-version'] }),
    autoApply: attribute.flag('.'),
    vcsRepo: attribute.object('.', { appId: attribute.text('.', { aliases: ['github-app-id'] }) }),
    triggerPrefixes: attribute.list('.', attribute.text('.')),
  },
}
const sent = (attributes: object) => ({ data: { type: 'things', attributes } })

test.each([
  [sent({ 'terraform-version': 'x' }), '/data/attributes/tool-version', '/data/attributes/terraform-version'],
  [sent({ auto_apply: 1 }), '/data/attributes/auto-apply', '/data/attributes/auto_apply'],
  [sent({ autoApply: 1, 'auto-apply': 2 }), '/data/attributes/auto-apply', '/data/attributes/auto-apply'],
  [sent({}), '/data/attributes/tool-version', '/data/attributes/tool-version'],
  [sent({ vcsRepo: { githubAppId: 1 } }), '/data/attributes/vcs-repo/app-id', '/data/attributes/vcsRepo/githubAppId'],
  [sent({ trigger_prefixes: ['', 1] }), '/data/attributes/trigger-prefixes/1', '/data/attributes/trigger_prefixes/1'],
  [{ data: { relationships: { tag_bindings: {} } } }, '/data/relationships/tag-bindings/data', undefined],
  [{ auto_apply: 1 }, '/auto-apply', '/auto_apply'],
  [{ data: [{ attributes: { some_key: 1 } }] }, '/data/0/attributes/some-key', '/data/0/attributes/some_key'],
  [{}, '/data', '/data'],
  [null, '/data/type', '/data/type'],
  ['text', '/data/attributes/__proto__', '/data/attributes/__proto__'],
])('pointers: in %j, %s is what was sent as %s', (raw, pointer, expected) => {
  expect(sentPointerIn(shape)(raw, pointer)).toBe(expected ?? '/data/relationships/tag_bindings/data')
})
