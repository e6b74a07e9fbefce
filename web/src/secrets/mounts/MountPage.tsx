import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { call, type Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Button, buttonClass } from '../../kit/Button.tsx'
import { Id } from '../../kit/Copy.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { type Draft, useDraft } from '../../kit/drafts.ts'
import { ChoiceField, Form, Group, ListField, Pair, TextField } from '../../kit/Form.tsx'
import { FormDialog } from '../../kit/FormDialog.tsx'
import { Note, Page } from '../../kit/Page.tsx'
import { typedSpan } from '../../kit/times.ts'
import { useAct, useDone } from '../act.ts'
import { authPathOf, mountSubjects } from './mountPaths.ts'

const route = getRouteApi('/server/secrets/mounts/$')

type Mount = Schemas['Mount']

/** What comes with the server, and stays as it is. */
const builtIn = new Set(['token', 'system', 'identity', 'cubbyhole'])

/** One mount: its settings, its move, its removal. */
export function MountPage() {
  const { _splat: path = '' } = route.useParams()
  const asked = useAnswer('mounts.read', { params: { path: { path } } })
  const mount = asked.data?.data
  return (
    <Page
      title={`${path}/`}
      facts={
        mount && (
          <>
            <span>{mount.type}</span>
            <Id id={mount.accessor} />
          </>
        )
      }
      actions={mount && <Actions path={path} mount={mount} />}
    >
      <Answer of={asked} failed="The mount could not be read">
        {({ data }) =>
          builtIn.has(data.type) && data.type !== 'token' ? (
            <Note tone="calm">This comes with the server: {data.description} It has no settings.</Note>
          ) : (
            <Tune key={data.accessor} path={path} mount={data} />
          )
        }
      </Answer>
    </Page>
  )
}

/** Fields that answers have only where they are set. */
type Lists = { readonly [name in ListName]?: readonly string[] } & { readonly listing_visibility?: string }
type ListName =
  | 'audit_non_hmac_request_keys'
  | 'audit_non_hmac_response_keys'
  | 'passthrough_request_headers'
  | 'allowed_response_headers'

const valuesOf = ({ description, config }: Mount) => {
  const lists = config as Lists
  return {
    description,
    default_lease_ttl: typedSpan(config.default_lease_ttl),
    max_lease_ttl: typedSpan(config.max_lease_ttl),
    token_type: config.token_type ?? '',
    listing_visibility: lists.listing_visibility ?? '',
    audit_non_hmac_request_keys: lists.audit_non_hmac_request_keys ?? [],
    audit_non_hmac_response_keys: lists.audit_non_hmac_response_keys ?? [],
    passthrough_request_headers: lists.passthrough_request_headers ?? [],
    allowed_response_headers: lists.allowed_response_headers ?? [],
  }
}

type Values = ReturnType<typeof valuesOf>

/** An empty lifetime keeps what is set, so the word that resets it is sent instead. */
function bodyOf(values: Values, changes: readonly (keyof Values)[]): Record<string, unknown> {
  const sent = (name: keyof Values) => {
    const value = values[name]
    return name.endsWith('_ttl') && value === '' ? 'system' : value
  }
  return Object.fromEntries(changes.map((name) => [name, sent(name)]))
}

function Tune({ path, mount }: { path: string; mount: Mount }) {
  const draft = useDraft(valuesOf(mount))
  const tell = useDone(mountSubjects)
  const isAuth = authPathOf(path) !== undefined
  return (
    <Form
      draft={draft}
      action="Save settings"
      effect={isAuth ? 'Holds from the next login; tokens already issued stay.' : 'Holds from the next request.'}
      send={async (values, changes) => {
        const body = bodyOf(values, changes) as never
        const auth = authPathOf(path)
        await (auth === undefined
          ? call('mounts.tune-secret', { params: { path: { path } }, body })
          : call('mounts.tune-auth', { params: { path: { path: auth } }, body }))
        await tell({ done: `The settings of ${path}/ are saved` })
      }}
    >
      <TextField draft={draft} name="description" label="For" hint="What it is mounted for." />
      <Group title="Lifetimes">
        <Pair>
          <TextField
            draft={draft}
            name="default_lease_ttl"
            label="Lifetime"
            hint="If nothing else says so, such as 1h."
            placeholder="As the server"
          />
          <TextField
            draft={draft}
            name="max_lease_ttl"
            label="At most"
            hint="With all renewals."
            placeholder="As the server"
          />
        </Pair>
        {isAuth && (
          <ChoiceField
            draft={draft}
            name="token_type"
            label="Type of its tokens"
            choices={[
              ['default-service', 'Service, unless the role says batch'],
              ['default-batch', 'Batch, unless the role says service'],
              ['service', 'Always service'],
              ['batch', 'Always batch'],
            ]}
          />
        )}
      </Group>
      <Visibility draft={draft} />
    </Form>
  )
}

