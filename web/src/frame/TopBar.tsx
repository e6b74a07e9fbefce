import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { signOut } from '../api/client.ts'
import { useSession } from '../api/session.tsx'
import { IconButton } from '../kit/Button.tsx'
import { IconMenu2, IconSearch } from '../kit/icons.ts'
import { Menu } from '../kit/Menu.tsx'
import { chooseTheme, chosenTheme, type Theme } from '../kit/theming.ts'
import styles from './Frame.module.css'

type TopBarProps = { readonly crumbs: ReactNode; readonly openMenu: () => void; readonly search: () => void }

/** Where one is, the search, and who is signed in. */
export const TopBar = ({ crumbs, openMenu, search }: TopBarProps) => (
  <header className={styles.top}>
    <IconButton label="Open the menu" className={styles.menuButton} onClick={openMenu}>
      <IconMenu2 size={18} stroke={1.6} />
    </IconButton>
    {crumbs}
    <button type="button" className={styles.find} onClick={search} aria-label="Search or jump to Ctrl K">
      <IconSearch size={15} stroke={1.6} />
      <span>Search or jump to</span> <kbd>Ctrl K</kbd>
    </button>
    <Account />
  </header>
)

function Account() {
  const { username } = useSession()
  const navigate = useNavigate()
  const initials = username.slice(0, 2).toUpperCase()
  const [theme, setTheme] = useState(chosenTheme)
  const choose = (wanted: Theme) => () => {
    chooseTheme(wanted)
    setTheme(wanted)
  }
  const mark = (each: Theme) => (theme === each ? '✓' : undefined)
  return (
    <Menu
      local
      items={[
        { label: 'Your account', note: username, act: () => navigate({ to: '/account' as never }) },
        { label: 'Your tokens', act: () => navigate({ to: '/account/tokens' as never }) },
        { label: 'Light theme', note: mark('light'), act: choose('light') },
        { label: 'Dark theme', note: mark('dark'), act: choose('dark') },
        { label: 'Theme of the system', note: mark('auto'), act: choose('auto') },
        { label: 'API reference', act: () => location.assign('/docs') },
        { label: 'Sign out', act: () => signOut() },
      ]}
      button={(attributes) => (
        <button type="button" className={styles.who} aria-label={`${initials}, account of ${username}`} {...attributes}>
          {initials}
        </button>
      )}
    />
  )
}
