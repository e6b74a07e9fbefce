import { Link } from '@tanstack/react-router'
import { Empty, Failure } from '../kit/Answer.tsx'
import { buttonClass } from '../kit/Button.tsx'
import { Page } from '../kit/Page.tsx'

/** For addresses that no page has. */
export const NoSuchPage = () => (
  <Page title="There is nothing here">
    <Empty
      title="No page has this address"
      action={
        <Link to="/" className={buttonClass('primary')}>
          Go to the overview
        </Link>
      }
    >
      It may have been removed or renamed, or you may not see it.
    </Empty>
  </Page>
)

/** For pages that could not be drawn. */
export const PageFailed = ({ error }: { error: unknown }) => (
  <Page title="This page failed">
    <Failure title="This page could not be shown" error={error} again={() => location.reload()} />
  </Page>
)
