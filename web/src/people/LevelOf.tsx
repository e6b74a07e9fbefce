import { Level, NoLevel } from '../kit/Level.tsx'
import { type Access, barsOf } from './access.ts'

/** The level of an access, or a dot where there is none. */
export const LevelOf = ({ access, inherited = false }: { access: Access | undefined; inherited?: boolean }) =>
  access === undefined ? (
    <NoLevel label="no access" />
  ) : (
    <Level bars={barsOf(access.level)} word={access.level} inherited={inherited} />
  )
