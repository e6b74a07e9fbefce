import { createContext, type ReactNode, useContext } from 'react'
import type { Session } from './client.ts'

const Context = createContext<Session | undefined>(undefined)

/** Who is signed in, for everything below. */
export const SessionProvider = ({ session, children }: { session: Session; children: ReactNode }) => (
  <Context value={session}>{children}</Context>
)

/** Who is signed in. */
export function useSession(): Session {
  const session = useContext(Context)
  if (!session) throw new Error('Nobody is signed in here')
  return session
}