const Visibility = ({ draft }: { draft: Draft<Values> }) => (
  <Group title="Who sees it, and what is recorded">
    <ChoiceField
      draft={draft}
      name="listing_visibility"
      label="Listed"
      choices={[
        ['', 'For those who may use it'],
        ['unauth', 'For everybody, also before signing in'],
        ...(draft.values.listing_visibility === 'hidden'
          ? ([['hidden', 'For those who may use it (hidden)']] as const)
          : []),
      ]}
    />
    <Pair>
      <ListField
        draft={draft}
        name="audit_non_hmac_request_keys"
        label="Recorded as sent"
        hint="Fields of requests that audit records do not hash."
      />
      <ListField
        draft={draft}
        name="audit_non_hmac_response_keys"
        label="Recorded as answered"
        hint="The same for answers."
      />
    </Pair>
    <Pair>
      <ListField draft={draft} name="passthrough_request_headers" label="Request headers it gets" />
      <ListField draft={draft} name="allowed_response_headers" label="Response headers it may set" />
    </Pair>
  </Group>
)

function Actions({ path, mount }: { path: string; mount: Mount }) {
  const [isMoving, setMoving] = useState(false)
  const act = useAct(mountSubjects)
  const confirm = useConfirm()
  const navigate = useNavigate()
  const auth = authPathOf(path)
  const fixed = builtIn.has(mount.type) ? 'It comes with the server, and stays where it is.' : undefined
  const remove = async () => {
    const { yes } = await confirm({
      title: `Remove ${path}/?`,
      text:
        auth === undefined
          ? 'All that is stored in it is lost, at once and for everybody. Only a snapshot has it then.'
          : 'All its tokens are revoked at once, and its roles, lists and settings are lost. Aliases of entities that name it are deleted.',
      action: auth === undefined ? 'Remove mount' : 'Disable method',
      typed: `${path}/`,
    })
    if (!yes) return
    const gone = async () => {
      await (auth === undefined
        ? call('mounts.disable', { params: { path: { path } } })
        : call('mounts.disable-auth', { params: { path: { path: auth } } }))
      // First, since a mount that is gone is not asked for again.
      await navigate({ to: '/server/secrets/mounts', search: auth === undefined ? { kind: 'engines' } : {} })
    }
    await act(gone, {
      done: `${path}/ is gone`,
      text: 'Its rows are removed in the background.',
      failed: `${path}/ was not removed`,
    })
  }
  return (
    <>
      {mount.type === 'cert' && (
        <Link to="/server/certificates/roles" search={{ mount: auth } as never} className={buttonClass()}>
          Show its roles
        </Link>
      )}
      {(mount.type === 'approle' || mount.type === 'jwt') && auth !== undefined && (
        <Link to="/server/secrets/methods/$" params={{ _splat: auth }} className={buttonClass()}>
          Show its roles
        </Link>
      )}
      {mount.type === 'kv' && (
        <Link to="/server/secrets/browse/$" params={{ _splat: path }} className={buttonClass()}>
          Show its secrets
        </Link>
      )}
      <Button
        reason={fixed ?? (auth === undefined ? 'Only auth methods can be moved.' : undefined)}
        onClick={() => setMoving(true)}
      >
        Move…
      </Button>
      <Button kind="danger" reason={fixed} onClick={remove}>
        {auth === undefined ? 'Remove…' : 'Disable…'}
      </Button>
      {isMoving && <Move path={path} close={() => setMoving(false)} />}
    </>
  )
}

function Move({ path, close }: { path: string; close: () => void }) {
  const [blank] = useState({ to: '' })
  const draft = useDraft(blank)
  const tell = useDone(mountSubjects)
  const navigate = useNavigate()
  const to = `auth/${draft.values.to
    .trim()
    .replace(/^\/|\/$/g, '')
    .replace(/^auth\//, '')}`
  return (
    <FormDialog
      title={`Move ${path}/?`}
      close={close}
      draft={draft}
      action="Move method"
      effect="Roles, settings and rate limits move. All its tokens are revoked."
      reason={to === 'auth/' ? 'Say first where to.' : undefined}
      send={async () => {
        await call('mounts.move', { body: { from: path, to } })
        await navigate({ to: '/server/secrets/mounts/$', params: { _splat: to }, ignoreBlocker: true })
        await tell({ done: `${path}/ is now ${to}/` })
      }}
    >
      <TextField
        draft={draft}
        name="to"
        label="New path"
        hint="Without auth/. Clients have to log in there then."
        first
      />
    </FormDialog>
  )
}
