/** Version control providers: the names clients of this family send, and what each is called. */
export const vcsProviders = {
  github: 'GitHub',
  github_enterprise: 'GitHub Enterprise',
  gitlab_hosted: 'GitLab.com',
  gitlab_community_edition: 'GitLab Community Edition',
  gitlab_enterprise_edition: 'GitLab Enterprise Edition',
  bitbucket_hosted: 'Bitbucket Cloud',
  bitbucket_server: 'Bitbucket Server',
  bitbucket_data_center: 'Bitbucket Data Center',
  ado_server: 'Azure DevOps Server',
  ado_services: 'Azure DevOps Services',
} as const
