import type { Tab } from '../kit/Page.tsx'

/** The faces of one's own account. */
export const accountTabs: readonly Tab[] = [
  { label: 'Account', link: { to: '/account' as Tab['link']['to'] } as Tab['link'] },
  { label: 'Tokens', link: { to: '/account/tokens' as Tab['link']['to'] } as Tab['link'] },
]
