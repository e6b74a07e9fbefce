import type { ReactNode } from 'react'
import { signOut } from '../api/client.ts'
import { useSession } from '../api/session.tsx'
import { Empty } from '../kit/Answer.tsx'
import { Button } from '../kit/Button.tsx'

/** What is managed below `/v1`, for those who signed in with one of its tokens; others are told what it takes. */
export function NeedsServiceToken({ what, children }: { what: string; children?: ReactNode }) {
  const { service_token: isSignedIn, username } = useSession()
  if (isSignedIn) return children
  const here = location.pathname + location.search
  return (
    <Empty
      title="This needs another sign-in"
      action={
        <Button kind="primary" onClick={() => signOut(here)}>
          Sign in with another token
        </Button>
      }
    >
      {what} by whoever signs in with a token of <code>/v1</code> or with a client certificate, and whose policies allow
      it. You are signed in as <span className="strong">{username}</span>, without one.
    </Empty>
  )
}
