import { useEffect, useState } from 'react'
import { IconButton } from './Button.tsx'
import styles from './Code.module.css'
import { IconCheck, IconCopy } from './icons.ts'

/** Copies a text. */
export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    const timer = copied ? setTimeout(() => setCopied(false), 1500) : undefined
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <IconButton label={copied ? 'Copied' : label} onClick={copy} className={styles.copy}>
      {copied ? <IconCheck size={15} stroke={1.6} /> : <IconCopy size={15} stroke={1.6} />}
    </IconButton>
  )
}

/** An id: whole on its page, shortened in tables. */
export const Id = ({ id, short = false }: { id: string; short?: boolean }) => (
  <span className={styles.id}>
    <code data-tip={short ? id : undefined}>{short && id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id}</code>
    <Copy text={id} label="Copy id" />
  </span>
)
