import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { call, type Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Button, buttonClass } from '../../kit/Button.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { AreaField, Form, TextField } from '../../kit/Form.tsx'
import { counted } from '../../kit/numbers.ts'
import { Columns, Note, Page, type Tab } from '../../kit/Page.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { useDone, warningsIn } from '../act.ts'
import { justBefore } from '../searches.ts'
import { useSettled } from '../settled.ts'
import { aboutPolicy, whyNotDeleted, whyNotWritten } from './builtIn.ts'
import { PolicyReading } from './PolicyReading.tsx'
import { PolicyUses } from './PolicyUses.tsx'

const route = getRouteApi('/server/secrets/policies/$')

type Uses = Schemas['PolicyUse']

const subjects = ['policies', 'capabilities']

/** One policy: its text, and who has it. */
export function PolicyPage() {
  const { _splat: name = '' } = route.useParams()
  const { tab } = route.useSearch()
  return (
    <Page
      title={name}
      facts={<Facts name={name} />}
      actions={
        <>
          <Link to="/server/secrets/try" search={{ policies: name }} className={buttonClass()}>
            Try a path…
          </Link>
          <Delete name={name} />
        </>
      }
      tabs={tabsOf(name)}
    >
      {tab === 'uses' ? <PolicyUses name={name} /> : <Policy key={name} name={name} />}
    </Page>
  )
}

function tabsOf(name: string): readonly Tab[] {
  const link = (search: object) =>
    ({ to: '/server/secrets/policies/$', params: { _splat: name }, search }) as Tab['link']
  return [
    { label: 'Policy', link: link({}) },
    { label: 'Who has it', link: link({ tab: 'uses' }) },
  ]
}

function Facts({ name }: { name: string }) {
  const { data } = useAnswer('policies.uses', { params: { path: { name } } })
  return (
    <>
      {aboutPolicy(name) && <span>{aboutPolicy(name)}</span>}
      {data && <span>{usesText(data.data)}</span>}
    </>
  )
}

/** More of a kind are not counted by the server. */
const most = 100

const upTo = (value: number, one: string, several: string): string =>
  `${value >= most ? 'at least ' : ''}${counted(value, one, several)}`

/** Who has a policy, in one line. */
const usesText = ({ tokens, entities, certificate_roles, token_roles }: Uses): string =>
  [
    counted(tokens, 'token'),
    upTo(entities.length, 'entity', 'entities'),
    upTo(certificate_roles.length + token_roles.length, 'role', 'roles'),
  ].join(', ')

function Policy({ name }: { name: string }) {
  const asked = useAnswer('policies.read', { params: { path: { name } } })
  const fixed = whyNotWritten(name)
  return (
    <Answer of={asked} failed="The policy could not be read">
      {({ data }) =>
        fixed === undefined ? <EditPolicy name={name} text={data.policy} /> : <Note tone="calm">{fixed}</Note>
      }
    </Answer>
  )
}

const textHint = 'HCL or JSON. Of all rules for a path, only the most specific one applies; deny outweighs the rest.'

function EditPolicy({ name, text }: { name: string; text: string }) {
  const draft = useDraft({ policy: text })
  const tell = useDone(subjects)
  return (
    <Columns wide aside={<PolicyReading text={draft.values.policy} />}>
      <Form
        draft={draft}
        action="Save policy"
        effect="Applies from the next request of every token that has it."
        send={async ({ policy }) => {
          const answer = await call('policies.write', { params: { path: { name } }, body: { policy } })
          await tell({
            done: `Policy ${name} saved`,
            text: warningsIn(answer),
            undo: () => call('policies.write', { params: { path: { name } }, body: { policy: text } }),
          })
        }}
      >
        <AreaField draft={draft} name="policy" label="Text" hint={textHint} rows={22} mono />
      </Form>
    </Columns>
  )
}

const firstText = `path "auth/cert/certs/*" {
  capabilities = ["read", "list"]
}
`

/** A policy that is not there yet. */
export const NewPolicyPage = () => (
  <Page title="New policy">
    <NewPolicy />
  </Page>
)

/** Whether there is a policy of this name, which a write would replace. */
function useTaken(name: string): boolean {
  const settled = useSettled(name)
  const after = justBefore(settled) ?? ''
  const { data } = useAnswer(
    'policies.list-by-read',
    { params: { query: { after, limit: 1 } } },
    { when: settled !== '' },
  )
  return name !== '' && data?.data.keys[0] === name
}

function NewPolicy() {
  const [blank] = useState({ name: '', policy: firstText })
  const draft = useDraft(blank)
  const tell = useDone(subjects)
  const navigate = useNavigate()
  const name = draft.values.name.trim().toLowerCase()
  const isTaken = useTaken(name)
  return (
    <Columns wide aside={<PolicyReading text={draft.values.policy} />}>
      <Form
        draft={draft}
        isNew
        action="Create policy"
        effect="It grants nothing until a token, an entity or a role has it."
        reason={name === '' ? 'Give the policy a name first.' : isTaken ? 'Choose another name first.' : undefined}
        cancel={() => navigate({ to: '/server/secrets/policies' })}
        send={async ({ policy }) => {
          const answer = await call('policies.write', { params: { path: { name } }, body: { policy } })
          await tell({ done: `Policy ${name} created`, text: warningsIn(answer) })
          navigate({ to: '/server/secrets/policies/$', params: { _splat: name }, ignoreBlocker: true })
        }}
      >
        <TextField
          draft={draft}
          name="name"
          label="Name"
          hint="Upper and lower case are the same; it may have slashes, as in team/app."
          problem={isTaken ? `There is a policy ${name} already.` : undefined}
        />
        <AreaField draft={draft} name="policy" label="Text" hint={textHint} rows={18} mono />
      </Form>
    </Columns>
  )
}

function Delete({ name }: { name: string }) {
  const confirm = useConfirm()
  const say = useToasts()
  const tell = useDone(subjects)
  const navigate = useNavigate()
  const params = { path: { name } }
  const remove = async () => {
    try {
      const { data: uses } = await call('policies.uses', { params })
      const { data: policy } = await call('policies.read', { params })
      const { yes } = await confirm({
        title: `Delete policy ${name}?`,
        text: `${usesText(uses)} have it, and lose what it grants at once. They keep the name: a new policy of this name is theirs again.`,
        action: 'Delete policy',
      })
      if (!yes) return
      await call('policies.delete', { params })
      // First, since a policy that is gone is not asked for again.
      await navigate({ to: '/server/secrets/policies' })
      await tell({
        done: `Policy ${name} deleted`,
        undo: () => call('policies.write', { params, body: { policy: policy.policy } }),
      })
    } catch (error) {
      say.failed(`Policy ${name} was not deleted`, error)
    }
  }
  return (
    <Button kind="danger" reason={whyNotDeleted(name)} onClick={remove}>
      Delete…
    </Button>
  )
}
