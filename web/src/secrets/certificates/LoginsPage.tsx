import { getRouteApi } from '@tanstack/react-router'
import { Button } from '../../kit/Button.tsx'
import { Chip, FilterBar } from '../../kit/Filters.tsx'
import { counted } from '../../kit/numbers.ts'
import type { Tab } from '../../kit/Page.tsx'
import { FootEnd, TextButton } from '../../kit/Table.tsx'
import { CertificatePage } from './CertificatePage.tsx'
import { LoginsTable } from './LoginsTable.tsx'
import { reasonWord, shortDigest } from './reasons.ts'
import type { LoginsSearch } from './searches.ts'

const route = getRouteApi('/server/certificates/logins')

const tabs: readonly Tab[] = [
  { label: 'All', link: { to: '/server/certificates/logins', search: {} } },
  { label: 'Accepted', link: { to: '/server/certificates/logins', search: { verdict: 'accepted' } } },
  { label: 'Refused', link: { to: '/server/certificates/logins', search: { verdict: 'refused' } } },
]

/** Who logged in, and who was refused. */
export function LoginsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { after, ...filter } = search
  const change = (next: LoginsSearch) => navigate({ search: next as never })
  const chips = [
    ['role', 'Role is', search.role],
    ['fingerprint', 'Certificate is', search.fingerprint && shortDigest(search.fingerprint)],
    ['reason', 'Refused by', search.reason && reasonWord(search.reason)],
  ] as const
  const isNarrowed = chips.some(([, , value]) => value !== undefined)
  return (
    <CertificatePage title="Logins" tabs={tabs}>
      {isNarrowed && (
        <FilterBar>
          {chips.map(
            ([name, label, value]) =>
              value !== undefined && (
                <Chip key={name} name={label} value={value} remove={() => change({ ...filter, [name]: undefined })} />
              ),
          )}
        </FilterBar>
      )}
      <LoginsTable
        filter={search}
        nothing={
          isNarrowed ? (
            <>
              Nothing matches. <TextButton onClick={() => change({})}>Clear the filters</TextButton>
            </>
          ) : (
            'No login was recorded yet. Accepted and refused ones appear here within seconds.'
          )
        }
        foot={(shown, next) => (
          <>
            <span>{counted(shown, 'row')}; equal logins of one minute are one row</span>
            {(next !== '' || after !== undefined) && (
              <FootEnd>
                <Button
                  small
                  reason={after === undefined ? 'This is the first page.' : undefined}
                  onClick={() => change(filter)}
                >
                  Newest
                </Button>{' '}
                <Button
                  small
                  reason={next === '' ? 'There are no older ones.' : undefined}
                  onClick={() => change({ ...filter, after: next })}
                >
                  Older
                </Button>
              </FootEnd>
            )}
          </>
        )}
      />
    </CertificatePage>
  )
}
