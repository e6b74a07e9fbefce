import { useEffect, useState } from 'react'
import { Answer } from '../../kit/Answer.tsx'
import { IconButton } from '../../kit/Button.tsx'
import { CodeBlock } from '../../kit/Code.tsx'
import { IconCheck, IconCopy, IconEye, IconEyeOff } from '../../kit/icons.ts'
import { counted } from '../../kit/numbers.ts'
import { type Column, Table } from '../../kit/Table.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { readSecret, type Spot, useKeys } from './engine.ts'
import { textOf, type Value } from './values.ts'

/** How long a value is shown. */
const secondsShown = 60

/** One value that is shown, and for how long. It lives in this page only, and goes with it. */
function useRevealed(read: () => Promise<Value>) {
  const [shown, setShown] = useState<{ readonly name: string; readonly text: string }>()
  const [left, setLeft] = useState(0)
  const say = useToasts()
  useEffect(() => {
    if (!shown) return
    setLeft(secondsShown)
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1_000)
    const end = setTimeout(() => setShown(undefined), secondsShown * 1_000)
    return () => {
      clearInterval(timer)
      clearTimeout(end)
    }
  }, [shown])
  const reveal = async (name: string) => {
    try {
      setShown({ name, text: textOf((await read())[name]) })
    } catch (error) {
      say.failed(`${name} could not be read`, error)
    }
  }
  return { shown, left, reveal, hide: () => setShown(undefined) }
}

/** The keys of a secret. A value is read when one asks for it, and hidden again. */
export function Values({ spot, version }: { spot: Spot; version: number | undefined }) {
  const asked = useKeys(spot, version)
  const read = async () => (await readSecret(spot, version)).value
  const { shown, left, reveal, hide } = useRevealed(read)
  return (
    <Answer of={asked} failed="The secret could not be read">
      {(keys) => (
        <Table
          label="Keys and values"
          columns={columnsOf({ shown, reveal, hide, read })}
          rows={keys}
          keyOf={(name) => name}
          nothing="It has no keys."
          foot={
            <>
              {counted(keys.length, 'key')}
              {shown ? `; ${shown.name} is hidden again in ${left} s` : ''}; each look is in the audit log
            </>
          }
        />
      )}
    </Answer>
  )
}

type Shown = Pick<ReturnType<typeof useRevealed>, 'shown' | 'reveal' | 'hide'> & {
  readonly read: () => Promise<Value>
}

const columnsOf = ({ shown, reveal, hide, read }: Shown): readonly Column<string>[] => [
  { title: 'Key', phone: 'name', cell: (name) => <code>{name}</code> },
  {
    title: 'Value',
    phone: 'status',
    grow: true,
    cell: (name) => (shown?.name === name ? <Plain text={shown.text} /> : <Masked />),
  },
  {
    title: 'Show and copy',
    bare: true,
    right: true,
    phone: 'menu',
    cell: (name) => (
      <>
        {shown?.name === name ? (
          <IconButton label={`Hide ${name}`} onClick={hide}>
            <IconEyeOff size={15} stroke={1.6} />
          </IconButton>
        ) : (
          <IconButton label={`Show ${name}`} remote onClick={() => reveal(name)}>
            <IconEye size={15} stroke={1.6} />
          </IconButton>
        )}
        <CopyValue name={name} read={read} />
      </>
    ),
  },
]

/** A value of several lines in a block, where it can be scrolled. */
const Plain = ({ text }: { text: string }) =>
  text.includes('\n') || text.length > 120 ? <CodeBlock text={text} label="Copy value" /> : <code>{text}</code>

const Masked = () => (
  <span className="faint">
    <span aria-hidden="true">••••••••••••</span>
    <span className="unseen">hidden</span>
  </span>
)

/** Copies a value without showing it. */
function CopyValue({ name, read }: { name: string; read: () => Promise<Value> }) {
  const [copied, setCopied] = useState(false)
  const say = useToasts()
  useEffect(() => {
    const timer = copied ? setTimeout(() => setCopied(false), 1_500) : undefined
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(textOf((await read())[name]))
      setCopied(true)
    } catch (error) {
      say.failed(`${name} was not copied`, error)
    }
  }
  return (
    <IconButton label={copied ? `Copied ${name}` : `Copy ${name}`} remote onClick={copy}>
      {copied ? <IconCheck size={15} stroke={1.6} /> : <IconCopy size={15} stroke={1.6} />}
    </IconButton>
  )
}
