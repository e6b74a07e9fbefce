import type { ReactNode } from 'react'
import { NeedsServiceToken } from '../../frame/NeedsServiceToken.tsx'
import { Page, type Tab } from '../../kit/Page.tsx'
import { MountSwitch } from './mounts.tsx'

type Props = {
  readonly title: string
  readonly beside?: ReactNode
  readonly facts?: ReactNode
  readonly actions?: ReactNode
  readonly tabs?: readonly Tab[]
  readonly children: ReactNode
}

/** A page of certificate login: it says which mount it shows. */
export const CertificatePage = ({ facts, children, ...rest }: Props) => (
  <Page
    {...rest}
    facts={
      <>
        <MountSwitch />
        {facts}
      </>
    }
  >
    <NeedsServiceToken what="Certificate login is managed">{children}</NeedsServiceToken>
  </Page>
)
