import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { callAt } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Button } from '../../kit/Button.tsx'
import { Id } from '../../kit/Copy.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { type Draft, useDraft } from '../../kit/drafts.ts'
import { AreaField, Form, ListField, SwitchField, TextField } from '../../kit/Form.tsx'
import { FormDialog } from '../../kit/FormDialog.tsx'
import { counted } from '../../kit/numbers.ts'
import { Note, Page, type Tab } from '../../kit/Page.tsx'
import { type Column, Table } from '../../kit/Table.tsx'
import { orEmpty, useAct, useDone, warningsIn } from '../act.ts'
import { JwtSettings } from './JwtSettings.tsx'
import { jsonProblem, type MethodType, type RoleValues, roleBody, roleFields, typedRole } from './roleForms.ts'
import { MakeSecretId, SecretIds } from './SecretIds.tsx'
import type { MethodSearch } from './searches.ts'

const route = getRouteApi('/server/secrets/methods/$')

/** What a change of a role may change. */
const subjects = ['approle-roles', 'approle-role-id', 'approle-secret-ids', 'jwt-roles', 'jwt-config'] as const

type Method = { readonly path: string; readonly type: MethodType }

/** One method: its roles, one of them, and where keys come from. */
export function MethodPage() {
  const { _splat: path = '' } = route.useParams()
  const { role, tab } = route.useSearch()
  const asked = useAnswer('mounts.list-visible', {})
  const methods = (asked.data as { data: { auth: Readonly<Record<string, { type?: string }>> } } | undefined)?.data.auth
  const type = methods?.[`${path}/`]?.type
  return (
    <Answer of={asked} failed="The methods could not be read">
      {() => {
        if (type !== 'approle' && type !== 'jwt')
          return (
            <Page title={`auth/${path}/`}>
              <Note tone="calm">
                No method with roles of this kind is mounted there, or no policy of yours names it.
              </Note>
            </Page>
          )
        const method: Method = { path, type }
        if (role !== undefined) return <RolePage key={role} method={method} role={role} tab={tab} />
        return <Roles method={method} tab={tab} />
      }}
    </Answer>
  )
}

const linkTo = ({ path }: Method, search: MethodSearch) =>
  ({ to: '/server/secrets/methods/$', params: { _splat: path }, search }) as Tab['link']

/** Only methods that take tokens of others have settings. */
const tabsOf = (method: Method): readonly Tab[] =>
  method.type === 'approle'
    ? []
    : [
        { label: 'Roles', link: linkTo(method, {}) },
        { label: 'Settings', link: linkTo(method, { tab: 'settings' }) },
      ]

/** Only roles of programs have secret ids. */
const roleTabsOf = (method: Method, role: string): readonly Tab[] =>
  method.type === 'approle'
    ? [
        { label: 'Role', link: linkTo(method, { role }) },
        { label: 'Secret ids', link: linkTo(method, { role, tab: 'secret-ids' }) },
      ]
    : []

function Roles({ method, tab }: { method: Method; tab: MethodSearch['tab'] }) {
  const [isOpen, setOpen] = useState(false)
  const query = { list: 'true' } as const
  const asked = useAnswer(`${method.type}-roles.list`, { params: { query } }, { mount: method.path })
  const columns: readonly Column<string>[] = [
    {
      title: 'Role',
      phone: 'name',
      grow: true,
      cell: (role) => (
        <Link to="/server/secrets/methods/$" params={{ _splat: method.path }} search={{ role }}>
          {role}
        </Link>
      ),
    },
  ]
  return (
    <Page
      title={`auth/${method.path}/`}
      facts={<span>{method.type}</span>}
      tabs={tabsOf(method)}
      actions={
        <Button kind="primary" onClick={() => setOpen(true)}>
          New role
        </Button>
      }
    >
      {tab === 'settings' && method.type === 'jwt' ? (
        <JwtSettings path={method.path} />
      ) : (
        <Answer of={orEmpty(asked, { data: { keys: [] } } as never)} failed="The roles could not be read">
          {({ data: { keys } }) => (
            <Table
              label="Roles"
              columns={columns}
              rows={keys}
              keyOf={(role) => role}
              nothing="No roles yet: nobody can log in by this method."
              foot={counted(keys.length, 'role')}
            />
          )}
        </Answer>
      )}
      {isOpen && <NewRole method={method} close={() => setOpen(false)} />}
    </Page>
  )
}

const writeRole = ({ path, type }: Method, name: string, body: Record<string, unknown>) =>
  callAt(path, `${type}-roles.write`, { params: { path: { name } }, body: body as never })

