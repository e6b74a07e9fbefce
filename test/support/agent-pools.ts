import { doc, mustBe, type Organization, type Person, workspaceIn } from './platform.ts'

/** Resources of one type, as a relationship lists them. */
export const listOf = (type: string, ...ids: string[]) => ({ data: ids.map((id) => ({ type, id })) })

/** What somebody does with the agent pools of an organization. */
export function poolCalls(owner: Person, organization: Organization) {
  let count = 0
  const fresh = () => `thing-${++count}`
  const pools = () => `/api/v2/organizations/${organization.name}/agent-pools`
  return {
    /** A name that nothing else has. */
    fresh,
    pools,
    create: async (attributes: object = {}, relationships?: object) => {
      const document = doc('agent-pools', { name: fresh(), ...attributes }, relationships)
      return mustBe(await owner.post(pools(), document), 201).body.data
    },
    workspace: (name = fresh()): Promise<string> => workspaceIn(organization, { name }),
    /** Has a workspace use a pool. */
    use: (workspaceId: string, poolId: string) => {
      const document = doc('workspaces', { 'execution-mode': 'agent', 'agent-pool-id': poolId })
      return owner.patch(`/api/v2/workspaces/${workspaceId}`, document)
    },
  }
}
