import { doc, mustBe, type Organization, type Person } from './platform.ts'

/** A provider's token, which no answer may contain. */
export const providerToken = 'a-provider-token-that-must-not-come-back'

/** A document that creates a connection, with other attributes where given. */
export const connectionDocument = (attributes: object = {}, relationships?: object) =>
  doc(
    'oauth-clients',
    {
      name: 'our forge',
      'service-provider': 'github',
      'http-url': 'https://git.example.com',
      'api-url': 'https://git.example.com/api',
      'oauth-token-string': providerToken,
      ...attributes,
    },
    relationships,
  )

/** The id of the token of a connection. */
export const connectionTokenOf = (client: { relationships: Record<string, { data: { id: string }[] }> }): string =>
  client.relationships['oauth-tokens']?.data[0]?.id ?? ''

/** What somebody does with the connections of an organization. */
export function connectionCalls(owner: Person, organization: Organization) {
  let count = 0
  const clients = () => `/api/v2/organizations/${organization.name}/oauth-clients`
  return {
    clients,
    create: async (attributes: object = {}) => mustBe(await owner.post(clients(), connectionDocument(attributes)), 201),
    /** A new workspace that is linked to a repository through a connection. */
    linked: async (tokenId: string) => {
      const repository = { identifier: 'acme/network', 'oauth-token-id': tokenId }
      const workspace = doc('workspaces', { name: `linked-${++count}`, 'vcs-repo': repository })
      return mustBe(await owner.post(`/api/v2/organizations/${organization.name}/workspaces`, workspace), 201).body.data
    },
  }
}
