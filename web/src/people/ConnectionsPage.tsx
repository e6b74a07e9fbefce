import { type ReactNode, useState } from 'react'
import { useAnswer, useRefresh } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { Button } from '../kit/Button.tsx'
import { Id } from '../kit/Copy.tsx'
import { type Question, useConfirm } from '../kit/Dialog.tsx'
import { useDraft } from '../kit/drafts.ts'
import { AreaField, ChoiceField, TextField } from '../kit/Form.tsx'
import { FormDialog } from '../kit/FormDialog.tsx'
import { Page, Section } from '../kit/Page.tsx'
import { type Column, Table } from '../kit/Table.tsx'
import { Time } from '../kit/Time.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { usePart, useReasons } from './organization.ts'
import { providers } from './providers.ts'

type Client = Schemas['OauthClient']
type Key = Schemas['SshKey']

/** Version control that workspaces are connected to, and the keys with which modules are fetched. */
export const ConnectionsPage = () => {
  const organization = usePart('organization')
  return (
    <Page title="Connections">
      <VersionControl organization={organization} />
      <SshKeys organization={organization} />
    </Page>
  )
}

type Removal = (question: Question, remove: () => Promise<unknown>, done: string) => Promise<void>

/** Asks, removes, and says so. */
function useRemoval(subject: string): Removal {
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  return async (question, remove, done) => {
    const { yes } = await confirm(question)
    if (!yes) return
    try {
      await remove()
      await refresh([subject])
      say.done(done)
    } catch (error) {
      say.failed('It was not removed', error)
    }
  }
}

type AddProps = {
  readonly action: string
  readonly reason: string | undefined
  readonly form: (close: () => void) => ReactNode
}

function Add({ action, reason, form }: AddProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button small reason={reason} onClick={() => setOpen(true)}>
        {action}
      </Button>
      {isOpen && form(() => setOpen(false))}
    </>
  )
}

function VersionControl({ organization }: { organization: string }) {
  const query = { 'page[size]': 100 }
  const asked = useAnswer('oauth-clients.list', { params: { path: { organization }, query } })
  const reason = useReasons(organization)('can-update-oauth', 'connect version control')
  const remove = useRemoval('oauth-clients')
  return (
    <Section
      title="Version control"
      count={asked.data?.meta.pagination['total-count']}
      lead="Workspaces name one of these to be connected to a repository."
      actions={
        <Add
          action="Connect…"
          reason={reason}
          form={(close) => <NewConnection organization={organization} close={close} />}
        />
      }
    >
      <Answer of={asked} failed="The connections could not be read">
        {({ data }) => (
          <Table
            label="Connections to version control"
            columns={clientColumns(reason, remove)}
            rows={data}
            keyOf={({ id }) => id}
            nothing="No version control is connected."
          />
        )}
      </Answer>
    </Section>
  )
}

const clientColumns = (reason: string | undefined, remove: Removal): readonly Column<Client>[] => [
  {
    title: 'Connection',
    phone: 'name',
    cell: ({ attributes }) => attributes.name || attributes['service-provider-display-name'],
  },
  {
    title: 'Provider',
    phone: 'status',
    cell: ({ attributes }) => <span className="soft">{attributes['service-provider-display-name']}</span>,
  },
  { title: 'Address', grow: true, cell: ({ attributes }) => attributes['http-url'] },
  { title: 'Id', cell: ({ id }) => <Id id={id} short /> },
  { title: 'Created', right: true, phone: 'time', cell: ({ attributes }) => <Time at={attributes['created-at']} /> },
  {
    title: 'Change',
    right: true,
    phone: 'fact',
    cell: ({ id, attributes }) => {
      const name = attributes.name || attributes['http-url'] || id
      return (
        <Button
          small
          kind="danger"
          reason={reason}
          onClick={() =>
            remove(
              {
                title: `Remove the connection ${name}?`,
                text: 'Workspaces that use it keep their state, and are not connected any more. The stored token is deleted.',
                action: 'Remove connection',
              },
              () => call('oauth-clients.delete', { params: { path: { clientId: id } } }),
              `The connection ${name} is removed`,
            )
          }
        >
          Remove…
        </Button>
      )
    },
  },
]

type NewConnectionValues = {
  readonly provider: string
  readonly name: string
  readonly 'http-url': string
  readonly 'api-url': string
  readonly 'oauth-token-string': string
}

