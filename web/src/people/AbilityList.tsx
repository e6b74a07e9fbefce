import type { ReactNode } from 'react'
import { IconCheck, IconX } from '../kit/icons.ts'
import { ActionRow, Section } from '../kit/Page.tsx'
import { type Access, abilities } from './access.ts'
import styles from './People.module.css'

type AbilityListProps = {
  readonly title: string
  readonly lead: string
  readonly access: Access | undefined
  readonly kind: 'project' | 'workspace'
  readonly children?: ReactNode
}

/** What an access allows and what it does not, each in words. */
export const AbilityList = ({ title, lead, access, kind, children }: AbilityListProps) => (
  <Section title={title} lead={lead}>
    <ul className={styles.abilities}>
      {abilities(access, kind).map(({ label, may, term }) => (
        <li key={label} className={may ? undefined : 'soft'}>
          {may ? <IconCheck size={15} stroke={1.8} /> : <IconX size={15} stroke={1.6} />}
          <span>
            <span className="unseen">{may ? 'May:' : 'May not:'} </span>
            {label}
          </span>
          {may && term && <small className="faint">{term}</small>}
        </li>
      ))}
    </ul>
    {children && <ActionRow>{children}</ActionRow>}
  </Section>
)
