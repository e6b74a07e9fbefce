import { Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { Button } from './Button.tsx'
import type { Draft } from './drafts.ts'
import styles from './Form.module.css'
import { Inputs } from './Inputs.tsx'
import { Note } from './Page.tsx'

type FormProps<Values extends object> = {
  readonly draft: Draft<Values>
  readonly send: (values: Values, changes: readonly (keyof Values & string)[]) => Promise<unknown>
  /** The verb and its object. */
  readonly action: string
  /** What happens when it is saved, and from when on. */
  readonly effect?: string
  /** True for something new, which is sent though nothing was changed. */
  readonly isNew?: boolean
  /** Why it cannot be saved. */
  readonly reason?: string | undefined
  /** Why the caller may look at it only, and who can help; that is said above the fields. */
  readonly denied?: string | undefined
  readonly cancel?: () => void
  readonly children: ReactNode
}

/** The one form: its fields, and a bar that says what will change. */
export function Form<Values extends object>(props: FormProps<Values>) {
  const { draft, send, action, effect, isNew = false, reason, denied, cancel, children } = props
  const { changes, problem, isBusy } = draft
  const wait = denied ?? reason ?? (isNew || changes.length > 0 ? undefined : 'Nothing was changed yet.')
  const submit = async (form: HTMLFormElement) => {
    if (wait !== undefined || (await draft.save(send))) return
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
      }}
    >
      {denied && <Note tone="calm">{denied}</Note>}
      {problem && <Note tone="bad">{problem}</Note>}
      <div className={styles.fields}>
        <Inputs>{children}</Inputs>
      </div>
      <div className={styles.bar}>
        <span>{isNew ? effect : changes.length > 0 ? `${changesText(changes.length)}. ${effect ?? ''}` : effect}</span>
        {cancel && (
          <Button local onClick={cancel}>
            Cancel
          </Button>
        )}
        {!isNew && changes.length > 0 && (
          <Button local onClick={() => draft.discard()}>
            Discard changes
          </Button>
        )}
        <Button type="submit" kind="primary" reason={wait} busy={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  )
}

const changesText = (count: number): string => (count === 1 ? '1 change' : `${count} changes`)

/** Fields that belong together under a heading. */
export const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.group}>
    <h2>{title}</h2>
    <div className={styles.fields}>{children}</div>
  </section>
)

/** Fields that hold at once, outside of a form. */
export const Narrow = ({ children }: { children: ReactNode }) => (
  <Inputs>
    <div className={`${styles.form} ${styles.fields}`}>{children}</div>
  </Inputs>
)

/** Two fields beside each other. */
export const Pair = ({ children }: { children: ReactNode }) => <div className={styles.pair}>{children}</div>

/** A short field, a long one, and what can be done with both. */
export const Line = ({ children }: { children: ReactNode }) => <div className={styles.line}>{children}</div>

type NamesOf<Values, Type> = { [Name in keyof Values]: Values[Name] extends Type ? Name : never }[keyof Values] & string

type FieldProps<Values extends object, Type> = {
  readonly draft: Draft<Values>
  readonly name: NamesOf<Values, Type>
  readonly label: string
  readonly hint?: ReactNode
  readonly placeholder?: string
  readonly reason?: string | undefined
  /** What is wrong with what was typed, as one types. */
  readonly problem?: string | undefined
  /** True for the field of a dialog in which one begins to type. */
  readonly first?: boolean
}

function inputOf<Values extends object, Type>({
  draft,
  name,
  label,
  hint,
  placeholder,
  reason,
  problem,
  first,
}: FieldProps<Values, Type>) {
  return {
    label,
    description: hint,
    placeholder,
    error: draft.errors[name] ?? problem,
    disabled: reason !== undefined,
    'data-tip': reason,
    'data-autofocus': first,
    name,
  }
}

/** One line of text. */
export const TextField = <Values extends object>({
  type = 'text',
  ...props
}: FieldProps<Values, string> & { type?: 'text' | 'password' | 'number' | 'email' | 'date' | 'datetime-local' }) => (
  <TextInput
    {...inputOf(props)}
    type={type}
    autoComplete="off"
    value={props.draft.values[props.name] as string}
    onChange={(event) => props.draft.set(props.name, event.currentTarget.value as Values[typeof props.name])}
  />
)

/** Several lines of text. */
export const AreaField = <Values extends object>({
  rows = 4,
  mono = false,
  ...props
}: FieldProps<Values, string> & { rows?: number; mono?: boolean }) => (
  <Textarea
    {...inputOf(props)}
    rows={rows}
    classNames={mono ? { input: 'mono' } : {}}
    spellCheck={!mono}
    value={props.draft.values[props.name] as string}
    onChange={(event) => props.draft.set(props.name, event.currentTarget.value as Values[typeof props.name])}
  />
)

/** Several short texts. */
export const ListField = <Values extends object>(props: FieldProps<Values, readonly string[]>) => (
  <TagsInput
    {...inputOf(props)}
    splitChars={[',']}
    value={[...(props.draft.values[props.name] as readonly string[])]}
    onChange={(value) => props.draft.set(props.name, value as Values[typeof props.name])}
  />
)

/** On or off, with what that means. */
export function SwitchField<Values extends object>({ draft, name, label, hint, reason }: FieldProps<Values, boolean>) {
  const id = useId()
  return (
    <div className={styles.switch} data-tip={reason}>
      <label htmlFor={id}>
        <span className={styles.label}>{label}</span>
        {hint && <span className={styles.hint}>{hint}</span>}
        {draft.errors[name] && <span className={styles.error}>{draft.errors[name]}</span>}
      </label>
      <Switch
        id={id}
        disabled={reason !== undefined}
        checked={draft.values[name] as boolean}
        onChange={(event) => draft.set(name, event.currentTarget.checked as Values[typeof name])}
      />
    </div>
  )
}

/** One of a few. */
export function ChoiceField<Values extends object>({
  choices,
  ...props
}: FieldProps<Values, string> & { choices: readonly (readonly [value: string, label: string])[] }) {
  const { draft, name, label, hint, reason } = props
  const id = useId()
  return (
    <div>
      <label htmlFor={id}>
        <span className={styles.label}>{label}</span>
        {hint && <span className={styles.hint}>{hint}</span>}
      </label>
      <select
        id={id}
        name={name}
        className={styles.select}
        disabled={reason !== undefined}
        data-tip={reason}
        aria-invalid={draft.errors[name] !== undefined || undefined}
        value={draft.values[name] as string}
        onChange={({ target }) => draft.set(name, target.value as Values[typeof name])}
      >
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {draft.errors[name] && <span className={styles.error}>{draft.errors[name]}</span>}
    </div>
  )
}