function NewConnection({ organization, close }: { organization: string; close: () => void }) {
  const draft = useDraft<NewConnectionValues>({
    provider: 'github',
    name: '',
    'http-url': '',
    'api-url': '',
    'oauth-token-string': '',
  })
  const say = useToasts()
  const refresh = useRefresh()
  const provider = providers.find(({ value }) => value === draft.values.provider)
  const send = async ({ provider: kind, name, ...rest }: NewConnectionValues) => {
    const attributes = {
      ...rest,
      'http-url': rest['http-url'] || provider?.web,
      'api-url': rest['api-url'] || provider?.api,
      name: name || null,
      'service-provider': kind,
    }
    const body = { data: { type: 'oauth-clients', attributes } } as never
    await call('oauth-clients.create', { params: { path: { organization } }, body })
    await refresh(['oauth-clients'])
    say.done('Version control is connected')
  }
  return (
    <FormDialog title="Connect version control" close={close} draft={draft} send={send} action="Connect" width={620}>
      <ChoiceField
        draft={draft}
        name="provider"
        label="Provider"
        choices={providers.map(({ value, label }) => [value, label] as const)}
      />
      <TextField draft={draft} name="name" label="Name" hint="As people here call it" />
      <TextField
        draft={draft}
        name="http-url"
        label="Address of the web site"
        placeholder={provider?.web ?? 'https://git.example.com'}
      />
      <TextField
        draft={draft}
        name="api-url"
        label="Address of the API"
        placeholder={provider?.api ?? 'https://git.example.com/api'}
      />
      <TextField
        draft={draft}
        name="oauth-token-string"
        type="password"
        label="Token"
        hint="Made at the provider; stored encrypted and never shown again"
      />
    </FormDialog>
  )
}

function SshKeys({ organization }: { organization: string }) {
  const asked = useAnswer('ssh-keys.list', { params: { path: { organization }, query: { 'page[size]': 100 } } })
  const reason = useReasons(organization)('can-update-ssh-keys', 'store or delete SSH keys')
  const remove = useRemoval('ssh-keys')
  const columns: readonly Column<Key>[] = [
    { title: 'Key', phone: 'name', grow: true, cell: ({ attributes }) => attributes.name },
    { title: 'Id', phone: 'status', cell: ({ id }) => <Id id={id} /> },
    {
      title: 'Change',
      right: true,
      phone: 'fact',
      cell: ({ id, attributes: { name } }) => (
        <Button
          small
          kind="danger"
          reason={reason}
          onClick={() =>
            remove(
              {
                title: `Delete the SSH key ${name}?`,
                text: 'Workspaces that use it cannot fetch modules with it any more. The private key is deleted.',
                action: 'Delete key',
              },
              () => call('ssh-keys.delete', { params: { path: { keyId: id } } }),
              `The SSH key ${name} is deleted`,
            )
          }
        >
          Delete…
        </Button>
      ),
    },
  ]
  return (
    <Section
      title="SSH keys"
      count={asked.data?.meta.pagination['total-count']}
      lead="Private keys with which workspaces fetch modules. They are stored encrypted and never shown again."
      actions={
        <Add
          action="Store a key…"
          reason={reason}
          form={(close) => <NewKey organization={organization} close={close} />}
        />
      }
    >
      <Answer of={asked} failed="The SSH keys could not be read">
        {({ data }) => (
          <Table label="SSH keys" columns={columns} rows={data} keyOf={({ id }) => id} nothing="No key is stored." />
        )}
      </Answer>
    </Section>
  )
}

function NewKey({ organization, close }: { organization: string; close: () => void }) {
  const draft = useDraft({ name: '', value: '' })
  const say = useToasts()
  const refresh = useRefresh()
  const send = async (attributes: { name: string; value: string }) => {
    const body = { data: { attributes } }
    await call('ssh-keys.create', { params: { path: { organization } }, body })
    await refresh(['ssh-keys'])
    say.done(`The SSH key ${attributes.name} is stored`)
  }
  return (
    <FormDialog title="Store an SSH key" close={close} draft={draft} send={send} action="Store key" width={620}>
      <TextField draft={draft} name="name" label="Name" />
      <AreaField
        draft={draft}
        name="value"
        label="Private key"
        hint="As in its file, with the first and the last line"
        rows={8}
        mono
      />
    </FormDialog>
  )
}
