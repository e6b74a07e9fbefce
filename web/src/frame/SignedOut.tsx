import { useQuery } from '@tanstack/react-query'
import { base, readSession } from '../api/client.ts'
import { Button, buttonClass } from '../kit/Button.tsx'
import { Dialog, DialogActions } from '../kit/Dialog.tsx'

/** Says that the session has ended, without losing what was typed: another tab signs in again. */
export function SignedOut() {
  const { data, refetch } = useQuery({
    queryKey: ['signed-out'],
    queryFn: async () => (await readSession()) === undefined,
    enabled: false,
    initialData: false,
  })
  if (!data) return null
  return (
    <Dialog title="Your session has ended" close={() => refetch()} unsaved>
      <p>Sign in again in another tab, then go on here. What you have typed is still there.</p>
      <DialogActions>
        <a className={buttonClass()} href={`${base}/sign-in`} target="_blank" rel="noreferrer">
          Sign in, in a new tab
        </a>
        <Button kind="primary" onClick={() => refetch()}>
          Go on
        </Button>
      </DialogActions>
    </Dialog>
  )
}
