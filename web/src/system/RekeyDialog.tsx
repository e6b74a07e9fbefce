import { useState } from 'react'
import { useAnswer, useRefresh } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { ShareForm } from '../frame/ShareForm.tsx'
import { Answer } from '../kit/Answer.tsx'
import { Button } from '../kit/Button.tsx'
import { CodeBlock } from '../kit/Code.tsx'
import { Dialog, DialogActions } from '../kit/Dialog.tsx'
import { useDraft } from '../kit/drafts.ts'
import { Form, Pair, TextField } from '../kit/Form.tsx'
import { Note } from '../kit/Page.tsx'
import { useToasts } from '../kit/Toasts.tsx'

type Result = Schemas['RekeyResult']

/** Makes new key shares: begun by one, given their shares by several, verified, and only then in force. */
export function RekeyDialog({ close }: { close: () => void }) {
  const status = useAnswer('rekey.status', {}, { every: 3_000 })
  const [made, setMade] = useState<Result>()
  const refresh = useRefresh()
  const again = () => refresh(['rekey'])
  return (
    <Dialog title="New key shares" close={close} width={620} unsaved={made !== undefined}>
      {made ? (
        <Made result={made} close={close} />
      ) : (
        <Answer of={status} failed="How far it is could not be read">
          {(state) => {
            if (!state.started) return <Start again={again} close={close} />
            if (state.verification_nonce) return <Verify close={close} />
            return <Give state={state} again={again} made={setMade} close={close} />
          }}
        </Answer>
      )}
    </Dialog>
  )
}

function Start({ again, close }: { again: () => Promise<void>; close: () => void }) {
  const draft = useDraft({ shares: '5', threshold: '3' })
  const send = async ({ shares, threshold }: { shares: string; threshold: string }) => {
    const body = { secret_shares: Number(shares), secret_threshold: Number(threshold), require_verification: true }
    await call('rekey.start', { body })
    await again()
  }
  return (
    <Form
      draft={draft}
      send={send}
      action="Begin"
      isNew
      cancel={close}
      effect="The present shares stay valid until the end."
    >
      <Pair>
        <TextField draft={draft} name="shares" label="Shares" hint="One for each holder." type="number" />
        <TextField draft={draft} name="threshold" label="Needed to open" hint="So many of them." type="number" />
      </Pair>
    </Form>
  )
}

type GiveProps = {
  readonly state: Schemas['RekeyStatus']
  readonly again: () => Promise<void>
  readonly made: (result: Result) => void
  readonly close: () => void
}

function Give({ state: { nonce, progress, required, n, t }, again, made, close }: GiveProps) {
  const give = async (key: string) => {
    const answer = await call('rekey.give-share', { body: { key, nonce } })
    if ('keys' in answer) made(answer)
    else await again()
  }
  return (
    <>
      <p className="soft">
        {n} new shares, of which {t} will open the server. First the holders of the present ones give theirs, each on a
        page of their own if they like.
      </p>
      <ShareForm label="A present key share" progress={progress} required={required} give={give} />
      <Cancel close={close} again={again} />
    </>
  )
}

const Made = ({ result, close }: { result: Result; close: () => void }) => (
  <>
    <Note tone="warn">
      <span className="strong">Give each holder one of these, now: they are shown only this once.</span>{' '}
      {result.verification_required && 'They count once enough of them were given here again.'}
    </Note>
    {result.keys_base64.map((key, at) => (
      <div key={key} className="row">
        <CodeBlock text={key} label={`Copy share ${at + 1}`} />
      </div>
    ))}
    <DialogActions>
      <Button local kind="primary" onClick={close}>
        I have kept them
      </Button>
    </DialogActions>
  </>
)

function Verify({ close }: { close: () => void }) {
  const asked = useAnswer('rekey.verification-status', {}, { every: 3_000 })
  const refresh = useRefresh()
  const say = useToasts()
  return (
    <Answer of={asked} failed="How far the verification is could not be read">
      {({ nonce, progress, t }) => {
        const give = async (key: string) => {
          const answer = await call('rekey.verify-share', { body: { key, nonce } })
          await refresh(['rekey', 'seal'])
          if (!('complete' in answer)) return
          say.done('The new key shares are in force')
          close()
        }
        return (
          <>
            <p className="soft">The new shares exist. They count once {t} of them were given, so that none is lost.</p>
            <ShareForm label="A new key share" progress={progress} required={t} give={give} />
            <Cancel close={close} again={() => refresh(['rekey'])} />
          </>
        )
      }}
    </Answer>
  )
}

function Cancel({ close, again }: { close: () => void; again: () => Promise<void> }) {
  const say = useToasts()
  const cancel = async () => {
    try {
      await call('rekey.cancel', {})
      say.done('The present key shares stay as they are')
      close()
    } catch (error) {
      say.failed('It was not given up', error)
    }
    await again()
  }
  return (
    <DialogActions>
      <Button kind="danger" onClick={cancel}>
        Give it up
      </Button>
      <Button local onClick={close}>
        Close
      </Button>
    </DialogActions>
  )
}
