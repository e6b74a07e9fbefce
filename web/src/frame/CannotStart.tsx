import { ApiFailure } from '../api/client.ts'
import { Failure } from '../kit/Answer.tsx'
import { Mark } from '../kit/Mark.tsx'
import styles from './Frame.module.css'

/** In place of all pages: the server is sealed, or does not answer. */
export const CannotStart = ({ error }: { error: unknown }) => {
  const isSealed = error instanceof ApiFailure && error.status === 503
  return (
    <main className={styles.alone}>
      <Mark size={32} />
      <Failure
        title={isSealed ? 'Holdfast is sealed' : 'Holdfast does not answer'}
        error={error}
        again={() => location.reload()}
      />
      {isSealed && <p className="soft">An operator unseals it with key shares. Nothing is lost.</p>}
    </main>
  )
}
