import { useState } from 'react'
import { useAnswer, useRefresh } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { useSession } from '../api/session.tsx'
import { Answer } from '../kit/Answer.tsx'
import { Button } from '../kit/Button.tsx'
import { useConfirm } from '../kit/Dialog.tsx'
import { count } from '../kit/numbers.ts'
import { Facts, Section } from '../kit/Page.tsx'
import { Status } from '../kit/Status.tsx'
import { Time } from '../kit/Time.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { RekeyDialog } from './RekeyDialog.tsx'

const byShares = (type: string): boolean => type === 'shamir'

/** How the secrets in the store are kept shut, and what can be done about that. */
export function SealSection() {
  const { service_token: mayManage } = useSession()
  const seal = useAnswer('seal.status', {}, { every: 30_000 })
  const key = useAnswer('seal.key-status', {}, { when: mayManage })
  const [isRekeying, setRekeying] = useState(false)
  return (
    <Section title="Seal" lead="Secrets in the store are encrypted. Sealed, no node of this server can read them.">
      <Answer of={seal} failed="The seal could not be read">
        {({ sealed, type, n, t }) => (
          <>
            <Facts
              of={[
                [
                  'State',
                  <Status key="state" shape={sealed ? 'paused' : 'done'}>
                    {sealed ? 'Sealed' : 'Unsealed'}
                  </Status>,
                ],
                ['Opened by', byShares(type) ? `${t} of ${n} key shares` : 'a key that the server finds by itself'],
                ['Encryption key', key.data && `number ${key.data.data.term}`],
                ['Made', key.data && <Time at={key.data.data.install_time} />],
                ['Values sealed with it', key.data && count(key.data.data.encryptions)],
              ]}
            />
            <p className="row">
              <SealActions isByShares={byShares(type)} mayManage={mayManage} rekey={() => setRekeying(true)} />
            </p>
          </>
        )}
      </Answer>
      {isRekeying && <RekeyDialog close={() => setRekeying(false)} />}
    </Section>
  )
}

type SealActionsProps = { readonly isByShares: boolean; readonly mayManage: boolean; readonly rekey: () => void }

const needsToken = 'It takes a sign-in with a token of /v1 whose policies allow it.'

function SealActions({ isByShares, mayManage, rekey }: SealActionsProps) {
  const say = useToasts()
  const confirm = useConfirm()
  const refresh = useRefresh()
  const reason = mayManage ? undefined : needsToken
  const rotate = async () => {
    try {
      await call('seal.rotate', {})
      say.done('New values are sealed with a new key', { text: 'Values of before are opened by the older ones.' })
    } catch (error) {
      say.failed('The key was not rotated', error)
    }
    await refresh(['seal'])
  }
  const seal = async () => {
    const { yes } = await confirm({
      title: 'Seal this server?',
      text: isByShares
        ? 'Every node stops serving at once, for everybody. It opens again when enough holders have given their key shares.'
        : 'Every node stops serving at once, for everybody. It opens again when it is restarted.',
      action: 'Seal the server',
      typed: location.host,
    })
    if (!yes) return
    try {
      await call('seal.seal', {})
      location.reload()
    } catch (error) {
      say.failed('The server was not sealed', error)
    }
  }
  return (
    <>
      <Button reason={reason} onClick={rotate}>
        Rotate the encryption key
      </Button>{' '}
      <Button
        reason={reason ?? (isByShares ? undefined : 'This server is opened by a key of its own, not by shares.')}
        onClick={rekey}
      >
        New key shares…
      </Button>{' '}
      <Button kind="danger" reason={reason} onClick={seal}>
        Seal…
      </Button>
    </>
  )
}
