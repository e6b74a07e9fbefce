import { useAnswer, useRefresh } from '../../api/answers.ts'
import type { Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { type Draft, useDraft } from '../../kit/drafts.ts'
import { ChoiceField, Form, Group, Pair, SwitchField, TextField } from '../../kit/Form.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { CertificatePage } from './CertificatePage.tsx'
import { useCallHere, useMount } from './mounts.tsx'

type Config = Schemas['CertAuthConfiguration'] & { readonly crl_match?: string }

/** The settings of the method at one mount. */
export function SettingsPage() {
  const mount = useMount()
  const asked = useAnswer('cert-config.read', {}, { mount })
  return (
    <CertificatePage title="Settings">
      <Answer of={asked} failed="The settings could not be read">
        {({ data }) => <Settings key={mount} config={data} />}
      </Answer>
    </CertificatePage>
  )
}

const valuesOf = (config: Config) => ({
  disable_binding: config.disable_binding,
  enable_identity_alias_metadata: config.enable_identity_alias_metadata,
  enable_metadata_on_failures: config.enable_metadata_on_failures,
  crl_match: config.crl_match ?? 'issuer',
  role_cache_size: String(config.role_cache_size),
  ocsp_cache_size: String(config.ocsp_cache_size),
})

function Settings({ config }: { config: Config }) {
  const draft = useDraft(valuesOf(config))
  const call = useCallHere()
  const say = useToasts()
  const refresh = useRefresh()
  return (
    <Form
      draft={draft}
      action="Save settings"
      effect="Applies from the next login at this mount."
      send={async (values, changes) => {
        const body = Object.fromEntries(changes.map((name) => [name, values[name]]))
        await call('cert-config.write', { body: body as never })
        say.done('Settings saved')
        await refresh(['cert-config'])
      }}
    >
      <Groups draft={draft} />
    </Form>
  )
}

const Groups = ({ draft }: { draft: Draft<ReturnType<typeof valuesOf>> }) => (
  <>
    <Group title="Revocation">
      <ChoiceField
        draft={draft}
        name="crl_match"
        label="A revocation list revokes"
        hint="By serial number alone, a list also revokes certificates of other CAs that happen to have the same number."
        choices={[
          ['issuer', 'certificates of its own issuer'],
          ['serial', 'any certificate with a listed serial number'],
        ]}
      />
    </Group>
    <Group title="Tokens">
      <SwitchField
        draft={draft}
        name="disable_binding"
        label="Renew tokens without the certificate"
        hint={
          draft.values.disable_binding
            ? 'On: whoever has a token can renew it.'
            : 'Off: a renewal needs the certificate of the login, and passes the same checks.'
        }
      />
      <SwitchField
        draft={draft}
        name="enable_identity_alias_metadata"
        label="Keep facts of the certificate with the identity"
      />
    </Group>
    <Group title="Refusals">
      <SwitchField
        draft={draft}
        name="enable_metadata_on_failures"
        label="Tell refused clients what was read from their certificate"
        hint="Common name, serial number and key identifiers; never anything about roles."
      />
    </Group>
    <Group title="Memory">
      <Pair>
        <TextField
          draft={draft}
          name="role_cache_size"
          label="Roles kept in memory"
          hint="-1 for none."
          type="number"
        />
        <TextField draft={draft} name="ocsp_cache_size" label="OCSP answers kept" hint="2 to 100,000." type="number" />
      </Pair>
    </Group>
  </>
)
