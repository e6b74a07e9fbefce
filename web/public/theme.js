// Runs before the first paint, so that nobody sees the wrong theme flash.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('holdfast-theme')
  } catch {
    // Without a store the theme of the system counts.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
