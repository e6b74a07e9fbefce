/** What a person has chosen; `auto` follows the system. */
export type Theme = 'light' | 'dark' | 'auto'

/** `theme.js` looks here before the first paint, and Mantine when it draws a form. */
export const themeKey = 'holdfast-theme'

const prefersDark = matchMedia('(prefers-color-scheme: dark)')

/** The theme that was chosen in this browser. */
export function chosenTheme(): Theme {
  const kept = localStorage.getItem(themeKey)
  return kept === 'light' || kept === 'dark' ? kept : 'auto'
}

/** Shows all pages in this theme from now on. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(themeKey, theme)
  showTheme()
}

function showTheme(): void {
  const theme = chosenTheme()
  const isDark = theme === 'dark' || (theme === 'auto' && prefersDark.matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
}

/** Follows the system, and what other tabs choose. */
export function followTheme(): void {
  prefersDark.addEventListener('change', showTheme)
  addEventListener('storage', showTheme)
}
