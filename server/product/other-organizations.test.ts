import { expect, test } from 'vitest'
import { sharedApp } from '../../test/support/shared.ts'
import { addressIn, bodyFor, fillOrganization, isGuarded, paramsOf } from '../../test/support/two-organizations.ts'

const app = sharedApp()

// The journey `isolation` asks with every kind of caller, and compares what is left; this one is for every day.
test('no resource of an organization can be read or changed by the owner of another one', async () => {
  const alpha = await fillOrganization(app, 'alpha')
  const beta = await fillOrganization(app, 'beta')
  const guarded = app.app.endpoints.filter((endpoint) => isGuarded(endpoint) && paramsOf(endpoint).length > 0)
  expect(guarded.length).toBeGreaterThan(150)
  const open: string[] = []
  for (const endpoint of guarded) {
    const { status } = await beta.owner.send(endpoint.verb, addressIn(endpoint, alpha), bodyFor(endpoint))
    if (status !== 404) open.push(`${endpoint.verb} ${endpoint.path}: ${status}`)
  }
  expect(open).toEqual([])
})
