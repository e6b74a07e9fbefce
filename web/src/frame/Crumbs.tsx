import { Link, useMatches, useParams } from '@tanstack/react-router'
import { IconChevronRight } from '../kit/icons.ts'
import { usePageTitle } from '../kit/Page.tsx'
import styles from './Frame.module.css'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /**
     * What a page is called in the way that leads to it; a name with `$` stands for the part of the address, and `$title`
     * for the title of the page, where the address has an id.
     */
    crumb?: string
  }
}

/** The way that leads here. */
export function Crumbs() {
  const matches = useMatches()
  const params = useParams({ strict: false }) as Record<string, string>
  const title = usePageTitle()
  const nameOf = (crumb: string) =>
    crumb === '$title' ? title : crumb.startsWith('$') ? (params[crumb.slice(1)] ?? '') : crumb
  const crumbs = matches.flatMap(({ staticData: { crumb }, pathname }) =>
    crumb === undefined ? [] : [{ label: nameOf(crumb), pathname }],
  )
  return (
    <nav aria-label="Where you are" className={styles.crumbs}>
      <ol className={styles.crumbs}>
        {crumbs.map(({ label, pathname }, at) => (
          <li key={pathname}>
            {at > 0 && <IconChevronRight size={14} stroke={1.6} aria-hidden="true" />}
            {at === crumbs.length - 1 ? (
              <span aria-current="page">{label}</span>
            ) : (
              <Link to={pathname as never}>{label}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
