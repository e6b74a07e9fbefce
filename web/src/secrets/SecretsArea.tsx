import { Outlet } from '@tanstack/react-router'
import { useSession } from '../api/session.tsx'
import { NeedsServiceToken } from '../frame/NeedsServiceToken.tsx'
import { Page } from '../kit/Page.tsx'

/** All pages about access below `/v1`: without a token of `/v1` nothing is asked, and it says what it takes. */
export function SecretsArea() {
  const { service_token: mayAsk } = useSession()
  if (mayAsk) return <Outlet />
  return (
    <Page title="Secrets">
      <NeedsServiceToken what="Policies, tokens and what belongs to them are managed" />
    </Page>
  )
}
