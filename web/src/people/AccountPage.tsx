import { useState } from 'react'
import { useAnswer, useRefresh } from '../api/answers.ts'
import { base, call, csrfToken, type Schemas, signOut } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { Button } from '../kit/Button.tsx'
import { useConfirm } from '../kit/Dialog.tsx'
import { useDraft } from '../kit/drafts.ts'
import { ChoiceField, Narrow, SwitchField, TextField } from '../kit/Form.tsx'
import { FormDialog } from '../kit/FormDialog.tsx'
import { ActionRow, Facts, Page, Section } from '../kit/Page.tsx'
import { Status } from '../kit/Status.tsx'
import { type Column, Table } from '../kit/Table.tsx'
import { Time } from '../kit/Time.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { chooseTheme, chosenTheme, type Theme } from '../kit/theming.ts'
import { accountTabs } from './accountTabs.ts'
import { browserName } from './browsers.ts'

type User = Schemas['User']

/** One's own account: names, password, how the pages look, and the sessions. */
export function AccountPage() {
  const asked = useAnswer('account.details', {})
  return (
    <Page title="Your account" tabs={accountTabs}>
      <Answer of={asked} failed="Your account could not be read">
        {({ data }) => (
          <>
            <Profile user={data} />
            <Password user={data} />
            <Appearance />
            <Sessions />
          </>
        )}
      </Answer>
    </Page>
  )
}

function Profile({ user }: { user: User }) {
  const [isOpen, setOpen] = useState(false)
  const { attributes } = user
  return (
    <Section
      title="Who you are"
      actions={
        <Button small onClick={() => setOpen(true)}>
          Change…
        </Button>
      }
    >
      <Facts
        of={[
          ['Username', attributes.username],
          [
            'E-mail address',
            <>
              {attributes.email ?? 'none'}{' '}
              {attributes.email &&
                (attributes['is-email-verified'] ? (
                  <Status shape="done">Verified</Status>
                ) : (
                  <Status
                    shape="unproved"
                    term="A site administrator verifies it by setting it. Until then it accepts no invitations."
                  >
                    Not verified
                  </Status>
                ))}
            </>,
          ],
          ['Sign-in with a certificate', attributes['allow-certificate-login'] ? 'allowed' : 'not allowed'],
          ['Site administrator', attributes['is-admin'] ? 'yes' : 'no'],
          ['Since', <Time key="since" at={attributes['created-at']} />],
        ]}
      />
      {isOpen && <ProfileForm user={user} close={() => setOpen(false)} />}
    </Section>
  )
}

type ProfileValues = {
  readonly username: string
  readonly email: string
  readonly 'allow-certificate-login': boolean
}

function ProfileForm({ user: { attributes }, close }: { user: User; close: () => void }) {
  const draft = useDraft<ProfileValues>({
    username: attributes.username ?? '',
    email: attributes.email ?? '',
    'allow-certificate-login': attributes['allow-certificate-login'] ?? false,
  })
  const say = useToasts()
  const refresh = useRefresh()
  const { permissions } = attributes
  const send = async (values: ProfileValues, changes: readonly (keyof ProfileValues)[]) => {
    const sent = Object.fromEntries(changes.map((name) => [name, values[name]]))
    await call('account.update', { body: { data: { type: 'users', attributes: sent } } })
    await refresh(['account'])
    say.done('Your account was saved')
  }
  return (
    <FormDialog title="Who you are" close={close} draft={draft} send={send} action="Save" isNew={false}>
      <TextField
        draft={draft}
        name="username"
        label="Username"
        hint="You sign in with it"
        reason={permissions?.['can-change-username'] === false ? 'A site administrator changes usernames.' : undefined}
      />
      <TextField
        draft={draft}
        name="email"
        type="email"
        label="E-mail address"
        hint="One that you set yourself is not verified, and accepts no invitations"
        reason={permissions?.['can-change-email'] === false ? 'A site administrator changes your address.' : undefined}
      />
      <SwitchField
        draft={draft}
        name="allow-certificate-login"
        label="Sign-in with a certificate"
        hint="By a certificate role that names you"
      />
    </FormDialog>
  )
}

function Password({ user: { attributes } }: { user: User }) {
  const [isOpen, setOpen] = useState(false)
  const isSet = attributes['has-password'] ?? false
  return (
    <Section
      title="Password"
      lead={isSet ? 'A password is set.' : 'None is set: you sign in with a token or a certificate.'}
    >
      <ActionRow>
        <Button small onClick={() => setOpen(true)}>
          {isSet ? 'Change password…' : 'Set a password…'}
        </Button>
      </ActionRow>
      {isOpen && <PasswordForm isSet={isSet} close={() => setOpen(false)} />}
    </Section>
  )
}

type PasswordValues = {
  readonly 'current-password': string
  readonly password: string
  readonly 'password-confirmation': string
}

