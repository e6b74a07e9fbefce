import { useState } from 'react'
import { useAnswer, useRefresh } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { useSession } from '../api/session.tsx'
import { Answer } from '../kit/Answer.tsx'
import { Button, IconButton } from '../kit/Button.tsx'
import { useConfirm } from '../kit/Dialog.tsx'
import { useDraft } from '../kit/drafts.ts'
import { ChoiceField, SwitchField, TextField } from '../kit/Form.tsx'
import { FormDialog } from '../kit/FormDialog.tsx'
import { IconDotsVertical } from '../kit/icons.ts'
import { Menu } from '../kit/Menu.tsx'
import { counted } from '../kit/numbers.ts'
import { Section } from '../kit/Page.tsx'
import { Status } from '../kit/Status.tsx'
import { type Column, Table } from '../kit/Table.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { SettingsFrame } from './SettingsFrame.tsx'

type Version = Schemas['ToolVersion']

/** The releases that workspaces can name; they belong to the whole server. */
export const ToolVersionsPage = () => (
  <SettingsFrame>{({ attributes }) => <Versions organization={attributes.name ?? ''} />}</SettingsFrame>
)

function Versions({ organization }: { organization: string }) {
  const { site_admin: isAdmin } = useSession()
  const chosen = useAnswer('tool-versions.choose', { params: { path: { organization } } }, { when: !isAdmin })
  const all = useAnswer('tool-versions.list', { params: { query: { 'page[size]': 100 } } }, { when: isAdmin })
  const asked: Parameters<typeof Answer<{ data: readonly Version[] }>>[0]['of'] = isAdmin ? all : chosen
  const reason = isAdmin
    ? undefined
    : 'Releases belong to the whole server. A site administrator adds and removes them.'
  return (
    <Section
      title="Releases"
      count={asked.data?.data.length}
      lead="Workspaces name one of these, or a constraint that chooses the newest that fits."
      actions={<AddVersion reason={reason} />}
    >
      <Answer of={asked} failed="The releases could not be read">
        {({ data }) => (
          <Table
            label="Releases"
            columns={columnsOf(reason)}
            rows={data}
            keyOf={({ id }) => id}
            nothing="No release is known yet."
            foot={<span>{counted(data.length, 'release')}</span>}
          />
        )}
      </Answer>
    </Section>
  )
}

const toolWords: Readonly<Record<string, string>> = { opentofu: 'OpenTofu', terraform: 'Terraform' }

const columnsOf = (reason: string | undefined): readonly Column<Version>[] => [
  {
    title: 'Release',
    phone: 'name',
    cell: ({ attributes }) => `${toolWords[attributes.tool ?? ''] ?? attributes.tool} ${attributes.version}`,
  },
  {
    title: 'Status',
    phone: 'status',
    grow: true,
    cell: ({ attributes }) =>
      attributes.enabled === false ? (
        <Status shape="paused">Not offered</Status>
      ) : attributes.deprecated ? (
        <Status shape="risk" term={attributes['deprecated-reason'] ?? 'deprecated'}>
          Deprecated
        </Status>
      ) : (
        <Status shape="done">{attributes.beta ? 'Beta' : 'Offered'}</Status>
      ),
  },
  {
    title: 'From',
    cell: ({ attributes }) => <span className="soft">{attributes.official ? 'the server' : 'an administrator'}</span>,
  },
  {
    title: 'Actions',
    bare: true,
    right: true,
    phone: 'menu',
    cell: (version) => <VersionMenu version={version} reason={reason} />,
  },
]

function VersionMenu({ version, reason }: { version: Version; reason: string | undefined }) {
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const { version: name = '', enabled, deprecated } = version.attributes
  const path = { versionId: version.id }
  const change = async (attributes: { enabled?: boolean; deprecated?: boolean }, done: string) => {
    try {
      await call('tool-versions.update', {
        params: { path },
        body: { data: { type: 'tool-versions', attributes } } as never,
      })
      await refresh(['tool-versions'])
      say.done(done)
    } catch (error) {
      say.failed(`Release ${name} was not changed`, error)
    }
  }
  const remove = async () => {
    const { yes } = await confirm({
      title: `Delete release ${name}?`,
      text: 'Workspaces that name exactly this release keep it; constraints choose among the others.',
      action: 'Delete release',
    })
    if (!yes) return
    try {
      await call('tool-versions.delete', { params: { path } })
      await refresh(['tool-versions'])
      say.done(`Release ${name} is deleted`)
    } catch (error) {
      say.failed(`Release ${name} was not deleted`, error)
    }
  }
  return (
    <Menu
      items={[
        {
          label: enabled ? 'Do not offer' : 'Offer',
          reason,
          act: () => change({ enabled: !enabled }, `Release ${name} is ${enabled ? 'no longer offered' : 'offered'}`),
        },
        {
          label: deprecated ? 'Not deprecated' : 'Deprecated',
          reason,
          act: () => change({ deprecated: !deprecated }, `Release ${name} is ${deprecated ? 'not ' : ''}deprecated`),
        },
        { label: 'Delete…', danger: true, reason, act: remove },
      ]}
      button={(attributes) => (
        <IconButton label={`Actions of ${name}`} {...attributes}>
          <IconDotsVertical size={16} stroke={1.6} />
        </IconButton>
      )}
    />
  )
}

function AddVersion({ reason }: { reason: string | undefined }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button small reason={reason} onClick={() => setOpen(true)}>
        Add a release…
      </Button>
      {isOpen && <AddVersionForm close={() => setOpen(false)} />}
    </>
  )
}

function AddVersionForm({ close }: { close: () => void }) {
  const draft = useDraft({ tool: 'opentofu', version: '', beta: false })
  const say = useToasts()
  const refresh = useRefresh()
  const send = async (attributes: { tool: string; version: string; beta: boolean }) => {
    await call('tool-versions.create', { body: { data: { type: 'tool-versions', attributes } } as never })
    await refresh(['tool-versions'])
    say.done(`Release ${attributes.version} was added`)
  }
  return (
    <FormDialog title="Add a release" close={close} draft={draft} send={send} action="Add release">
      <ChoiceField draft={draft} name="tool" label="Tool" choices={Object.entries(toolWords)} />
      <TextField draft={draft} name="version" label="Version" placeholder="1.9.0" />
      <SwitchField
        draft={draft}
        name="beta"
        label="It is a beta"
        hint="Constraints skip betas unless they name them."
      />
    </FormDialog>
  )
}
