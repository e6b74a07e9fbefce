import { Link } from '@tanstack/react-router'
import { Button } from '../../kit/Button.tsx'
import { Check, Fold, Folds } from '../../kit/Fold.tsx'
import { IconCopy } from '../../kit/icons.ts'
import { Note, Section } from '../../kit/Page.tsx'
import { type Shape, Status } from '../../kit/Status.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { type Step, Tree } from '../../kit/Tree.tsx'
import { shortDate } from '../../kit/times.ts'
import {
  type Explanation,
  explanationText,
  failedIn,
  headline,
  inOrder,
  type RoleVerdict,
  verdictLine,
} from './explanation.ts'
import { shortName, shortSerial } from './reasons.ts'

const tones = { true: 'ok', false: 'bad', null: 'warn' } as const

/** What a login with a chain would come to, and why. */
export function ExplanationView({ explained, askOcsp }: { explained: Explanation; askOcsp: () => void }) {
  const { chain, accepted, roles, roles_total } = explained
  const say = useToasts()
  const nearest = roles[0]
  const copy = async () => {
    await navigator.clipboard.writeText(explanationText(explained))
    say.done('Explanation copied')
  }
  const isOpen = roles.some(({ checks }) => checks.some(({ check, ok }) => check === 'ocsp' && ok === null))
  return (
    <>
      <Note
        tone={tones[`${accepted}`]}
        action={
          <Button small local onClick={copy}>
            <IconCopy size={14} stroke={1.6} /> Copy as text
          </Button>
        }
      >
        <h2>{headline(explained)}</h2>
        <span className="soft">
          <code>{shortName(chain[0]?.subject ?? '')}</code>. {verdictLine(explained)}
        </span>
      </Note>
      <Section title="Chain" note={nearest ? `as role ${nearest.role} sees it` : undefined}>
        <Tree label="Chain" steps={stepsOf(explained)} />
      </Section>
      <Section
        title={`Checks of ${roles_total === 1 ? '1 role' : `${roles_total} roles`}`}
        note={roles.length > 1 ? 'nearest first' : undefined}
        actions={
          isOpen && (
            <Button small onClick={askOcsp}>
              Ask OCSP too
            </Button>
          )
        }
      >
        {roles.length === 0 ? (
          <p className="soft">There is no role at this mount.</p>
        ) : (
          <Folds>
            {roles.map((role, at) => (
              <RoleChecks key={role.role} role={role} open={at === 0} />
            ))}
          </Folds>
        )}
      </Section>
    </>
  )
}

/** The chain from the top down, each certificate with what is wrong with it. */
function stepsOf({ chain, roles }: Explanation): readonly Step[] {
  const [role] = roles
  const links = role?.links ?? []
  const failed = role ? failedIn(role) : []
  const top = links.at(-1)
  const steps = links.map((link, at): Step => {
    const sent = chain.find(({ fingerprint }) => fingerprint === link.fingerprint)
    const own = failed.filter(({ detail }) => detail.startsWith(`${link.subject}: `))
    const isLeaf = at === 0
    const isBad = own.length > 0 || (isLeaf && failed.length > 0)
    const notes = [
      link.trusted && role ? `trusted by role ${role.role}` : link.sent && !isLeaf ? 'sent by the client' : '',
      sent?.path_length != null ? `path length ${sent.path_length}` : '',
      isLeaf && sent ? `serial ${shortSerial(sent.serial)}` : '',
      isLeaf && sent ? sent.extended_key_usage.join(', ') : '',
    ]
    return {
      key: link.fingerprint,
      shape: isBad ? 'failed' : 'done',
      word: isBad ? 'Wrong' : 'Fine',
      name: shortName(link.subject),
      note: notes.filter(Boolean).join(', '),
      end: `until ${shortDate(link.not_after)}`,
    }
  })
  const missing: readonly Step[] =
    top && !top.trusted
      ? [
          {
            key: 'missing',
            shape: 'unproved',
            word: 'Missing',
            name: 'No trusted CA',
            note: 'the issuer was not sent, or no role trusts it',
          },
        ]
      : []
  return [...missing, ...steps.reverse()]
}

const verdicts: Readonly<Record<string, readonly [Shape, string]>> = {
  true: ['done', 'Passed'],
  false: ['failed', 'Failed'],
  null: ['waiting', 'Not asked'],
}

function RoleChecks({ role, open }: { role: RoleVerdict; open: boolean }) {
  const failed = failedIn(role)
  const [shape, word] =
    role.accepted === true
      ? (['done', 'accepts it'] as const)
      : role.accepted === null
        ? (['waiting', 'undecided'] as const)
        : (['failed', `${failed.length} of ${role.checks.length} failed`] as const)
  return (
    <Fold
      open={open}
      title={
        <>
          <span className="strong">{role.role}</span>
          <Status shape={shape}>{word}</Status>
        </>
      }
      note={failed.map(({ check }) => check).join(', ')}
    >
      {inOrder(role).map(({ check, ok, detail, fix }) => {
        const [checkShape, checkWord] = verdicts[`${ok}`] ?? ['waiting', 'Not asked']
        return (
          <Check
            key={`${check} ${detail}`}
            name={check}
            failed={ok === false}
            status={<Status shape={checkShape}>{checkWord}</Status>}
          >
            {detail}
            {fix !== '' && (
              <div>
                <span className="strong">Fix</span> {fix}{' '}
                {/^(allowed|required|token)_/.test(check) && (
                  <Link to="/server/certificates/roles/$role" params={{ role: role.role }}>
                    Open the role
                  </Link>
                )}
              </div>
            )}
          </Check>
        )
      })}
    </Fold>
  )
}
