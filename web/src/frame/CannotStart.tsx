import { useEffect, useState } from 'react'
import { ApiFailure, call, type Schemas } from '../api/client.ts'
import { Failure } from '../kit/Answer.tsx'
import { Mark } from '../kit/Mark.tsx'
import styles from './Frame.module.css'
import { ShareForm } from './ShareForm.tsx'

/** In place of all pages: the server is sealed, or does not answer. */
export const CannotStart = ({ error }: { error: unknown }) => {
  const isSealed = error instanceof ApiFailure && error.status === 503
  return (
    <main className={styles.alone}>
      <Mark size={32} />
      <h1 className="unseen">Holdfast</h1>
      <Failure
        title={isSealed ? 'Holdfast is sealed' : 'Holdfast does not answer'}
        error={error}
        again={() => location.reload()}
      />
      {isSealed && <Unseal />}
    </main>
  )
}

/** Takes the shares of the key; with enough of them, the pages are there again. */
function Unseal() {
  const [state, setState] = useState<Schemas['SealStatus']>()
  useEffect(() => {
    const ask = async () => {
      const answer = await call('seal.status').catch(() => undefined)
      if (answer) setState(answer)
      if (answer && !answer.sealed) location.reload()
    }
    ask()
    const timer = setInterval(ask, 3_000)
    return () => clearInterval(timer)
  }, [])
  if (state?.type !== 'shamir')
    return <p className="soft">Nothing is lost. It opens when its key is in place and it is restarted.</p>
  const give = async (key: string) => {
    const answer = await call('seal.unseal', { body: { key } })
    setState(answer)
    if (!answer.sealed) location.reload()
  }
  return (
    <>
      <p className="soft">
        Nothing is lost. It opens when {state.t} of its {state.n} key shares were given.
      </p>
      <ShareForm label="Key share" progress={state.progress} required={state.t} give={give} />
    </>
  )
}
