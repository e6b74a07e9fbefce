import { useState } from 'react'
import { call } from '../../api/client.ts'
import { Button } from '../../kit/Button.tsx'
import { Copy } from '../../kit/Copy.tsx'
import { Facts, Section } from '../../kit/Page.tsx'
import { TextButton } from '../../kit/Table.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { includedOf, useWorkspace } from '../workspace.tsx'

type Output = { readonly id: string; readonly name: string; readonly isSensitive: boolean; readonly value: unknown }

/** The outputs of the current state; sensitive ones are read one at a time, when somebody asks. */
export function Outputs() {
  const outputs = includedOf(useWorkspace(), 'workspace-outputs').map(({ id, attributes }): Output => {
    const { name, sensitive, value } = attributes as Record<string, unknown>
    return { id, name: String(name), isSensitive: sensitive === true, value }
  })
  if (outputs.length === 0) return null
  return (
    <Section title="Outputs" count={outputs.length}>
      <Facts
        of={outputs.map((output) => [
          output.name,
          output.isSensitive ? <Sensitive key={output.id} of={output} /> : <Value key={output.id} of={output} />,
        ])}
      />
    </Section>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const longest = 160

function Value({ of: { name, value } }: { of: Output }) {
  const [isWhole, setWhole] = useState(false)
  const text = textOf(value)
  const isLong = text.length > longest
  return (
    <>
      <code>{isLong && !isWhole ? `${text.slice(0, longest)}…` : text}</code>{' '}
      {isLong && <TextButton onClick={() => setWhole(!isWhole)}>{isWhole ? 'show less' : 'show all'}</TextButton>}
      <Copy text={text} label={`Copy ${name}`} />
    </>
  )
}

/** Hidden again after so many milliseconds. */
const shownFor = 60_000

function Sensitive({ of: { id, name } }: { of: Output }) {
  const { reasonNot } = useWorkspace()
  const say = useToasts()
  const [value, setValue] = useState<{ readonly text: string }>()
  const reveal = async () => {
    try {
      const { data } = await call('state-version-outputs.show', { params: { path: { outputId: id } } })
      setValue({ text: textOf(data.attributes.value) })
      setTimeout(() => setValue(undefined), shownFor)
    } catch (error) {
      say.failed(`${name} could not be read`, error)
    }
  }
  if (value)
    return (
      <>
        <code>{value.text}</code> <TextButton onClick={() => setValue(undefined)}>hide</TextButton>
      </>
    )
  return (
    <>
      <span className="soft">sensitive </span>
      <Button small kind="quiet" reason={reasonNot('can-read-state-outputs')} onClick={reveal}>
        Reveal
      </Button>
    </>
  )
}
