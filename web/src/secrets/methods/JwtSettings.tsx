import { useAnswer } from '../../api/answers.ts'
import { callAt } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { AreaField, Form, ListField, TextField } from '../../kit/Form.tsx'
import { Note } from '../../kit/Page.tsx'
import { Status } from '../../kit/Status.tsx'
import { orEmpty, useDone, warningsIn } from '../act.ts'

type Config = Readonly<Record<string, unknown>>

const texts = ['oidc_discovery_url', 'oidc_discovery_ca_pem', 'jwks_url', 'jwks_ca_pem', 'bound_issuer', 'default_role']

/** Where the keys of a method come from that takes tokens of others. */
export function JwtSettings({ path }: { path: string }) {
  const asked = useAnswer('jwt-config.read', {}, { mount: path })
  return (
    <Answer of={orEmpty(asked, { data: {} } as never)} failed="The settings could not be read">
      {({ data }) => <Settings path={path} config={data as unknown as Config} />}
    </Answer>
  )
}

const valuesOf = (config: Config) => ({
  ...Object.fromEntries(texts.map((name) => [name, String(config[name] ?? '')])),
  jwt_validation_pubkeys: ((config.jwt_validation_pubkeys ?? []) as readonly string[]).join('\n'),
  jwt_supported_algs: (config.jwt_supported_algs ?? []) as readonly string[],
})

/** Keys in PEM, one after another, as the list that they are. */
const keysIn = (text: string): readonly string[] => text.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? []

function Settings({ path, config }: { path: string; config: Config }) {
  const draft = useDraft<Record<string, string | readonly string[]>>(valuesOf(config))
  const tell = useDone(['jwt-config'])
  const field = (name: string) => ({ draft: draft as never, name: name as never })
  return (
    <>
      {config.status === undefined ? (
        <Note tone="warn">Nothing is set yet: nobody can log in. Say where keys come from, in one of three ways.</Note>
      ) : (
        <p className="row">
          {config.status === 'valid' ? (
            <Status shape="done">Ready: the keys are there</Status>
          ) : (
            <Status shape="risk">{String(config.status)}</Status>
          )}
        </p>
      )}
      <Form
        draft={draft}
        action="Save settings"
        effect="Holds from the next login. The provider is asked for its keys first."
        send={async (values) => {
          const keys = keysIn(String(values.jwt_validation_pubkeys))
          // The server replaces all settings, so those without a field here are sent as they were.
          const { status: _, ...rest } = config
          const body = { ...rest, ...values, jwt_validation_pubkeys: [...keys] }
          const answer = await callAt(path, 'jwt-config.write', { body: body as never })
          await tell({ done: `The settings of auth/${path}/ are saved`, text: warningsIn(answer) })
        }}
      >
        <TextField
          {...field('oidc_discovery_url')}
          label="Provider"
          hint="Its address, without /.well-known/openid-configuration."
        />
        <AreaField {...field('oidc_discovery_ca_pem')} label="CA of the provider" rows={3} mono />
        <TextField {...field('jwks_url')} label="Or the address of a key set" />
        <AreaField {...field('jwks_ca_pem')} label="CA of its server" rows={3} mono />
        <AreaField {...field('jwt_validation_pubkeys')} label="Or the keys themselves" hint="In PEM." rows={6} mono />
        <TextField {...field('bound_issuer')} label="Issuer" placeholder="Any, or that of the provider" />
        <ListField {...field('jwt_supported_algs')} label="Algorithms" />
        <TextField {...field('default_role')} label="Role of logins that name none" />
      </Form>
    </>
  )
}
