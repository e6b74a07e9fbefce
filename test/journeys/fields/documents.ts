import type { Client } from '../../support/client.ts'
import { doc, mustBe, type Organization, type Person } from '../../support/platform.ts'

/** A resource of an answer. */
export type Shown = {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships: Readonly<Record<string, { readonly data?: { readonly id: string } | null }>>
}

/** Whom and what the round trips are made with. */
export type World = {
  readonly owner: Person
  readonly organization: Organization
  readonly workspaceId: string
  readonly poolId: string
  /** A workspace whose runs have something to plan. */
  readonly runnableId: string
  /** A name that nothing else has. */
  readonly fresh: () => string
}

/** What is particular about a field: rules tie it to others, or documents show it somewhere else. */
export type Particular = {
  /** A value other than the first one; a resource to which it belongs is there where the value is set by a change. */
  readonly value?: (world: World, resource: Shown) => unknown
  /** What has to be sent with that value, and with the first one. */
  readonly with?: object
  readonly without?: object
  /** Where documents show it, if not among the attributes. */
  readonly shown?: (resource: Shown) => unknown
  /** What the change log calls a value that documents call otherwise. */
  readonly logged?: Readonly<Record<string, string>>
  /** Nothing sets it back. */
  readonly stays?: true
  /** Who reads and writes. The value is set by a change then: it locks others out, or belongs to the resource. */
  readonly caller?: (world: World, resource: Shown) => Promise<Client>
}

/** A document with the sets of fields that it is made of, by the files and names they are exported from and as. */
export type DocumentCase = {
  readonly type: string
  /** Sets that can be changed. */
  readonly changed: readonly string[]
  /** Sets that are sent on creation only. */
  readonly created?: readonly string[]
  /** Sets that the server alone writes, and documents show. */
  readonly noted: readonly string[]
  /** Sets of which documents show nothing. */
  readonly internal?: readonly string[]
  readonly collection: (world: World) => string
  readonly address: (resource: Shown) => string
  /** What a new one needs, with names of its own. */
  readonly base: (world: World) => Readonly<Record<string, unknown>>
  /** What else its document names. */
  readonly relationships?: (world: World) => object
  /** Where new ones are sent to, if not to the list. */
  readonly makeAt?: string
  /** The document itself, where another is made with it. */
  readonly found?: (world: World, made: Shown) => Promise<Shown>
  readonly history: (world: World, resource: Shown) => string
  readonly undo?: (resource: Shown, changeId: string) => string
  readonly particular?: Readonly<Record<string, Particular>>
}

const ofOrganization = ({ organization }: World): string => `/api/v2/organizations/${organization.name}`
const changesOfOrganization = (world: World): string => `${ofOrganization(world)}/changes?page[size]=5`
const relatedId = (name: string) => (resource: Shown) => resource.relationships[name]?.data?.id ?? null

async function ownersTeam({ owner }: World, { id }: Shown): Promise<Client> {
  const path = `/api/v2/organizations/${id}/teams?filter[names]=owners`
  const [team] = mustBe(await owner.get(path), 200).body.data
  const issued = mustBe(await owner.post(`/api/v2/teams/${team.id}/authentication-token`, doc('t')), 201)
  return owner.as(issued.body.data.attributes.token)
}

const pool = (attribute: string, mode: string): Particular => ({
  value: ({ poolId }) => poolId,
  with: { [mode]: 'agent' },
  without: { [mode]: 'remote' },
  shown: relatedId(attribute),
})

const connection = {
  'service-provider': 'github',
  'http-url': 'https://first.example.com',
  'api-url': 'https://first.example.com/api',
  'oauth-token-string': 'a token',
} as const

