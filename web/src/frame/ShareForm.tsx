import { type FormEvent, useState } from 'react'
import { sentenceOf } from '../api/client.ts'
import { Button } from '../kit/Button.tsx'
import { TypedName } from '../kit/Dialog.tsx'
import { Note } from '../kit/Page.tsx'

type ShareFormProps = {
  readonly label: string
  readonly progress: number
  readonly required: number
  readonly give: (share: string) => Promise<unknown>
}

/** Takes one key share after another, and says how many are still needed. */
export function ShareForm({ label, progress, required, give }: ShareFormProps) {
  const [share, setShare] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (share.trim() === '') return
    setBusy(true)
    setProblem(undefined)
    try {
      await give(share.trim())
      setShare('')
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    setBusy(false)
  }
  return (
    <form onSubmit={submit}>
      {problem && <Note tone="bad">{problem}</Note>}
      <p className="row">
        <progress max={required} value={progress} aria-label="Key shares given" />{' '}
        <span className="number">
          {progress} of {required} given
        </span>
      </p>
      <TypedName
        label={label}
        hint="It is sent to this server and not kept."
        type="password"
        value={share}
        change={setShare}
      />
      <p className="row">
        <Button
          type="submit"
          kind="primary"
          busy={isBusy}
          reason={share.trim() === '' ? 'Enter a share first.' : undefined}
        >
          Give this share
        </Button>
      </p>
    </form>
  )
}
