import { useNavigate } from '@tanstack/react-router'
import { useAnswer, useRefresh } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { Answer, Empty } from '../kit/Answer.tsx'
import { Button } from '../kit/Button.tsx'
import { Id } from '../kit/Copy.tsx'
import { useConfirm } from '../kit/Dialog.tsx'
import { useDraft } from '../kit/drafts.ts'
import { Form, ListField, SwitchField, TextField } from '../kit/Form.tsx'
import { counted } from '../kit/numbers.ts'
import { Page, Section } from '../kit/Page.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { idsIn, usePart, useReasons } from './organization.ts'
import { NewTokenButton, TokenTable } from './TokenTable.tsx'

type Pool = Schemas['AgentPool']

/** One agent pool: its tokens, and who may use it. */
export function AgentPoolPage() {
  const organization = usePart('organization')
  const name = usePart('pool')
  const query = { 'page[size]': 100, q: name }
  const asked = useAnswer('agent-pools.list', { params: { path: { organization }, query } })
  const pool = asked.data?.data.find(({ attributes }) => attributes.name === name)
  return (
    <Page
      title={name}
      facts={
        pool && (
          <>
            <span>{counted(pool.attributes['agent-count'] ?? 0, 'agent')} connected</span>
            <Id id={pool.id} />
          </>
        )
      }
      actions={pool && <DeletePool pool={pool} />}
    >
      <Answer of={asked} failed="The agent pool could not be read">
        {() =>
          pool ? (
            <>
              <Tokens pool={pool} />
              <Use key={pool.id} pool={pool} />
            </>
          ) : (
            <Empty title="There is no such agent pool">It may have been removed or renamed.</Empty>
          )
        }
      </Answer>
    </Page>
  )
}

const usePoolReason = (what: string): string | undefined =>
  useReasons(usePart('organization'))('can-update-agent-pools', what)

function Tokens({ pool }: { pool: Pool }) {
  const reason = usePoolReason('make or revoke tokens of agent pools')
  const asked = useAnswer('agent-tokens.list', { params: { path: { poolId: pool.id }, query: { 'page[size]': 100 } } })
  return (
    <Section
      title="Tokens"
      count={asked.data?.meta.pagination['total-count']}
      lead="An agent proves with one of these that it belongs to the pool."
      actions={
        <NewTokenButton
          title={`New token of agent pool ${pool.attributes.name}`}
          kind="default"
          small
          reason={reason}
          make={(attributes) =>
            call('agent-tokens.create', {
              params: { path: { poolId: pool.id } },
              body: { data: { type: 'authentication-tokens', attributes } as never },
            })
          }
        />
      }
    >
      <Answer of={asked} failed="The tokens could not be read">
        {({ data }) => (
          <TokenTable
            label={`Tokens of ${pool.attributes.name}`}
            tokens={data}
            reason={reason}
            nothing="No tokens yet: no agent can connect."
          />
        )}
      </Answer>
    </Section>
  )
}

type Values = {
  readonly name: string
  readonly isForAll: boolean
  readonly projects: readonly string[]
  readonly workspaces: readonly string[]
  readonly excluded: readonly string[]
}

/** People name projects and workspaces; the API wants their ids. */
function useNames(organization: string) {
  const projects = useAnswer('projects.list', { params: { path: { organization }, query: { 'page[size]': 100 } } })
  const workspaces = useAnswer('workspaces.list', {
    params: { path: { organization }, query: { 'page[size]': 100, fields: { workspaces: 'name' } } as never },
  })
  const pairs = (rows: readonly { id: string; attributes: { name?: string } }[] = []) =>
    rows.map(({ id, attributes }) => [id, attributes.name ?? id] as const)
  return { projects: pairs(projects.data?.data), workspaces: pairs(workspaces.data?.data) }
}

type Pairs = readonly (readonly [id: string, name: string])[]

const namesIn = (pairs: Pairs, ids: readonly string[]): string[] =>
  ids.map((id) => pairs.find(([other]) => other === id)?.[1] ?? id)

const idsOf = (pairs: Pairs, type: string, names: readonly string[]) => ({
  data: names.map((name) => ({ type, id: pairs.find(([, other]) => other === name)?.[0] ?? name })),
})

function Use({ pool }: { pool: Pool }) {
  const organization = usePart('organization')
  const names = useNames(organization)
  const { attributes, relationships } = pool
  const reason = usePoolReason('change agent pools')
  const draft = useDraft<Values>({
    name: attributes.name ?? '',
    isForAll: attributes['organization-scoped'] ?? true,
    projects: namesIn(names.projects, idsIn(relationships?.['allowed-projects'])),
    workspaces: namesIn(names.workspaces, idsIn(relationships?.['allowed-workspaces'])),
    excluded: namesIn(names.workspaces, idsIn(relationships?.['excluded-workspaces'])),
  })
  const say = useToasts()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const send = async (values: Values, changes: readonly string[]) => {
    const sent = {
      ...(changes.includes('projects') && { 'allowed-projects': idsOf(names.projects, 'projects', values.projects) }),
      ...(changes.includes('workspaces') && {
        'allowed-workspaces': idsOf(names.workspaces, 'workspaces', values.workspaces),
      }),
      ...(changes.includes('excluded') && {
        'excluded-workspaces': idsOf(names.workspaces, 'workspaces', values.excluded),
      }),
    }
    await call('agent-pools.update', {
      params: { path: { poolId: pool.id } },
      body: {
        data: {
          type: 'agent-pools',
          attributes: { name: values.name, 'organization-scoped': values.isForAll },
          relationships: sent,
        },
      } as never,
    })
    if (values.name !== attributes.name)
      navigate({ to: '.', params: { organization, pool: values.name }, replace: true } as never)
    await refresh(['agent-pools'])
    say.done(`Agent pool ${values.name} was saved`)
  }
  return (
    <Section title="Who may use it">
      <Form draft={draft} send={send} action="Save pool" denied={reason} effect="Holds at once.">
        <TextField draft={draft} name="name" label="Name" reason={reason} />
        <SwitchField draft={draft} name="isForAll" label="Every workspace may use it" reason={reason} />
        {!draft.values.isForAll && (
          <>
            <ListField
              draft={draft}
              name="projects"
              label="Projects whose workspaces may use it"
              hint="Names, Enter after each"
              reason={reason}
            />
            <ListField draft={draft} name="workspaces" label="Workspaces that may use it" reason={reason} />
          </>
        )}
        <ListField draft={draft} name="excluded" label="Workspaces that may not, all the same" reason={reason} />
      </Form>
    </Section>
  )
}

function DeletePool({ pool }: { pool: Pool }) {
  const organization = usePart('organization')
  const reason = usePoolReason('delete agent pools')
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const { name = '' } = pool.attributes
  const users = idsIn(pool.relationships?.workspaces).length
  const remove = async () => {
    const { yes } = await confirm({
      title: `Delete agent pool ${name}?`,
      text: `${counted(users, 'workspace')} ${users === 1 ? 'names' : 'name'} it. Its tokens stop working, and its agents are disconnected.`,
      action: 'Delete pool',
    })
    if (!yes) return
    try {
      await call('agent-pools.delete', { params: { path: { poolId: pool.id } } })
      await refresh(['agent-pools'])
      say.done(`Agent pool ${name} is deleted`)
      navigate({ to: '/$organization/organization/agents', params: { organization } } as never)
    } catch (error) {
      say.failed(`Agent pool ${name} was not deleted`, error)
    }
  }
  return (
    <Button kind="danger" reason={reason} onClick={remove}>
      Delete pool…
    </Button>
  )
}
