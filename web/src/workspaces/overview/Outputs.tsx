import { useState } from 'react'
import { call } from '../../api/client.ts'
import { Button } from '../../kit/Button.tsx'
import { Copy } from '../../kit/Copy.tsx'
import { Section } from '../../kit/Page.tsx'
import { Table, TextButton } from '../../kit/Table.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { includedOf, useWorkspace } from '../workspace.tsx'

type Output = {
  readonly id: string
  readonly name: string
  readonly isSensitive: boolean
  readonly type: string
  readonly value: unknown
}

/** The outputs of the current state; sensitive ones are read one at a time, when somebody asks. */
export function Outputs() {
  const workspace = useWorkspace()
  const outputs = includedOf(workspace, 'workspace-outputs').map(({ id, attributes }): Output => {
    const { name, sensitive, value, ...rest } = attributes as Record<string, unknown>
    return { id, name: String(name), isSensitive: sensitive === true, type: String(rest['output-type']), value }
  })
  if (outputs.length === 0) return null
  return (
    <Section title="Outputs" count={outputs.length}>
      <Table
        label="Outputs"
        rows={outputs}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ name }) => <code>{name}</code>, phone: 'name' },
          { title: 'Type', cell: ({ type }) => <span className="soft">{type}</span> },
          { title: 'Value', cell: (output) => <Value of={output} />, phone: 'status', grow: true },
        ]}
      />
    </Section>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const longest = 120

function Value({ of: { id, name, isSensitive, value } }: { of: Output }) {
  const [isWhole, setWhole] = useState(false)
  if (isSensitive) return <Sensitive id={id} name={name} />
  const text = textOf(value)
  return (
    <>
      <code data-wrap={isWhole || undefined}>
        {isWhole || text.length <= longest ? text : `${text.slice(0, longest)}…`}
      </code>{' '}
      {text.length > longest && <TextButton onClick={() => setWhole(!isWhole)}>{isWhole ? 'less' : 'all'}</TextButton>}
      <Copy text={text} label={`Copy ${name}`} />
    </>
  )
}

/** Hidden again after so many milliseconds. */
const shownFor = 60_000

function Sensitive({ id, name }: { id: string; name: string }) {
  const { reasonNot } = useWorkspace()
  const say = useToasts()
  const [value, setValue] = useState<unknown>()
  const reveal = async () => {
    try {
      const { data } = await call('state-version-outputs.show', { params: { path: { outputId: id } } })
      setValue(data.attributes.value)
      setTimeout(() => setValue(undefined), shownFor)
    } catch (error) {
      say.failed(`${name} could not be read`, error)
    }
  }
  if (value !== undefined)
    return (
      <>
        <code>{textOf(value)}</code> <TextButton onClick={() => setValue(undefined)}>hide</TextButton>
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