function PasswordForm({ isSet, close }: { isSet: boolean; close: () => void }) {
  const draft = useDraft<PasswordValues>({ 'current-password': '', password: '', 'password-confirmation': '' })
  const say = useToasts()
  const refresh = useRefresh()
  const send = async ({ 'current-password': current, ...attributes }: PasswordValues) => {
    const sent = isSet ? { 'current-password': current, ...attributes } : attributes
    await call('account.password', { body: { data: { type: 'users', attributes: sent } } as never })
    await refresh(['account'])
    say.done('Your password was set')
  }
  return (
    <FormDialog
      title={isSet ? 'Change your password' : 'Set a password'}
      close={close}
      draft={draft}
      send={send}
      action="Set password"
      effect="Your other sessions end."
    >
      {isSet && <TextField draft={draft} name="current-password" type="password" label="Current password" />}
      <TextField draft={draft} name="password" type="password" label="New password" />
      <TextField draft={draft} name="password-confirmation" type="password" label="The same again" />
    </FormDialog>
  )
}

const schemes = [
  ['auto', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

/** These are kept in the browser and hold at once, so that there is nothing to save. */
function Appearance() {
  const [theme, setTheme] = useState<string>(chosenTheme)
  const [keys, setKeys] = useState(() => localStorage.getItem('holdfast-keys') !== 'off')
  const draft = {
    values: { theme, keys },
    changes: [],
    errors: {},
    problem: undefined,
    isBusy: false,
    set: (name: 'theme' | 'keys', value: unknown) => {
      if (name === 'theme') {
        chooseTheme(value as Theme)
        setTheme(value as Theme)
        return
      }
      localStorage.setItem('holdfast-keys', value ? 'on' : 'off')
      setKeys(value as boolean)
    },
    discard: () => undefined,
    save: async () => true,
  }
  return (
    <Section title="In this browser">
      <Narrow>
        <ChoiceField draft={draft} name="theme" label="Theme" choices={schemes} />
        <SwitchField draft={draft} name="keys" label="Keys" hint="Press ? to see them. Ctrl K works always." />
      </Narrow>
    </Section>
  )
}

type BrowserSession = Schemas['AccountSession']

const waysIn: Readonly<Record<string, string>> = {
  password: 'a password',
  'api-token': 'a token',
  'service-token': 'a token of /v1 or a certificate',
}

/** The browsers in which one is signed in. */
function Sessions() {
  const asked = useAnswer('account-sessions.list', { params: { query: { 'page[size]': 100 } } })
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const end = async (session: BrowserSession) => {
    if (session.attributes.current) {
      await signOut()
      return
    }
    try {
      await call('account-sessions.delete', { params: { path: { sessionId: session.id } } })
      say.done(`${browserName(session.attributes['user-agent'] ?? '')} is signed out`)
    } catch (error) {
      say.failed('The session was not ended', error)
    }
    await refresh(['account-sessions'])
  }
  const endAll = async () => {
    const { yes } = await confirm({
      title: 'Sign out everywhere?',
      text: 'Your sessions in all browsers end, this one too. Your tokens keep working.',
      action: 'Sign out everywhere',
    })
    if (!yes) return
    const response = await fetch(`${base}/sign-out`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken() },
      body: JSON.stringify({ everywhere: true }),
    })
    if (response.ok) location.assign(`${base}/sign-in`)
    else say.failed('Your sessions were not ended', new Error())
  }
  return (
    <Section
      title="Sessions"
      count={asked.data?.meta.pagination['total-count']}
      lead="The browsers in which you are signed in. A session ends after two weeks, or after a day without use."
      actions={
        <Button small kind="danger" onClick={endAll}>
          Sign out everywhere…
        </Button>
      }
    >
      <Answer of={asked} failed="Your sessions could not be read">
        {({ data }) => (
          <Table
            label="Sessions"
            columns={sessionColumns(end)}
            rows={data}
            keyOf={({ id }) => id}
            nothing="No browser is signed in."
          />
        )}
      </Answer>
    </Section>
  )
}

const sessionColumns = (end: (session: BrowserSession) => unknown): readonly Column<BrowserSession>[] => [
  {
    title: 'Browser',
    phone: 'name',
    grow: true,
    cell: ({ attributes }) => (
      <span data-tip={attributes['user-agent']}>
        {browserName(attributes['user-agent'] ?? '')}
        {attributes.current && <span className="faint"> this one</span>}
      </span>
    ),
  },
  { title: 'Address', phone: 'status', cell: ({ attributes }) => <code>{attributes['remote-address']}</code> },
  { title: 'Signed in with', cell: ({ attributes }) => waysIn[attributes['signed-in-with'] ?? ''] },
  { title: 'Since', right: true, cell: ({ attributes }) => <Time at={attributes['created-at']} /> },
  {
    title: 'Last used',
    right: true,
    phone: 'time',
    cell: ({ attributes }) => <Time at={attributes['last-seen-at']} />,
  },
  {
    title: 'Actions',
    bare: true,
    right: true,
    phone: 'menu',
    cell: (session) => (
      <Button
        small
        onClick={() => end(session)}
        aria-label={`Sign out ${browserName(session.attributes['user-agent'] ?? '')}`}
      >
        Sign out
      </Button>
    ),
  },
]
