import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useDeferredValue, useState } from 'react'
import { useAnswer } from '../api/answers.ts'
import { useSession } from '../api/session.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import styles from './Frame.module.css'
import { useOrganization } from './organization.ts'
import { organizationPlaces, serverPlaces } from './places.ts'

type Hit = { readonly key: string; readonly label: string; readonly kind: string; readonly open: () => unknown }

/** Search over everything that one may see, and over the pages. */
export function Palette({ close }: { close: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const hits = useHits(useDeferredValue(text.trim()))
  const open = (hit: Hit | undefined) => {
    if (!hit) return
    close()
    hit.open()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setAt((at + step + hits.length) % Math.max(1, hits.length))
    }
    if (event.key === 'Enter') open(hits[at])
  }
  return (
    <Dialog title="Search or jump to" close={close} width={620}>
      <div className={styles.palette}>
        <input
          data-autofocus
          role="combobox"
          aria-expanded="true"
          aria-controls="hits"
          aria-activedescendant={hits[at] ? `hit-${at}` : undefined}
          aria-label="Search or jump to"
          placeholder="A workspace, project, team, secret or page"
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
        {/* biome-ignore-start lint/a11y/useKeyWithClickEvents: the field above has the keys. */}
        {/* biome-ignore-start lint/a11y/noNoninteractiveElementToInteractiveRole: it is the list of the field above. */}
        {/* biome-ignore-start lint/a11y/useFocusableInteractive: the field above keeps the focus. */}
        <ul id="hits" role="listbox" aria-label="Found">
          {hits.map((hit, index) => (
            <li
              key={hit.key}
              id={`hit-${index}`}
              role="option"
              aria-selected={index === at}
              onMouseEnter={() => setAt(index)}
              onClick={() => open(hit)}
            >
              <span>{hit.label}</span>
              <span>{hit.kind}</span>
            </li>
          ))}
        </ul>
        {/* biome-ignore-end lint/a11y/useFocusableInteractive: the field above keeps the focus. */}
        {/* biome-ignore-end lint/a11y/noNoninteractiveElementToInteractiveRole: it is the list of the field above. */}
        {/* biome-ignore-end lint/a11y/useKeyWithClickEvents: the field above has the keys. */}
      </div>
    </Dialog>
  )
}

/** What a kind of things is called here, and where one of them is shown. */
const kinds: Readonly<Record<string, { label: string; address: (hit: FoundThing) => string }>> = {
  workspaces: { label: 'Workspace', address: ({ organization, name }) => `/${organization}/workspaces/${name}` },
  organizations: { label: 'Organization', address: ({ organization }) => `/${organization}/overview` },
  projects: { label: 'Project', address: ({ organization, id }) => `/${organization}/workspaces?project=${id}` },
  teams: { label: 'Team', address: ({ organization, name }) => `/${organization}/organization/access/teams/${name}` },
}

type FoundThing = { readonly organization: string; readonly id: string; readonly name: string }

type Engines = { readonly data: { readonly secret: Readonly<Record<string, { readonly type?: string }>> } }

/** The engines with keys and values that match, and what is below one of them. */
function usePaths(text: string): readonly string[] {
  const { service_token: mayAsk } = useSession()
  const { data } = useAnswer('mounts.list-visible', {}, { when: mayAsk && text !== '' })
  const engines = Object.entries((data as Engines | undefined)?.data.secret ?? {}).filter(
    ([, { type }]) => type === 'kv',
  )
  return engines.flatMap(([path]) => (path.includes(text) ? [path] : text.startsWith(path) ? [text] : []))
}

function useHits(text: string): readonly Hit[] {
  const navigate = useNavigate()
  const secrets = usePaths(text).map((path) => ({
    key: `secrets ${path}`,
    label: path,
    kind: path.endsWith('/') ? 'Secrets' : 'Secret',
    open: () =>
      navigate({
        to: `/server/secrets/${path.endsWith('/') ? 'browse' : 'secret'}/$`,
        params: { _splat: path.replace(/\/$/, '') },
      } as never),
  }))
  const { name: here, all } = useOrganization()
  const { data } = useAnswer('search.list', { params: { query: { q: text } } }, { when: text !== '', keep: true })
  const pages = [...organizationPlaces, ...serverPlaces].flatMap(({ label, to, pages: below = [] }) => [
    { label, to },
    ...below.filter(([page]) => page !== label).map(([page, address]) => ({ label: `${label}: ${page}`, to: address })),
  ])
  const found = (text === '' ? [] : (data?.data ?? [])).flatMap(({ id: key, attributes }) => {
    const { kind, name = '', organization = '', 'subject-id': id = '' } = attributes
    const known = kinds[kind ?? '']
    if (!known) return []
    const label = all.length > 1 && kind !== 'organizations' ? `${name} in ${organization}` : name
    const open = () => navigate({ to: known.address({ organization, name, id }) as never })
    return [{ key, label, kind: known.label, isHere: organization === here, open }]
  })
  const matching = pages
    .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
    .map(({ label, to }) => ({
      key: label,
      label,
      kind: 'Page',
      open: () => navigate({ to, params: { organization: here } as never }),
    }))
  return [...found.sort((a, b) => Number(b.isHere) - Number(a.isHere)), ...secrets, ...matching].slice(0, 20)
}
