import type { ComponentProps, ReactNode } from 'react'
import { useLostReason } from '../api/connection.ts'
import styles from './Button.module.css'

type Kind = 'primary' | 'default' | 'quiet' | 'danger' | 'destroy'

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> & {
  readonly kind?: Kind
  readonly small?: boolean
  /** Why it cannot be pressed now, and who can help; it stays visible and can be focused. */
  readonly reason?: string | undefined
  /** Pressed already, and not answered yet. */
  readonly busy?: boolean
  /** It needs no server, so that it works without one. */
  readonly local?: boolean
}

/** A button: a verb and its object. */
export function Button(props: ButtonProps) {
  const { kind = 'default', small, reason, busy = false, local = false, onClick, className, ...rest } = props
  const lost = useLostReason()
  const whyNot = reason ?? (local ? undefined : lost)
  const isOff = whyNot !== undefined || busy
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(kind, small, className)}
      aria-disabled={isOff || undefined}
      data-tip={whyNot ?? rest['aria-label']}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
}

/** The look of a button, for links that lead to a page. */
export const buttonClass = (kind: Kind = 'default', small = false, extra = ''): string =>
  [styles.button, kind !== 'default' && styles[kind], small && styles.small, extra].filter(Boolean).join(' ')

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'disabled'> & {
  readonly label: string
  /** Why it cannot be pressed now, and who can help. */
  readonly reason?: string | undefined
  /** What it does needs the server; most icons only open or close something. */
  readonly remote?: boolean
  readonly children: ReactNode
}

/** An icon that can be pressed; what it does, or why it cannot, is said when one points at it. */
export function IconButton({ label, reason, remote = false, className, onClick, ...rest }: IconButtonProps) {
  const lost = useLostReason()
  const whyNot = reason ?? (remote ? lost : undefined)
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      aria-disabled={whyNot !== undefined || undefined}
      data-tip={whyNot ?? label}
      className={`${styles.icon} ${className ?? ''}`}
      onClick={(event) => {
        if (whyNot === undefined) onClick?.(event)
      }}
    />
  )
}