/** Every document whose fields are described. */
export const documents: readonly DocumentCase[] = [
  {
    type: 'workspaces',
    changed: [
      'workspaces/workspaces/workspace-fields.ts:settings',
      'workspaces/workspaces/workspace-fields.ts:inheritable',
    ],
    created: ['workspaces/workspaces/workspace-fields.ts:origin'],
    noted: ['workspaces/workspaces/workspace-fields.ts:settled', 'workspaces/workspaces/workspace-fields.ts:facts'],
    internal: ['workspaces/workspaces/workspace-fields.ts:internals'],
    collection: (world) => `${ofOrganization(world)}/workspaces`,
    address: ({ id }) => `/api/v2/workspaces/${id}`,
    base: ({ fresh }) => ({ name: fresh() }),
    history: (_, { id }) => `/api/v2/workspaces/${id}/changes?page[size]=5`,
    undo: ({ id }, changeId) => `/api/v2/workspaces/${id}/changes/${changeId}/actions/undo`,
    particular: {
      agentPoolId: pool('agent-pool', 'execution-mode'),
      sourceUrl: { value: () => 'https://example.com/made' },
    },
  },
  {
    type: 'vars',
    changed: ['workspaces/variables/variable-fields.ts:settings'],
    noted: ['workspaces/variables/variable-fields.ts:facts'],
    collection: ({ workspaceId }) => `/api/v2/workspaces/${workspaceId}/vars`,
    address: ({ id }) => `/api/v2/vars/${id}`,
    base: ({ fresh }) => ({ key: fresh(), category: 'terraform' }),
    history: changesOfOrganization,
    particular: {
      category: { logged: { terraform: 'input' } },
      sensitive: { stays: true },
      applyOnly: { with: { category: 'env' }, without: { category: 'env' } },
    },
  },
  {
    type: 'varsets',
    changed: ['workspaces/variable-sets/variable-set-fields.ts:settings'],
    noted: ['workspaces/variable-sets/variable-set-fields.ts:facts'],
    collection: (world) => `${ofOrganization(world)}/varsets`,
    address: ({ id }) => `/api/v2/varsets/${id}`,
    base: ({ fresh }) => ({ name: fresh() }),
    history: changesOfOrganization,
  },
  {
    type: 'configuration-versions',
    changed: [],
    created: ['workspaces/configurations/configuration-fields.ts:settings'],
    noted: ['workspaces/configurations/configuration-fields.ts:facts'],
    collection: ({ workspaceId }) => `/api/v2/workspaces/${workspaceId}/configuration-versions`,
    address: ({ id }) => `/api/v2/configuration-versions/${id}`,
    base: () => ({}),
    history: changesOfOrganization,
  },
  {
    type: 'runs',
    changed: [],
    created: ['workspaces/runs/run-fields.ts:options'],
    noted: ['workspaces/runs/run-fields.ts:inputs', 'workspaces/runs/run-fields.ts:facts'],
    internal: ['workspaces/runs/run-fields.ts:internals'],
    collection: ({ runnableId }) => `/api/v2/workspaces/${runnableId}/runs`,
    makeAt: '/api/v2/runs',
    address: ({ id }) => `/api/v2/runs/${id}`,
    base: () => ({}),
    relationships: ({ runnableId }) => ({ workspace: { data: { type: 'workspaces', id: runnableId } } }),
    history: changesOfOrganization,
  },
  {
    type: 'organizations',
    changed: ['people/organizations/organization-fields.ts:settings'],
    internal: ['people/organizations/organization-fields.ts:tokenLimits'],
    noted: ['people/organizations/organization-fields.ts:facts'],
    collection: () => '/api/v2/organizations',
    address: ({ id }) => `/api/v2/organizations/${id}`,
    base: ({ fresh }) => ({ name: fresh(), email: 'first@example.com' }),
    history: (_, { id }) => `/api/v2/organizations/${id}/changes?page[size]=5`,
    particular: {
      defaultAgentPoolId: {
        ...pool('default-agent-pool', 'default-execution-mode'),
        value: async ({ owner }, { id }) => {
          const path = `/api/v2/organizations/${id}/agent-pools`
          return mustBe(await owner.post(path, doc('agent-pools', { name: 'own' })), 201).body.data.id
        },
        caller: async ({ owner }) => owner,
      },
      userTokensEnabled: { caller: ownersTeam },
    },
  },
  {
    type: 'projects',
    changed: [
      'people/organizations/projects/project-fields.ts:projectSettings',
      'people/organizations/projects/project-fields.ts:projectDefaults',
    ],
    noted: ['people/organizations/projects/project-fields.ts:projectFacts'],
    internal: ['people/organizations/projects/project-fields.ts:projectOverwrites'],
    collection: (world) => `${ofOrganization(world)}/projects`,
    address: ({ id }) => `/api/v2/projects/${id}`,
    base: ({ fresh }) => ({ name: fresh() }),
    history: changesOfOrganization,
    particular: { defaultAgentPoolId: pool('default-agent-pool', 'default-execution-mode') },
  },
  {
    type: 'teams',
    changed: ['people/teams/team-fields.ts:settings'],
    noted: ['people/teams/team-fields.ts:facts'],
    collection: (world) => `${ofOrganization(world)}/teams`,
    address: ({ id }) => `/api/v2/teams/${id}`,
    base: ({ fresh }) => ({ name: fresh() }),
    history: changesOfOrganization,
    particular: { allowedLoginMethods: { value: () => ['approle', 'jwt'] } },
  },
  {
    type: 'ssh-keys',
    changed: ['workspaces/ssh-keys/ssh-key-fields.ts:settings'],
    noted: ['workspaces/ssh-keys/ssh-key-fields.ts:facts'],
    collection: (world) => `${ofOrganization(world)}/ssh-keys`,
    address: ({ id }) => `/api/v2/ssh-keys/${id}`,
    base: ({ fresh }) => ({ name: fresh(), value: 'a private key' }),
    history: changesOfOrganization,
  },
  {
    type: 'oauth-clients',
    changed: ['workspaces/vcs/vcs-client-fields.ts:settings'],
    created: ['workspaces/vcs/vcs-client-fields.ts:origin'],
    noted: ['workspaces/vcs/vcs-client-fields.ts:facts'],
    collection: (world) => `${ofOrganization(world)}/oauth-clients`,
    address: ({ id }) => `/api/v2/oauth-clients/${id}`,
    base: () => connection,
    history: changesOfOrganization,
    particular: {
      httpUrl: { without: { 'oauth-token-string': 'sent again' } },
      apiUrl: { without: { 'oauth-token-string': 'sent again' } },
      rsaPublicKey: { value: () => '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----' },
    },
  },
  {
    type: 'oauth-clients',
    changed: [],
    noted: ['workspaces/vcs/vcs-client-fields.ts:tokenFacts'],
    collection: (world) => `${ofOrganization(world)}/oauth-clients`,
    address: ({ id }) => `/api/v2/oauth-tokens/${id}`,
    base: () => connection,
    found: async ({ owner }, { id }) =>
      mustBe(await owner.get(`/api/v2/oauth-clients/${id}/oauth-tokens`), 200).body.data[0],
    history: changesOfOrganization,
  },
]
