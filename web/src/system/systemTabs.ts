import type { Tab } from '../kit/Page.tsx'

const tab = (label: string, to: string): Tab => ({ label, link: { to: to as Tab['link']['to'] } as Tab['link'] })

/** The faces of the server. */
export const systemTabs: readonly Tab[] = [
  tab('Server', '/server/system'),
  tab('Figures', '/server/system/figures'),
  tab('Background work', '/server/system/jobs'),
  tab('Settings', '/server/system/settings'),
]
