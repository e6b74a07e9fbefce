import { Link } from '@tanstack/react-router'
import { useAnswer } from '../../api/answers.ts'
import type { Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { counted } from '../../kit/numbers.ts'
import { Note, Section } from '../../kit/Page.tsx'
import { useSettled } from '../settled.ts'
import { CertificateCards } from './CertificateCard.tsx'
import { useMount } from './mounts.tsx'
import { daysUntil, shortName } from './reasons.ts'

type Preview = Schemas['CertRolePreview']
type View = Schemas['ExplainedCertificate']

/** What a role trusts and what its write would say, while it is typed. */
export function RolePreview({ name, body }: { name: string; body: Record<string, unknown> }) {
  const mount = useMount()
  const settled = useSettled(body)
  const input = { params: { path: { name } }, body: settled as never }
  const asked = useAnswer('cert-roles.preview', input, { mount, keep: true })
  return (
    <Answer of={asked} failed="What you typed could not be read">
      {({ data }) => (
        <Section title="What you pasted" count={data.certificates.length}>
          <Notes preview={data} isEmpty={settled.certificate === ''} />
          {data.certificates.length > 0 && <CertificateCards certificates={data.certificates} />}
        </Section>
      )}
    </Answer>
  )
}

function Notes({ preview, isEmpty }: { preview: Preview; isEmpty: boolean }) {
  const { problem, warnings, skipped, certificates, kind } = preview
  const mount = useMount()
  const lists = useAnswer('cert-summary.lists', {}, { mount })
  const trust = useAnswer('cert-summary.trust', { params: { query: { limit: 500 } } }, { mount })
  const issuers = new Set(lists.data?.data.lists.map(({ issuer }) => issuer))
  const clients = new Map(trust.data?.data.certificates.map((each) => [each.fingerprint, each.clients]))
  const bare = lists.data && kind === 'ca' ? certificates.filter(({ subject }) => !issuers.has(subject)) : []
  // The server warns of the same ends; ours say who still depends on them.
  const told = warnings.filter((text) => !/ expire[sd] at /.test(text))
  return (
    <>
      {isEmpty && problem !== '' ? (
        <p className="soft">Paste a certificate, and you see here what was understood.</p>
      ) : (
        problem !== '' && <Note tone="bad">{problem}</Note>
      )}
      {certificates.map((each) => (
        <EndNote key={each.fingerprint} certificate={each} clients={clients.get(each.fingerprint) ?? 0} />
      ))}
      {[...told, ...skipped].map((text) => (
        <Note key={text} tone="warn">
          {text}
        </Note>
      ))}
      {bare.map(({ fingerprint, subject }) => (
        <Note key={fingerprint} tone="warn">
          <span className="strong">No revocation list of {shortName(subject)}.</span> What it issues can be revoked by
          OCSP only. <Link to="/server/certificates/crls">Add a list</Link>
        </Note>
      ))}
    </>
  )
}

function EndNote({ certificate: { not_after, subject, is_ca }, clients }: { certificate: View; clients: number }) {
  const days = daysUntil(not_after)
  if (days >= 30) return null
  const name = shortName(subject)
  const use = clients > 0 ? `${counted(clients, 'client')} logged in by it in the last 30 days. ` : ''
  return (
    <Note tone="warn">
      <span className="strong">
        {name} {days < 0 ? 'has expired.' : `ends in ${counted(days, 'day')}.`}
      </span>{' '}
      {use}
      {is_ca && 'Put its successor beside it, and move the clients first.'}
    </Note>
  )
}
