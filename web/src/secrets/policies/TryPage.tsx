import { useQueries } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { Answer, Failure } from '../../kit/Answer.tsx'
import { Button } from '../../kit/Button.tsx'
import { Field } from '../../kit/Field.tsx'
import { Columns, Note, Page, Section } from '../../kit/Page.tsx'
import { Segments } from '../../kit/Segments.tsx'
import type { TrySearch } from '../searches.ts'
import { Verdicts } from './Capabilities.tsx'

const route = getRouteApi('/server/secrets/try')

/** What may a token do at a path? */
export const TryPage = () => (
  <Page title="What may it do there?">
    <Try />
  </Page>
)

type Who = 'self' | 'accessor' | 'policies'

const whoOf = ({ accessor, policies }: TrySearch): Who =>
  accessor !== undefined ? 'accessor' : policies !== undefined ? 'policies' : 'self'

const listOf = (text: string | undefined): readonly string[] =>
  (text ?? '').split(/[\s,]+/).flatMap((each) => each.replace(/^\/?(?:v1\/)?/, '') || [])

/** The question; the page shows the answer to what its address says. */
function Try() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [who, setWho] = useState(whoOf(search))
  const [paths, setPaths] = useState(listOf(search.paths).join('\n'))
  const [accessor, setAccessor] = useState(search.accessor ?? '')
  const [policies, setPolicies] = useState(search.policies ?? '')
  const isReady =
    listOf(paths).length > 0 && (who === 'self' || (who === 'accessor' ? accessor : policies).trim() !== '')
  const ask = () =>
    navigate({
      search: {
        paths: listOf(paths).join(' '),
        ...(who === 'accessor' && { accessor: accessor.trim() }),
        ...(who === 'policies' && { policies: policies.trim() }),
      } as never,
    })
  return (
    <Columns wide aside={<Given search={search} />}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) ask()
        }}
      >
        <Section title="Who asks">
          <Segments
            label="Who asks"
            value={who}
            change={setWho}
            choices={[
              ['self', 'My token'],
              ['accessor', 'Another token'],
              ['policies', 'Policies'],
            ]}
          />
        </Section>
        {who === 'accessor' && (
          <Section title="Which token">
            <Field
              label="Accessor of the token"
              hint="It names a token without giving it away; audit records have it, and the list of tokens."
              value={accessor}
              change={setAccessor}
            />
          </Section>
        )}
        {who === 'policies' && (
          <Section title="Which policies">
            <Field
              label="Names"
              hint="One or more; they hold together, as on one token."
              value={policies}
              change={setPolicies}
            />
          </Section>
        )}
        <Section title="Where">
          <Field
            label="Paths"
            hint="One on each line, as in a request: /v1/auth/cert/certs/web, or without /v1."
            rows={5}
            value={paths}
            change={setPaths}
          />
        </Section>
        <p>
          <Button type="submit" kind="primary" reason={isReady ? undefined : 'Say first for whom, and name a path.'}>
            Show what it may do
          </Button>
        </p>
      </form>
    </Columns>
  )
}

/** The answer to what is asked. */
function Given({ search }: { search: TrySearch }) {
  const paths = listOf(search.paths)
  if (paths.length === 0)
    return (
      <Section title="Answer">
        <p className="soft">Name one or more paths, and see what may be done there.</p>
      </Section>
    )
  const who = whoOf(search)
  if (who === 'policies') return <OfPolicies names={listOf(search.policies)} paths={paths} />
  if (who === 'accessor') return <OfAccessor accessor={search.accessor ?? ''} paths={paths} />
  return <OfSelf paths={paths} />
}

function OfSelf({ paths }: { paths: readonly string[] }) {
  const asked = useAnswer('capabilities.self', { body: { paths: [...paths] } })
  return (
    <Answer of={asked} failed="What your token may do could not be read">
      {({ data }) => <Allowed title="Your token" paths={paths} found={data} />}
    </Answer>
  )
}

function OfAccessor({ accessor, paths }: { accessor: string; paths: readonly string[] }) {
  const asked = useAnswer('capabilities.accessor', { body: { accessor, paths: [...paths] } })
  return (
    <Answer of={asked} failed="What the token may do could not be read">
      {({ data }) => (
        <>
          <Allowed title="This token" paths={paths} found={data} />
          <p>
            <Link to="/server/secrets/tokens/$accessor" params={{ accessor }}>
              Show the token
            </Link>
          </p>
        </>
      )}
    </Answer>
  )
}

/** The texts are read with the rights of whoever asks, and tried together. */
function OfPolicies({ names, paths }: { names: readonly string[]; paths: readonly string[] }) {
  const texts = useQueries({
    queries: names.map((name) => ({
      queryKey: ['policies.read', { params: { path: { name } } }],
      queryFn: () => call('policies.read', { params: { path: { name } } }),
    })),
  })
  const failed = texts.findIndex(({ error }) => error)
  const read = texts.flatMap(({ data }) => (data ? [data.data.policy] : []))
  const isRoot = names.includes('root')
  const body = { policy: read[0] ?? '', together: read.slice(1), paths: [...paths] }
  const asked = useAnswer('policies.check', { body }, { when: !isRoot && read.length === names.length })
  if (isRoot)
    return (
      <Allowed title="Policy root" paths={paths} found={Object.fromEntries(paths.map((path) => [path, ['root']]))} />
    )
  if (failed !== -1) return <Failure title={`Policy ${names[failed]} could not be read`} error={texts[failed]?.error} />
  return (
    <Answer of={asked} failed="The policies could not be tried">
      {({ data }) =>
        data.problem === '' ? (
          <>
            <Allowed
              title={names.length === 1 ? `Policy ${names[0]}` : 'These policies'}
              paths={paths}
              found={data.capabilities}
            />
            <Note tone="calm">Rules with {'{{…}}'} are about the caller, and are left out here.</Note>
          </>
        ) : (
          <Note tone="bad">{data.problem}</Note>
        )
      }
    </Answer>
  )
}

type AllowedProps = {
  readonly title: string
  readonly paths: readonly string[]
  readonly found: Readonly<Record<string, readonly string[]>>
}

const Allowed = ({ title, paths, found }: AllowedProps) => (
  <Section title={title} count={paths.length}>
    <Verdicts label="What may be done at each path" of={paths.map((path) => ({ path, words: found[path] ?? [] }))} />
  </Section>
)
