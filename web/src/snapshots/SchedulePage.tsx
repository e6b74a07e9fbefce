import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRefresh } from '../api/answers.ts'
import { ApiFailure, call, type Schemas } from '../api/client.ts'
import { NeedsServiceToken } from '../frame/NeedsServiceToken.tsx'
import { Answer, Failure } from '../kit/Answer.tsx'
import { Button } from '../kit/Button.tsx'
import { type Draft, useDraft } from '../kit/drafts.ts'
import { AreaField, ChoiceField, Form, Group, Pair, SwitchField, TextField } from '../kit/Form.tsx'
import { Columns, Page, Section } from '../kit/Page.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { Working } from '../kit/Working.tsx'
import { CheckReport } from './actions.tsx'
import {
  bodyOf,
  changeOf,
  type DestinationField,
  destinationFields,
  fieldOf,
  type Typed,
  typedOf,
} from './destination.ts'
import { useSchedules } from './queries.ts'
import { type Schedule, type Service, serviceNames } from './schedule.ts'

/** A new schedule. */
export const NewSchedulePage = () => (
  <Page title="New schedule" facts="Takes snapshots of everything this server keeps.">
    <NeedsServiceToken what="Snapshots are managed">
      <ScheduleForm initial={typedOf()} secretsSet={[]} />
    </NeedsServiceToken>
  </Page>
)

/** A schedule that is changed. */
export function EditSchedulePage() {
  const { name = '' } = useParams({ strict: false }) as { name?: string }
  return (
    <Page title={name} facts="What is changed holds from the next snapshot on.">
      <NeedsServiceToken what="Snapshots are managed">
        <EditForm name={name} />
      </NeedsServiceToken>
    </Page>
  )
}

function EditForm({ name }: { name: string }) {
  const asked = useSchedules()
  return (
    <Answer of={asked} failed="The schedule could not be read">
      {(schedules) => {
        const schedule = schedules.find((each) => each.name === name)
        if (!schedule) return <Failure title="There is no such schedule" error={new Error('It was perhaps deleted.')} />
        return (
          <ScheduleForm
            initial={typedOf(schedule.settings, name, schedule.standing.verify)}
            secretsSet={secretsOf(schedule)}
            isEdit
          />
        )
      }}
    </Answer>
  )
}

const secretsOf = ({ settings }: Schedule): readonly string[] =>
  ((settings.secrets_set ?? []) as readonly string[]).map((name) => fieldOf(name) ?? name)

type ScheduleFormProps = {
  readonly initial: Typed
  readonly secretsSet: readonly string[]
  readonly isEdit?: boolean
}

function ScheduleForm({ initial, secretsSet, isEdit = false }: ScheduleFormProps) {
  const [began] = useState(initial)
  const draft = useDraft(began)
  const navigate = useNavigate()
  const refresh = useRefresh()
  const say = useToasts()
  const service = draft.values.service as Service
  const leave = (schedule?: string) =>
    navigate({ to: '/server/snapshots', search: schedule === undefined ? {} : { schedule }, ignoreBlocker: true })
  const send = async (typed: Typed, changes: readonly string[]) => {
    const body = isEdit ? changeOf(typed, changes) : bodyOf(typed)
    await withFields(() => call('snapshots.write-config', { params: { path: { name: typed.name.trim() } }, body }))
    await refresh(['snapshots'])
    say.done(isEdit ? `${typed.name} is changed` : `${typed.name} takes its first snapshot now`)
    await leave(typed.name.trim())
  }
  return (
    <Columns aside={<CheckBefore draft={draft} isEdit={isEdit} />}>
      <Form
        draft={draft}
        send={send}
        action={isEdit ? 'Save schedule' : 'Create schedule'}
        effect={isEdit ? 'Holds from the next snapshot on.' : 'The first snapshot is taken at once.'}
        isNew={!isEdit}
        reason={draft.values.name.trim() === '' ? 'Give it a name.' : undefined}
        cancel={() => leave(isEdit ? began.name : undefined)}
      >
        <Group title="Schedule">
          {!isEdit && (
            <TextField draft={draft} name="name" label="Name" hint="Such as nightly. It cannot be changed later." />
          )}
          <Pair>
            <TextField draft={draft} name="interval" label="Every" hint="Such as 24h, 90m or 7d." />
            <TextField draft={draft} name="retain" label="Keeps" hint="So many snapshots." type="number" />
          </Pair>
          <ChoiceField
            draft={draft}
            name="verify"
            label="Proof"
            hint="What is done with each snapshot once it is stored."
            choices={[
              ['restore', 'Restored into a scratch database'],
              ['checksum', 'Read back and compared by checksum'],
              ['none', 'None'],
            ]}
          />
        </Group>
        <Group title="Destination">
          <ChoiceField
            draft={draft}
            name="service"
            label="Kept in"
            choices={(Object.keys(serviceNames) as Service[]).map((each) => [each, serviceLabels[each]])}
          />
          {destinationFields[service].map((field) => (
            <DestinationInput key={field.name} draft={draft} field={field} isSet={secretsSet.includes(field.name)} />
          ))}
          <TextField draft={draft} name="path_prefix" {...pathTexts[service]} />
          <TextField draft={draft} name="file_prefix" label="Names begin with" />
          <SwitchField
            draft={draft}
            name="check"
            label="Check the destination before saving"
            hint="Writes, lists, reads and deletes one byte. Nothing is saved if a right is missing."
          />
        </Group>
      </Form>
    </Columns>
  )
}

