import { beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, pointers } from '../../../../../test/support/platform.ts'
import { ownApp, shared, sharedApp } from '../../../../../test/support/shared.ts'

const subscription = '/api/v2/admin/organizations/acme/subscription'
const to = (id: string) => doc('subscription', {}, { 'feature-set': { data: { type: 'feature-sets', id } } })

eachEngine((engine) => {
  const app = sharedApp({ engine, settings: { edition: 'hosted' } })
  const ann = shared(() => person(app, 'ann'))

  beforeAll(async () => {
    await organization(ann, 'acme')
  })

  const tier = async () => (await ann.get('/api/v2/organizations/acme')).body.data.attributes.tier

  test('subscriptions: owners get 404; a site administrator sets the tier, and the change log records it', async () => {
    mustBe(await ann.get('/api/v2/admin/feature-sets'), 404)
    mustBe(await ann.post(subscription, to('fs-free')), 404)
    const found = mustBe(await app.root.get('/api/v2/admin/feature-sets?q=business'), 200).body.data
    expect(found).toMatchObject([{ id: 'fs-business', attributes: { tier: 'plus' } }])
    mustBe(await app.root.post(subscription, to('fs-free')), 204)
    expect(await tier()).toBe('free')
    const [change] = mustBe(await ann.get('/api/v2/organizations/acme/changes'), 200).body.data
    expect(change.attributes).toMatchObject({ before: { tier: 'plus' }, after: { tier: 'free' } })
    mustBe(await app.root.post(subscription, to(found[0].id)), 204)
    expect(await tier()).toBe('plus')
  })

  test('subscriptions: assessments need the plus tier', async () => {
    mustBe(await app.root.post(subscription, to('fs-standard')), 204)
    const wish = doc('workspaces', { name: 'assessed', 'assessments-enabled': true })
    const refused = await ann.post('/api/v2/organizations/acme/workspaces', wish)
    expect([refused.status, pointers(refused)]).toEqual([422, ['/data/attributes/assessments-enabled']])
    mustBe(await app.root.post(subscription, to('fs-business')), 204)
    mustBe(await ann.post('/api/v2/organizations/acme/workspaces', wish), 201)
  })

  test('subscriptions: unknown organizations are 404, unknown feature sets 422', async () => {
    mustBe(await app.root.post('/api/v2/admin/organizations/nobody/subscription', to('fs-free')), 404)
    const unknown = await app.root.post(subscription, to('fs-none'))
    expect([unknown.status, pointers(unknown)]).toEqual([422, ['/data/relationships/feature-set']])
    const none = await app.root.post(subscription, doc('subscription'))
    expect([none.status, pointers(none)]).toEqual([422, ['/data/relationships/feature-set']])
  })
})

test('subscriptions: in the self-hosted edition feature sets are 404', async () => {
  const app = await ownApp()
  mustBe(await app.root.get('/api/v2/admin/feature-sets'), 404)
})
