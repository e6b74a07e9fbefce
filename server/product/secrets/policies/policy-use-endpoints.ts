import {
  compileAcl,
  decodePolicyText,
  normalizePolicyName,
  type Policy,
  parsePolicy,
} from '../../../access/policies/index.ts'
import { Failure } from '../../../kernel/failure.ts'
import { fields } from '../../../kit/bodies.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, model, Type } from '../../../kit/endpoint.ts'
import { checkEquivalentPaths } from '../../../kit/equivalent-paths.ts'
import { field } from '../../../kit/fields.ts'
import { data } from '../../../kit/reply.ts'
import { countTokensWith, findPolicyUses } from './policy-use-store.ts'

/** More of a kind are not listed: nobody reads them, and a policy may be in use everywhere. */
const mostOfAKind = 100

const PolicyCheck = model('PolicyCheck', {
  problem: Type.String({ description: 'Why a write would be refused, with line and column; empty if it would not.' }),
  warnings: Type.Array(Type.String(), { description: 'What a write would warn about.' }),
  rules: Type.Array(
    Type.Object({
      path: Type.String({ description: 'The pattern, without its leading slash.' }),
      capabilities: Type.Array(Type.String(), { description: 'What it grants; `deny` refuses.' }),
    }),
    { description: 'The rules of the text as they were read, in its order.' },
  ),
  capabilities: Type.Record(Type.String(), Type.Array(Type.String()), {
    description:
      'What a token with these texts alone might do, by path; as nobody in particular, so without templates.',
  }),
})

const PolicyUse = model('PolicyUse', {
  tokens: Type.Integer({
    description: 'About how many tokens carry the policy; those that have it from their entity are not counted.',
  }),
  entities: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
    description: `Entities that give it to their tokens, at most ${mostOfAKind}.`,
  }),
  certificate_roles: Type.Array(Type.Object({ mount: Type.String(), name: Type.String() }), {
    description: `Roles of certificate login whose tokens get it, at most ${mostOfAKind}.`,
  }),
  token_roles: Type.Array(Type.String(), {
    description: `Token roles that name it among \`allowed_policies\`, at most ${mostOfAKind}.`,
  }),
})

type Reading = { readonly problem: string; readonly policies: readonly Policy[] }

/** What the parser makes of texts; what it refuses is an answer here. */
function readTexts(texts: readonly string[]): Reading {
  try {
    return { problem: '', policies: texts.map((text) => parsePolicy('', decodePolicyText(text))) }
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.kind !== 'invalid') throw thrown
    return { problem: thrown.message, policies: [] }
  }
}

const CheckBody = Type.Object({
  policy: field.text('The policy in HCL or JSON, optionally base64-encoded.'),
  together: field.list('Texts of other policies that hold together with it.'),
  paths: field.list('Paths to try.'),
})

/** What a policy text says before it is stored, and who depends on a policy before it is changed or deleted. */
export const policyUseEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    id: 'policies.check',
    route: 'POST /policies/acl-check',
    summary: 'Show how the text of a policy is read, without storing it.',
    description: 'A text that a write would refuse is answered with the reason in `problem`.',
    access: acl(),
    body: fields(CheckBody, { maxBytes: 4 * 1024 * 1024 }),
    returns: { 200: PolicyCheck },
    example: { request: { policy: 'path "auth/cert/certs/*" { capabilities = ["read", "list"] }' } },
    handle: ({ body: { policy = '', together = [], paths = [] } }) => {
      const { problem, policies } = readTexts([policy, ...together])
      const { rules, warnings } = policies[0] ?? { rules: [], warnings: [] }
      const found = compileAcl(policies)
      return data({
        problem,
        warnings,
        rules: rules.map(({ path, capabilities }) => ({ path, capabilities: [...capabilities].sort() })),
        capabilities: problem === '' ? Object.fromEntries(paths.map((path) => [path, found.capabilities(path)])) : {},
      })
    },
  }),
  endpoint({
    id: 'policies.uses',
    route: 'GET /policies/acl-uses/*name',
    summary: 'Show who has a policy: tokens in numbers, entities and roles by name.',
    description: 'A policy that does not exist may be in use, too: it grants nothing until it is written.',
    access: acl(),
    params: { name: { description: 'Name of the policy; case-insensitive.', example: 'web' } },
    returns: { 200: PolicyUse },
    handle: async (call) => {
      await checkEquivalentPaths(call, 'read')
      const { deps, params } = call
      const name = normalizePolicyName(params.name ?? '')
      const uses = await findPolicyUses(deps.reads, name, mostOfAKind)
      return data({
        tokens: await countTokensWith(deps.reads, name, deps.clock.now()),
        entities: uses.entities,
        certificate_roles: uses.certificateRoles,
        token_roles: uses.tokenRoles,
      })
    },
  }),
])