const serviceLabels: Readonly<Record<Service, string>> = {
  local: 'A directory of this server',
  s3: 'Amazon S3, or what is compatible',
  gcs: 'Google Cloud Storage',
  azure: 'Azure Blob Storage',
}

const pathTexts: Readonly<Record<Service, { readonly label: string; readonly hint: string }>> = {
  local: {
    label: 'Directory',
    hint: 'An absolute path, best on another disk. With several nodes, one that all of them share.',
  },
  s3: { label: 'Prefix', hint: 'The folder in the bucket.' },
  gcs: { label: 'Prefix', hint: "The folder in the bucket; it ends in '/'." },
  azure: { label: 'Prefix', hint: "The folder in the container; it ends in '/'." },
}

type DestinationInputProps = {
  readonly draft: Draft<Typed>
  readonly field: DestinationField
  readonly isSet: boolean
}

function DestinationInput({ draft, field: { name, label, hint, kind, choices }, isSet }: DestinationInputProps) {
  const props = {
    draft: draft as unknown as Draft<Record<string, string>>,
    name,
    label,
    ...(hint !== undefined && { hint }),
  }
  const placeholder = isSet ? 'Stored; type to replace it' : ''
  if (kind === 'flag') return <SwitchField {...props} draft={draft as unknown as Draft<Record<string, boolean>>} />
  if (kind === 'choice') return <ChoiceField {...props} choices={choices ?? []} />
  if (kind === 'secret-lines') return <AreaField {...props} placeholder={placeholder} mono rows={5} />
  return <TextField {...props} placeholder={placeholder} type={kind === 'secret' ? 'password' : 'text'} />
}

/** Puts each complaint of the server at the field that it names. */
async function withFields(send: () => Promise<unknown>): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    const errors = error.complaints.map(({ text }) => {
      const field = fieldOf(text)
      return field ? { title: text.replace(/^\w+/, 'This'), source: { pointer: `/${field}` } } : { title: text }
    })
    throw new ApiFailure(error.response, { errors })
  }
}

/** Tries the destination with what is typed, before anything is stored. */
function CheckBefore({ draft, isEdit }: { draft: Draft<Typed>; isEdit: boolean }) {
  const [state, setState] = useState<{ busy?: true; report?: Schemas['StorageCheck']; error?: unknown }>({})
  if (isEdit)
    return (
      <Section title="Stored secrets">
        <p className="soft">
          Secrets are never shown. They stay as they are until you type new ones, and are for one destination only:
          another endpoint, bucket or account needs them again.
        </p>
      </Section>
    )
  const check = async () => {
    setState({ busy: true })
    try {
      setState({ report: (await call('snapshots.check-new', { body: bodyOf(draft.values) })).data })
    } catch (error) {
      setState({ error })
    }
  }
  return (
    <Section title="Try it first">
      <p className="soft">Writes, lists, reads and deletes one byte with what you have typed. Nothing is stored.</p>
      <p className="row">
        <Button small busy={state.busy ?? false} onClick={check}>
          Check destination
        </Button>
      </p>
      {state.busy && <Working>Trying</Working>}
      {state.error !== undefined && <Failure title="It could not be tried" error={state.error} />}
      {state.report && <CheckReport report={state.report} />}
    </Section>
  )
}
