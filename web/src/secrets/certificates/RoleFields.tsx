import type { Draft } from '../../kit/drafts.ts'
import { AreaField, ChoiceField, Group, ListField, Pair, SwitchField, TextField } from '../../kit/Form.tsx'
import { PolicyLinks } from '../policies/PolicyLinks.tsx'
import type { RoleValues } from './roleForm.ts'

type Props = { readonly draft: Draft<RoleValues> }

const any = 'Any'

/** The fields of a role. */
export const RoleFields = ({ draft }: Props) => (
  <>
    <Group title="Trust">
      <AreaField
        draft={draft}
        name="certificate"
        label="CA certificates, or one client certificate to pin"
        hint="PEM. Several CAs are fine: keep the old one beside the new one until all clients have moved."
        rows={8}
        mono
      />
    </Group>
    <WhoMayLogIn draft={draft} />
    <Revocation draft={draft} />
    <Tokens draft={draft} />
    <Holders draft={draft} />
  </>
)

const WhoMayLogIn = ({ draft }: Props) => (
  <Group title="Who may log in">
    <ListField
      draft={draft}
      name="allowed_common_names"
      label="Common names"
      hint="At least one must match; * stands for any characters."
      placeholder={any}
    />
    <Pair>
      <ListField draft={draft} name="allowed_dns_sans" label="DNS names" placeholder={any} />
      <ListField draft={draft} name="allowed_organizational_units" label="Organizational units" placeholder={any} />
    </Pair>
    <Pair>
      <ListField draft={draft} name="allowed_email_sans" label="E-mail addresses" placeholder={any} />
      <ListField draft={draft} name="allowed_uri_sans" label="URIs" placeholder={any} />
    </Pair>
    <Pair>
      <ListField draft={draft} name="allowed_organizations" label="Organizations" placeholder={any} />
      <ListField draft={draft} name="required_extensions" label="Required extensions" placeholder="oid:pattern" />
    </Pair>
    {draft.values.allowed_names.length > 0 && (
      <ListField
        draft={draft}
        name="allowed_names"
        label="Names of any kind"
        hint="An older field; better use those above."
      />
    )}
    <ListField
      draft={draft}
      name="token_bound_cidrs"
      label="Addresses"
      hint="From which a login and its token are accepted, such as 10.0.0.0/8."
      placeholder="Anywhere"
    />
  </Group>
)

const Revocation = ({ draft }: Props) => (
  <Group title="Revocation">
    <SwitchField
      draft={draft}
      name="ocsp_enabled"
      label="Ask OCSP at every login"
      hint="Revocation lists are checked in any case."
    />
    {draft.values.ocsp_enabled && (
      <>
        <SwitchField
          draft={draft}
          name="ocsp_fail_open"
          label="Let in when the responder cannot be reached"
          hint={draft.values.ocsp_fail_open ? 'On: no answer lets the client in.' : 'Off: no answer is a refusal.'}
        />
        <SwitchField draft={draft} name="ocsp_query_all_servers" label="Ask all responders, and want all to agree" />
        <ListField
          draft={draft}
          name="ocsp_servers_override"
          label="Responders"
          hint="Instead of those that certificates name."
          placeholder="As the certificate says"
        />
        <AreaField
          draft={draft}
          name="ocsp_ca_certificates"
          label="Certificates of further responders"
          hint="PEM, with the extended usage OCSPSigning."
          mono
        />
      </>
    )}
  </Group>
)

const Tokens = ({ draft }: Props) => (
  <Group title="Tokens">
    <ListField
      draft={draft}
      name="token_policies"
      label="Policies"
      hint={
        <>
          What tokens of this role may do: <PolicyLinks names={draft.values.token_policies} none="nothing yet" />
        </>
      }
    />
    <Pair>
      <TextField
        draft={draft}
        name="token_ttl"
        label="Lifetime"
        placeholder="As the mount says"
        hint="Such as 1h or 30m."
      />
      <TextField draft={draft} name="token_max_ttl" label="With renewals" placeholder="As the mount says" />
    </Pair>
    <Pair>
      <TextField draft={draft} name="token_period" label="Period" placeholder="Not periodic" />
      <TextField draft={draft} name="token_explicit_max_ttl" label="Hard limit" placeholder="None" />
    </Pair>
    <Pair>
      <ChoiceField
        draft={draft}
        name="token_type"
        label="Type"
        choices={[
          ['default', 'As the mount says'],
          ['service', 'Service'],
          ['batch', 'Batch'],
        ]}
      />
      <TextField draft={draft} name="token_num_uses" label="Uses" placeholder="No limit" type="number" />
    </Pair>
    <SwitchField
      draft={draft}
      name="token_bind_certificate"
      label="Bind tokens to the certificate"
      hint="They work only over connections that present the certificate of the login."
    />
    <SwitchField
      draft={draft}
      name="token_strictly_bind_ip"
      label="Bind tokens to the address"
      hint="They work only from the address of the login."
    />
    <SwitchField draft={draft} name="token_no_default_policy" label="Leave out the policy default" />
  </Group>
)

const Holders = ({ draft }: Props) => (
  <Group title="Identity">
    <Pair>
      <ChoiceField
        draft={draft}
        name="alias_source"
        label="Clients are told apart by"
        choices={[
          ['common_name', 'Common name'],
          ['dns_san', 'DNS name'],
          ['email_san', 'E-mail address'],
          ['uri_san', 'URI'],
          ['organizational_unit', 'Organizational unit'],
          ['fingerprint', 'SHA-256 of the certificate'],
        ]}
      />
      <TextField draft={draft} name="display_name" label="Name on tokens" placeholder="The name of the role" />
    </Pair>
    <Pair>
      <TextField
        draft={draft}
        name="platform_team"
        label="Acts as team"
        hint="organization/team, if the team allows it."
        placeholder="None"
      />
      <TextField
        draft={draft}
        name="platform_user"
        label="Signs in as person"
        hint="A username, if the person allows it."
        placeholder="Nobody"
      />
    </Pair>
  </Group>
)
