import { expect, test } from 'vitest'
import { providerName } from './resource-endpoints.ts'

test.each([
  ['provider["registry.opentofu.org/hashicorp/aws"]', 'hashicorp/aws'],
  ['provider["registry.opentofu.org/hashicorp/aws"].west', 'hashicorp/aws'],
  ['module.net.provider["registry.opentofu.org/hashicorp/aws"]', 'hashicorp/aws'],
  ['module.net["a.b"].module.edge.provider["registry.opentofu.org/hashicorp/aws"].west', 'hashicorp/aws'],
  ['provider.aws', 'aws'],
  ['module.net.provider.aws', 'aws'],
])('resources: the provider %s is called %s', (written, called) => {
  expect(providerName(written)).toBe(called)
})
