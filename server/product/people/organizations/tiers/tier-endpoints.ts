import { hidden, organizationInPath, siteAdministrator } from '../../../../access/permissions/index.ts'
import type { ActorPrincipal } from '../../../../kernel/principal.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import { defineEndpoints, type Endpoint, endpoint, type RuleAccess } from '../../../../kit/endpoint.ts'
import {
  answerPage,
  entriesOn,
  invalidRelationship,
  listQuery,
  pageSchema,
  parameter,
  relation,
  resourceBody,
  resourceSchema,
  shown,
} from '../../../../kit/jsonapi/index.ts'
import { nothing } from '../../../../kit/reply.ts'
import { changeTier } from '../organization-actions.ts'
import { loadOrganizationByName } from '../organization-store.ts'

/** The feature sets that can be subscribed to in the hosted edition, and the tier that each gives an organization. */
const featureSets = [
  { id: 'fs-free', name: 'Free', tier: 'free' },
  { id: 'fs-trial', name: 'Trial', tier: 'plus' },
  { id: 'fs-standard', name: 'Standard (entitlement)', tier: 'standard' },
  { id: 'fs-business', name: 'Business', tier: 'plus' },
] as const

/** One of the feature sets. */
type FeatureSet = (typeof featureSets)[number]

/** Feature sets whose name contains a text, in any case. */
const featureSetsNamed = (text: string): readonly FeatureSet[] =>
  featureSets.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))

const administrator = siteAdministrator()

/** Tiers exist in the hosted edition only. */
const hostedAdministrator: RuleAccess<ActorPrincipal> = {
  ...administrator,
  check: (call) => {
    if (call.deps.settings.edition !== 'hosted') throw hidden()
    return administrator.check(call)
  },
}

const featureSetSchema = resourceSchema('feature-sets', {
  attributes: { name: shown.text('Name.'), tier: shown.text('The tier it grants.') },
})

/** The subscriptions of organizations in the hosted edition. */
export const tierEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'feature-sets.list',
    route: 'GET /admin/feature-sets',
    summary: 'List the feature sets that organizations can subscribe to; hosted edition only.',
    access: hostedAdministrator,
    query: listQuery({ parameters: { text: parameter.text('q', 'Part of the name.') } }),
    returns: { 200: pageSchema(featureSetSchema) },
    fails: ['missing'],
    handle: (call) => {
      const { page, text = '' } = call.query
      const found = featureSetsNamed(text)
      const resources = entriesOn(page, found).map(({ id, name, tier }) => {
        return { type: 'feature-sets', id, attributes: { name, tier } }
      })
      return answerPage(call, { resources, total: found.length })
    },
  }),
  endpoint({
    id: 'organizations.subscribe',
    route: 'POST /admin/organizations/:organization/subscription',
    summary: 'Subscribe an organization to a feature set, which determines its tier; hosted edition only.',
    access: hostedAdministrator,
    params: organizationInPath,
    body: resourceBody('subscription', {
      attributes: {},
      relationships: { featureSet: relation.one('feature-sets', 'The feature set.', { required: true }) },
    }),
    returns: { 204: null },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const organization = await loadOrganizationByName(call.deps.db, call.params.organization ?? '')
      if (!organization) throw hidden()
      const wanted = featureSets.find(({ id }) => id === call.body.relationships.featureSet)
      if (!wanted) throw invalidRelationship('feature-set', 'Feature set does not exist')
      await changeTier(call.deps, authorOf(call), organization.id, wanted.tier)
      return nothing()
    },
  }),
])
