import type { Schemas } from '../../api/client.ts'
import { Copy } from '../../kit/Copy.tsx'
import { Card, CardHead, Cards, Facts } from '../../kit/Page.tsx'
import { Status } from '../../kit/Status.tsx'
import { Validity } from '../../kit/Validity.tsx'
import { daysUntil, expiry, restOfName, shortDigest, shortName } from './reasons.ts'

type View = Schemas['ExplainedCertificate']

const shapes = { ok: 'done', warn: 'risk', bad: 'failed' } as const

/** Certificates, one below the other, on one scale of time. */
export function CertificateCards({ certificates }: { certificates: readonly View[] }) {
  const now = Date.now()
  const times = certificates.flatMap(({ not_before, not_after }) => [Date.parse(not_before), Date.parse(not_after)])
  const year = 365 * 86_400_000
  const from = Math.max(Math.min(now, ...times), now - 5 * year)
  const to = Math.min(Math.max(now, ...times), now + 5 * year)
  return (
    <Cards>
      {certificates.map((each) => (
        <CertificateCard key={each.fingerprint} certificate={each} span={[from, to]} now={now} />
      ))}
    </Cards>
  )
}

type CardProps = { readonly certificate: View; readonly span: readonly [number, number]; readonly now: number }

function CertificateCard({ certificate, span, now }: CardProps) {
  const { subject, not_before: from, not_after: to, fingerprint } = certificate
  const { text, tone } = expiry(daysUntil(to, now))
  return (
    <Card>
      <CardHead end={text} tone={tone}>
        <Status shape={shapes[tone]}>
          <span className="strong">{shortName(subject)}</span>
        </Status>
      </CardHead>
      <Validity from={from} to={to} tone={tone} span={span} now={now} />
      <Facts
        tight
        of={[
          ['Subject', restOfName(subject) || subject],
          ['Kind', kindOf(certificate)],
          ['Key', `${certificate.key}, ${certificate.signature.replace(/^.* with /, '')}`],
          ['Key usage', certificate.key_usage.join(', ') || 'none set, so any'],
          ['Extended usage', certificate.extended_key_usage.join(', ') || 'none set, so any'],
          ['May issue for', certificate.permitted_names.join(', ')],
          ['Not for', certificate.excluded_names.join(', ')],
          ['Names', namesOf(certificate)],
          ['OCSP', certificate.ocsp_urls.join(', ')],
          ['Publishes', certificate.crl_urls.join(', ')],
          [
            'SHA-256',
            <span key="digest" className="nowrap">
              <code data-tip={fingerprint}>{shortDigest(fingerprint)}</code>{' '}
              <Copy text={fingerprint} label="Copy SHA-256" />
            </span>,
          ],
        ]}
      />
    </Card>
  )
}

function kindOf({ is_ca, self_issued, issuer, path_length }: View): string {
  const by = self_issued ? 'issued by itself' : `issued by ${shortName(issuer)}`
  if (!is_ca) return `no CA, ${by}`
  return path_length === null ? `CA, ${by}` : `CA, path length ${path_length}, ${by}`
}

const namesOf = ({ names }: View): string =>
  [...names.dns, ...names.emails, ...names.uris, ...names.ips, ...names.directory_names].join(', ')
