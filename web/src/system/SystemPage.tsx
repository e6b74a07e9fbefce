import { Page } from '../kit/Page.tsx'
export const SystemPage = () => <Page title="System">x</Page>
