import { normalizePolicyName, rootPolicyName } from '../../../access/policies/index.ts'
import { failure } from '../../../kernel/failure.ts'
import { fields } from '../../../kit/bodies.ts'
import { acl, type Call, defineSystemEndpoints, type Endpoint, endpoint, model, Type } from '../../../kit/endpoint.ts'
import { KeyList, WarningsAlone } from '../../../kit/envelope.ts'
import { checkEquivalentPaths } from '../../../kit/equivalent-paths.ts'
import { field } from '../../../kit/fields.ts'
import { type ListCall, listTerms, namesReply } from '../../../kit/list.ts'
import type { MountKind } from '../../../kit/mount-kind.ts'
import { data, nothing, type Reply } from '../../../kit/reply.ts'
import { deletePolicy, findPolicyText, writePolicy } from './policy-actions.ts'
import { listPolicyNames } from './policy-store.ts'

const name = { name: { description: 'Name of the policy; case-insensitive.', example: 'web' } }
const policyBody = fields(
  Type.Object({
    policy: field.text('The policy in HCL or JSON, optionally base64-encoded.'),
    rules: field.text('The old name of `policy`.'),
  }),
  { maxBytes: 4 * 1024 * 1024, aliases: { policy: ['rules'] } },
)
type PolicyBody = { policy?: string; rules?: string }

/** `root` comes last, as clients of this API show it. */
const list = (call: ListCall): Promise<Reply> =>
  namesReply(call, async (db, place) => {
    if (place.after === rootPolicyName) return []
    const names = await listPolicyNames(db, place)
    return names.length < place.most ? [...names, rootPolicyName] : names
  })

/** Names twice; a list that is too long for that has them once. */
async function listAtOldAddress(call: ListCall): Promise<Reply> {
  const reply = await list(call)
  return reply.kind === 'data' && reply.data ? data({ ...reply.data, policies: reply.data.keys }) : reply
}

type NamedCall = Pick<Call, 'deps' | 'caller' | 'request' | 'params'>

/** Policies are stored under lower-case names: rules about that path hold for every spelling of the name. */
export const equivalentPolicyPaths: MountKind['equivalentPaths'] = (_deps, _mount, path) => {
  const [, address, name] = /^(sys\/polic(?:y|ies\/acl(?:-uses)?)\/)(.+)$/s.exec(path) ?? []
  return address === undefined || name === undefined ? [] : [address + normalizePolicyName(name)]
}

const showPolicy =
  (render: (name: string, text: string) => Record<string, string>) =>
  async (call: NamedCall): Promise<Reply> => {
    await checkEquivalentPaths(call, 'read')
    const name = normalizePolicyName(call.params.name ?? '')
    const text = name === rootPolicyName ? '' : await findPolicyText(call.deps, name)
    return text === undefined ? nothing() : data(render(name, text))
  }

async function write(call: Call<Record<string, string>, unknown, PolicyBody>): Promise<Reply> {
  const { deps, params, body, warn } = call
  await checkEquivalentPaths(call, 'update')
  const text = body.policy || body.rules
  if (!text) throw failure('invalid', 'policy.empty', "'policy' must not be empty")
  if (!body.policy) warn("'rules' is the old name of this field; send 'policy'.")
  const written = await writePolicy(deps, params.name ?? '', text)
  for (const warning of written.warnings) warn(warning)
  return nothing()
}

async function remove(call: NamedCall): Promise<Reply> {
  await checkEquivalentPaths(call, 'delete')
  await deletePolicy(call.deps, call.params.name ?? '')
  return nothing()
}

const common = { access: acl(), params: name } as const
const writeReturns = { 200: WarningsAlone, 204: null } as const

/** Policies, under their present and their old address. */
export const policyEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    ...listTerms,
    id: 'policies.list',
    route: 'LIST /policies/acl',
    summary: 'List policies.',
    access: acl(),
    returns: { 200: KeyList },
    handle: list,
  }),
  endpoint({
    ...listTerms,
    id: 'policies.list-by-read',
    route: 'GET /policies/acl',
    summary: 'List policies.',
    access: acl(),
    returns: { 200: KeyList },
    handle: list,
  }),
  endpoint({
    ...common,
    id: 'policies.read',
    route: 'GET /policies/acl/*name',
    summary: 'Read a policy.',
    returns: { 200: model('Policy', { name: Type.String(), policy: Type.String() }) },
    fails: ['missing'],
    handle: showPolicy((name, text) => ({ name, policy: text })),
  }),
  endpoint({
    ...common,
    id: 'policies.write',
    route: 'POST /policies/acl/*name',
    summary: 'Create or update a policy.',
    body: policyBody,
    returns: writeReturns,
    fails: ['invalid'],
    example: { request: { policy: 'path "auth/cert/certs/*" { capabilities = ["read", "list"] }' } },
    handle: write,
  }),
  endpoint({
    ...common,
    id: 'policies.delete',
    route: 'DELETE /policies/acl/*name',
    summary: 'Delete a policy.',
    returns: { 204: null },
    fails: ['invalid'],
    handle: remove,
  }),
  endpoint({
    ...listTerms,
    id: 'policies.old-list',
    route: 'GET /policy',
    summary: 'List policies (legacy path).',
    access: acl(),
    doubleRendered: true,
    handle: listAtOldAddress,
  }),
  endpoint({
    ...listTerms,
    id: 'policies.old-list-verb',
    route: 'LIST /policy',
    summary: 'List policies (legacy path).',
    access: acl(),
    doubleRendered: true,
    handle: listAtOldAddress,
  }),
  endpoint({
    ...common,
    id: 'policies.old-read',
    route: 'GET /policy/*name',
    summary: 'Read a policy (legacy path).',
    doubleRendered: true,
    fails: ['missing'],
    handle: showPolicy((name, text) => ({ name, rules: text })),
  }),
  endpoint({
    ...common,
    id: 'policies.old-write',
    route: 'POST /policy/*name',
    summary: 'Create or update a policy (legacy path).',
    body: policyBody,
    returns: writeReturns,
    fails: ['invalid'],
    handle: write,
  }),
  endpoint({
    ...common,
    id: 'policies.old-delete',
    route: 'DELETE /policy/*name',
    summary: 'Delete a policy (legacy path).',
    returns: { 204: null },
    fails: ['invalid'],
    handle: remove,
  }),
])
