import type { ReactNode } from 'react'
import { base } from '../api/client.ts'
import { useSession } from '../api/session.tsx'
import { Empty } from '../kit/Answer.tsx'
import { buttonClass } from '../kit/Button.tsx'

/** Pages of `/v1`: they need a sign-in with one of its tokens, and say so to everybody else. */
export function NeedsToken({ children }: { children: ReactNode }) {
  const { service_token: isThere } = useSession()
  if (isThere) return children
  return (
    <Empty
      title="These pages need another sign-in"
      action={
        <a className={buttonClass('primary')} href={`${base}/sign-in?next=${encodeURIComponent(location.pathname)}`}>
          Sign in with a token
        </a>
      }
    >
      You are signed in, but not with a token of /v1, whose policies say what you may see here. Sign in with such a
      token, or ask whoever runs this server for one.
    </Empty>
  )
}
