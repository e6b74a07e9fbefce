/** The kinds of version control, and where those that are one place are. */
export const providers: readonly {
  readonly value: string
  readonly label: string
  readonly web?: string
  readonly api?: string
}[] = [
  { value: 'github', label: 'GitHub', web: 'https://github.com', api: 'https://api.github.com' },
  { value: 'github_enterprise', label: 'GitHub Enterprise' },
  { value: 'gitlab_hosted', label: 'GitLab.com', web: 'https://gitlab.com', api: 'https://gitlab.com/api/v4' },
  { value: 'gitlab_community_edition', label: 'GitLab Community Edition' },
  { value: 'gitlab_enterprise_edition', label: 'GitLab Enterprise Edition' },
  {
    value: 'bitbucket_hosted',
    label: 'Bitbucket Cloud',
    web: 'https://bitbucket.org',
    api: 'https://api.bitbucket.org/2.0',
  },
  { value: 'bitbucket_data_center', label: 'Bitbucket Data Center' },
  { value: 'ado_services', label: 'Azure DevOps Services', web: 'https://dev.azure.com', api: 'https://dev.azure.com' },
  { value: 'ado_server', label: 'Azure DevOps Server' },
]
