import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import type { Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Field } from '../../kit/Field.tsx'
import { Note, Section } from '../../kit/Page.tsx'
import { useSettled } from '../settled.ts'
import { Capabilities, Verdicts } from './Capabilities.tsx'

type Check = Schemas['PolicyCheck']

/** How the server reads a text while it is typed, and what it would allow at a path. */
export function PolicyReading({ text }: { text: string }) {
  const [path, setPath] = useState('')
  const settled = useSettled({ policy: text, paths: path.trim() === '' ? [] : [path.trim()] })
  const asked = useAnswer('policies.check', { body: settled }, { keep: true })
  return (
    <>
      <Answer of={asked} failed="The text could not be checked">
        {({ data }) => <Reading check={data} isEmpty={settled.policy.trim() === ''} />}
      </Answer>
      <Section title="Try a path" lead="What a token with this policy alone may do there.">
        <Field label="Path" hint="Without /v1, such as auth/cert/certs/web." value={path} change={setPath} />
        {path.trim() !== '' && asked.data && asked.data.data.problem === '' && (
          <p>
            <Capabilities of={asked.data.data.capabilities[path.trim()] ?? []} />
          </p>
        )}
      </Section>
    </>
  )
}

const Reading = ({ check: { problem, warnings, rules }, isEmpty }: { check: Check; isEmpty: boolean }) => (
  <Section title="As the server reads it" count={problem === '' ? rules.length : undefined}>
    {isEmpty ? (
      <p className="soft">Write a rule, and you see here what was understood.</p>
    ) : (
      problem !== '' && <Note tone="bad">{problem}</Note>
    )}
    {warnings.map((warning) => (
      <Note key={warning} tone="warn">
        {warning}
      </Note>
    ))}
    {problem === '' && (
      <Verdicts label="Rules" of={rules.map(({ path, capabilities }) => ({ path, words: capabilities }))} />
    )}
  </Section>
)
