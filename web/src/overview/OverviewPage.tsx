import { Page } from '../kit/Page.tsx'
export const OverviewPage = () => <Page title="Overview">x</Page>