function NewRole({ method, close }: { method: Method; close: () => void }) {
  const [blank] = useState<RoleValues>({ name: '', ...typedRole(method.type, {}) })
  const draft = useDraft(blank)
  const tell = useDone(subjects)
  const name = String(draft.values.name).trim()
  return (
    <FormDialog
      title="New role"
      close={close}
      draft={draft}
      width={620}
      action="Create role"
      effect="Clients can log in by it at once."
      reason={name === '' ? 'Give the role a name first.' : claimsProblem(draft.values)}
      send={async (values, changes) => {
        const answer = await writeRole(method, name, roleBody(method.type, values, changes))
        await tell({ done: `Role ${name} is written`, text: warningsIn(answer) })
      }}
    >
      <TextField draft={draft as never} name={'name' as never} label="Name" first />
      <RoleFields type={method.type} draft={draft} />
    </FormDialog>
  )
}

const claimsProblem = ({ bound_claims }: RoleValues): string | undefined => jsonProblem(String(bound_claims ?? ''))

/** The fields of a role, as the method has them. */
function RoleFields({ type, draft }: { type: MethodType; draft: Draft<RoleValues> }) {
  return roleFields[type].map((field) => {
    const { name, label, kind } = field
    const { hint, placeholder } = field as { hint?: string; placeholder?: string }
    const shared = {
      draft: draft as never,
      name: name as never,
      label,
      ...(hint !== undefined && { hint }),
      ...(placeholder !== undefined && { placeholder }),
    }
    if (kind === 'flag') return <SwitchField key={name} {...shared} />
    if (kind === 'list') return <ListField key={name} {...shared} />
    if (kind === 'text') return <TextField key={name} {...shared} />
    const problem = kind === 'json' ? jsonProblem(String(draft.values[name])) : undefined
    return <AreaField key={name} {...shared} rows={kind === 'json' ? 8 : 4} mono problem={problem} />
  })
}

type RolePageProps = { method: Method; role: string; tab: MethodSearch['tab'] }

function RolePage({ method, role, tab }: RolePageProps) {
  const params = { path: { name: role } }
  const asked = useAnswer(`${method.type}-roles.read`, { params }, { mount: method.path })
  return (
    <Page
      title={role}
      facts={
        <>
          <Link to="/server/secrets/methods/$" params={{ _splat: method.path }} search={{}}>
            auth/{method.path}/
          </Link>
          {method.type === 'approle' && <RoleId path={method.path} role={role} />}
        </>
      }
      tabs={roleTabsOf(method, role)}
      actions={<RoleActions method={method} role={role} />}
    >
      {tab === 'secret-ids' && method.type === 'approle' ? (
        <SecretIds mount={method.path} role={role} />
      ) : (
        <Answer of={asked} failed="The role could not be read">
          {({ data }) => <EditRole method={method} role={role} known={data as Readonly<Record<string, unknown>>} />}
        </Answer>
      )}
    </Page>
  )
}

function RoleId({ path, role }: { path: string; role: string }) {
  const asked = useAnswer('approle-role-id.read', { params: { path: { name: role } } }, { mount: path })
  const found = asked.data as { data: { role_id: string } } | undefined
  return found ? (
    <span>
      role id <Id id={found.data.role_id} />
    </span>
  ) : null
}

type EditRoleProps = { method: Method; role: string; known: Readonly<Record<string, unknown>> }

function EditRole({ method, role, known }: EditRoleProps) {
  const draft = useDraft(typedRole(method.type, known))
  const tell = useDone(subjects)
  return (
    <Form
      draft={draft}
      action="Save role"
      effect="Applies from the next login; tokens already issued stay."
      reason={claimsProblem(draft.values)}
      send={async (values, changes) => {
        const answer = await writeRole(method, role, roleBody(method.type, values, changes))
        await tell({ done: `Role ${role} saved`, text: warningsIn(answer) })
      }}
    >
      <RoleFields type={method.type} draft={draft} />
    </Form>
  )
}

function RoleActions({ method, role }: { method: Method; role: string }) {
  const act = useAct(subjects)
  const confirm = useConfirm()
  const navigate = useNavigate()
  const params = { path: { name: role } }
  const remove = async () => {
    const { yes } = await confirm({
      title: `Delete role ${role}?`,
      text: 'Nobody can log in by it any more. Tokens that it has issued stay until they end.',
      action: 'Delete role',
    })
    if (!yes) return
    const gone = async () => {
      await callAt(method.path, `${method.type}-roles.delete`, { params })
      await navigate({ to: '/server/secrets/methods/$', params: { _splat: method.path }, ignoreBlocker: true })
    }
    await act(gone, { done: `Role ${role} deleted`, failed: `Role ${role} was not deleted` })
  }
  return (
    <>
      <Button kind="danger" onClick={remove}>
        Delete…
      </Button>
      {method.type === 'approle' && <MakeSecretId mount={method.path} role={role} />}
    </>
  )
}
