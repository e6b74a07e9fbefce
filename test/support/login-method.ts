import { defineFeature, type Feature } from '../../server/kit/feature.ts'
import { authMethod, type RenewalTerms, type RenewingToken } from '../../server/kit/mount-kind.ts'
import { features as allFeatures } from '../../server/product/index.ts'

/** An auth method whose verdict on renewals a test decides. */
type TestMethod = {
  readonly features: readonly Feature[]
  /** Tokens that asked for renewal, with what the login stored. */
  readonly renewals: RenewingToken[]
  terms: RenewalTerms | Error
}

/** Every feature of the server, with a method of the test's own in the place of certificates. */
export function testMethod(): TestMethod {
  const renewals: RenewingToken[] = []
  const method: TestMethod = { features: [], renewals, terms: { ttl: 0, maxTtl: 0, period: 0 } }
  const kind = authMethod({
    type: 'cert',
    endpoints: [],
    removeSome: async () => 0,
    renewalTerms: async (_deps, token) => {
      renewals.push(token)
      if (method.terms instanceof Error) throw method.terms
      return method.terms
    },
  })
  const feature = defineFeature({ name: 'test-method', mounts: [kind] })
  const others = allFeatures.filter(({ name }) => name !== 'cert-auth')
  return Object.assign(method, { features: [...others, feature] })
}
