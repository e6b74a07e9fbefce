import { Link } from '@tanstack/react-router'
import { useAnswer, useRefresh } from '../api/answers.ts'
import { call, isForbidden, isMissing, type Schemas } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { useDraft } from '../kit/drafts.ts'
import { Form, Pair, SwitchField, TextField } from '../kit/Form.tsx'
import { counted } from '../kit/numbers.ts'
import { Page, Section } from '../kit/Page.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { idIn, usePart, useReasons, useTeams } from './organization.ts'
import { NewTokenButton, TokenTable } from './TokenTable.tsx'

/** The tokens that act as the organization or as a team of it, and how long new ones may last. */
export function TokensPage() {
  const organization = usePart('organization')
  return (
    <Page title="Tokens" facts={<span>Tokens of people are on their own account page.</span>}>
      <OrganizationToken organization={organization} />
      <TeamTokens organization={organization} />
      <Limits organization={organization} />
    </Page>
  )
}

function OrganizationToken({ organization }: { organization: string }) {
  const asked = useAnswer('organization-token.show', { params: { path: { organization } } })
  const reason = useReasons(organization)('can-update-api-token', 'make or revoke the token of the organization')
  const isNone = isMissing(asked.error) || isForbidden(asked.error)
  const of = isNone ? { data: { data: undefined }, error: undefined, refetch: asked.refetch } : asked
  return (
    <Section
      title="Token of the organization"
      lead="It sets up workspaces, projects and teams, and is no owner. There is one; a new one replaces it."
      actions={
        <NewTokenButton
          title={`New token of organization ${organization}`}
          action={asked.data ? 'Replace…' : 'New token'}
          kind="default"
          small
          reason={reason}
          effect={asked.data ? 'The one that there is stops working at once.' : ''}
          make={(attributes) =>
            call('organization-token.create', {
              params: { path: { organization } },
              body: { data: { type: 'authentication-tokens', attributes } as never },
            })
          }
        />
      }
    >
      <Answer of={of} failed="The token could not be read">
        {({ data }: { data: Schemas['AuthenticationToken'] | undefined }) => (
          <TokenTable
            label="Token of the organization"
            tokens={data ? [data] : []}
            reason={reason}
            nothing="There is none."
          />
        )}
      </Answer>
    </Section>
  )
}

function TeamTokens({ organization }: { organization: string }) {
  const query = { 'page[size]': 100, sort: '-created-at' as const }
  const asked = useAnswer('organization-team-tokens.list', { params: { path: { organization }, query } })
  const teams = useTeams(organization)
  const names = new Map((teams.data?.data ?? []).map(({ id, attributes }) => [id, attributes.name ?? id]))
  return (
    <Section
      title="Tokens of teams"
      count={asked.data?.meta.pagination['total-count']}
      lead="Those of teams whose tokens you manage. New ones are made on the page of the team."
    >
      <Answer of={asked} failed="The tokens of teams could not be read">
        {({ data, meta }) => (
          <TokenTable
            label="Tokens of teams"
            tokens={data}
            owner={{
              title: 'Team',
              cell: ({ relationships }) => {
                const team = names.get(idIn(relationships?.team) ?? '') ?? ''
                const to = '/$organization/organization/access/teams/$team/tokens'
                return (
                  <Link to={to as never} params={{ organization, team } as never}>
                    {team}
                  </Link>
                )
              },
            }}
            nothing="No team has a token."
            foot={<span>{counted(meta.pagination['total-count'], 'token')}</span>}
          />
        )}
      </Answer>
    </Section>
  )
}

function Limits({ organization }: { organization: string }) {
  const asked = useAnswer('organizations.token-limits', { params: { path: { organization } } })
  const shown = useAnswer('organizations.show', { params: { path: { organization } } })
  return (
    <Section title="How long new tokens may last" lead="Tokens that exist are not changed.">
      <Answer of={asked} failed="The limits could not be read">
        {({ data }) => (
          <Answer of={shown} failed="The organization could not be read">
            {(found) => (
              <LimitsForm
                organization={organization}
                isOn={found.data.attributes['max-ttl-enabled'] ?? false}
                limits={data}
              />
            )}
          </Answer>
        )}
      </Answer>
    </Section>
  )
}

const day = 86_400_000

type LimitsFormProps = {
  readonly organization: string
  readonly isOn: boolean
  readonly limits: readonly Schemas['TokenLimit'][]
}

type Values = { readonly isOn: boolean; readonly organization: string; readonly team: string; readonly user: string }

const kinds = ['organization', 'team', 'user'] as const

function LimitsForm({ organization, isOn, limits }: LimitsFormProps) {
  const daysOf = (kind: string): string => {
    const limit = limits.find(({ attributes }) => attributes['token-type'] === kind)
    return String(Math.round((limit?.attributes['max-ttl-ms'] ?? 0) / day))
  }
  const reason = useReasons(organization)('can-update', 'change how long tokens may last')
  const draft = useDraft<Values>({
    isOn,
    organization: daysOf('organization'),
    team: daysOf('team'),
    user: daysOf('user'),
  })
  const say = useToasts()
  const refresh = useRefresh()
  const send = async (values: Values, changes: readonly string[]) => {
    const path = { organization }
    if (changes.includes('isOn')) {
      const attributes = { 'max-ttl-enabled': values.isOn }
      await call('organizations.update', { params: { path }, body: { data: { type: 'organizations', attributes } } })
    }
    const changed = kinds.filter((kind) => changes.includes(kind))
    if (changed.length > 0) {
      const policies = changed.map((kind) => ({ 'token-type': kind, 'max-ttl-ms': Number(values[kind]) * day }))
      const body = { data: { attributes: { 'token-ttl-policies': policies } } }
      await call('organizations.set-token-limits', { params: { path }, body })
    }
    await refresh(['organizations'])
    say.done('The limits were saved')
  }
  const off = reason ?? (draft.values.isOn ? undefined : 'Switch the limit on first.')
  return (
    <Form draft={draft} send={send} action="Save limits" denied={reason} effect="For tokens made from then on.">
      <SwitchField draft={draft} name="isOn" label="Limit how long new tokens last" reason={reason} />
      <Pair>
        <TextField draft={draft} name="organization" type="number" label="Organization, days" reason={off} />
        <TextField draft={draft} name="team" type="number" label="Teams, days" reason={off} />
      </Pair>
      <Pair>
        <TextField draft={draft} name="user" type="number" label="People, days" reason={off} />
      </Pair>
    </Form>
  )
}
