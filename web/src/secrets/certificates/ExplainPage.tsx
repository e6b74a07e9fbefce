import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Button } from '../../kit/Button.tsx'
import { Field } from '../../kit/Field.tsx'
import { Chip } from '../../kit/Filters.tsx'
import { counted } from '../../kit/numbers.ts'
import { Split } from '../../kit/Page.tsx'
import { PickList, Segments } from '../../kit/Pick.tsx'
import { Time } from '../../kit/Time.tsx'
import { CertificatePage } from './CertificatePage.tsx'
import { ExplanationView } from './ExplanationView.tsx'
import { whoOf } from './LoginsTable.tsx'
import { useMount } from './mounts.tsx'
import { reasonWord } from './reasons.ts'
import type { ExplainSearch } from './searches.ts'

const route = getRouteApi('/server/certificates/explain')

/** What was pasted, and where the client would come from. */
type Pasted = { readonly certificate: string; readonly remote_address: string }

const day = 86_400

/** The refused logins of a day that brought a certificate. */
function useRefused() {
  const mount = useMount()
  const query = { verdict: 'refused', since: day, limit: 200 } as const
  const asked = useAnswer('cert-logins.list', { params: { query } }, { mount, keep: true, every: 15_000 })
  return { asked, logins: (asked.data?.data.logins ?? []).filter(({ fingerprint }) => fingerprint !== '') }
}

/** "Why was this machine refused?" */
export function ExplainPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [pasted, setPasted] = useState<Pasted>()
  const refused = useRefused()
  const { paste, role, ocsp } = search
  const login = search.login ?? refused.logins[0]?.id
  const change = (next: ExplainSearch) => navigate({ search: { ...search, ...next } as never, resetScroll: false })
  const what = paste ? pasted : login === undefined ? undefined : { login }
  const body = { ...what, ...(role && { name: role }), ...(ocsp && { ask_ocsp: true }) }
  return (
    <CertificatePage
      title="Why was this machine refused?"
      facts={<span>Judges a certificate as a login would. Nothing is issued, and the question is audited.</span>}
    >
      <Split
        side={
          <>
            <Segments
              label="What is explained"
              value={paste ? 'paste' : 'refused'}
              choices={[
                ['refused', 'Refused logins'],
                ['paste', 'Paste'],
              ]}
              change={(value) => change({ paste: value === 'paste' ? true : undefined })}
            />
            {role !== undefined && <Chip name="By role" value={role} remove={() => change({ role: undefined })} />}
            {paste ? (
              <PasteForm pasted={pasted} explain={setPasted} />
            ) : (
              <Refused of={refused} picked={login} pick={(id) => change({ login: id })} />
            )}
          </>
        }
      >
        {what ? (
          <Explained body={body} askOcsp={() => change({ ocsp: true })} />
        ) : (
          <p className="soft">{paste ? pasteText : ''}</p>
        )}
      </Split>
    </CertificatePage>
  )
}

const pasteText =
  'Paste the certificate of a client, followed by its intermediates, and you see what every role makes of it.'

function Explained({ body, askOcsp }: { body: object; askOcsp: () => void }) {
  const mount = useMount()
  const asked = useAnswer('cert-login.explain', { body: body as never }, { mount })
  return (
    <Answer of={asked} failed="It could not be explained">
      {({ data }) => <ExplanationView explained={data} askOcsp={askOcsp} />}
    </Answer>
  )
}

type RefusedProps = {
  readonly of: ReturnType<typeof useRefused>
  readonly picked: string | undefined
  readonly pick: (id: string) => void
}

const Refused = ({ of: { asked, logins }, picked, pick }: RefusedProps) => (
  <Answer of={asked} failed="The refused logins could not be read">
    {() => (
      <>
        <p className="soft">{counted(logins.length, 'row')} of the last 24 hours</p>
        <PickList
          label="Refused logins"
          picked={picked}
          pick={pick}
          nothing="No login was refused in the last 24 hours. You can paste a certificate instead."
          items={logins.map((each) => ({
            key: each.id,
            name: whoOf(each),
            time: <Time at={each.last_time} />,
            fact: `${reasonWord(each.reason)}${each.count > 1 ? `, ${each.count} times` : ''}`,
          }))}
        />
      </>
    )}
  </Answer>
)

type PasteProps = { readonly pasted: Pasted | undefined; readonly explain: (pasted: Pasted) => void }

function PasteForm({ pasted, explain }: PasteProps) {
  const [typed, setTyped] = useState(pasted ?? { certificate: '', remote_address: '' })
  const isReady = typed.certificate.includes('-----BEGIN CERTIFICATE-----')
  return (
    <>
      <Field
        label="Certificate and intermediates"
        hint="PEM, the client's own first. No key is needed."
        rows={9}
        value={typed.certificate}
        change={(certificate) => setTyped({ ...typed, certificate })}
      />
      <Field
        label="Address of the client"
        hint="If a role has bounds; may stay empty."
        value={typed.remote_address}
        change={(remote_address) => setTyped({ ...typed, remote_address })}
      />
      <Button
        kind="primary"
        reason={isReady ? undefined : 'Paste a certificate in PEM first.'}
        onClick={() => explain(typed)}
      >
        Explain certificate
      </Button>
    </>
  )
}
