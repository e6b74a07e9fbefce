import { useNavigate, useSearch } from '@tanstack/react-router'
import { useAnswer } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { useSession } from '../api/session.tsx'
import { Answer, Empty } from '../kit/Answer.tsx'
import { Page } from '../kit/Page.tsx'
import { Pager } from '../kit/Table.tsx'
import { accountTabs } from './accountTabs.ts'
import type { PeopleSearch } from './search.ts'
import { NewTokenButton, TokenTable } from './TokenTable.tsx'

const pageSize = 50

/** One's own tokens, with which command lines and scripts act as oneself. */
export function OwnTokensPage() {
  const { user_id: userId } = useSession()
  const { page = 1 } = useSearch({ strict: false }) as PeopleSearch
  const navigate = useNavigate()
  const query = { 'page[size]': pageSize, 'page[number]': page }
  const asked = useAnswer('user-tokens.list', { params: { path: { userId }, query } }, { keep: true })
  return (
    <Page
      title="Your account"
      tabs={accountTabs}
      facts={<span>A token lets a command line or a script act as you, with your rights.</span>}
      actions={
        <NewTokenButton
          title="New token of your account"
          make={(attributes) =>
            call('user-tokens.create', {
              params: { path: { userId } },
              body: { data: { type: 'authentication-tokens', attributes } as never },
            })
          }
        />
      }
    >
      <Answer of={asked} failed="Your tokens could not be read">
        {({ data, meta }) =>
          meta.pagination['total-count'] === 0 ? (
            <Empty title="No tokens yet" command={`tofu login ${location.host}`}>
              The command line makes one for itself when you log in. Make one here for a script, or where no browser is.
            </Empty>
          ) : (
            <TokenTable
              label="Your tokens"
              tokens={data}
              warn={() => 'If you had signed in with it, you are signed out.'}
              nothing="None is on this page."
              foot={
                <Pager
                  page={page}
                  pageSize={pageSize}
                  shown={data.length}
                  total={meta.pagination['total-count']}
                  change={(next) => navigate({ to: '.', search: { page: next } as never })}
                />
              }
            />
          )
        }
      </Answer>
    </Page>
  )
}
