import { Status } from '../../kit/Status.tsx'

/** What may be done somewhere, in the words of policies. */
export const Capabilities = ({ of }: { of: readonly string[] | undefined }) =>
  of === undefined ? null : of.includes('deny') ? (
    <Status shape="failed" term="deny">
      Refused
    </Status>
  ) : of.includes('root') ? (
    <Status shape="done" term="root">
      Everything
    </Status>
  ) : of[0] === 'nothing' ? (
    <Status shape="nothing">Nothing</Status>
  ) : (
    <Status shape="done">{of.join(', ')}</Status>
  )
