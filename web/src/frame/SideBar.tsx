import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useAnswer } from '../api/answers.ts'
import { useSession } from '../api/session.tsx'
import { IconSelector } from '../kit/icons.ts'
import { Mark } from '../kit/Mark.tsx'
import { Menu } from '../kit/Menu.tsx'
import { counted } from '../kit/numbers.ts'
import { Status } from '../kit/Status.tsx'
import styles from './Frame.module.css'
import { useOrganization } from './organization.ts'
import { organizationPlaces, type Place, serverPlaces } from './places.ts'

/** The ways to all pages: those of the organization, and those of the whole server. */
export function SideBar({ isOpen, isLost, close }: { isOpen: boolean; isLost: boolean; close: () => void }) {
  const { name, all } = useOrganization()
  const isServer = useLocation().pathname.startsWith('/server/')
  const kinds = useConcernKinds(name)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on a link closes what covers the page on a phone.
    <aside
      className={styles.side}
      aria-label="Places"
      data-open={isOpen || undefined}
      data-lost={isLost || undefined}
      onClick={close}
    >
      <OrganizationSwitch name={name} all={all} />
      <nav aria-label="Organization">
        {name !== undefined &&
          organizationPlaces.map((place) => (
            <PlaceLink key={place.label} place={place} kinds={kinds} organization={name} isHere={!isServer} />
          ))}
      </nav>
      <nav aria-label="This server">
        <p className={styles.group}>This server</p>
        {serverPlaces.map((place) => (
          <PlaceLink key={place.label} place={place} kinds={kinds} isHere={isServer} />
        ))}
      </nav>
      <Foot isLost={isLost} />
    </aside>
  )
}

/** The kinds of all that needs attention, as the overview tells it. */
function useConcernKinds(organization: string | undefined): readonly string[] {
  const params = { path: { organization: organization ?? '' } }
  const { data } = useAnswer('attention.list', { params }, { when: organization !== undefined, every: 60_000 })
  return (data?.data ?? []).map(({ attributes }) => attributes.kind ?? '')
}

function OrganizationSwitch({ name, all }: { name: string | undefined; all: readonly string[] }) {
  const navigate = useNavigate()
  const lead = (organization: string) => () => navigate({ to: '/$organization/overview', params: { organization } })
  const { data } = useAnswer('account.details', {})
  const mayCreate = data?.data.attributes.permissions?.['can-create-organizations']
  const whyNot = mayCreate === false ? 'Only site administrators create organizations on this server.' : undefined
  return (
    <div className={styles.switchMenu}>
      <Menu
        local
        side="left"
        items={[
          ...all.map((each) => ({ label: each, note: each === name ? '✓' : undefined, act: lead(each) })),
          { label: 'New organization…', reason: whyNot, act: () => navigate({ to: '/new' as never }) },
        ]}
        button={(attributes) => (
          // A click here opens a menu, and must not close the bar on a phone.
          <button
            type="button"
            className={styles.switch}
            {...attributes}
            onClick={(event) => {
              event.stopPropagation()
              attributes.onClick()
            }}
          >
            <Mark />
            <span>{name ?? 'Holdfast'}</span>
            <IconSelector size={16} stroke={1.6} aria-label="Change organization" />
          </button>
        )}
      />
    </div>
  )
}

type PlaceLinkProps = {
  readonly place: Place
  readonly kinds: readonly string[]
  readonly organization?: string
  readonly isHere: boolean
}

function PlaceLink({ place, kinds, organization, isHere }: PlaceLinkProps) {
  const { pathname } = useLocation()
  const Icon = place.icon
  const below = organization === undefined ? place.below : `/${organization}${place.below}`
  const isChosen = isHere && `${pathname}/`.startsWith(`${below}/`)
  const params = { organization } as never
  const concerns = kinds.filter((kind) => place.concerns?.some((begin) => kind.startsWith(begin))).length
  const hasPages = isChosen && place.pages !== undefined
  return (
    <>
      <Link
        to={place.to}
        params={params}
        className={styles.item ?? ''}
        data-chosen={hasPages ? 'open' : isChosen || undefined}
        activeProps={{}}
        aria-current={isChosen && !hasPages ? 'page' : undefined}
      >
        <Icon size={17} stroke={1.6} />
        {place.label}
        {concerns > 0 && (
          <span className={styles.count}>
            {concerns}
            <span className="unseen"> {concerns === 1 ? 'needs' : 'need'} attention</span>
          </span>
        )}
      </Link>
      {hasPages && (
        <div className={styles.sub}>
          {place.pages?.map(([label, to]) => (
            <Link
              key={label}
              to={to}
              params={params}
              className={styles.item ?? ''}
              activeProps={{ 'aria-current': 'page' }}
            >
              {label}
            </Link>
          ))}
        </div>
      )}
    </>
  )
}

/** Whether the server is well, and which version it is. */
function Foot({ isLost }: { isLost: boolean }) {
  const { version, site_admin: isAdmin } = useSession()
  const { data } = useAnswer('seal.status', {}, { every: 60_000 })
  const nodes = useAnswer('nodes.list', { params: { query: { 'page[size]': 100 } } }, { when: isAdmin, every: 60_000 })
  const all = nodes.data?.data.map(({ attributes }) => attributes.state) ?? []
  const present = all.filter((state) => state === 'present').length
  const note = all.length > 0 ? `, ${present} of ${counted(all.length, 'node')}` : ''
  return (
    <div className={styles.foot}>
      {isLost && <Status shape="risk">Server not reached</Status>}
      {data && !isLost && (
        <Status shape={data.sealed ? 'paused' : present < all.length ? 'risk' : 'done'}>
          {data.sealed ? 'Sealed' : 'Unsealed'}
          {note}
        </Status>
      )}
      <div>Holdfast {version}</div>
    </div>
  )
}
