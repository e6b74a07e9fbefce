import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useRefresh } from '../../api/answers.ts'
import type { Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Button, buttonClass } from '../../kit/Button.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { Form, TextField } from '../../kit/Form.tsx'
import { counted } from '../../kit/numbers.ts'
import { Columns, type Tab } from '../../kit/Page.tsx'
import { Time } from '../../kit/Time.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { CertificatePage } from './CertificatePage.tsx'
import { ClientsTable } from './ClientsTable.tsx'
import { LoginsTable } from './LoginsTable.tsx'
import { useCallHere, useMount } from './mounts.tsx'
import { RoleFields } from './RoleFields.tsx'
import { RolePreview } from './RolePreview.tsx'
import { blankRole, bodyOf, roleNames, valuesOf } from './roleForm.ts'

const route = getRouteApi('/server/certificates/roles/$role')

type Role = Schemas['CertRole']

const areas = ['cert-roles', 'cert-summary', 'cert-logins', 'cert-login']

/** One role: what it says, who came by it, and who was refused. */
export function RolePage() {
  const { role: name } = route.useParams()
  const { tab } = route.useSearch()
  const mount = useMount()
  const asked = useAnswer('cert-roles.read', { params: { path: { name } } }, { mount })
  const summary = useAnswer('cert-summary.roles', { params: { query: { search: name } } }, { mount })
  const counts = summary.data?.data.roles.find((each) => each.name === name)
  return (
    <CertificatePage
      title={name}
      facts={
        counts && (
          <>
            <span>
              {counted(counts.accepted, 'login')} in 24 h, {counts.refused} refused
            </span>
            <span>
              changed <Time at={counts.updated_at} />
            </span>
          </>
        )
      }
      actions={
        <>
          <Link to="/server/certificates/explain" search={{ paste: true, role: name }} className={buttonClass()}>
            Try a certificate…
          </Link>
          <Delete name={name} role={asked.data?.data} />
        </>
      }
      tabs={tabsOf(name, counts)}
    >
      {tab === 'clients' && <ClientsTable filter={{ role: name }} />}
      {tab === 'refused' && <LoginsTable filter={{ role: name, verdict: 'refused' }} />}
      {tab === undefined && (
        <Answer of={asked} failed="The role could not be read">
          {({ data }) => <EditRole key={name} name={name} role={data} />}
        </Answer>
      )}
    </CertificatePage>
  )
}

function tabsOf(role: string, counts: Schemas['CertRoleSummary'] | undefined): readonly Tab[] {
  const link = (search: object) => ({ to: '/server/certificates/roles/$role', params: { role }, search }) as Tab['link']
  return [
    { label: 'Role', link: link({}) },
    { label: 'Clients', link: link({ tab: 'clients' }), count: counts?.clients },
    { label: 'Refused logins', link: link({ tab: 'refused' }), count: counts?.refused },
  ]
}

/** Says what the server warned about. */
const warningsIn = (answer: unknown): string | undefined =>
  (Object(answer) as { warnings?: string[] | null }).warnings?.join(' ') || undefined

function EditRole({ name, role }: { name: string; role: Role }) {
  const draft = useDraft(valuesOf(role))
  const call = useCallHere()
  const say = useToasts()
  const refresh = useRefresh()
  const path = { name }
  return (
    <Columns wide aside={<RolePreview name={name} body={bodyOf(draft.values, draft.changes)} />}>
      <Form
        draft={draft}
        action="Save role"
        effect="Applies from the next login; tokens already issued stay."
        send={async (values, changes) => {
          const answer = await call('cert-roles.write', { params: { path }, body: bodyOf(values, changes) as never })
          const text = warningsIn(answer)
          say.done(`Role ${name} saved`, text === undefined ? {} : { text })
          await refresh(areas)
        }}
      >
        <RoleFields draft={draft} />
      </Form>
    </Columns>
  )
}

/** A role that is not there yet. */
export function NewRolePage() {
  const mount = useMount()
  const [blank] = useState({ ...blankRole, name: '' })
  const draft = useDraft(blank)
  const call = useCallHere()
  const say = useToasts()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const { name, ...values } = draft.values
  return (
    <CertificatePage title="New role">
      <Columns wide aside={<RolePreview name={name || 'new'} body={bodyOf(values, roleNames)} />}>
        <Form
          draft={draft}
          isNew
          action="Create role"
          effect="Clients can log in by it at once."
          reason={name.trim() === '' ? 'Give the role a name first.' : undefined}
          cancel={() => navigate({ to: '/server/certificates/roles' })}
          send={async () => {
            const path = { name: name.trim() }
            const answer = await call('cert-roles.write', {
              params: { path },
              body: bodyOf(values, roleNames) as never,
            })
            const text = warningsIn(answer)
            say.done(`Role ${path.name} created`, text === undefined ? {} : { text })
            await refresh(areas)
            navigate({ to: '/server/certificates/roles/$role', params: { role: path.name }, ignoreBlocker: true })
          }}
        >
          <TextField
            draft={draft}
            name="name"
            label="Name"
            hint={`Clients name it at ${mount}/login; upper and lower case are the same.`}
          />
          <RoleFields draft={draft as never} />
        </Form>
      </Columns>
    </CertificatePage>
  )
}

function Delete({ name, role }: { name: string; role: Role | undefined }) {
  const mount = useMount()
  const call = useCallHere()
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const seen = useAnswer('cert-logins.clients', { params: { query: { role: name, since: 2_592_000 } } }, { mount })
  const clients = seen.data?.data.clients.length
  const path = { name }
  const remove = async () => {
    const { yes } = await confirm({
      title: `Delete role ${name}?`,
      text: `${clients === undefined ? 'Clients' : counted(clients, 'client')} logged in by it in the last 30 days and will be refused. Their tokens stay until they end, and cannot be renewed.`,
      action: 'Delete role',
    })
    if (!yes || !role) return
    try {
      await call('cert-roles.delete', { params: { path } })
    } catch (error) {
      return say.failed(`Role ${name} was not deleted`, error)
    }
    const undo = async () => {
      const body = bodyOf(valuesOf(role), roleNames) as never
      await call('cert-roles.write', { params: { path }, body }).catch((error) =>
        say.failed('The role is not back', error),
      )
      await refresh(areas)
    }
    const isWhole = !role.ocsp_servers_override.some((each) => each.includes('[redacted]'))
    say.done(`Role ${name} deleted`, isWhole ? { undo } : {})
    // First, since a role that is gone is not asked for again.
    await navigate({ to: '/server/certificates/roles' })
    await refresh(areas)
  }
  return (
    <Button kind="danger" reason={role ? undefined : 'The role is not there.'} onClick={remove}>
      Delete…
    </Button>
  )
}
