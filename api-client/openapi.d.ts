// Made from docs/api/openapi.json by `npm run gen`.

export interface paths {
  "/api/blob/v1/{token}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Download the content of a state version. */
    get: operations["state-content.download"];
    /** Upload the content of a state version; works once. */
    put: operations["state-content.upload"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/run-logs/v1/{token}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the log of a plan or an apply from an offset on.
     * @description Byte 2 begins a log and byte 3 ends it. Without more bytes, the answer is empty.
     */
    get: operations["run-logs.read"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/account/details": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the account of the caller. */
    get: operations["account.details"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/account/password": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change your own password; this ends all sessions.
     * @description A wrong current password is tolerated a few times; after that each failure lengthens the wait before the next try. A user token cannot set the first password: use an invitation link, or a session that did not begin with a token.
     */
    patch: operations["account.password"];
    trace?: never;
  };
  "/api/v2/account/update": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change your own username or e-mail address.
     * @description An e-mail address that you set yourself is not verified, and accepts no invitations; one that a site administrator sets is. Repeating the present address changes nothing.
     */
    patch: operations["account.update"];
    trace?: never;
  };
  "/api/v2/admin/feature-sets": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the feature sets that organizations can subscribe to; hosted edition only. */
    get: operations["feature-sets.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/admin/nodes": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the nodes that share the database, by name. A node that is gone stays in the list for a day. */
    get: operations["nodes.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/admin/organizations/{organization}/subscription": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Subscribe an organization to a feature set, which determines its tier; hosted edition only. */
    post: operations["organizations.subscribe"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/admin/removals": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the organizations and tags that are gone and whose rows are still being removed, the oldest first. */
    get: operations["removals.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/admin/terraform-versions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the releases in the catalogue, newest first. */
    get: operations["terraform-versions.list"];
    put?: never;
    /** Add a release to the catalogue. */
    post: operations["terraform-versions.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/admin/terraform-versions/{versionId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a release in the catalogue. */
    get: operations["terraform-versions.show"];
    put?: never;
    post?: never;
    /**
     * Remove a release from the catalogue.
     * @description Workspaces that name this exact version keep it; constraints resolve to the remaining releases.
     */
    delete: operations["terraform-versions.delete"];
    options?: never;
    head?: never;
    /** Change or disable a release in the catalogue. */
    patch: operations["terraform-versions.update"];
    trace?: never;
  };
  "/api/v2/admin/tool-versions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the releases in the catalogue, newest first. */
    get: operations["tool-versions.list"];
    put?: never;
    /** Add a release to the catalogue. */
    post: operations["tool-versions.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/admin/tool-versions/{versionId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a release in the catalogue. */
    get: operations["tool-versions.show"];
    put?: never;
    post?: never;
    /**
     * Remove a release from the catalogue.
     * @description Workspaces that name this exact version keep it; constraints resolve to the remaining releases.
     */
    delete: operations["tool-versions.delete"];
    options?: never;
    head?: never;
    /** Change or disable a release in the catalogue. */
    patch: operations["tool-versions.update"];
    trace?: never;
  };
  "/api/v2/admin/users": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List all users, including people who are invited and have not joined yet. */
    get: operations["admin-users.list"];
    put?: never;
    /**
     * Create a user; without a password, the response contains an invitation link.
     * @description The e-mail address is verified, and accepts the invitations for it. It is taken from another user who has set it without being verified.
     */
    post: operations["admin-users.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/admin/users/{userId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a user, or someone who is invited. */
    get: operations["admin-users.show"];
    put?: never;
    post?: never;
    /** Delete a user with all memberships, tokens and sessions, or withdraw the invitations of someone without an account. */
    delete: operations["admin-users.delete"];
    options?: never;
    head?: never;
    /**
     * Change a user, or whether the user is a site administrator.
     * @description An e-mail address that is set here is verified, and accepts the invitations for it. It is taken from another user who has set it without being verified.
     */
    patch: operations["admin-users.update"];
    trace?: never;
  };
  "/api/v2/admin/users/{userId}/actions/grant_admin": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Make a user a site administrator. */
    post: operations["admin-users.grant-admin"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/admin/users/{userId}/actions/reset-password": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Create a link with which a user can set a new password. */
    post: operations["admin-users.reset"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/admin/users/{userId}/actions/revoke_admin": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Remove site administration from a user. */
    post: operations["admin-users.revoke-admin"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/admin/users/{userId}/actions/suspend": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Suspend a user: sign-in is refused and the user's tokens stop working. */
    post: operations["admin-users.suspend"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/admin/users/{userId}/actions/unsuspend": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Lift the suspension of a user. */
    post: operations["admin-users.unsuspend"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/agent-pools/{poolId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read an agent pool. */
    get: operations["agent-pools.show"];
    put?: never;
    post?: never;
    /** Delete an agent pool that is not in use. */
    delete: operations["agent-pools.delete"];
    options?: never;
    head?: never;
    /** Change an agent pool; lists in the request replace the existing ones. */
    patch: operations["agent-pools.update"];
    trace?: never;
  };
  "/api/v2/agent-pools/{poolId}/authentication-tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the tokens of an agent pool. */
    get: operations["agent-tokens.list"];
    put?: never;
    /** Create a token for the executors of an agent pool. It is shown only once and gives no other access. */
    post: operations["agent-tokens.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/applies/{applyId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read an apply. */
    get: operations["applies.show"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/authentication-tokens/{tokenId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the details of a token, without its value. */
    get: operations["tokens.show"];
    put?: never;
    post?: never;
    /** Revoke a token. */
    delete: operations["tokens.delete"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/comments/{commentId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a comment on a run. */
    get: operations["comments.show"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/configuration-versions/{configurationVersionId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a configuration version. */
    get: operations["configuration-versions.show"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/oauth-clients/{clientId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a version control connection. */
    get: operations["oauth-clients.show"];
    put?: never;
    post?: never;
    /** Delete a version control connection; workspaces lose the repositories linked through it. */
    delete: operations["oauth-clients.delete"];
    options?: never;
    head?: never;
    /**
     * Rename a version control connection, move it to another address, or replace its token.
     * @description Token and secret are for one address: a change of `http-url` or `api-url` needs those that are stored to be sent again, and removes the SSH key of the token.
     */
    patch: operations["oauth-clients.update"];
    trace?: never;
  };
  "/api/v2/oauth-clients/{clientId}/oauth-tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the tokens of a version control connection, without their values. */
    get: operations["oauth-clients.list-tokens"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/oauth-tokens/{oauthTokenId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a version control token, without its value. */
    get: operations["oauth-tokens.show"];
    put?: never;
    post?: never;
    /** Delete a version control token; workspaces lose the repositories linked through it. */
    delete: operations["oauth-tokens.delete"];
    options?: never;
    head?: never;
    /** Set the SSH key of a version control token. */
    patch: operations["oauth-tokens.update"];
    trace?: never;
  };
  "/api/v2/organization-memberships": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the organizations you belong to. */
    get: operations["memberships.mine"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organization-memberships/{membershipId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a membership. */
    get: operations["memberships.show"];
    put?: never;
    post?: never;
    /** Remove a user from an organization, or leave it yourself. */
    delete: operations["memberships.delete"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the organizations you belong to. */
    get: operations["organizations.list"];
    put?: never;
    /** Create an organization; you become its first owner. */
    post: operations["organizations.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read an organization. */
    get: operations["organizations.show"];
    /** Change the settings of an organization; omitted attributes keep their values. */
    put: operations["organizations.update-by-put"];
    post?: never;
    /** Delete an organization and everything in it. */
    delete: operations["organizations.delete"];
    options?: never;
    head?: never;
    /** Change the settings of an organization; omitted attributes keep their values. */
    patch: operations["organizations.update"];
    trace?: never;
  };
  "/api/v2/organizations/{organization}/agent-pools": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the agent pools of an organization. */
    get: operations["agent-pools.list"];
    put?: never;
    /** Create an agent pool. */
    post: operations["agent-pools.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/attention": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what needs attention: what failed first, then what is at risk.
     * @description Of the organization you are told what you can see; what concerns the whole server is told to site administrators. At most 20 of a kind are returned.
     */
    get: operations["attention.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/authentication-token": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the details of the organization token, without its value. */
    get: operations["organization-token.show"];
    put?: never;
    /** Create the organization token, replacing any previous one. It is shown only once. */
    post: operations["organization-token.create"];
    /** Revoke the token of an organization. */
    delete: operations["organization-token.delete"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/capacity": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read how many runs of an organization are executed and wait. */
    get: operations["runs.capacity"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/changes": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the changes made in an organization, newest first. */
    get: operations["changes.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/entitlement-set": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read which features are available and enabled. */
    get: operations["organizations.entitlement-set"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Stream events of the workspaces you can see in an organization.
     * @description An unending response of type text/event-stream. Events are named locked, unlocked, changed, deleted, tags and state; their data is a JSON document. A client that sends the id of the last event it received as `Last-Event-ID` misses nothing, but may receive the events of the last few seconds twice; the id of an event is that of its change. The stream ends when the token is revoked, a snapshot is restored or the server stops.
     */
    get: operations["workspace-events.of-organization"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/oauth-clients": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the version control connections of an organization. */
    get: operations["oauth-clients.list"];
    put?: never;
    /**
     * Create a version control connection with a token from the provider.
     * @description A connection with a key pair in place of the token is stored, but workspaces cannot use it.
     */
    post: operations["oauth-clients.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/oauth-tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the tokens of all version control connections, without their values. */
    get: operations["oauth-tokens.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/organization-memberships": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the members of an organization, including people who are invited. */
    get: operations["memberships.list"];
    put?: never;
    /**
     * Invite someone by e-mail address.
     * @description People whose account has this address, verified, become members at once. For anybody else the response has a link to hand over: whoever opens it signed in, or creates an account there, becomes the member. The link works once, for 7 days, and as long as the invitation; to make another one, delete the membership and invite again. The invitation is also accepted when a site administrator gives an account this address. The response includes the user.
     */
    post: operations["memberships.invite"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/projects": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the projects you can see. */
    get: operations["projects.list"];
    put?: never;
    /** Create a project. */
    post: operations["projects.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/relationships/data-retention-policy": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the default retention policy, which applies to workspaces without their own. */
    get: operations["organizations.retention-policy"];
    put?: never;
    /** Set the default retention policy, which applies to workspaces without their own. */
    post: operations["organizations.set-retention-policy"];
    /** Remove the default retention policy; succeeds even if there is none. */
    delete: operations["organizations.remove-retention-policy"];
    options?: never;
    head?: never;
    /** Set the retention policy; same as POST. */
    patch: operations["organizations.change-retention-policy"];
    trace?: never;
  };
  "/api/v2/organizations/{organization}/runs": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the runs you can see in an organization, newest first.
     * @description Unless a timeframe is given, those of the last twelve months. Pages have no totals.
     */
    get: operations["runs.of-organization"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/runs/queue": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the runs of an organization that are executed or wait to be, in the order of the queue. */
    get: operations["runs.queue"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/ssh-keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the SSH keys of an organization. */
    get: operations["ssh-keys.list"];
    put?: never;
    /** Store an SSH key. */
    post: operations["ssh-keys.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/tags": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the flat tags of an organization. */
    get: operations["tags.list"];
    put?: never;
    post?: never;
    /** Remove flat tags from an organization and all its workspaces. */
    delete: operations["tags.delete"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/team-tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the tokens of the teams whose tokens you can manage. */
    get: operations["organization-team-tokens.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/teams": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the teams you can see. */
    get: operations["teams.list"];
    put?: never;
    /** Create a team. */
    post: operations["teams.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/token-ttl-policies": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List how long new tokens may last.
     * @description The limits are in force while `max-ttl-enabled` of the organization is set.
     */
    get: operations["organizations.token-limits"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Set how long new tokens may last; existing tokens stay as they are. */
    patch: operations["organizations.set-token-limits"];
    trace?: never;
  };
  "/api/v2/organizations/{organization}/tool-versions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the releases available to workspaces, newest first. */
    get: operations["tool-versions.choose"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/workspaces": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the workspaces you can see in an organization.
     * @description A workspace must match all filters and searches. Totals count only the workspaces you can see.
     */
    get: operations["workspaces.list"];
    put?: never;
    /** Create a workspace. */
    post: operations["workspaces.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/workspaces/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a workspace. */
    get: operations["workspaces.show-by-name"];
    put?: never;
    post?: never;
    /**
     * Delete a workspace and its state, even if it is locked.
     * @description Resources that the workspace manages are not destroyed. Use the safe-delete action to refuse deletion while it manages any.
     */
    delete: operations["workspaces.delete-by-name"];
    options?: never;
    head?: never;
    /**
     * Change the settings of a workspace; omitted attributes keep their values.
     * @description With `If-Match`, nothing is changed if the workspace has changed since it was read.
     */
    patch: operations["workspaces.update-by-name"];
    trace?: never;
  };
  "/api/v2/organizations/{organization}/workspaces/{name}/actions/safe-delete": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Delete a workspace unless it is locked or manages resources. */
    post: operations["workspaces.safe-delete-by-name"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/workspaces/{name}/tag-bindings": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the tag bindings of a workspace, found by name. */
    get: operations["tag-bindings.list-by-name"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/organizations/{organization}/workspaces/actions/bulk": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Lock, unlock or tag all workspaces that match a list query.
     * @description The query takes the filters and searches of the workspace list, and nothing else: paging, unknown parameters and attributes, and a filter without a value are refused instead of ignored. Results are ordered by name. Permissions are checked for each workspace. With `dry-run`, nothing is changed. After 100 seconds or 10000 workspaces, the answer contains what was done so far, and `links.next` goes on.
     */
    post: operations["workspaces.bulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/ping": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Return the API version and the rate limit in response headers. */
    get: operations["ping.show"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/plans/{planId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a plan. */
    get: operations["plans.show"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/projects/{projectId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a project. */
    get: operations["projects.show"];
    put?: never;
    post?: never;
    /** Delete a project that has no workspaces. */
    delete: operations["projects.delete"];
    options?: never;
    head?: never;
    /** Change the settings of a project. */
    patch: operations["projects.update"];
    trace?: never;
  };
  "/api/v2/projects/{projectId}/effective-tag-bindings": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the effective tag bindings of a project. */
    get: operations["projects.list-effective-tag-bindings"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/projects/{projectId}/relationships/tag-bindings": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the tag bindings of a project (relationship endpoint). */
    get: operations["projects.list-tag-bindings-relationship"];
    put?: never;
    /** Add tag bindings to a project or change their values (relationship endpoint). */
    post: operations["projects.add-tag-bindings"];
    delete?: never;
    options?: never;
    head?: never;
    /** Replace all tag bindings of a project. */
    patch: operations["projects.replace-tag-bindings"];
    trace?: never;
  };
  "/api/v2/projects/{projectId}/relationships/workspaces": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Move workspaces into a project. */
    post: operations["projects.move-workspaces"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/projects/{projectId}/tag-bindings": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the tag bindings of a project. */
    get: operations["projects.list-tag-bindings"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Add tag bindings to a project or change their values. */
    patch: operations["projects.merge-tag-bindings"];
    trace?: never;
  };
  "/api/v2/run-events/{runEventId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read an event of a run. */
    get: operations["run-events.show"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/runs": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a run of a workspace.
     * @description It uses what the workspace and its variables are now; later changes do not touch it. Its organization must have `remote-execution-enabled`. No runner exists yet: a run waits, and says so in `wait-reason`.
     */
    post: operations["runs.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/runs/{runId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a run. */
    get: operations["runs.show"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/runs/{runId}/actions/apply": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Confirm the plan of a run, which is applied then. */
    post: operations["runs.apply"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/runs/{runId}/actions/cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Cancel a run that waits, or ask the tool of one that is executed to end. */
    post: operations["runs.cancel"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/runs/{runId}/actions/discard": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Discard a run that waits, or whose plan waits for confirmation. */
    post: operations["runs.discard"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/runs/{runId}/actions/force-cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** End a run that was canceled and did not end; its state may be incomplete. */
    post: operations["runs.force-cancel"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/runs/{runId}/actions/force-execute": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Let a run go first: the one that holds the workspace is discarded or canceled. */
    post: operations["runs.force-execute"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/runs/{runId}/apply": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the apply of a run. */
    get: operations["applies.of-run"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/runs/{runId}/comments": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the comments on a run, the first ones first. */
    get: operations["comments.list"];
    put?: never;
    /** Comment on a run. */
    post: operations["comments.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/runs/{runId}/configuration-version": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the configuration version of a run. */
    get: operations["runs.configuration-version"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/runs/{runId}/plan": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the plan of a run. */
    get: operations["plans.of-run"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/runs/{runId}/policy-checks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the policy checks of a run; there are none. */
    get: operations["runs.policy-checks"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/runs/{runId}/run-events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List what happened to a run, the first events first. */
    get: operations["run-events.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/runs/{runId}/task-stages": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the task stages of a run; there are none. */
    get: operations["runs.task-stages"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/search": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Find workspaces, projects, teams and organizations that you can see by a part of their name.
     * @description Of each kind at most 8 are returned for an organization. Without `filter[organization]`, your first 20 organizations by name are searched.
     */
    get: operations["search.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/ssh-keys/{keyId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read an SSH key, without its value. */
    get: operations["ssh-keys.show"];
    put?: never;
    post?: never;
    /** Delete an SSH key; it is removed from the workspaces that use it. */
    delete: operations["ssh-keys.delete"];
    options?: never;
    head?: never;
    /** Rename an SSH key. */
    patch: operations["ssh-keys.update"];
    trace?: never;
  };
  "/api/v2/state-version-outputs/{outputId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read an output with its value, even if it is sensitive. */
    get: operations["state-version-outputs.show"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/state-versions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the state versions of a workspace, newest first. */
    get: operations["state-versions.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/state-versions/{stateVersionId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a state version. */
    get: operations["state-versions.show"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/state-versions/{stateVersionId}/actions/permanently_delete_backing_data": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Permanently delete the content of a state version. */
    post: operations["state-versions.permanently-delete"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/state-versions/{stateVersionId}/actions/restore_backing_data": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Restore the soft-deleted content of a state version. */
    post: operations["state-versions.restore"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/state-versions/{stateVersionId}/actions/soft_delete_backing_data": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Soft-delete the content of a state version; it can be restored for a limited time. */
    post: operations["state-versions.soft-delete"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/state-versions/{stateVersionId}/comparison": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Compare a state version with another one of the same workspace.
     * @description Sensitive values are never shown: those that the state marks, and those whose names tell, such as passwords. Longer values are cut after 4,000 characters.
     */
    get: operations["state-versions.compare"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/state-versions/{stateVersionId}/outputs": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the outputs of a state version.
     * @description Sensitive values are shown to those who may read the state, which contains them.
     */
    get: operations["state-version-outputs.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/tags/{tagId}/relationships/workspaces": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Add a flat tag to several workspaces. */
    post: operations["tags.attach-to-workspaces"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/team-projects": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the teams that have access to a project. */
    get: operations["team-projects.list"];
    put?: never;
    /** Give a team access to a project. */
    post: operations["team-projects.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/team-projects/{teamProjectId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a team's access to a project. */
    get: operations["team-projects.show"];
    put?: never;
    post?: never;
    /** Revoke a team's access to a project. */
    delete: operations["team-projects.delete"];
    options?: never;
    head?: never;
    /** Change a team's access to a project. */
    patch: operations["team-projects.update"];
    trace?: never;
  };
  "/api/v2/team-workspaces": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the teams that have access to a workspace. */
    get: operations["team-workspaces.list"];
    put?: never;
    /** Give a team access to a workspace. */
    post: operations["team-workspaces.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/team-workspaces/{teamWorkspaceId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a team's access to a workspace. */
    get: operations["team-workspaces.show"];
    put?: never;
    post?: never;
    /** Revoke a team's access to a workspace. */
    delete: operations["team-workspaces.delete"];
    options?: never;
    head?: never;
    /** Change a team's access to a workspace. */
    patch: operations["team-workspaces.update"];
    trace?: never;
  };
  "/api/v2/teams/{teamId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a team. */
    get: operations["teams.show"];
    put?: never;
    post?: never;
    /** Delete a team with its access and tokens; the owners team cannot be deleted. */
    delete: operations["teams.delete"];
    options?: never;
    head?: never;
    /** Change a team. */
    patch: operations["teams.update"];
    trace?: never;
  };
  "/api/v2/teams/{teamId}/authentication-token": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the details of the team token, without its value. */
    get: operations["team-token.show"];
    put?: never;
    /** Create the team token, replacing any previous one. It is shown only once. */
    post: operations["team-token.create"];
    /** Revoke the token of a team. */
    delete: operations["team-token.delete"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/teams/{teamId}/authentication-tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the tokens of a team. */
    get: operations["team-tokens.list"];
    put?: never;
    /** Create an additional team token, told apart by its description. It is shown only once. */
    post: operations["team-tokens.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/teams/{teamId}/relationships/organization-memberships": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the members of a team by organization membership. */
    get: operations["memberships.of-team"];
    put?: never;
    /** Add members to a team by organization membership. */
    post: operations["teams.add-organization-memberships"];
    /** Remove members from a team by organization membership. */
    delete: operations["teams.remove-organization-memberships"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/teams/{teamId}/relationships/users": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Add members to a team by username or user id. */
    post: operations["teams.add-users"];
    /** Remove members from a team by username or user id. */
    delete: operations["teams.remove-users"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/users/{userId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a user you share an organization with or that it has invited, or the service account of your team or organization. */
    get: operations["users.show"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/users/{userId}/authentication-tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the tokens of a user. */
    get: operations["user-tokens.list"];
    put?: never;
    /** Create a user token. It is shown only once. */
    post: operations["user-tokens.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/vars": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the variables of the workspace named by the filters. */
    get: operations["vars.list-bare"];
    put?: never;
    /** Create a variable in the workspace named in the body. */
    post: operations["vars.create-bare"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/vars/{variableId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a variable. */
    get: operations["vars.show-bare"];
    put?: never;
    post?: never;
    /** Delete a variable. */
    delete: operations["vars.delete-bare"];
    options?: never;
    head?: never;
    /** Change a variable; omitted attributes keep their values. */
    patch: operations["vars.update-bare"];
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a workspace. */
    get: operations["workspaces.show"];
    put?: never;
    post?: never;
    /**
     * Delete a workspace and its state, even if it is locked.
     * @description Resources that the workspace manages are not destroyed. Use the safe-delete action to refuse deletion while it manages any.
     */
    delete: operations["workspaces.delete"];
    options?: never;
    head?: never;
    /**
     * Change the settings of a workspace; omitted attributes keep their values.
     * @description With `If-Match`, nothing is changed if the workspace has changed since it was read.
     */
    patch: operations["workspaces.update"];
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/actions/extend-lock": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Let your lock of a workspace end later.
     * @description For a lock with `expires-after`, while it is in force; the time counts from now, and never shortens the lock. Holders repeat this while they work. 409 means that the lock is lost, and says who holds the workspace now.
     */
    post: operations["workspaces.extend-lock"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/actions/force-unlock": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Unlock a workspace, no matter who locked it.
     * @description With `locked-at`, a lock that somebody took since then stays, and the answer is 409.
     */
    post: operations["workspaces.force-unlock"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/actions/lock": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Lock a workspace.
     * @description With `?wait=30s`, the call waits for the lock to become free. With `expires-after`, the lock is released automatically after that time, unless its holder extends it.
     */
    post: operations["workspaces.lock"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/actions/safe-delete": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Delete a workspace unless it is locked or manages resources. */
    post: operations["workspaces.safe-delete"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/actions/unlock": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Unlock a workspace you locked. */
    post: operations["workspaces.unlock"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/all-vars": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the variables of a workspace, including inherited ones. */
    get: operations["vars.list-all"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/changes": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the changes made to a workspace, newest first. */
    get: operations["workspace-changes.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/changes/{changeId}/actions/undo": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Undo a change: reset the settings it changed to their previous values.
     * @description This is an ordinary update and follows the same rules. Tags, locks and states are not settings and are not undone.
     */
    post: operations["workspace-changes.undo"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/configuration-versions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the configuration versions of a workspace, newest first. */
    get: operations["configuration-versions.list"];
    put?: never;
    /**
     * Create a configuration version, whose content is uploaded afterwards.
     * @description Unless it is speculative or provisional, it is the current configuration of the workspace from now on. Its organization must have `remote-execution-enabled`.
     */
    post: operations["configuration-versions.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/current-state-version": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the current state version of a workspace. */
    get: operations["state-versions.current"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/current-state-version-outputs": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List all outputs of the current state version of a workspace.
     * @description Not paginated: command-line clients expect the whole list in one response.
     */
    get: operations["state-version-outputs.current"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/effective-tag-bindings": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the effective tag bindings of a workspace, inherited ones last. */
    get: operations["tag-bindings.list-effective"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Stream events of a workspace.
     * @description An unending response of type text/event-stream. Events are named locked, unlocked, changed, deleted, tags and state; their data is a JSON document. A client that sends the id of the last event it received as `Last-Event-ID` misses nothing, but may receive the events of the last few seconds twice; the id of an event is that of its change. The stream ends when the token is revoked, a snapshot is restored or the server stops.
     */
    get: operations["workspace-events.of-workspace"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/lock": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read who holds the lock of a workspace.
     * @description While the workspace is unlocked, `data` is null.
     */
    get: operations["workspaces.show-lock"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/relationships/data-retention-policy": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the effective retention policy: that of the workspace, or the default of its organization. */
    get: operations["workspaces.retention-policy"];
    put?: never;
    /** Set the retention policy of a workspace. */
    post: operations["workspaces.set-retention-policy"];
    /** Remove the retention policy of a workspace; succeeds even if there is none. */
    delete: operations["workspaces.remove-retention-policy"];
    options?: never;
    head?: never;
    /** Set the retention policy; same as POST. */
    patch: operations["workspaces.change-retention-policy"];
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/relationships/remote-state-consumers": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the workspaces that may read the state of a workspace.
     * @description If the state is shared with the whole organization or project, these are all other workspaces in it.
     */
    get: operations["remote-state-consumers.list"];
    put?: never;
    /** Allow more workspaces to read the state of a workspace. */
    post: operations["remote-state-consumers.add"];
    /** Stop workspaces from reading the state of a workspace. */
    delete: operations["remote-state-consumers.remove"];
    options?: never;
    head?: never;
    /** Replace the list of workspaces that may read the state of a workspace. */
    patch: operations["remote-state-consumers.replace"];
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/relationships/ssh-key": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Set the SSH key of a workspace, or remove it with null. */
    patch: operations["workspaces.assign-ssh-key"];
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/relationships/tag-bindings": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the tag bindings of a workspace (relationship endpoint). */
    get: operations["tag-bindings.list-relationship"];
    put?: never;
    /** Add tag bindings to a workspace or change their values. */
    post: operations["tag-bindings.add"];
    delete?: never;
    options?: never;
    head?: never;
    /** Replace all tag bindings of a workspace. */
    patch: operations["tag-bindings.replace"];
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/relationships/tags": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the flat tags of a workspace, in the order they were added. */
    get: operations["tags.list-on-workspace"];
    put?: never;
    /** Add flat tags to a workspace. */
    post: operations["tags.add"];
    /** Remove flat tags from a workspace. */
    delete: operations["tags.remove"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/resources": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the resource instances in the current state of a workspace.
     * @description At most the first 2,000 instances are listed. The list is empty if there is no state or the state is encrypted.
     */
    get: operations["workspace-resources.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/runs": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the runs of a workspace, newest first.
     * @description Plan-only runs are listed if `filter[operation]` or `filter[status]` is given.
     */
    get: operations["runs.of-workspace"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/state-versions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a state version, with its content or with URLs to upload it to.
     * @description Only the holder of the workspace lock can write state. The new version becomes the current state when the lock is released.
     */
    post: operations["state-versions.create"];
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Roll back: copy an earlier state into a new state version.
     * @description Only the holder of the workspace lock can roll back. The copy keeps the serial of its content, and becomes the current state when the lock is released.
     */
    patch: operations["state-versions.rollback"];
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/tag-bindings": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the tag bindings of a workspace, excluding inherited ones. */
    get: operations["tag-bindings.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Add tag bindings to a workspace or change their values; none are removed. */
    patch: operations["tag-bindings.merge"];
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/vars": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the variables of a workspace. */
    get: operations["vars.list"];
    put?: never;
    /** Create a variable in a workspace. */
    post: operations["vars.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v2/workspaces/{workspaceId}/vars/{variableId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a variable. */
    get: operations["vars.show"];
    put?: never;
    post?: never;
    /** Delete a variable. */
    delete: operations["vars.delete"];
    options?: never;
    head?: never;
    /** Change a variable; omitted attributes keep their values. */
    patch: operations["vars.update"];
    trace?: never;
  };
  "/app/session": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the signed-in user and the CSRF token that writes require. */
    get: operations["sign-in.session.app"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/healthz": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Check liveness: the process is running and does not need a restart. */
    get: operations["site.healthz"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/readyz": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Check readiness: the store responds, the server is unsealed, and requests can be audited. */
    get: operations["site.readyz"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/cert/certs": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List certificate roles. */
    get: operations["cert-roles.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/cert/certs/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a certificate role. */
    get: operations["cert-roles.read"];
    put?: never;
    /**
     * Create or update a certificate role.
     * @description Omitted fields keep their values. If there are warnings the status is 200 instead of 204; the role is stored either way. A role that has `platform_team` or `platform_user`, before or after the write, needs the `sudo` capability.
     */
    post: operations["cert-roles.write"];
    /** Delete a certificate role and the CA certificates in it. */
    delete: operations["cert-roles.delete"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/cert/certs/{name}/check": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Explain how a role would evaluate a certificate. */
    post: operations["cert-login.check"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/cert/certs/{name}/preview": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Show what a write of a role would store, without storing it.
     * @description Takes the fields of a write. Answers with the certificates as they were read, with the warnings of the write, and with the reason if it would be refused.
     */
    post: operations["cert-roles.preview"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/cert/clients": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the certificates that logged in, the last ones first. */
    get: operations["cert-logins.clients"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/cert/config": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the settings of certificate login. */
    get: operations["cert-config.read"];
    put?: never;
    /** Change the settings of certificate login. */
    post: operations["cert-config.write"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/cert/crls": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List revocation lists. */
    get: operations["cert-crls.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/cert/crls/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the serial numbers and the status of a revocation list. */
    get: operations["cert-crls.read"];
    put?: never;
    /**
     * Store a revocation list, or a URL to fetch it from.
     * @description A list given by URL is fetched before the response is sent, and again in the background: every hour, and when its next update is due. How a failed fetch ended is told to callers with sudo, and to the log.
     */
    post: operations["cert-crls.write"];
    /** Delete a revocation list. */
    delete: operations["cert-crls.delete"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/cert/explain": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Explain how every role would evaluate a certificate.
     * @description Shows the result of each check and how to fix those that fail. With `name`, only that role is evaluated, as in a login. Nothing is stored and no token is issued.
     */
    post: operations["cert-login.explain"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/cert/login": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Log in with the client certificate of the TLS connection. */
    post: operations["cert-login.login"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/cert/logins": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List recorded logins, the newest first.
     * @description Accepted and refused logins of the last days, as far as the record is kept. Equal logins of one minute are one row with a count.
     */
    get: operations["cert-logins.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/cert/logins/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a recorded login. */
    get: operations["cert-logins.read"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/cert/summary/crls": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List revocation lists with how fresh and how long they are. */
    get: operations["cert-summary.lists"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/cert/summary/roles": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List roles with what they trust and the logins that they accepted and refused. */
    get: operations["cert-summary.roles"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/cert/summary/trust": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the certificates that roles trust, the first to expire first, with roles, lists and clients. */
    get: operations["cert-summary.trust"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/token/accessors": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the accessors of all stored tokens. */
    get: operations["tokens.list-accessors"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/token/create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a token.
     * @description The token is a child of the caller's token and is revoked with it. Its policies must be a subset of the caller's, unless the caller has sudo.
     */
    post: operations["tokens.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/token/create-orphan": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Create a token without a parent. */
    post: operations["tokens.create-orphan"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/token/create/{role_name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Create a token with a token role. */
    post: operations["tokens.create-by-role"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/token/lookup": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Look up a token. */
    get: operations["tokens.lookup-by-read"];
    put?: never;
    /** Look up a token. */
    post: operations["tokens.lookup"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/token/lookup-accessor": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Look up a token by its accessor.
     * @description The response does not contain the token itself: an accessor alone gives no access.
     */
    post: operations["tokens.lookup-accessor"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/token/lookup-self": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Look up the caller's token. */
    get: operations["tokens.lookup-self"];
    put?: never;
    /** Look up the caller's token. */
    post: operations["tokens.lookup-self-by-write"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/token/renew": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Renew a token. */
    post: operations["tokens.renew"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/token/renew-accessor": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Renew a token by its accessor. */
    post: operations["tokens.renew-accessor"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/token/renew-self": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Renew the caller's token. */
    post: operations["tokens.renew-self"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/token/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Revoke a token and all its descendants. */
    post: operations["tokens.revoke"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/token/revoke-accessor": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Revoke a token by its accessor. */
    post: operations["tokens.revoke-accessor"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/token/revoke-orphan": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Revoke a token; its children stay valid as orphans. */
    post: operations["tokens.revoke-orphan"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/token/revoke-self": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Revoke the caller's token and all its descendants. */
    post: operations["tokens.revoke-self"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/token/roles": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List token roles. */
    get: operations["token-roles.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/token/roles/{role_name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a token role. */
    get: operations["token-roles.read"];
    put?: never;
    /**
     * Create or update a token role.
     * @description Omitted fields keep their values.
     */
    post: operations["token-roles.write"];
    /**
     * Delete a token role.
     * @description Its tokens stay valid, but can no longer be renewed.
     */
    delete: operations["token-roles.delete"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/auth/token/tidy": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Clean up the remains of tokens that are no longer valid.
     * @description This also runs periodically in the background; the call starts it now.
     */
    post: operations["tokens.tidy"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/cubbyhole": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the cubbyhole of the caller's token. */
    get: operations["cubbyhole.list-all"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/cubbyhole/{path}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a value from the cubbyhole of the caller's token.
     * @description With `list=true`: List a folder in the cubbyhole of the caller's token.
     */
    get: operations["cubbyhole.read"];
    put?: never;
    /** Store a value in the cubbyhole of the caller's token. */
    post: operations["cubbyhole.write"];
    /** Delete a value from the cubbyhole of the caller's token. */
    delete: operations["cubbyhole.delete"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/identity/entity": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Create an entity, or update the one with this id or name. */
    post: operations["identity.write-entity"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/identity/entity-alias": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Create an alias, or update the one with this id, or with this name at this mount. */
    post: operations["identity.write-alias"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/identity/entity-alias/id": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List aliases by id. */
    get: operations["identity.list-aliases"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/identity/entity-alias/id/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read an alias. */
    get: operations["identity.read-alias"];
    put?: never;
    /** Update an alias. */
    post: operations["identity.update-alias"];
    /** Delete an alias; the next login with its name creates a new entity. */
    delete: operations["identity.delete-alias"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/identity/entity/batch-delete": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Delete several entities. */
    post: operations["identity.delete-entities"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/identity/entity/id": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List entities by id. */
    get: operations["identity.list-entities"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/identity/entity/id/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read an entity. */
    get: operations["identity.read-entity"];
    put?: never;
    /** Update an entity. */
    post: operations["identity.update-entity"];
    /** Delete an entity; its tokens stop working. */
    delete: operations["identity.delete-entity"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/identity/entity/merge": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Merge entities into one, which takes over the tokens of the others. */
    post: operations["identity.merge-entities"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/identity/entity/name": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List entities by name, in an order that ignores case. */
    get: operations["identity.list-entities-by-name"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/identity/entity/name/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read an entity by its name. */
    get: operations["identity.read-entity-by-name"];
    put?: never;
    /** Create or update the entity with this name. */
    post: operations["identity.write-entity-by-name"];
    /** Delete the entity with this name; its tokens stop working. */
    delete: operations["identity.delete-entity-by-name"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/identity/lookup/entity": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Find an entity by its id, its name or one of its aliases. */
    post: operations["identity.look-up-entity"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/audit": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List audit devices by path. */
    get: operations["audit.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/audit-chain/{path}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the key and the heads of an audit device's hash chain, to verify that its records are complete.
     * @description Records are chained by a keyed hash. Anyone who holds the key can verify a log, but could also forge one, so restrict access to it. `heads` are the last records of the chains that the responding node writes.
     */
    get: operations["audit.chain"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/audit-hash/{path}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Compute the keyed hash that an audit device writes for a text, to search its records. */
    post: operations["audit.hash"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/audit/{path}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Enable an audit device.
     * @description The device must accept a first record. From then on, every request is either recorded or fails.
     */
    post: operations["audit.enable"];
    /** Disable an audit device. */
    delete: operations["audit.disable"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/auth": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List auth methods by path. */
    get: operations["mounts.list-auth"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/auth/{path}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read an auth method. */
    get: operations["mounts.read-auth"];
    put?: never;
    /** Enable an auth method at a path. */
    post: operations["mounts.enable-auth"];
    /** Disable an auth method, revoke its tokens and remove its data. */
    delete: operations["mounts.disable-auth"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/auth/{path}/tune": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the settings of an auth method. */
    get: operations["mounts.read-auth-tuning"];
    put?: never;
    /** Change the settings of an auth method. */
    post: operations["mounts.tune-auth"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/capabilities": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Read the capabilities of a token on the given paths. */
    post: operations["capabilities.token"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/capabilities-accessor": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Read the capabilities of a token, given by its accessor, on the given paths. */
    post: operations["capabilities.accessor"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/capabilities-self": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Read the capabilities of the caller's token on the given paths. */
    post: operations["capabilities.self"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/config/auditing/request-headers": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the request headers that are included in audit records. */
    get: operations["audit.list-headers"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/config/auditing/request-headers/{header}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read how a request header is recorded in audit records. */
    get: operations["audit.read-header"];
    put?: never;
    /** Include a request header in audit records. */
    post: operations["audit.write-header"];
    /** Stop including a request header in audit records. */
    delete: operations["audit.delete-header"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/config/cors": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the CORS settings. */
    get: operations["cross-origin.read"];
    put?: never;
    /**
     * Configure CORS: let pages of other origins call the API.
     * @description Replaces the previous settings. Session cookies of the web interface are never sent with such calls.
     */
    post: operations["cross-origin.write"];
    /** Remove the CORS settings: only pages of this origin may call the API. */
    delete: operations["cross-origin.delete"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/ha-status": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the nodes that share the database. A node that is gone stays in the list for a day. */
    get: operations["status.nodes"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/health": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Report the health of this node by status code. */
    get: operations["status.health"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/init": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read whether the store is initialised. */
    get: operations["seal.read-init"];
    put?: never;
    /** Initialise the store and show its key shares once. */
    post: operations["seal.init"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/internal/specs/openapi": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Return the OpenAPI document of /v1. */
    get: operations["reference.v1"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/internal/ui/mounts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the mounts the caller may see. */
    get: operations["mounts.list-visible"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/internal/ui/mounts/{path}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the mount that a path belongs to.
     * @description An unknown mount and one on which the caller has no rights give the same response, so that mounts cannot be guessed.
     */
    get: operations["mounts.read-visible"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/internal/ui/resultant-acl": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read all policy rules that apply to the caller's token. */
    get: operations["capabilities.resultant"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/key-status": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read which data key is in use. */
    get: operations["seal.key-status"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/leader": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read which node leads background work. */
    get: operations["status.leader"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/leases": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the leases that could not be revoked. */
    get: operations["leases.irrevocable"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/leases/count": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Count the leases that could not be revoked. */
    get: operations["leases.count"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/leases/lookup": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the paths that have leases. */
    get: operations["leases.list-all"];
    put?: never;
    /** Look up a lease. */
    post: operations["leases.lookup"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/leases/lookup/{prefix}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the leases below a path. */
    get: operations["leases.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/leases/renew": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Renew a lease.
     * @description Leases of tokens are renewed with the token.
     */
    post: operations["leases.renew"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/leases/renew/{lease_id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Renew a lease.
     * @description Leases of tokens are renewed with the token.
     */
    post: operations["leases.renew-by-path"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/leases/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Revoke a lease. */
    post: operations["leases.revoke"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/leases/revoke-force/{prefix}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Revoke all leases below a path, ignoring errors. */
    post: operations["leases.revoke-force"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/leases/revoke-prefix/{prefix}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Revoke all leases below a path. */
    post: operations["leases.revoke-prefix"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/leases/revoke/{lease_id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Revoke a lease. */
    post: operations["leases.revoke-by-path"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/leases/tidy": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Clean up the remains of leases that are no longer valid. */
    post: operations["leases.tidy"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/license/status": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read which features the licence enables. */
    get: operations["status.license"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/metrics": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the metrics of this node. */
    get: operations["status.metrics"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/mounts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the mounts other than auth methods, by path. */
    get: operations["mounts.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/mounts/{path}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a mount.
     * @description Also reads auth methods by their full path, as Go clients do.
     */
    get: operations["mounts.read"];
    put?: never;
    /** Mount a secrets engine. No engine types are available, so this is always refused. */
    post: operations["mounts.enable"];
    /** Remove a mount. Built-in mounts cannot be removed. */
    delete: operations["mounts.disable"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/mounts/{path}/tune": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the settings of a mount. */
    get: operations["mounts.read-secret-tuning"];
    put?: never;
    /** Change the settings of a mount. Built-in mounts cannot be changed. */
    post: operations["mounts.tune-secret"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/mounts/auth/{path}/tune": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the settings of an auth method (path used by command-line clients). */
    get: operations["mounts.read-tuning"];
    put?: never;
    /** Change the settings of an auth method (path used by command-line clients). */
    post: operations["mounts.tune"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/namespaces": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the namespaces below the root; always empty. */
    get: operations["namespaces.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/namespaces/{path}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a namespace; never found, as there is only the root namespace. */
    get: operations["namespaces.read"];
    put?: never;
    /** Always refused: there is only the root namespace. */
    post: operations["namespaces.create"];
    /** Always refused: there is only the root namespace. */
    delete: operations["namespaces.delete"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/policies/acl": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List policies.
     * @description With `list=true`: List policies.
     */
    get: operations["policies.list-by-read"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/policies/acl/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a policy. */
    get: operations["policies.read"];
    put?: never;
    /** Create or update a policy. */
    post: operations["policies.write"];
    /** Delete a policy. */
    delete: operations["policies.delete"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/policy": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List policies (legacy path).
     * @description With `list=true`: List policies (legacy path).
     */
    get: operations["policies.old-list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/policy/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a policy (legacy path). */
    get: operations["policies.old-read"];
    put?: never;
    /** Create or update a policy (legacy path). */
    post: operations["policies.old-write"];
    /** Delete a policy (legacy path). */
    delete: operations["policies.old-delete"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/quotas/rate-limit": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List rate limits. */
    get: operations["quotas.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/quotas/rate-limit/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a rate limit. */
    get: operations["quotas.read"];
    put?: never;
    /**
     * Create or update a rate limit: it limits the requests of each client address below a path.
     * @description Omitted fields are set to their defaults. Each node counts separately. Status routes are never limited.
     */
    post: operations["quotas.write"];
    /** Remove a rate limit. */
    delete: operations["quotas.delete"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/rekey/init": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read how far the making of new key shares has come. */
    get: operations["rekey.status"];
    put?: never;
    /**
     * Start to make new key shares.
     * @description Nothing changes until enough holders have given their present shares.
     */
    post: operations["rekey.start"];
    /** Cancel the making of new key shares; the present ones stay. */
    delete: operations["rekey.cancel"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/rekey/update": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Give one of the present key shares; with the last one needed, the new shares are shown once. */
    post: operations["rekey.give-share"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/rekey/verify": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read how far the verification of new key shares has come. */
    get: operations["rekey.verification-status"];
    put?: never;
    /** Give one of the new key shares; with the last one needed, they replace the present ones. */
    post: operations["rekey.verify-share"];
    /** Forget the new key shares given so far; the verification starts again with another nonce. */
    delete: operations["rekey.restart-verification"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/remount": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Move an auth method to another path.
     * @description Roles, other settings and rate limits are moved; tokens issued at the old path are revoked.
     */
    post: operations["mounts.move"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/remount/status/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the status of a move. */
    get: operations["mounts.move-status"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/removals": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the mounts and tokens that are gone and whose rows are still being removed, the oldest first. */
    get: operations["removals.read"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/renew": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Renew a lease.
     * @description Leases of tokens are renewed with the token.
     */
    post: operations["leases.renew-old"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/renew/{lease_id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Renew a lease.
     * @description Leases of tokens are renewed with the token.
     */
    post: operations["leases.renew-by-path-old"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Revoke a lease. */
    post: operations["leases.revoke-old"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/revoke-force/{prefix}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Revoke all leases below a path, ignoring errors. */
    post: operations["leases.revoke-force-old"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/revoke-prefix/{prefix}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Revoke all leases below a path. */
    post: operations["leases.revoke-prefix-old"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/revoke/{lease_id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Revoke a lease. */
    post: operations["leases.revoke-by-path-old"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/rotate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Rotate the data key. */
    post: operations["seal.rotate"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/rotate/keyring": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Rotate the data key (path used by newer clients). */
    post: operations["seal.rotate-keyring"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/seal": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Seal the server: it drops its keys until it is unsealed. */
    post: operations["seal.seal"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/seal-status": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the seal status of the server. */
    get: operations["seal.status"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/step-down": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Hand background work over to another node. */
    post: operations["status.step-down"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/configuration": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Describe the store as clients of a Raft cluster expect it: one server, which is its own leader. */
    get: operations["status.storage-nodes"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/join": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Always refused: nodes do not join each other. */
    post: operations["status.join"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/remove-peer": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Always refused: nodes do not join each other. */
    post: operations["status.remove-peer"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Take a snapshot now and download it.
     * @description The response is a gzip file with all user data of the store as of one moment; the server keeps serving meanwhile. Values that are encrypted in the store stay encrypted in the snapshot.
     */
    get: operations["snapshots.save"];
    put?: never;
    /**
     * Restore a snapshot, replacing everything in the store.
     * @description The snapshot is first restored next to the live data and verified, then swapped in as one step. A failure before that step changes nothing. Only snapshots made with the keys of this server are accepted.
     */
    post: operations["snapshots.restore"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-auto/check": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Test a destination before storing its configuration. */
    post: operations["snapshots.check-new"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-auto/check/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Test the destination of a configuration: write, list, read and delete one byte. */
    post: operations["snapshots.check"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-auto/config": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the automated snapshot configurations. */
    get: operations["snapshots.list-configs"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-auto/config/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read an automated snapshot configuration; secrets are never shown. */
    get: operations["snapshots.read-config"];
    put?: never;
    /**
     * Create or update an automated snapshot configuration.
     * @description A body with `interval`, `path_prefix` and `storage_type` replaces the whole configuration; otherwise only the fields sent are changed; an empty string clears a field. Stored secrets are kept, but for one destination only: a change of endpoint, TLS, region, bucket, account or access key needs them again. The first snapshot is taken at once. With `check`, the destination is tested first.
     */
    post: operations["snapshots.write-config"];
    /** Delete an automated snapshot configuration; stored snapshots are kept. */
    delete: operations["snapshots.delete-config"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-auto/days/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Summarize the attempts of a configuration by day, oldest first.
     * @description Attempts older than the newest hundred are kept as one row a day, for 400 days. Days without an attempt are left out.
     */
    get: operations["snapshots.days"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-auto/history/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the latest attempts of a configuration, newest first. */
    get: operations["snapshots.history"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-auto/pause/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Pause automated snapshots until they are resumed; a run in progress is aborted. */
    post: operations["snapshots.pause"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-auto/resume/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Resume automated snapshots; one that is due is taken at once. */
    post: operations["snapshots.resume"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-auto/run/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Take a snapshot now.
     * @description If a run is already in progress or queued, that one is returned instead. The schedule does not change.
     */
    post: operations["snapshots.run"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-auto/snapshot-load/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Not available: snapshots are not loaded for inspection. Inspect or preview them instead. */
    get: operations["snapshots.loaded-automated"];
    put?: never;
    /** Not available: snapshots are not loaded for inspection. Inspect or preview them instead. */
    post: operations["snapshots.load-automated"];
    /** Not available: snapshots are not loaded for inspection. Inspect or preview them instead. */
    delete: operations["snapshots.unload-automated"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-auto/snapshots/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the snapshots in the destination, newest first. */
    get: operations["snapshots.inventory"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-auto/snapshots/{name}/{file}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Download a stored snapshot. */
    get: operations["snapshots.download"];
    put?: never;
    post?: never;
    /** Delete a stored snapshot. */
    delete: operations["snapshots.remove"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-auto/snapshots/{name}/{file}/inspect": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Inspect a stored snapshot: read it from end to end and summarize its content. */
    post: operations["snapshots.inspect-stored"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-auto/snapshots/{name}/{file}/preview": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Preview a restore: show what restoring this stored snapshot would change.
     * @description Changes nothing. Counts for each table the rows that would come back, be lost or change.
     */
    post: operations["snapshots.preview-stored"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-auto/snapshots/{name}/{file}/restore": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Restore a stored snapshot, replacing everything in the store.
     * @description The server reads the snapshot from its destination. Otherwise this is a restore without force: only snapshots made with the keys of this server are accepted, and a failure changes nothing.
     */
    post: operations["snapshots.restore-stored"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-auto/status/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read the status of an automated snapshot configuration. */
    get: operations["snapshots.status"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-force": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Restore a snapshot from any server, replacing everything in the store.
     * @description Like a restore without force, but snapshots made with other keys are accepted too. Send the seal key or the recovery key of the other server in the header `X-Holdfast-Seal-Key` or `X-Holdfast-Recovery-Key` to open its secrets at once; without either, the server is sealed afterwards.
     */
    post: operations["snapshots.restore-by-force"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-load": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Not available: snapshots are not loaded for inspection. Inspect or preview them instead. */
    get: operations["snapshots.loaded"];
    put?: never;
    /** Not available: snapshots are not loaded for inspection. Inspect or preview them instead. */
    post: operations["snapshots.load"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot-load/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Not available: snapshots are not loaded for inspection. Inspect or preview them instead. */
    get: operations["snapshots.loaded-one"];
    put?: never;
    post?: never;
    /** Not available: snapshots are not loaded for inspection. Inspect or preview them instead. */
    delete: operations["snapshots.unload"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot/inspect": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Inspect a snapshot: read it from end to end and summarize its content.
     * @description Changes nothing. A snapshot that is damaged, truncated or not from Holdfast is refused with the reason.
     */
    post: operations["snapshots.inspect"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot/preview": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Preview a restore: show what restoring this snapshot would change.
     * @description Changes nothing. Counts for each table the rows that would come back, be lost or change. A warning names the audit devices whose files cannot be opened on this machine.
     */
    post: operations["snapshots.preview"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot/revoke-tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Revoke the tokens and sessions that the last restore made valid again.
     * @description The token of this call and its parents stay valid, even if they are among them; call again with another token to revoke those too.
     */
    post: operations["snapshots.revoke-revived-tokens"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/storage/raft/snapshot/verify": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Verify a snapshot: restore it into a scratch database and compare.
     * @description Changes nothing. A damaged snapshot is not an error: the response has `ok: false` and the reason.
     */
    post: operations["snapshots.verify"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/tools/hash": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Hash data. */
    post: operations["tools.hash"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/tools/hash/{algorithm}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Hash data with the algorithm given in the path. */
    post: operations["tools.hash-with"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/tools/random": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Generate random bytes. */
    post: operations["tools.random"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/tools/random/{count}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Generate the number of random bytes given in the path. */
    post: operations["tools.random-bytes"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/unseal": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Submit one key share to unseal the server. */
    post: operations["seal.unseal"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/version-history": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the server versions this store has run.
     * @description With `list=true`: List the server versions this store has run.
     */
    get: operations["status.versions-by-read"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/wrapping/lookup": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Look up the properties of a wrapping token. */
    get: operations["wrapping.lookup-by-read"];
    put?: never;
    /** Look up the properties of a wrapping token. */
    post: operations["wrapping.lookup"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/wrapping/rewrap": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rewrap a wrapped response with a new token.
     * @description For responses that are kept long: the old token is revoked and the lifetime starts again.
     */
    post: operations["wrapping.rewrap"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/wrapping/unwrap": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Unwrap a wrapped response; works once. */
    post: operations["wrapping.unwrap"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sys/wrapping/wrap": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Wrap an object.
     * @description Requires the wrap TTL header, which sets how long the object is kept.
     */
    post: operations["wrapping.wrap"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    AccountPasswordBody: {
      data: components["schemas"]["AccountPasswordBodyData"];
    };
    AccountPasswordBodyAttributes: {
      /** @description The current password; required if one is set. */
      "current-password"?: string;
      /** @description The new password. */
      password: string;
      /** @description The new password, repeated. */
      "password-confirmation"?: string;
    };
    AccountPasswordBodyData: {
      attributes?: components["schemas"]["AccountPasswordBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /** @constant */
      type?: "users";
    };
    AccountUpdateBody: {
      data: components["schemas"]["AccountUpdateBodyData"];
    };
    AccountUpdateBodyAttributes: {
      /** @description Whether you may sign in with a certificate whose role names you. */
      "allow-certificate-login"?: boolean;
      /**
       * @description E-mail address.
       * @example ann@example.com
       */
      email?: string;
      /**
       * @description Username to sign in with.
       * @example ann
       */
      username?: string;
    };
    AccountUpdateBodyData: {
      attributes?: components["schemas"]["AccountUpdateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /** @constant */
      type?: "users";
    };
    AdminUsersCreateBody: {
      data: components["schemas"]["AdminUsersCreateBodyData"];
    };
    AdminUsersCreateBodyAttributes: {
      /**
       * @description E-mail address.
       * @example ann@example.com
       */
      email: string;
      /**
       * @description Whether the user is a site administrator.
       * @default false
       */
      "is-admin"?: boolean;
      /** @description Password; without one, the response contains an invitation link. */
      password?: string;
      /**
       * @description Username to sign in with.
       * @example ann
       */
      username: string;
    };
    AdminUsersCreateBodyData: {
      attributes?: components["schemas"]["AdminUsersCreateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /** @constant */
      type?: "users";
    };
    AdminUsersUpdateBody: {
      data: components["schemas"]["AdminUsersUpdateBodyData"];
    };
    AdminUsersUpdateBodyAttributes: {
      /**
       * @description E-mail address.
       * @example ann@example.com
       */
      email?: string;
      /** @description Whether the user is a site administrator. */
      "is-admin"?: boolean;
      /**
       * @description Username to sign in with.
       * @example ann
       */
      username?: string;
    };
    AdminUsersUpdateBodyData: {
      attributes?: components["schemas"]["AdminUsersUpdateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /** @constant */
      type?: "users";
    };
    AgentPool: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["AgentPoolAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["AgentPoolRelationships"];
      /** @constant */
      type: "agent-pools";
    };
    AgentPoolAttributes: {
      /** @description Number of connected executors. */
      "agent-count"?: number;
      /**
       * Format: date-time
       * @description When it was created.
       */
      "created-at"?: string;
      /** @description Name. */
      name?: string;
      /** @description Whether every workspace may use it. */
      "organization-scoped"?: boolean;
    };
    AgentPoolDocument: {
      data: components["schemas"]["AgentPool"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    AgentPoolIdentifier: {
      /** @description Identifier of the related resource. */
      id: string;
      /** @constant */
      type: "agent-pools";
    };
    AgentPoolPage: {
      data: components["schemas"]["AgentPool"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    AgentPoolRelationships: {
      /** @description Projects whose workspaces may use it. */
      "allowed-projects"?: components["schemas"]["Relationship"];
      /** @description Workspaces that may use it. */
      "allowed-workspaces"?: components["schemas"]["Relationship"];
      /** @description Workspaces that may not use it. */
      "excluded-workspaces"?: components["schemas"]["Relationship"];
      /** @description Its organization. */
      organization?: components["schemas"]["Relationship"];
      /** @description Workspaces that use it by their own setting. */
      workspaces?: components["schemas"]["Relationship"];
    };
    AgentPoolsCreateBody: {
      data: components["schemas"]["AgentPoolsCreateBodyData"];
    };
    AgentPoolsCreateBodyAttributes: {
      /**
       * @description Name of the pool.
       * @example on-premises
       */
      name: string;
      /**
       * @description Whether every workspace may use it.
       * @default true
       */
      "organization-scoped"?: boolean;
    };
    AgentPoolsCreateBodyData: {
      attributes?: components["schemas"]["AgentPoolsCreateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["AgentPoolsCreateBodyRelationships"];
      /** @constant */
      type?: "agent-pools";
    };
    AgentPoolsCreateBodyRelationships: {
      /** @description Projects whose workspaces may use it, if not all may. */
      "allowed-projects"?: components["schemas"]["RelatedToProjects"];
      /** @description Workspaces that may use it, if not all may. */
      "allowed-workspaces"?: components["schemas"]["RelatedToWorkspaces"];
      /** @description Workspaces that may not use it, even if their project may. */
      "excluded-workspaces"?: components["schemas"]["RelatedToWorkspaces"];
    };
    AgentPoolsUpdateBody: {
      data: components["schemas"]["AgentPoolsUpdateBodyData"];
    };
    AgentPoolsUpdateBodyAttributes: {
      /**
       * @description Name of the pool.
       * @example on-premises
       */
      name?: string;
      /** @description Whether every workspace may use it. */
      "organization-scoped"?: boolean;
    };
    AgentPoolsUpdateBodyData: {
      attributes?: components["schemas"]["AgentPoolsUpdateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["AgentPoolsUpdateBodyRelationships"];
      /** @constant */
      type?: "agent-pools";
    };
    AgentPoolsUpdateBodyRelationships: {
      /** @description Projects whose workspaces may use it, if not all may. */
      "allowed-projects"?: components["schemas"]["RelatedToProjects"];
      /** @description Workspaces that may use it, if not all may. */
      "allowed-workspaces"?: components["schemas"]["RelatedToWorkspaces"];
      /** @description Workspaces that may not use it, even if their project may. */
      "excluded-workspaces"?: components["schemas"]["RelatedToWorkspaces"];
    };
    AgentTokensCreateBody1: {
      /**
       * @description What the token is for.
       * @example pipeline
       */
      description?: string | null;
      /**
       * Format: date-time
       * @description When the token expires; in two years by default, never with null.
       */
      "expired-at"?: string | null;
    };
    AgentTokensCreateBody2: {
      data: components["schemas"]["AgentTokensCreateBody2Data"];
    };
    AgentTokensCreateBody2Attributes: {
      /**
       * @description What the token is for.
       * @example pipeline
       */
      description?: string | null;
      /**
       * Format: date-time
       * @description When the token expires; in two years by default, never with null.
       */
      "expired-at"?: string | null;
    };
    AgentTokensCreateBody2Data: {
      attributes: components["schemas"]["AgentTokensCreateBody2Attributes"];
    };
    Apply: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["ApplyAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["ApplyRelationships"];
      /** @constant */
      type: "applies";
    };
    ApplyAttributes: {
      /** @description Always 0. */
      "action-invocations"?: number;
      /** @description Whether a state was rescued from it. */
      "errored-state-available"?: boolean;
      /** @description Who executed it; null until a runner has claimed it. */
      "execution-details"?: null;
      /** @description URL that the log can be read from without a token, valid for 25 hours. */
      "log-read-url"?: string;
      /** @description Resources that are added; null until it is known. */
      "resource-additions"?: number | null;
      /** @description Resources that are changed. */
      "resource-changes"?: number | null;
      /** @description Resources that are destroyed. */
      "resource-destructions"?: number | null;
      /** @description Resources that are imported. */
      "resource-imports"?: number | null;
      /** @description `pending`, `queued`, `running`, `finished`, `errored`, `canceled` or `unreachable`. */
      status?: string;
      /** @description When each status was reached. */
      "status-timestamps"?: {
        [key: string]: string;
      };
    };
    ApplyDocument: {
      data: components["schemas"]["Apply"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    ApplyRelationships: {
      /** @description State that it wrote. */
      "state-versions"?: components["schemas"]["Relationship"];
    };
    AttentionListAnswer: {
      /** @description What needs attention. */
      data: components["schemas"]["Concern"][];
    };
    AuditChainData: {
      heads: components["schemas"]["AuditChainHead"][];
      /** @description The key of the chain in base64. */
      key: string;
    };
    AuditChainEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["AuditChainData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    AuditChainHead: {
      /** @description Name of the chain. */
      chain: string;
      /** @description Hash of its last record. */
      hash: string;
      /** @description Sequence number of its last record. */
      seq: number;
    };
    AuditDevice: {
      /** @description What the device is for. */
      description: string;
      /** @description As it was sent. */
      local: boolean;
      /** @description The options as they were sent, without credentials in addresses. */
      options: {
        [key: string]: string;
      };
      /** @description Its name, with a trailing slash. */
      path: string;
      /** @description `file` or `socket`. */
      type: string;
    };
    AuditEnableBody: {
      /** @description What the device is for. */
      description?: string;
      /** @description Stored. */
      local?: components["schemas"]["FlagInput"];
      /** @description For files `file_path` (or `stdout`, `discard`) and `mode`; for sockets `address`, `socket_type`, `write_timeout`; for both `hmac_accessor`, `log_raw`, `elide_list_responses`, `prefix`, `skip_test`. */
      options?: components["schemas"]["MapInput"];
      /** @description `file` or `socket`. */
      type?: string;
    };
    AuditHashBody: {
      /** @description The text. */
      input?: string;
    };
    AuditHashData: {
      /** @description `hmac-sha256:` and hexadecimal digits. */
      hash: string;
    };
    AuditHashEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["AuditHashData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    AuditHeader: {
      /** @description Whether values are hashed. */
      hmac: boolean;
    };
    AuditListEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: {
        [key: string]: components["schemas"]["AuditDevice"];
      };
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    AuditListHeadersData: {
      headers: {
        [key: string]: components["schemas"]["AuditHeader"];
      };
    };
    AuditListHeadersEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["AuditListHeadersData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    AuditReadHeaderEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: {
        [key: string]: components["schemas"]["AuditHeader"];
      };
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    AuditWriteHeaderBody: {
      /** @description Hash the values. By default they are recorded unhashed. */
      hmac?: components["schemas"]["FlagInput"];
    };
    AuthenticationToken: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["AuthenticationTokenAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["AuthenticationTokenRelationships"];
      /** @constant */
      type: "authentication-tokens";
    };
    AuthenticationTokenAttributes: {
      /**
       * Format: date-time
       * @description When it was created.
       */
      "created-at"?: string;
      /** @description What the token is for. */
      description?: string | null;
      /**
       * Format: date-time
       * @description When it expires; null for never.
       */
      "expired-at"?: string | null;
      /** @description The first characters of the token. */
      hint?: string;
      /**
       * Format: date-time
       * @description When it was last used, to the minute.
       */
      "last-used-at"?: string | null;
      /** @description The token itself; only in the response that creates it. */
      token?: string | null;
    };
    AuthenticationTokenDocument: {
      data: components["schemas"]["AuthenticationToken"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    AuthenticationTokenPage: {
      data: components["schemas"]["AuthenticationToken"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    AuthenticationTokenRelationships: {
      /** @description The agent pool whose executors it authenticates. */
      "agent-pool"?: components["schemas"]["Relationship"];
      /** @description Who created it. */
      "created-by"?: components["schemas"]["Relationship"];
      /** @description The organization it acts as. */
      organization?: components["schemas"]["Relationship"];
      /** @description The team it acts as. */
      team?: components["schemas"]["Relationship"];
      /** @description The user it acts as. */
      user?: components["schemas"]["Relationship"];
    };
    BrowserSession: {
      /** @description The CSRF token that writes require. */
      csrf_token: string;
      /** @description Whether the session began with a token of `/v1`, and can use it. */
      service_token: boolean;
      /** @description Whether the user is a site administrator. */
      site_admin: boolean;
      /** @description Identifier of the user. */
      user_id: string;
      /** @description Name of the user. */
      username: string;
      /** @description Version of the server. */
      version: string;
    };
    BulkResult: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["BulkResultAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["BulkResultRelationships"];
      /** @constant */
      type: "bulk-results";
    };
    BulkResultAttributes: {
      /** @description Why it was refused; otherwise empty. */
      detail?: string;
      /** @description Name of the workspace. */
      name?: string;
      /**
       * @description What was done to it, or would be without `dry-run`.
       * @enum {string}
       */
      result?: "changed" | "unchanged" | "refused";
    };
    BulkResultRelationships: Record<string, never>;
    CapabilitiesAccessorBody: {
      /** @description The accessor of the token. */
      accessor?: string;
      /** @description The old name of `paths`. */
      path?: components["schemas"]["ListInput"];
      /** @description The paths to check. */
      paths?: components["schemas"]["ListInput"];
    };
    CapabilitiesAccessorEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      /** @description Capabilities by path. */
      data: {
        [key: string]: string[];
      };
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    CapabilitiesResultantData: {
      exact_paths: {
        [key: string]: components["schemas"]["CapabilitiesResultantExactPath"];
      };
      glob_paths: {
        [key: string]: components["schemas"]["CapabilitiesResultantGlobPath"];
      };
      root: boolean;
    };
    CapabilitiesResultantEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["CapabilitiesResultantData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    CapabilitiesResultantExactPath: {
      capabilities: string[];
    };
    CapabilitiesResultantGlobPath: {
      capabilities: string[];
    };
    CapabilitiesSelfBody: {
      /** @description The old name of `paths`. */
      path?: components["schemas"]["ListInput"];
      /** @description The paths to check. */
      paths?: components["schemas"]["ListInput"];
      /** @description Ignored: the caller's own token is checked. */
      token?: string;
    };
    CapabilitiesSelfEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      /** @description Capabilities by path. */
      data: {
        [key: string]: string[];
      };
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    CapabilitiesTokenBody: {
      /** @description The old name of `paths`. */
      path?: components["schemas"]["ListInput"];
      /** @description The paths to check. */
      paths?: components["schemas"]["ListInput"];
      /** @description The token to check. */
      token?: string;
    };
    CapabilitiesTokenEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      /** @description Capabilities by path. */
      data: {
        [key: string]: string[];
      };
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    CertAuthConfiguration: {
      /** @description Renewal does not require the certificate of the login. */
      disable_binding: boolean;
      /** @description Whether metadata of the certificate is stored on the alias. */
      enable_identity_alias_metadata: boolean;
      /** @description Whether the error of a refused login includes details of the certificate. */
      enable_metadata_on_failures: boolean;
      /** @description Number of OCSP responses to cache. */
      ocsp_cache_size: number;
      /** @description Number of roles to cache; -1 for none. */
      role_cache_size: number;
    };
    CertAuthConfigurationEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["CertAuthConfiguration"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    CertClient: {
      /** @description Whether a token was issued. */
      accepted: boolean;
      /** @description Its common name. */
      common_name: string;
      /** @description How many equal ones there were in that minute. */
      count: number;
      /** @description Why it was refused. */
      detail: string;
      /** @description SHA-256 of the client certificate; empty if none was read. */
      fingerprint: string;
      /** @description Identifier; later logins have greater ones. */
      id: string;
      /** @description When the last equal one of the same minute was. */
      last_time: string;
      /** @description How often it logged in. */
      logins: number;
      /** @description Some of its alternative names. */
      names: string[];
      /** @description The check that failed, as an explanation names it; empty if none did. */
      reason: string;
      /** @description Where it came from. */
      remote_address: string;
      /** @description The role that accepted it. For a refusal, the one asked for or tried first; empty for none. */
      role: string;
      /** @description Its serial number, decimal. */
      serial: string;
      /** @description Subject of the client certificate. */
      subject: string;
      /** @description When it was. */
      time: string;
      /** @description SHA-256 of the certificate of the role that the chain led to. */
      trusted_by: string;
    };
    CertConfigWriteBody: {
      /** @description `issuer`: a list revokes only certificates of its issuer. `serial`: any certificate with a listed serial number. */
      crl_match?: string;
      /**
       * @description Renewal does not require the certificate of the login.
       * @default false
       */
      disable_binding?: components["schemas"]["FlagInput"];
      /**
       * @description Whether metadata of the certificate is stored on the alias.
       * @default false
       */
      enable_identity_alias_metadata?: components["schemas"]["FlagInput"];
      /**
       * @description Whether the error of a refused login includes details of the certificate.
       * @default false
       */
      enable_metadata_on_failures?: components["schemas"]["FlagInput"];
      /**
       * @description Number of OCSP responses to cache, 2 to 100000.
       * @default 100
       */
      ocsp_cache_size?: components["schemas"]["IntegerInput"];
      /**
       * @description Number of roles to cache, up to 100000; 0 for the default, -1 for none.
       * @default 200
       */
      role_cache_size?: components["schemas"]["IntegerInput"];
    };
    CertCrlsWriteBody: {
      /** @description The list as PEM, or base64 of DER. Takes precedence over a URL. */
      crl?: string;
      /** @description Ignored: the path names the list. */
      name?: string;
      /** @description URL to fetch the list from, now and whenever it is due. */
      url?: string;
    };
    CertListSummary: {
      /** @description How many certificates it revokes. */
      entries: number;
      /** @description Whether it revokes certificates of a CA that some role trusts. */
      in_force: boolean;
      /** @description Name of the CA that issued it. */
      issuer: string;
      /** @description Why it could not be fetched again; empty if it could. */
      last_error: string;
      /** @description When that was. */
      last_error_at: string | null;
      /** @description Name of the list. */
      name: string;
      /** @description When it is fetched again; null for one that was uploaded. */
      next_fetch: string | null;
      /** @description When the next one is due. */
      next_update: string | null;
      /** @description Its number. */
      number: string | null;
      /** @description Whether it is signed by a CA that some role trusts. */
      signature_verified: boolean;
      /** @description Its size in bytes. */
      size: number;
      /** @description Whether that time has passed. */
      stale: boolean;
      /** @description When it was issued. */
      this_update: string;
      /** @description When it was stored. */
      updated_at: string;
      /** @description Where it is fetched from, without credentials; empty for one that was uploaded. */
      url: string;
    };
    CertLogin: {
      /** @description Whether a token was issued. */
      accepted: boolean;
      /** @description Its common name. */
      common_name: string;
      /** @description How many equal ones there were in that minute. */
      count: number;
      /** @description Why it was refused. */
      detail: string;
      /** @description SHA-256 of the client certificate; empty if none was read. */
      fingerprint: string;
      /** @description Identifier; later logins have greater ones. */
      id: string;
      /** @description When the last equal one of the same minute was. */
      last_time: string;
      /** @description Some of its alternative names. */
      names: string[];
      /** @description The check that failed, as an explanation names it; empty if none did. */
      reason: string;
      /** @description Where it came from. */
      remote_address: string;
      /** @description The role that accepted it. For a refusal, the one asked for or tried first; empty for none. */
      role: string;
      /** @description Its serial number, decimal. */
      serial: string;
      /** @description Subject of the client certificate. */
      subject: string;
      /** @description When it was. */
      time: string;
      /** @description SHA-256 of the certificate of the role that the chain led to. */
      trusted_by: string;
    };
    CertLoginCheckBody: {
      /** @description Whether to query the OCSP responders as a login would. */
      ask_ocsp?: components["schemas"]["FlagInput"];
      /** @description The client certificate in PEM, followed by its intermediates. */
      certificate?: string;
      /** @description Identifier of a refused login of the record, whose certificates and address are used where others are not sent. */
      login?: string;
      /** @description Client address that the login would come from. */
      remote_address?: string;
    };
    CertLoginCheckCheck: {
      /** @description What was checked. */
      check: string;
      /** @description What was found. */
      detail: string;
      /** @description How to make it pass, or have it made. */
      fix: string;
      /** @description Result of the check; null if it was not made. */
      ok: boolean | null;
    };
    CertLoginCheckData: {
      /** @description Whether a login with this role would succeed; null if a check that decides it was not made. */
      accepted: boolean | null;
      /** @description The certificates as they were read. */
      chain: components["schemas"]["ExplainedCertificate"][];
      checks: components["schemas"]["CertLoginCheckCheck"][];
      /** @description The certificates of that chain. */
      links: components["schemas"]["CertLoginCheckLink"][];
      /** @description Subjects of the chain, from the certificate upwards. */
      path: string[];
      /** @description Whether the role pins one certificate; such roles are tried first. */
      pinned: boolean;
      /** @description Name of the role. */
      role: string;
    };
    CertLoginCheckEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["CertLoginCheckData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    CertLoginCheckLink: {
      /** @description SHA-256 of the certificate. */
      fingerprint: string;
      /** @description When it expires. */
      not_after: string;
      /** @description Whether it is one of the certificates that were sent. */
      sent: boolean;
      /** @description Subject. */
      subject: string;
      /** @description Whether the role trusts it. */
      trusted: boolean;
    };
    CertLoginExplainBody: {
      /** @description Whether to query the OCSP responders as a login would. */
      ask_ocsp?: components["schemas"]["FlagInput"];
      /** @description The client certificate in PEM, followed by its intermediates. */
      certificate?: string;
      /** @description Identifier of a refused login of the record, whose certificates and address are used where others are not sent. */
      login?: string;
      /** @description The role that the login would ask for; if omitted, every role is tried. */
      name?: string;
      /** @description Client address that the login would come from. */
      remote_address?: string;
    };
    CertLoginExplainData: {
      /** @description Whether the login would succeed; null if a check that decides it was not made. */
      accepted: boolean | null;
      /** @description The role that would accept it; empty if none, or if undecided. */
      accepted_by: string;
      /** @description The certificates as they were read. */
      chain: components["schemas"]["ExplainedCertificate"][];
      roles: components["schemas"]["CertRoleExplanation"][];
      /** @description Number of roles evaluated; those closest to accepting are shown. */
      roles_total: number;
    };
    CertLoginExplainEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["CertLoginExplainData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    CertLoginLoginBody: {
      /**
       * @description The role to log in with; if omitted, every role is tried.
       * @default
       */
      name?: string;
    };
    CertLoginsClientsData: {
      clients: components["schemas"]["CertClient"][];
    };
    CertLoginsClientsEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["CertLoginsClientsData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    CertLoginsListData: {
      logins: components["schemas"]["CertLogin"][];
      /** @description What to send as `after` for the next page; empty on the last one. */
      next: string;
    };
    CertLoginsListEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["CertLoginsListData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    CertLoginsReadData: {
      /** @description Whether a token was issued. */
      accepted: boolean;
      /** @description The certificates of a refused login in PEM, as far as they were kept; else empty. */
      certificate: string;
      /** @description Its common name. */
      common_name: string;
      /** @description How many equal ones there were in that minute. */
      count: number;
      /** @description Why it was refused. */
      detail: string;
      /** @description SHA-256 of the client certificate; empty if none was read. */
      fingerprint: string;
      /** @description Identifier; later logins have greater ones. */
      id: string;
      /** @description When the last equal one of the same minute was. */
      last_time: string;
      /** @description Some of its alternative names. */
      names: string[];
      /** @description The check that failed, as an explanation names it; empty if none did. */
      reason: string;
      /** @description Where it came from. */
      remote_address: string;
      /** @description The role that accepted it. For a refusal, the one asked for or tried first; empty for none. */
      role: string;
      /** @description Its serial number, decimal. */
      serial: string;
      /** @description Subject of the client certificate. */
      subject: string;
      /** @description When it was. */
      time: string;
      /** @description SHA-256 of the certificate of the role that the chain led to. */
      trusted_by: string;
    };
    CertLoginsReadEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["CertLoginsReadData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    CertRevocationList: {
      /** @description URL that the list is fetched from, without credentials, and when it expires; null for a list that was uploaded. */
      cdp: Record<string, never> | null;
      /** @description True if the list revokes certificates of a CA that some role trusts. False while no role trusts its issuer: it then counts only for clients that send that CA along, and for pinned certificates. Also false if its signature proved not to be the issuer's: then it does not count at all. */
      in_force: boolean;
      /** @description Name of the CA that issued the list. */
      issuer: string;
      /** @description When the next list is due. */
      next_update: string | null;
      /** @description Revoked serial numbers in decimal. */
      serials: {
        [key: string]: Record<string, never>;
      };
      /** @description True if the list is signed by a CA that some role trusts. */
      signature_verified: boolean;
      /** @description When the list was issued. */
      this_update: string;
    };
    CertRevocationListEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["CertRevocationList"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    CertRole: {
      /** @description Metadata to set on the alias at login. */
      alias_metadata: {
        [key: string]: string;
      };
      /** @description Certificate field that identifies the entity: `common_name`, `uri_san`, `dns_san`, `email_san`, `organizational_unit` (or `ou`), `fingerprint`. */
      alias_source: string;
      /** @description Allowed common names. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_common_names: string[];
      /** @description Allowed DNS alternative names; case-insensitive. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_dns_sans: string[];
      /** @description Allowed e-mail alternative names. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_email_sans: string[];
      /** @description OIDs of the extensions to add to the metadata of tokens. */
      allowed_metadata_extensions: string[];
      /** @description Patterns for the common name and all alternative names. */
      allowed_names: string[];
      /** @description Allowed organizational units of the subject. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_organizational_units: string[];
      /** @description Allowed organizations of the subject. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_organizations: string[];
      /** @description Allowed URI alternative names. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_uri_sans: string[];
      /** @description Old name of `token_bound_cidrs`, if they were set under it. */
      bound_cidrs?: string[];
      /** @description Subject, expiry and fingerprint of each certificate of the role. */
      ca_info: Record<string, never>[];
      /** @description The certificates in PEM, as they were sent. */
      certificate: string;
      /** @description Name shown on issued tokens. */
      display_name: string;
      /** @description Old name of `token_max_ttl`. */
      max_ttl: number;
      /** @description Name of the role. */
      name: string;
      /** @description Certificates of additional OCSP responders, each with extended key usage OCSPSigning, as PEM, base64 of PEM or base64 of DER. */
      ocsp_ca_certificates: string;
      /** @description Query OCSP responders at every login. */
      ocsp_enabled: boolean;
      /** @description Accept a login if no response can be fetched or the status is unknown. */
      ocsp_fail_open: boolean;
      /** @description Retries of one request; 0 for none. */
      ocsp_max_retries: number;
      /** @description Query all responders and accept the login only if all agree. */
      ocsp_query_all_servers: boolean;
      /** @description Responders to query instead of those named in the certificate; one without a scheme is asked over http. */
      ocsp_servers_override: string[];
      /** @description Maximum age of thisUpdate; 0 for any. */
      ocsp_this_update_max_age: number;
      /** @description Old name of `token_period`. */
      period: number;
      /** @description `organization/team` that tokens act as, if the team allows certificate login. */
      platform_team: string;
      /** @description Username that a browser with such a certificate signs in as, if the user allows it. */
      platform_user: string;
      /** @description Old name of `token_policies`. */
      policies: string[];
      /** @description Required extensions. */
      required_extensions: string[];
      /** @description Accept tokens only over connections that present the certificate of the login. */
      token_bind_certificate: boolean;
      /** @description Addresses and CIDR blocks from which a login and its token are accepted. */
      token_bound_cidrs: string[];
      /** @description Hard limit on the lifetime of tokens, regardless of the other lifetimes. */
      token_explicit_max_ttl: number;
      /** @description Maximum lifetime of tokens. */
      token_max_ttl: number;
      /** @description Do not add the policy `default`. */
      token_no_default_policy: boolean;
      /** @description How many times a token can be used; 0 for no limit. */
      token_num_uses: number;
      /** @description Period of periodic tokens. */
      token_period: number;
      /** @description Policies of tokens. */
      token_policies: string[];
      /** @description Accept a token only from the address of its login. */
      token_strictly_bind_ip: boolean;
      /** @description Lifetime of tokens. */
      token_ttl: number;
      /** @description `service`, `batch` or `default` for the type set on the mount. */
      token_type: string;
      /** @description Old name of `token_ttl`. */
      ttl: number;
    };
    CertRoleEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["CertRole"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    CertRoleExplanation: {
      /** @description Whether a login with this role would succeed; null if a check that decides it was not made. */
      accepted: boolean | null;
      checks: components["schemas"]["CertRoleExplanationCheck"][];
      /** @description The certificates of that chain. */
      links: components["schemas"]["CertRoleExplanationLink"][];
      /** @description Subjects of the chain, from the certificate upwards. */
      path: string[];
      /** @description Whether the role pins one certificate; such roles are tried first. */
      pinned: boolean;
      /** @description Name of the role. */
      role: string;
    };
    CertRoleExplanationCheck: {
      /** @description What was checked. */
      check: string;
      /** @description What was found. */
      detail: string;
      /** @description How to make it pass, or have it made. */
      fix: string;
      /** @description Result of the check; null if it was not made. */
      ok: boolean | null;
    };
    CertRoleExplanationLink: {
      /** @description SHA-256 of the certificate. */
      fingerprint: string;
      /** @description When it expires. */
      not_after: string;
      /** @description Whether it is one of the certificates that were sent. */
      sent: boolean;
      /** @description Subject. */
      subject: string;
      /** @description Whether the role trusts it. */
      trusted: boolean;
    };
    CertRolePreview: {
      /** @description The certificates that were read. */
      certificates: components["schemas"]["ExplainedCertificate"][];
      /** @description `ca`, or `leaf` for a pinned certificate; empty if none could be read. */
      kind: string;
      /** @description Why the write would be refused; empty if it would not. */
      problem: string;
      /** @description Why blocks of the PEM were skipped. */
      skipped: string[];
      /** @description What the write would warn about. */
      warnings: string[];
    };
    CertRolePreviewEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["CertRolePreview"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    CertRolesPreviewBody: {
      /** @description Metadata to set on the alias at login. */
      alias_metadata?: components["schemas"]["MapInput"];
      /** @description Certificate field that identifies the entity: `common_name`, `uri_san`, `dns_san`, `email_san`, `organizational_unit` (or `ou`), `fingerprint`. */
      alias_source?: string;
      /** @description Allowed common names. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_common_names?: components["schemas"]["ListInput"];
      /** @description Allowed DNS alternative names; case-insensitive. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_dns_sans?: components["schemas"]["ListInput"];
      /** @description Allowed e-mail alternative names. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_email_sans?: components["schemas"]["ListInput"];
      /** @description OIDs of the extensions to add to the metadata of tokens. */
      allowed_metadata_extensions?: components["schemas"]["ListInput"];
      /** @description Deprecated. Allowed common names and alternative names of any kind. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_names?: components["schemas"]["ListInput"];
      /** @description Allowed organizational units of the subject. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_organizational_units?: components["schemas"]["ListInput"];
      /** @description Allowed organizations of the subject. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_organizations?: components["schemas"]["ListInput"];
      /** @description Allowed URI alternative names. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_uri_sans?: components["schemas"]["ListInput"];
      /** @description Deprecated name of `token_bound_cidrs`. */
      bound_cidrs?: components["schemas"]["ListInput"];
      /** @description The CA certificates to trust, or one client certificate to pin, in PEM. */
      certificate?: string;
      /** @description Name shown on issued tokens; the role name unless set. */
      display_name?: string;
      /** @description Older name of `ttl`, in seconds. */
      lease?: components["schemas"]["IntegerInput"];
      /** @description Deprecated name of `token_max_ttl`. */
      max_ttl?: components["schemas"]["DurationInput"];
      /** @description Ignored: the path names the role. */
      name?: string;
      /** @description Certificates of additional OCSP responders, each with extended key usage OCSPSigning, as PEM, base64 of PEM or base64 of DER. */
      ocsp_ca_certificates?: string;
      /**
       * @description Query OCSP responders at every login.
       * @default false
       */
      ocsp_enabled?: components["schemas"]["FlagInput"];
      /**
       * @description Accept a login if no response can be fetched or the status is unknown.
       * @default false
       */
      ocsp_fail_open?: components["schemas"]["FlagInput"];
      /**
       * @description Retries of one request; 0 for none.
       * @default 4
       */
      ocsp_max_retries?: components["schemas"]["IntegerInput"];
      /**
       * @description Query all responders and accept the login only if all agree.
       * @default false
       */
      ocsp_query_all_servers?: components["schemas"]["FlagInput"];
      /** @description Responders to query instead of those named in the certificate; one without a scheme is asked over http. */
      ocsp_servers_override?: components["schemas"]["ListInput"];
      /**
       * @description Maximum age of thisUpdate; 0 for any.
       * @default 0
       */
      ocsp_this_update_max_age?: components["schemas"]["DurationInput"];
      /** @description Deprecated name of `token_period`. */
      period?: components["schemas"]["DurationInput"];
      /** @description `organization/team` that tokens act as, if the team allows certificate login. */
      platform_team?: string;
      /** @description Username that a browser with such a certificate signs in as, if the user allows it. */
      platform_user?: string;
      /** @description Deprecated name of `token_policies`. */
      policies?: components["schemas"]["ListInput"];
      /** @description Entries `oid:pattern` for extensions that are ASN.1 strings, or `hex:oid:pattern` for the encoded value of any extension; all must match. */
      required_extensions?: components["schemas"]["ListInput"];
      /**
       * @description Accept tokens only over connections that present the certificate of the login.
       * @default false
       */
      token_bind_certificate?: components["schemas"]["FlagInput"];
      /** @description Addresses and CIDR blocks from which a login and its token are accepted. */
      token_bound_cidrs?: components["schemas"]["ListInput"];
      /** @description Hard limit on the lifetime of tokens, regardless of the other lifetimes. */
      token_explicit_max_ttl?: components["schemas"]["DurationInput"];
      /** @description Maximum lifetime including renewals; 0 for that of the mount. */
      token_max_ttl?: components["schemas"]["DurationInput"];
      /**
       * @description Do not add the policy `default`.
       * @default false
       */
      token_no_default_policy?: components["schemas"]["FlagInput"];
      /**
       * @description How many times a token can be used; 0 for no limit.
       * @default 0
       */
      token_num_uses?: components["schemas"]["IntegerInput"];
      /** @description Makes tokens periodic: each renewal resets their lifetime to this value. */
      token_period?: components["schemas"]["DurationInput"];
      /** @description Policies of tokens. */
      token_policies?: components["schemas"]["ListInput"];
      /**
       * @description Accept a token only from the address of its login.
       * @default false
       */
      token_strictly_bind_ip?: components["schemas"]["FlagInput"];
      /** @description Lifetime of tokens; 0 for the default of the mount. */
      token_ttl?: components["schemas"]["DurationInput"];
      /** @description `service`, `batch` or `default` for the type set on the mount. */
      token_type?: string;
      /** @description Deprecated name of `token_ttl`. */
      ttl?: components["schemas"]["DurationInput"];
    };
    CertRoleSummary: {
      /** @description Logins that it accepted in the time asked about. */
      accepted: number;
      /** @description How many certificates it trusts. */
      certificates: number;
      /** @description Certificates that logged in by it. */
      clients: number;
      /** @description Days until then; negative once it has expired. */
      days_left: number;
      /** @description When it last accepted one. */
      last_login: string | null;
      /** @description When it last refused one. */
      last_refusal: string | null;
      /** @description Name of the role. */
      name: string;
      /** @description When the first of them expires. */
      not_after: string;
      /** @description Whether it pins one certificate. */
      pinned: boolean;
      /** @description `organization/team` that its tokens act as; empty for none. */
      platform_team: string;
      /** @description Logins that it refused. */
      refused: number;
      /** @description Policies of its tokens. */
      token_policies: string[];
      /** @description When it was last written. */
      updated_at: string;
    };
    CertRolesWriteBody: {
      /** @description Metadata to set on the alias at login. */
      alias_metadata?: components["schemas"]["MapInput"];
      /** @description Certificate field that identifies the entity: `common_name`, `uri_san`, `dns_san`, `email_san`, `organizational_unit` (or `ou`), `fingerprint`. */
      alias_source?: string;
      /** @description Allowed common names. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_common_names?: components["schemas"]["ListInput"];
      /** @description Allowed DNS alternative names; case-insensitive. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_dns_sans?: components["schemas"]["ListInput"];
      /** @description Allowed e-mail alternative names. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_email_sans?: components["schemas"]["ListInput"];
      /** @description OIDs of the extensions to add to the metadata of tokens. */
      allowed_metadata_extensions?: components["schemas"]["ListInput"];
      /** @description Deprecated. Allowed common names and alternative names of any kind. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_names?: components["schemas"]["ListInput"];
      /** @description Allowed organizational units of the subject. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_organizational_units?: components["schemas"]["ListInput"];
      /** @description Allowed organizations of the subject. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_organizations?: components["schemas"]["ListInput"];
      /** @description Allowed URI alternative names. Patterns with `*` as a wildcard, one of which must match; empty allows all. */
      allowed_uri_sans?: components["schemas"]["ListInput"];
      /** @description Deprecated name of `token_bound_cidrs`. */
      bound_cidrs?: components["schemas"]["ListInput"];
      /** @description The CA certificates to trust, or one client certificate to pin, in PEM. */
      certificate?: string;
      /** @description Name shown on issued tokens; the role name unless set. */
      display_name?: string;
      /** @description Older name of `ttl`, in seconds. */
      lease?: components["schemas"]["IntegerInput"];
      /** @description Deprecated name of `token_max_ttl`. */
      max_ttl?: components["schemas"]["DurationInput"];
      /** @description Ignored: the path names the role. */
      name?: string;
      /** @description Certificates of additional OCSP responders, each with extended key usage OCSPSigning, as PEM, base64 of PEM or base64 of DER. */
      ocsp_ca_certificates?: string;
      /**
       * @description Query OCSP responders at every login.
       * @default false
       */
      ocsp_enabled?: components["schemas"]["FlagInput"];
      /**
       * @description Accept a login if no response can be fetched or the status is unknown.
       * @default false
       */
      ocsp_fail_open?: components["schemas"]["FlagInput"];
      /**
       * @description Retries of one request; 0 for none.
       * @default 4
       */
      ocsp_max_retries?: components["schemas"]["IntegerInput"];
      /**
       * @description Query all responders and accept the login only if all agree.
       * @default false
       */
      ocsp_query_all_servers?: components["schemas"]["FlagInput"];
      /** @description Responders to query instead of those named in the certificate; one without a scheme is asked over http. */
      ocsp_servers_override?: components["schemas"]["ListInput"];
      /**
       * @description Maximum age of thisUpdate; 0 for any.
       * @default 0
       */
      ocsp_this_update_max_age?: components["schemas"]["DurationInput"];
      /** @description Deprecated name of `token_period`. */
      period?: components["schemas"]["DurationInput"];
      /** @description `organization/team` that tokens act as, if the team allows certificate login. */
      platform_team?: string;
      /** @description Username that a browser with such a certificate signs in as, if the user allows it. */
      platform_user?: string;
      /** @description Deprecated name of `token_policies`. */
      policies?: components["schemas"]["ListInput"];
      /** @description Entries `oid:pattern` for extensions that are ASN.1 strings, or `hex:oid:pattern` for the encoded value of any extension; all must match. */
      required_extensions?: components["schemas"]["ListInput"];
      /**
       * @description Accept tokens only over connections that present the certificate of the login.
       * @default false
       */
      token_bind_certificate?: components["schemas"]["FlagInput"];
      /** @description Addresses and CIDR blocks from which a login and its token are accepted. */
      token_bound_cidrs?: components["schemas"]["ListInput"];
      /** @description Hard limit on the lifetime of tokens, regardless of the other lifetimes. */
      token_explicit_max_ttl?: components["schemas"]["DurationInput"];
      /** @description Maximum lifetime including renewals; 0 for that of the mount. */
      token_max_ttl?: components["schemas"]["DurationInput"];
      /**
       * @description Do not add the policy `default`.
       * @default false
       */
      token_no_default_policy?: components["schemas"]["FlagInput"];
      /**
       * @description How many times a token can be used; 0 for no limit.
       * @default 0
       */
      token_num_uses?: components["schemas"]["IntegerInput"];
      /** @description Makes tokens periodic: each renewal resets their lifetime to this value. */
      token_period?: components["schemas"]["DurationInput"];
      /** @description Policies of tokens. */
      token_policies?: components["schemas"]["ListInput"];
      /**
       * @description Accept a token only from the address of its login.
       * @default false
       */
      token_strictly_bind_ip?: components["schemas"]["FlagInput"];
      /** @description Lifetime of tokens; 0 for the default of the mount. */
      token_ttl?: components["schemas"]["DurationInput"];
      /** @description `service`, `batch` or `default` for the type set on the mount. */
      token_type?: string;
      /** @description Deprecated name of `token_ttl`. */
      ttl?: components["schemas"]["DurationInput"];
    };
    CertSummaryListsData: {
      lists: components["schemas"]["CertListSummary"][];
    };
    CertSummaryListsEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["CertSummaryListsData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    CertSummaryRolesData: {
      roles: components["schemas"]["CertRoleSummary"][];
      /** @description How many roles there are whose name contains the text. */
      total: number;
    };
    CertSummaryRolesEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["CertSummaryRolesData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    CertSummaryTrustData: {
      certificates: components["schemas"]["CertTrust"][];
      /** @description How many certificates roles trust. */
      total: number;
    };
    CertSummaryTrustEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["CertSummaryTrustData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    CertTrust: {
      /** @description Certificates that logged in by it. */
      clients: number;
      /** @description Where its revocation list is published. */
      crl_urls: string[];
      /** @description Days until it expires; negative once it has. */
      days_left: number;
      /** @description Names for which a CA must not issue. */
      excluded_names: string[];
      /** @description The purposes it is limited to; empty if there is no limit. */
      extended_key_usage: string[];
      /** @description SHA-256 of the certificate. */
      fingerprint: string;
      /** @description Whether it is marked as a CA. */
      is_ca: boolean;
      /** @description Issuer. */
      issuer: string;
      /** @description Kind and size of its key. */
      key: string;
      /** @description What its key may be used for; empty if that is not said. */
      key_usage: string[];
      /** @description When the last of those logins was. */
      last_login: string | null;
      /** @description Revocation lists that it issued. */
      lists: string[];
      /** @description Logins that led to it in the time asked about. */
      logins: number;
      /** @description Alternative names by kind. */
      names: components["schemas"]["CertTrustNames"];
      /** @description When it expires. */
      not_after: string;
      /** @description Start of its validity. */
      not_before: string;
      /** @description OCSP responders that it names. */
      ocsp_urls: string[];
      /** @description How many CAs may follow below this one; null for any number. */
      path_length: number | null;
      /** @description Names below which a CA may issue; empty if that is not limited. */
      permitted_names: string[];
      /** @description Whether it is trusted as itself, and not as a CA. */
      pinned: boolean;
      /** @description The first of them by name. */
      role_names: string[];
      /** @description How many roles trust it. */
      roles: number;
      /** @description Whether subject and issuer are the same name. */
      self_issued: boolean;
      /** @description Serial number, decimal. */
      serial: string;
      /** @description How it is signed. */
      signature: string;
      /** @description Subject. */
      subject: string;
    };
    CertTrustNames: {
      /** @description Directory names as text. */
      directory_names: string[];
      /** @description DNS names. */
      dns: string[];
      /** @description E-mail addresses. */
      emails: string[];
      /** @description IP addresses. */
      ips: string[];
      /** @description Types of other names. */
      others: string[];
      /** @description URIs. */
      uris: string[];
    };
    Change: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["ChangeAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["ChangeRelationships"];
      /** @constant */
      type: "changes";
    };
    ChangeAttributes: {
      /** @description What was done: create, update, delete, lock, … */
      action?: string;
      /** @description Who changed it. */
      actor?: components["schemas"]["ChangeAttributesActor"];
      /** @description The changed values after; null if the resource was deleted. */
      after?: {
        [key: string]: unknown;
      } | null;
      /** @description The changed values before; null if the resource was created. */
      before?: {
        [key: string]: unknown;
      } | null;
      /**
       * Format: date-time
       * @description When it happened.
       */
      "created-at"?: string;
      /** @description The request that made the change. */
      "request-id"?: string | null;
      /** @description The resource that was changed. */
      subject?: components["schemas"]["ChangeAttributesSubject"];
      /** @description The API token used, or null. */
      "token-id"?: string | null;
    };
    ChangeAttributesActor: {
      /** @description Its identifier. */
      id: string;
      /** @description Its name at that time. */
      name: string;
      /** @description Kind of resource. */
      type: string;
    };
    ChangeAttributesSubject: {
      /** @description Its identifier. */
      id: string;
      /** @description Its name at that time. */
      name: string;
      /** @description Kind of resource. */
      type: string;
    };
    ChangeList: {
      data: components["schemas"]["Change"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Related URLs. */
      links?: components["schemas"]["Links"];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    ChangeRelationships: {
      /** @description The organization. */
      organization?: components["schemas"]["Relationship"];
      /** @description The workspace concerned, if any. */
      workspace?: components["schemas"]["Relationship"];
    };
    Comment: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["CommentAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["CommentRelationships"];
      /** @constant */
      type: "comments";
    };
    CommentAttributes: {
      /** @description What was said. */
      body?: string;
      /**
       * Format: date-time
       * @description When it was said.
       */
      "created-at"?: string;
    };
    CommentDocument: {
      data: components["schemas"]["Comment"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    CommentList: {
      data: components["schemas"]["Comment"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Related URLs. */
      links?: components["schemas"]["Links"];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    CommentRelationships: {
      /** @description The event by which it is told. */
      "run-event"?: components["schemas"]["Relationship"];
    };
    CommentsCreateBody: {
      data: components["schemas"]["CommentsCreateBodyData"];
    };
    CommentsCreateBodyAttributes: {
      /**
       * @description What is said.
       * @example Looks right.
       */
      body: string;
    };
    CommentsCreateBodyData: {
      attributes?: components["schemas"]["CommentsCreateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /** @constant */
      type?: "comments";
    };
    Concern: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["ConcernAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["ConcernRelationships"];
      /** @constant */
      type: "concerns";
    };
    ConcernAttributes: {
      /**
       * Format: date-time
       * @description Since when it is so, or when it will be; null if nobody knows.
       */
      at?: string | null;
      /** @description Whether something does not work already, or will not unless somebody does something. */
      failed?: boolean;
      /** @description What is the matter: `lock-held`, `snapshot-failed`, `snapshot-overdue`, `snapshot-not-restorable`, `snapshot-unproved`, `snapshot-paused`, `ca-expires`, `crl-stale` or `node-gone`. */
      kind?: string;
      /** @description Name of what it is about. */
      name?: string;
      /** @description `organization` or `server`. */
      scope?: string;
      /** @description One sentence about it. */
      text?: string;
    };
    ConcernRelationships: Record<string, never>;
    ConfigurationVersion: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["ConfigurationVersionAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["ConfigurationVersionRelationships"];
      /** @constant */
      type: "configuration-versions";
    };
    ConfigurationVersionAttributes: {
      /** @description Whether a run begins as soon as the content has been uploaded. */
      "auto-queue-runs"?: boolean;
      /** @description Files that a commit changed; empty for uploads. */
      "changed-files"?: string[];
      /** @description Why it cannot be used, as a code. */
      error?: string | null;
      /** @description Why it cannot be used, as a sentence. */
      "error-message"?: string | null;
      /** @description Files in the archive; null until it has been uploaded. */
      "file-count"?: number | null;
      /** @description Whether it becomes the current configuration only by a run that is applied. */
      provisional?: boolean;
      /** @description SHA-256 of the archive; null until it has been uploaded. */
      sha256?: string | null;
      /** @description Bytes of the archive; null until it has been uploaded. */
      size?: number | null;
      /** @description Where it came from. */
      source?: string;
      /** @description Whether its runs only plan. */
      speculative?: boolean;
      /** @description `pending`, `uploaded`, `errored`, `archived`, or the status of its backing data. */
      status?: string;
      /** @description When each status was reached. */
      "status-timestamps"?: {
        [key: string]: string;
      };
    };
    ConfigurationVersionDocument: {
      data: components["schemas"]["ConfigurationVersion"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    ConfigurationVersionIdentifier: {
      /** @description Identifier of the related resource. */
      id: string;
      /** @constant */
      type: "configuration-versions";
    };
    ConfigurationVersionPage: {
      data: components["schemas"]["ConfigurationVersion"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    ConfigurationVersionRelationships: {
      /** @description The commit it came from; null for uploads. */
      "ingress-attributes"?: components["schemas"]["Relationship"];
      /** @description The workspace it belongs to. */
      workspace?: components["schemas"]["Relationship"];
    };
    ConfigurationVersionsCreateBody: {
      data: components["schemas"]["ConfigurationVersionsCreateBodyData"];
    };
    ConfigurationVersionsCreateBodyAttributes: {
      /**
       * @description Whether a run begins as soon as the content has been uploaded.
       * @default true
       */
      "auto-queue-runs"?: boolean;
      /**
       * @description Whether it becomes the current configuration only when a run of it has been applied, not at once.
       * @default false
       */
      provisional?: boolean;
      /**
       * @description Whether its runs only plan.
       * @default false
       */
      speculative?: boolean;
    };
    ConfigurationVersionsCreateBodyData: {
      attributes?: components["schemas"]["ConfigurationVersionsCreateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /** @constant */
      type?: "configuration-versions";
    };
    CreateTokenBody: {
      /** @description Name shown in audit records. */
      display_name?: string;
      /** @description Alias whose entity the token acts for; requires a role that allows it. */
      entity_alias?: string;
      /** @description Maximum lifetime, regardless of renewals. */
      explicit_max_ttl?: unknown;
      /** @description Value of the token; requires root or sudo. A generated one is safer. */
      id?: string;
      /** @description The old name of `ttl`. */
      lease?: unknown;
      /** @description Metadata of the token, shown on lookup and in audit records. */
      meta?: components["schemas"]["MapInput"];
      /** @description Do not add the policy `default`. */
      no_default_policy?: components["schemas"]["FlagInput"];
      /** @description Create an orphan, which is not revoked with the caller's token; requires root or sudo. */
      no_parent?: components["schemas"]["FlagInput"];
      /** @description How many times the token can be used; 0 for no limit. */
      num_uses?: components["schemas"]["IntegerInput"];
      /** @description Create a periodic token: each renewal resets its lifetime to this value; requires root or sudo. */
      period?: unknown;
      /**
       * @description Policies of the token; by default those of the caller's token.
       * @example [
       *       "web"
       *     ]
       */
      policies?: components["schemas"]["ListInput"];
      /**
       * @description Whether the token can be renewed; true by default.
       * @default true
       */
      renewable?: components["schemas"]["FlagInput"];
      /**
       * @description Lifetime: seconds, or a duration such as `1h`.
       * @example 1h
       */
      ttl?: unknown;
      /**
       * @description `service` (stored, the default) or `batch` (self-contained).
       * @example service
       */
      type?: string;
    };
    CrossOriginSettings: {
      /** @description Allowed request headers. */
      allowed_headers?: string[];
      /** @description Allowed origins. */
      allowed_origins?: string[];
      /** @description Whether CORS is enabled. */
      enabled: boolean;
    };
    CrossOriginSettingsEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["CrossOriginSettings"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    CrossOriginWriteBody: {
      /** @description Allowed request headers, in addition to those of this API. */
      allowed_headers?: components["schemas"]["ListInput"];
      /**
       * @description Allowed origins, or only `*` for all.
       * @example [
       *       "https://app.example.com"
       *     ]
       */
      allowed_origins?: components["schemas"]["ListInput"];
      /**
       * @description Set to false to do the same as DELETE.
       * @default true
       */
      enabled?: components["schemas"]["FlagInput"];
    };
    CubbyholeReadEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      /** @description The value, as it was stored. */
      data: {
        [key: string]: unknown;
      };
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    DurationInput: number | string;
    EffectiveTagBinding: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["EffectiveTagBindingAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["EffectiveTagBindingRelationships"];
      /** @constant */
      type: "effective-tag-bindings";
    };
    EffectiveTagBindingAttributes: {
      /** @description Key. */
      key?: string;
      /** @description Value. */
      value?: string;
    };
    EffectiveTagBindingList: {
      data: components["schemas"]["EffectiveTagBinding"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Related URLs. */
      links?: components["schemas"]["Links"];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    EffectiveTagBindingRelationships: {
      /** @description The project it is inherited from; absent if it is set directly. */
      "inherited-from"?: components["schemas"]["Relationship"];
    };
    EnableMountBody: {
      /** @description Settings, as for tune. */
      config?: {
        [key: string]: unknown;
      };
      /** @description What the mount is for. */
      description?: string;
      /** @description Ignored. */
      external_entropy_access?: components["schemas"]["FlagInput"];
      /** @description Stored. */
      local?: components["schemas"]["FlagInput"];
      /** @description Stored with the mount. */
      options?: components["schemas"]["MapInput"];
      /** @description Ignored. */
      plugin_name?: string;
      /** @description Must be empty: every type has the version of the server. */
      plugin_version?: string;
      /** @description Stored. */
      seal_wrap?: components["schemas"]["FlagInput"];
      /** @description The method, such as `cert`. */
      type?: string;
    };
    EncryptionKeyStatus: {
      /** @description Values sealed with it. */
      encryptions: number;
      /** @description When it was created. */
      install_time: string;
      /** @description Number of the key. */
      term: number;
    };
    EncryptionKeyStatusEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["EncryptionKeyStatus"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    EntitlementSet: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["EntitlementSetAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["EntitlementSetRelationships"];
      /** @constant */
      type: "entitlement-sets";
    };
    EntitlementSetAttributes: {
      /** @description Whether the feature `agents` is available and enabled. */
      agents?: boolean;
      /** @description Whether the feature `audit-logging` is available and enabled. */
      "audit-logging"?: boolean;
      /** @description Whether the feature `configuration-designer` is available and enabled. */
      "configuration-designer"?: boolean;
      /** @description Whether the feature `cost-estimation` is available and enabled. */
      "cost-estimation"?: boolean;
      /** @description Whether the feature `global-run-tasks` is available and enabled. */
      "global-run-tasks"?: boolean;
      /** @description Whether the feature `operations` is available and enabled. */
      operations?: boolean;
      /** @description Whether the feature `policy-enforcement` is available and enabled. */
      "policy-enforcement"?: boolean;
      /** @description Whether the feature `private-module-registry` is available and enabled. */
      "private-module-registry"?: boolean;
      /** @description Whether the feature `run-tasks` is available and enabled. */
      "run-tasks"?: boolean;
      /** @description Whether the feature `self-serve-billing` is available and enabled. */
      "self-serve-billing"?: boolean;
      /** @description Whether the feature `sentinel` is available and enabled. */
      sentinel?: boolean;
      /** @description Whether the feature `sso` is available and enabled. */
      sso?: boolean;
      /** @description Whether the feature `state-storage` is available and enabled. */
      "state-storage"?: boolean;
      /** @description Whether the feature `teams` is available and enabled. */
      teams?: boolean;
      /** @description Whether the feature `usage-reporting` is available and enabled. */
      "usage-reporting"?: boolean;
      /** @description How many users an organization may have; null for no limit. */
      "user-limit"?: number | null;
      /** @description Whether the feature `vcs-integrations` is available and enabled. */
      "vcs-integrations"?: boolean;
    };
    EntitlementSetDocument: {
      data: components["schemas"]["EntitlementSet"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    EntitlementSetRelationships: Record<string, never>;
    Entity: {
      /** @description Its aliases, the names it logs in with. */
      aliases: components["schemas"]["EntityAlias"][];
      /**
       * Format: date-time
       * @description When it was created.
       */
      creation_time: string;
      /** @description Whether it is disabled. */
      disabled: boolean;
      /** @description Id of the entity. */
      id: string;
      /**
       * Format: date-time
       * @description When it last changed.
       */
      last_update_time: string;
      /** @description As it was set. */
      metadata: {
        [key: string]: string;
      };
      /** @description Its name. */
      name: string;
      /** @description Additional policies of its tokens. */
      policies: string[];
    };
    EntityAlias: {
      /** @description The entity it belongs to. */
      canonical_id: string;
      /**
       * Format: date-time
       * @description When it was created.
       */
      creation_time: string;
      /** @description As it was set. */
      custom_metadata: {
        [key: string]: string;
      };
      /** @description Id of the alias. */
      id: string;
      /**
       * Format: date-time
       * @description When it last changed.
       */
      last_update_time: string;
      /** @description Metadata from the last login. */
      metadata: {
        [key: string]: string;
      };
      /** @description Accessor of the auth method. */
      mount_accessor: string;
      /** @description Where the auth method is mounted. */
      mount_path: string;
      /** @description The type of the auth method. */
      mount_type: string;
      /** @description The name used at login. */
      name: string;
    };
    EntityAliasBody: {
      /** @description The entity it belongs to; a new one is created if omitted. */
      canonical_id?: string;
      /** @description Arbitrary metadata; policies can refer to it. */
      custom_metadata?: components["schemas"]["MapInput"];
      /** @description The alias to change. */
      id?: string;
      /** @description Accessor of the auth method. */
      mount_accessor?: string;
      /** @description The name used at login. */
      name?: string;
    };
    EntityAliasEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["EntityAlias"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    EntityBody: {
      /** @description Disable the entity: none of its tokens is accepted. */
      disabled?: components["schemas"]["FlagInput"];
      /** @description The entity to change. */
      id?: string;
      /** @description Arbitrary metadata; policies can refer to it. */
      metadata?: components["schemas"]["MapInput"];
      /** @description Name, unique regardless of case; generated if omitted. */
      name?: string;
      /** @description Additional policies of every token of the entity, effective from the next request. */
      policies?: components["schemas"]["ListInput"];
    };
    EntityEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["Entity"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    EntityList: {
      /** @description Facts about each entity, by its id; also if the keys are names. */
      key_info: {
        [key: string]: unknown;
      };
      /** @description Ids or names in sorted order. */
      keys: string[];
    };
    EntityListEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["EntityList"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    ErrorDocument: {
      errors: components["schemas"]["ErrorObject"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    ErrorObject: {
      /** @description Machine-readable error code. */
      code?: string;
      /** @description Human-readable description of the error. */
      detail: string;
      /** @description Location of the error. */
      source?: components["schemas"]["ErrorSource"];
      /** @description HTTP status of the response. */
      status: string;
      /** @description Kind of error; stable text. */
      title: string;
    };
    ErrorSource: {
      /** @description The name of a query parameter. */
      parameter?: string;
      /** @description A JSON pointer into the document. */
      pointer?: string;
    };
    ExplainedCertificate: {
      /** @description Where its revocation list is published. */
      crl_urls: string[];
      /** @description Names for which a CA must not issue. */
      excluded_names: string[];
      /** @description The purposes it is limited to; empty if there is no limit. */
      extended_key_usage: string[];
      /** @description SHA-256 of the certificate. */
      fingerprint: string;
      /** @description Whether it is marked as a CA. */
      is_ca: boolean;
      /** @description Issuer. */
      issuer: string;
      /** @description Kind and size of its key. */
      key: string;
      /** @description What its key may be used for; empty if that is not said. */
      key_usage: string[];
      /** @description Alternative names by kind. */
      names: components["schemas"]["ExplainedCertificateNames"];
      /** @description When it expires. */
      not_after: string;
      /** @description Start of its validity. */
      not_before: string;
      /** @description OCSP responders that it names. */
      ocsp_urls: string[];
      /** @description How many CAs may follow below this one; null for any number. */
      path_length: number | null;
      /** @description Names below which a CA may issue; empty if that is not limited. */
      permitted_names: string[];
      /** @description Whether subject and issuer are the same name. */
      self_issued: boolean;
      /** @description Serial number, decimal. */
      serial: string;
      /** @description How it is signed. */
      signature: string;
      /** @description Subject. */
      subject: string;
    };
    ExplainedCertificateNames: {
      /** @description Directory names as text. */
      directory_names: string[];
      /** @description DNS names. */
      dns: string[];
      /** @description E-mail addresses. */
      emails: string[];
      /** @description IP addresses. */
      ips: string[];
      /** @description Types of other names. */
      others: string[];
      /** @description URIs. */
      uris: string[];
    };
    FeatureSet: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["FeatureSetAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["FeatureSetRelationships"];
      /** @constant */
      type: "feature-sets";
    };
    FeatureSetAttributes: {
      /** @description Name. */
      name?: string;
      /** @description The tier it grants. */
      tier?: string;
    };
    FeatureSetIdentifier: {
      /** @description Identifier of the related resource. */
      id: string;
      /** @constant */
      type: "feature-sets";
    };
    FeatureSetPage: {
      data: components["schemas"]["FeatureSet"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    FeatureSetRelationships: Record<string, never>;
    FlagInput: boolean | string;
    Health: {
      /** @description Its identifier. */
      cluster_id?: string;
      /** @description Name of the cluster; only while it is unsealed. */
      cluster_name?: string;
      /** @description Whether the licence includes automated snapshots. */
      enterprise: boolean;
      /** @description The version of the server. */
      holdfast_version: string;
      /** @description Whether the store was initialised. */
      initialized: boolean;
      /** @description Whether the store is sealed. */
      sealed: boolean;
      /** @description Unix time in seconds. */
      server_time_utc: number;
      /** @description Snapshot configurations whose last snapshot failed verification, or could not be verified. */
      snapshots_failed_verification?: number;
      /** @description Snapshot configurations whose last successful snapshot is older than two intervals. */
      snapshots_overdue?: number;
      /** @description Snapshot configurations that are paused, which the other two counts leave out. */
      snapshots_paused?: number;
      /** @description The same as `sealed`: there is no standby. */
      standby: boolean;
      /** @description Whether a write was refused within the last minute because the disk of the database is full. */
      storage_full: boolean;
      /** @description The version by which clients enable features. */
      version: string;
    };
    IdentityDeleteEntitiesBody: {
      /** @description Ids of the entities. */
      entity_ids?: components["schemas"]["ListInput"];
    };
    IdentityLookUpEntityBody: {
      /** @description Id of one of its aliases. */
      alias_id?: string;
      /** @description Accessor of the auth method, together with the name. */
      alias_mount_accessor?: string;
      /** @description Name of one of its aliases, together with the accessor. */
      alias_name?: string;
      /** @description Id of the entity. */
      id?: string;
      /** @description Name of the entity. */
      name?: string;
    };
    IdentityMergeEntitiesBody: {
      /** @description Of aliases at the same mount, keep these; the others are deleted. */
      conflicting_alias_ids_to_keep?: components["schemas"]["ListInput"];
      /** @description Ignored: it is about second factors, which entities do not have. */
      force?: components["schemas"]["FlagInput"];
      /** @description The entities to merge, which are deleted. */
      from_entity_ids?: components["schemas"]["ListInput"];
      /** @description The entity to merge into. */
      to_entity_id?: string;
    };
    IdentityUpdateAliasData: {
      /** @description The entity it belongs to. */
      canonical_id: string;
      /** @description Id of the alias. */
      id: string;
    };
    IdentityUpdateAliasEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["IdentityUpdateAliasData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    IdentityWriteAliasData: {
      /** @description The entity it belongs to. */
      canonical_id: string;
      /** @description Id of the alias. */
      id: string;
    };
    IdentityWriteAliasEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["IdentityWriteAliasData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    IdentityWriteEntityByNameData: {
      /** @description Id of the new entity. */
      id: string;
    };
    IdentityWriteEntityByNameEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["IdentityWriteEntityByNameData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    IdentityWriteEntityData: {
      /** @description Id of the new entity. */
      id: string;
    };
    IdentityWriteEntityEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["IdentityWriteEntityData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    IncludedResource: {
      attributes?: {
        [key: string]: unknown;
      };
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: {
        [key: string]: components["schemas"]["Relationship"];
      };
      /** @description Kind of the resource. */
      type: string;
    };
    Initialization: {
      /** @description Key shares in hex. */
      keys: string[];
      /** @description The same shares in base64. */
      keys_base64: string[];
      /** @description The first root token. */
      root_token: string;
    };
    IntegerInput: number | string;
    KeyInfoList: {
      /** @description Facts about each entry, by its key. */
      key_info: {
        [key: string]: unknown;
      };
      /** @description Keys in sorted order. */
      keys: string[];
    };
    KeyInfoListEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["KeyInfoList"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    KeyList: {
      /** @description Keys in sorted order; folders end in a slash. */
      keys: string[];
    };
    KeyListEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["KeyList"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    Lease: {
      /** @description When it expires. */
      expire_time: string | null;
      /** @description Id of the lease. */
      id: string;
      /** @description When it was created. */
      issue_time: string;
      /** @description When it was last renewed. */
      last_renewal: string | null;
      /** @description Whether it can be renewed. */
      renewable: boolean;
      /** @description Seconds left. */
      ttl: number;
    };
    LeaseEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["Lease"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    LeasesCountData: {
      /** @description Number of leases by mount. */
      counts: {
        [key: string]: number;
      };
      /** @description Number of leases. */
      lease_count: number;
    };
    LeasesCountEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["LeasesCountData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    LeasesIrrevocableData: {
      /** @description Number of leases. */
      lease_count: number;
      /** @description The leases. */
      leases: unknown[];
    };
    LeasesIrrevocableEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["LeasesIrrevocableData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    LeasesLookupBody: {
      /** @description Id of the lease. */
      lease_id?: string;
    };
    LeasesRenewBody: {
      /** @description Ignored. */
      increment?: components["schemas"]["DurationInput"];
      /** @description Id of the lease. */
      lease_id?: string;
    };
    LeasesRenewByPathBody: {
      /** @description Ignored. */
      increment?: components["schemas"]["DurationInput"];
    };
    LeasesRenewByPathOldBody: {
      /** @description Ignored. */
      increment?: components["schemas"]["DurationInput"];
    };
    LeasesRenewOldBody: {
      /** @description Ignored. */
      increment?: components["schemas"]["DurationInput"];
      /** @description Id of the lease. */
      lease_id?: string;
    };
    LeasesRevokeBody: {
      /** @description Id of the lease. */
      lease_id?: string;
      /** @description Ignored: the tokens are dead when the answer arrives. */
      sync?: components["schemas"]["FlagInput"];
    };
    LeasesRevokeByPathBody: {
      /** @description Ignored: the tokens are dead when the answer arrives. */
      sync?: components["schemas"]["FlagInput"];
    };
    LeasesRevokeByPathOldBody: {
      /** @description Ignored: the tokens are dead when the answer arrives. */
      sync?: components["schemas"]["FlagInput"];
    };
    LeasesRevokeOldBody: {
      /** @description Id of the lease. */
      lease_id?: string;
      /** @description Ignored: the tokens are dead when the answer arrives. */
      sync?: components["schemas"]["FlagInput"];
    };
    LeasesRevokePrefixBody: {
      /** @description Ignored: the tokens are dead when the answer arrives. */
      sync?: components["schemas"]["FlagInput"];
    };
    LeasesRevokePrefixOldBody: {
      /** @description Ignored: the tokens are dead when the answer arrives. */
      sync?: components["schemas"]["FlagInput"];
    };
    Links: {
      [key: string]: string | null;
    };
    ListInput: string[] | string;
    MapInput: {
      [key: string]: string;
    } | string;
    MembershipsInviteBody: {
      data: components["schemas"]["MembershipsInviteBodyData"];
    };
    MembershipsInviteBodyAttributes: {
      /**
       * @description E-mail address of the person.
       * @example ann@example.com
       */
      email: string;
    };
    MembershipsInviteBodyData: {
      attributes?: components["schemas"]["MembershipsInviteBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["MembershipsInviteBodyRelationships"];
      /** @constant */
      type?: "organization-memberships";
    };
    MembershipsInviteBodyRelationships: {
      /** @description Teams to join. */
      teams?: components["schemas"]["RelatedToTeams"];
    };
    Meta: {
      /** @description Unknown names in the request, if there were any; they were ignored. */
      warnings?: string[];
    };
    Mount: {
      /** @description Identifies the mount in aliases and policies. */
      accessor: string;
      config: components["schemas"]["MountTuning"];
      /** @description What it is for. */
      description: string;
      /** @description As it was set. */
      local: boolean;
      /** @description As they were set. */
      options: {
        [key: string]: string;
      } | null;
      /** @description As it was set. */
      seal_wrap: boolean;
      /** @description Type of the mount. */
      type: string;
      /** @description Id of the mount. */
      uuid: string;
    };
    MountEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["Mount"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    MountsListAuthEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: {
        [key: string]: components["schemas"]["Mount"];
      };
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    MountsListEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: {
        [key: string]: components["schemas"]["Mount"];
      };
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    MountsListVisibleData: {
      /** @description Auth methods by path below `auth/`. */
      auth: {
        [key: string]: unknown;
      };
      /** @description Mounts by path. */
      secret: {
        [key: string]: unknown;
      };
    };
    MountsListVisibleEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["MountsListVisibleData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    MountsMoveBody: {
      /** @description Current path of the auth method, with `auth/`. */
      from?: string;
      /** @description New path of the auth method, with `auth/`. */
      to?: string;
    };
    MountsMoveData: {
      /** @description Identifies the move. */
      migration_id: string;
    };
    MountsMoveEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["MountsMoveData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    MountsMoveStatusData: {
      /** @description Identifies the move. */
      migration_id: string;
      /** @description Both paths, and `success`. */
      migration_info: Record<string, never>;
    };
    MountsMoveStatusEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["MountsMoveStatusData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    MountTuning: {
      /** @description Default lifetime of tokens if a role sets none, in seconds. */
      default_lease_ttl: number;
      /** @description As it was set. */
      force_no_cache: boolean;
      /** @description Maximum lifetime of tokens, in seconds. */
      max_lease_ttl: number;
      /** @description Type of the tokens that logins issue; auth methods only. */
      token_type?: string;
    };
    MountTuningEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["MountTuning"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    Node: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["NodeAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["NodeRelationships"];
      /** @constant */
      type: "nodes";
    };
    NodeAttributes: {
      /** @description Where it listens; empty if its configuration does not tell. */
      address?: string;
      /** @description By how much its clock is ahead of that of the database; negative if it is behind. */
      "clock-skew-ms"?: number;
      /** @description Background jobs that it is running. */
      "jobs-held"?: number;
      /**
       * Format: date-time
       * @description Its last sign of life; there is one every ten seconds.
       */
      "last-seen-at"?: string;
      /** @description Whether it hands out background work. */
      "leads-background-work"?: boolean;
      /** @description Its host name. */
      name?: string;
      /**
       * Format: date-time
       * @description When it started.
       */
      "started-at"?: string;
      /** @description `present`, or `gone` if it was stopped or has given no sign for half a minute. */
      state?: string;
      /**
       * Format: date-time
       * @description When it was stopped; null while it runs, and if it ended unexpectedly.
       */
      "stopped-at"?: string | null;
      /** @description The release that it runs. */
      version?: string;
    };
    NodePage: {
      data: components["schemas"]["Node"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    NodeRelationships: Record<string, never>;
    NotSignedIn: {
      /** @description Nobody is signed in. */
      errors: string[];
    };
    OauthClient: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["OauthClientAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["OauthClientRelationships"];
      /** @constant */
      type: "oauth-clients";
    };
    OauthClientAttributes: {
      /** @description URL of the provider's API. */
      "api-url"?: string;
      /** @description Always null: nobody has to visit the provider. */
      "callback-url"?: string | null;
      /** @description Always null: nobody has to visit the provider. */
      "connect-path"?: string | null;
      /**
       * Format: date-time
       * @description When it was created.
       */
      "created-at"?: string;
      /** @description URL of the provider's web site. */
      "http-url"?: string;
      /** @description Key by which the provider knows this server. */
      key?: string | null;
      /** @description Name. */
      name?: string | null;
      /** @description Whether every workspace may use it. */
      "organization-scoped"?: boolean;
      /** @description Public key by which the provider checks signed requests. */
      "rsa-public-key"?: string | null;
      /** @description Always null: it is not shown. */
      secret?: string | null;
      /** @description Kind of the provider. */
      "service-provider"?: string;
      /** @description Display name of the provider. */
      "service-provider-display-name"?: string;
    };
    OauthClientDocument: {
      data: components["schemas"]["OauthClient"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    OauthClientPage: {
      data: components["schemas"]["OauthClient"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    OauthClientRelationships: {
      /** @description Its tokens; workspaces name one of them. */
      "oauth-tokens"?: components["schemas"]["Relationship"];
      /** @description Its organization. */
      organization?: components["schemas"]["Relationship"];
    };
    OauthClientsCreateBody: {
      data: components["schemas"]["OauthClientsCreateBodyData"];
    };
    OauthClientsCreateBodyAttributes: {
      /**
       * @description URL of the provider's API.
       * @example https://git.example.com/api/v4
       */
      "api-url": string;
      /**
       * @description URL of the provider's web site.
       * @example https://git.example.com
       */
      "http-url": string;
      /** @description Key by which the provider knows this server. */
      key?: string | null;
      /**
       * @description Name of the connection.
       * @example our forge
       */
      name?: string | null;
      /** @description A token created at the provider. It is stored encrypted and never shown again. Providers that take signed requests can do with `key`, `secret` and `rsa-public-key` instead. */
      "oauth-token-string"?: string | null;
      /**
       * @description Always true: every workspace of the organization may use it.
       * @default true
       */
      "organization-scoped"?: boolean;
      /** @description Public key by which the provider checks signed requests. */
      "rsa-public-key"?: string | null;
      /** @description The private key that signs requests. It is stored encrypted and never shown again. */
      secret?: string | null;
      /**
       * @description Kind of the provider.
       * @enum {string}
       */
      "service-provider": "github" | "github_enterprise" | "gitlab_hosted" | "gitlab_community_edition" | "gitlab_enterprise_edition" | "bitbucket_hosted" | "bitbucket_server" | "bitbucket_data_center" | "ado_server" | "ado_services";
    };
    OauthClientsCreateBodyData: {
      attributes?: components["schemas"]["OauthClientsCreateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["OauthClientsCreateBodyRelationships"];
      /** @constant */
      type?: "oauth-clients";
    };
    OauthClientsCreateBodyRelationships: {
      /** @description Refused unless null: providers are not reached through agents. */
      "agent-pool"?: components["schemas"]["RelatedToAgentPoolOrNothing"];
      /** @description Refused unless empty: a connection is for the whole organization. */
      projects?: components["schemas"]["RelatedToProjects"];
    };
    OauthClientsUpdateBody: {
      data: components["schemas"]["OauthClientsUpdateBodyData"];
    };
    OauthClientsUpdateBodyAttributes: {
      /**
       * @description URL of the provider's API.
       * @example https://git.example.com/api/v4
       */
      "api-url"?: string;
      /**
       * @description URL of the provider's web site.
       * @example https://git.example.com
       */
      "http-url"?: string;
      /** @description Key by which the provider knows this server. */
      key?: string | null;
      /**
       * @description Name of the connection.
       * @example our forge
       */
      name?: string | null;
      /** @description A token created at the provider. It is stored encrypted and never shown again. */
      "oauth-token-string"?: string;
      /** @description Always true: every workspace of the organization may use it. */
      "organization-scoped"?: boolean;
      /** @description Public key by which the provider checks signed requests. */
      "rsa-public-key"?: string | null;
      /** @description The private key that signs requests. It is stored encrypted and never shown again. */
      secret?: string | null;
    };
    OauthClientsUpdateBodyData: {
      attributes?: components["schemas"]["OauthClientsUpdateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["OauthClientsUpdateBodyRelationships"];
      /** @constant */
      type?: "oauth-clients";
    };
    OauthClientsUpdateBodyRelationships: {
      /** @description Refused unless null: providers are not reached through agents. */
      "agent-pool"?: components["schemas"]["RelatedToAgentPoolOrNothing"];
      /** @description Refused unless empty: a connection is for the whole organization. */
      projects?: components["schemas"]["RelatedToProjects"];
    };
    OauthLoginDecideBody: {
      /** @description CSRF token of the form. */
      csrf?: string;
      /** @description `allow` or `deny`. */
      decision?: string;
    };
    OauthLoginTokenAnswer: {
      /** @description A user token. */
      access_token: string;
      /** @description `bearer`. */
      token_type: string;
    };
    OauthLoginTokenBody: {
      /** @description Identifier of the client. */
      client_id?: string;
      /** @description The authorization code that the browser was given. */
      code?: string;
      /** @description The PKCE code verifier. */
      code_verifier?: string;
      /** @description `authorization_code`. */
      grant_type?: string;
      /** @description The redirect URI that the code was sent to. */
      redirect_uri?: string;
    };
    OauthLoginTokenRefusal: {
      /** @description A code of RFC 6749 §5.2, such as `invalid_grant`. */
      error: string;
      /** @description The reason in words. */
      error_description: string;
    };
    OauthToken: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["OauthTokenAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["OauthTokenRelationships"];
      /** @constant */
      type: "oauth-tokens";
    };
    OauthTokenAttributes: {
      /**
       * Format: date-time
       * @description When it was created.
       */
      "created-at"?: string;
      /** @description Whether it has an SSH key. */
      "has-ssh-key"?: boolean;
      /** @description Always empty: the provider is not queried. */
      "service-provider-user"?: string;
    };
    OauthTokenDocument: {
      data: components["schemas"]["OauthToken"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    OauthTokenList: {
      data: components["schemas"]["OauthToken"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Related URLs. */
      links?: components["schemas"]["Links"];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    OauthTokenPage: {
      data: components["schemas"]["OauthToken"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    OauthTokenRelationships: {
      /** @description The connection it belongs to. */
      "oauth-client"?: components["schemas"]["Relationship"];
    };
    OauthTokensUpdateBody: {
      data: components["schemas"]["OauthTokensUpdateBodyData"];
    };
    OauthTokensUpdateBodyAttributes: {
      /** @description A private key for submodules. It is stored encrypted and never shown again. */
      "ssh-key"?: string;
    };
    OauthTokensUpdateBodyData: {
      attributes?: components["schemas"]["OauthTokensUpdateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /** @constant */
      type?: "oauth-tokens";
    };
    Organization: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["OrganizationAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["OrganizationRelationships"];
      /** @constant */
      type: "organizations";
    };
    OrganizationAttributes: {
      /** @description Stored for clients that set it; has no effect. */
      "aggregated-commit-status-enabled"?: boolean;
      /** @description Whether workspace admins may delete workspaces without safe-delete. */
      "allow-force-delete-workspaces"?: boolean;
      /** @description Whether health is assessed for every eligible workspace. */
      "assessments-enforced"?: boolean;
      /** @description How users sign in. */
      "collaborator-auth-policy"?: string;
      /** @description Stored for clients that set it; has no effect. */
      "cost-estimation-enabled"?: boolean;
      /**
       * Format: date-time
       * @description When it was created.
       */
      "created-at"?: string;
      /** @description `remote`, `local` or `agent`. */
      "default-execution-mode"?: string;
      /** @description Default of `global-remote-state` for workspaces that do not set it. */
      "default-global-remote-state"?: boolean;
      /** @description The tool whose versions workspaces use. */
      "default-tool"?: string;
      /** @description Contact e-mail address of the owners. */
      email?: string;
      /** @description Identifier that stays when the name changes. */
      "external-id"?: string;
      /** @description Always false. */
      "fair-run-queuing-enabled"?: boolean;
      /** @description Whether plaintext data sent with encrypted state is kept. */
      "keep-outputs-of-encrypted-state"?: boolean;
      /** @description Whether new tokens are limited by `token-ttl-policies`. */
      "max-ttl-enabled"?: boolean;
      /** @description Name; also the id of the document. */
      name?: string;
      /** @description The role of owners in single sign-on. Stored for clients; has no effect. */
      "owners-team-saml-role-id"?: string | null;
      /** @description What the caller may do. */
      permissions?: components["schemas"]["OrganizationAttributesPermissions"];
      /** @description Always false. */
      "plan-expired"?: boolean;
      /** @description Whether runs may be created. */
      "remote-execution-enabled"?: boolean;
      /** @description Always false. */
      "saml-enabled"?: boolean;
      /** @description Stored for clients that set it; has no effect. */
      "send-passing-statuses-for-untriggered-speculative-plans"?: boolean;
      /** @description Minutes; stored for clients, has no effect. */
      "session-remember"?: number | null;
      /** @description Minutes; stored for clients, has no effect. */
      "session-timeout"?: number | null;
      /** @description Stored for clients that set it; has no effect. */
      "speculative-plan-management-enabled"?: boolean;
      /** @description The plan in the hosted edition. */
      tier?: string;
      /** @description Always true. */
      "two-factor-conformant"?: boolean;
      /** @description Whether user tokens are accepted in this organization. */
      "user-tokens-enabled"?: boolean;
      /** @description Whether new workspaces follow the defaults. */
      "workspaces-inherit-settings-by-default"?: boolean;
    };
    OrganizationAttributesPermissions: {
      /** @description can-access-secret-teams */
      "can-access-secret-teams": boolean;
      /** @description can-create-project */
      "can-create-project": boolean;
      /** @description can-create-team */
      "can-create-team": boolean;
      /** @description can-create-workspace */
      "can-create-workspace": boolean;
      /** @description can-destroy */
      "can-destroy": boolean;
      /** @description can-manage-all-workspaces */
      "can-manage-all-workspaces": boolean;
      /** @description can-manage-organization-access */
      "can-manage-organization-access": boolean;
      /** @description can-manage-run-tasks */
      "can-manage-run-tasks": boolean;
      /** @description can-manage-tags */
      "can-manage-tags": boolean;
      /** @description can-manage-teams */
      "can-manage-teams": boolean;
      /** @description can-manage-users */
      "can-manage-users": boolean;
      /** @description can-read-changes */
      "can-read-changes": boolean;
      /** @description can-traverse */
      "can-traverse": boolean;
      /** @description can-update */
      "can-update": boolean;
      /** @description can-update-agent-pools */
      "can-update-agent-pools": boolean;
      /** @description can-update-api-token */
      "can-update-api-token": boolean;
      /** @description can-update-authentication */
      "can-update-authentication": boolean;
      /** @description can-update-oauth */
      "can-update-oauth": boolean;
      /** @description can-update-sentinel */
      "can-update-sentinel": boolean;
      /** @description can-update-ssh-keys */
      "can-update-ssh-keys": boolean;
    };
    OrganizationCapacity: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["OrganizationCapacityAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["OrganizationCapacityRelationships"];
      /** @constant */
      type: "organization-capacity";
    };
    OrganizationCapacityAttributes: {
      /** @description Runs that may be executed at once; null for no limit. */
      limit?: number | null;
      /** @description Runs that wait. */
      pending?: number;
      /** @description Runners that may execute them; there are none yet. */
      "runners-online"?: number;
      /** @description Runs that are executed. */
      running?: number;
    };
    OrganizationCapacityDocument: {
      data: components["schemas"]["OrganizationCapacity"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    OrganizationCapacityRelationships: Record<string, never>;
    OrganizationDocument: {
      data: components["schemas"]["Organization"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    OrganizationMembership: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["OrganizationMembershipAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["OrganizationMembershipRelationships"];
      /** @constant */
      type: "organization-memberships";
    };
    OrganizationMembershipAttributes: {
      /**
       * Format: date-time
       * @description When the person was invited.
       */
      "created-at"?: string;
      /** @description E-mail address. */
      email?: string;
      /** @description Link to accept the invitation; only in the response that creates the invitation. */
      "invitation-url"?: string;
      /** @description `active`, or `invited` until somebody accepts the invitation. */
      status?: string;
    };
    OrganizationMembershipDocument: {
      data: components["schemas"]["OrganizationMembership"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    OrganizationMembershipIdentifier: {
      /** @description Identifier of the related resource. */
      id: string;
      /** @constant */
      type: "organization-memberships";
    };
    OrganizationMembershipPage: {
      data: components["schemas"]["OrganizationMembership"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    OrganizationMembershipRelationships: {
      /** @description The organization. */
      organization?: components["schemas"]["Relationship"];
      /** @description Teams the member is in. */
      teams?: components["schemas"]["Relationship"];
      /** @description The user; while invited, a placeholder that has only the e-mail address. */
      user?: components["schemas"]["Relationship"];
    };
    OrganizationPage: {
      data: components["schemas"]["Organization"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    OrganizationRelationships: {
      /** @description The token of the organization. */
      "authentication-token"?: components["schemas"]["Relationship"];
      /** @description The policy for workspaces without their own, or null. */
      "data-retention-policy"?: components["schemas"]["Relationship"];
      /** @description Agent pool for agent mode, or null. */
      "default-agent-pool"?: components["schemas"]["Relationship"];
      /** @description The project of workspaces that name none. */
      "default-project"?: components["schemas"]["Relationship"];
      /** @description The features that are available and enabled. */
      "entitlement-set"?: components["schemas"]["Relationship"];
      /** @description Version control connections. */
      "oauth-tokens"?: components["schemas"]["Relationship"];
    };
    OrganizationsChangeRetentionPolicyBody: {
      data: components["schemas"]["OrganizationsChangeRetentionPolicyBodyData"];
    };
    OrganizationsChangeRetentionPolicyBodyAttributes: {
      /**
       * @description Days after which old state and configurations are deleted.
       * @example 33
       */
      "delete-older-than-n-days"?: number;
    };
    OrganizationsChangeRetentionPolicyBodyData: {
      attributes?: components["schemas"]["OrganizationsChangeRetentionPolicyBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /**
       * @description Kind of the resource.
       * @enum {string}
       */
      type: "data-retention-policy-delete-olders" | "data-retention-policy-dont-deletes";
    };
    OrganizationsCreateBody: {
      data: components["schemas"]["OrganizationsCreateBodyData"];
    };
    OrganizationsCreateBodyAttributes: {
      /**
       * @description Stored for clients that set it; has no effect.
       * @default true
       */
      "aggregated-commit-status-enabled"?: boolean;
      /**
       * @description Whether workspace admins may delete workspaces without safe-delete.
       * @default false
       */
      "allow-force-delete-workspaces"?: boolean;
      /**
       * @description Whether health is assessed for every eligible workspace.
       * @default false
       */
      "assessments-enforced"?: boolean;
      /**
       * @description How users sign in; two-factor authentication is not available yet.
       * @constant
       */
      "collaborator-auth-policy"?: "password";
      /**
       * @description Stored for clients that set it; has no effect.
       * @default false
       */
      "cost-estimation-enabled"?: boolean;
      /** @description Agent pool for agent mode. */
      "default-agent-pool-id"?: string | null;
      /**
       * @description Where runs are executed unless a workspace overrides it.
       * @enum {string}
       */
      "default-execution-mode"?: "remote" | "local" | "agent";
      /**
       * @description Default of `global-remote-state` for workspaces that do not set it.
       * @default false
       */
      "default-global-remote-state"?: boolean;
      /**
       * @description The tool whose versions workspaces use.
       * @enum {string}
       */
      "default-tool"?: "opentofu" | "terraform";
      /**
       * @description Contact e-mail address of the owners.
       * @example ops@example.com
       */
      email: string;
      /**
       * @description Whether plaintext outputs and renderings sent with encrypted state are kept.
       * @default true
       */
      "keep-outputs-of-encrypted-state"?: boolean;
      /**
       * @description Whether new tokens last no longer than the limits of `token-ttl-policies`.
       * @default false
       */
      "max-ttl-enabled"?: boolean;
      /**
       * @description Name; part of URLs.
       * @example acme
       */
      name: string;
      /** @description The role of owners in single sign-on. Stored for clients; has no effect. */
      "owners-team-saml-role-id"?: string | null;
      /**
       * @description Whether runs may be created. No runner exists yet: runs wait, and command lines execute on their own machine.
       * @default false
       */
      "remote-execution-enabled"?: boolean;
      /**
       * @description Stored for clients that set it; has no effect.
       * @default false
       */
      "send-passing-statuses-for-untriggered-speculative-plans"?: boolean;
      /** @description Minutes after which sessions end; stored for clients, has no effect. */
      "session-remember"?: number | null;
      /** @description Minutes of inactivity after which sessions end; stored for clients, has no effect. */
      "session-timeout"?: number | null;
      /**
       * @description Stored for clients that set it; has no effect.
       * @default true
       */
      "speculative-plan-management-enabled"?: boolean;
      /**
       * @description Whether user tokens are accepted in this organization; team tokens always are.
       * @default true
       */
      "user-tokens-enabled"?: boolean;
      /**
       * @description Whether new workspaces follow the defaults.
       * @default false
       */
      "workspaces-inherit-settings-by-default"?: boolean;
    };
    OrganizationsCreateBodyData: {
      attributes?: components["schemas"]["OrganizationsCreateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["OrganizationsCreateBodyRelationships"];
      /** @constant */
      type?: "organizations";
    };
    OrganizationsCreateBodyRelationships: {
      /** @description Agent pool for agent mode. */
      "default-agent-pool"?: components["schemas"]["RelatedToAgentPoolOrNothing"];
    };
    OrganizationsSetRetentionPolicyBody: {
      data: components["schemas"]["OrganizationsSetRetentionPolicyBodyData"];
    };
    OrganizationsSetRetentionPolicyBodyAttributes: {
      /**
       * @description Days after which old state and configurations are deleted.
       * @example 33
       */
      "delete-older-than-n-days"?: number;
    };
    OrganizationsSetRetentionPolicyBodyData: {
      attributes?: components["schemas"]["OrganizationsSetRetentionPolicyBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /**
       * @description Kind of the resource.
       * @enum {string}
       */
      type: "data-retention-policy-delete-olders" | "data-retention-policy-dont-deletes";
    };
    OrganizationsSetTokenLimitsBody: {
      data: components["schemas"]["OrganizationsSetTokenLimitsBodyData"];
    };
    OrganizationsSetTokenLimitsBodyAttributes: {
      /** @description Limits by kind of token; of two for one kind, the last one counts. */
      "token-ttl-policies": components["schemas"]["OrganizationsSetTokenLimitsBodyAttributesTokenTtlPolicy"][];
    };
    OrganizationsSetTokenLimitsBodyAttributesTokenTtlPolicy: {
      /**
       * @description Of its members.
       * @default 63072000000
       */
      "max-ttl-ms": number;
      /**
       * @description Whose tokens it is about.
       * @enum {string}
       */
      "token-type": "organization" | "team" | "user" | "audit_trails";
    };
    OrganizationsSetTokenLimitsBodyData: {
      attributes?: components["schemas"]["OrganizationsSetTokenLimitsBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /** @constant */
      type?: "organization-token-ttl-policies";
    };
    OrganizationsSubscribeBody: {
      data: components["schemas"]["OrganizationsSubscribeBodyData"];
    };
    OrganizationsSubscribeBodyData: {
      attributes?: Record<string, never>;
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["OrganizationsSubscribeBodyRelationships"];
      /** @constant */
      type?: "subscription";
    };
    OrganizationsSubscribeBodyRelationships: {
      /** @description The feature set. */
      "feature-set": components["schemas"]["RelatedToFeatureSet"];
    };
    OrganizationsUpdateBody: {
      data: components["schemas"]["OrganizationsUpdateBodyData"];
    };
    OrganizationsUpdateBodyAttributes: {
      /** @description Stored for clients that set it; has no effect. */
      "aggregated-commit-status-enabled"?: boolean;
      /** @description Whether workspace admins may delete workspaces without safe-delete. */
      "allow-force-delete-workspaces"?: boolean;
      /** @description Whether health is assessed for every eligible workspace. */
      "assessments-enforced"?: boolean;
      /**
       * @description How users sign in; two-factor authentication is not available yet.
       * @constant
       */
      "collaborator-auth-policy"?: "password";
      /** @description Stored for clients that set it; has no effect. */
      "cost-estimation-enabled"?: boolean;
      /** @description Agent pool for agent mode. */
      "default-agent-pool-id"?: string | null;
      /**
       * @description Where runs are executed unless a workspace overrides it.
       * @enum {string}
       */
      "default-execution-mode"?: "remote" | "local" | "agent";
      /** @description Default of `global-remote-state` for workspaces that do not set it. */
      "default-global-remote-state"?: boolean;
      /**
       * @description The tool whose versions workspaces use.
       * @enum {string}
       */
      "default-tool"?: "opentofu" | "terraform";
      /**
       * @description Contact e-mail address of the owners.
       * @example ops@example.com
       */
      email?: string;
      /** @description Whether plaintext outputs and renderings sent with encrypted state are kept. */
      "keep-outputs-of-encrypted-state"?: boolean;
      /** @description Whether new tokens last no longer than the limits of `token-ttl-policies`. */
      "max-ttl-enabled"?: boolean;
      /**
       * @description Name; part of URLs.
       * @example acme
       */
      name?: string;
      /** @description The role of owners in single sign-on. Stored for clients; has no effect. */
      "owners-team-saml-role-id"?: string | null;
      /** @description Whether runs may be created. No runner exists yet: runs wait, and command lines execute on their own machine. */
      "remote-execution-enabled"?: boolean;
      /** @description Stored for clients that set it; has no effect. */
      "send-passing-statuses-for-untriggered-speculative-plans"?: boolean;
      /** @description Minutes after which sessions end; stored for clients, has no effect. */
      "session-remember"?: number | null;
      /** @description Minutes of inactivity after which sessions end; stored for clients, has no effect. */
      "session-timeout"?: number | null;
      /** @description Stored for clients that set it; has no effect. */
      "speculative-plan-management-enabled"?: boolean;
      /** @description Whether user tokens are accepted in this organization; team tokens always are. */
      "user-tokens-enabled"?: boolean;
      /** @description Whether new workspaces follow the defaults. */
      "workspaces-inherit-settings-by-default"?: boolean;
    };
    OrganizationsUpdateBodyData: {
      attributes?: components["schemas"]["OrganizationsUpdateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["OrganizationsUpdateBodyRelationships"];
      /** @constant */
      type?: "organizations";
    };
    OrganizationsUpdateBodyRelationships: {
      /** @description Agent pool for agent mode. */
      "default-agent-pool"?: components["schemas"]["RelatedToAgentPoolOrNothing"];
    };
    OrganizationsUpdateByPutBody: {
      data: components["schemas"]["OrganizationsUpdateByPutBodyData"];
    };
    OrganizationsUpdateByPutBodyAttributes: {
      /** @description Stored for clients that set it; has no effect. */
      "aggregated-commit-status-enabled"?: boolean;
      /** @description Whether workspace admins may delete workspaces without safe-delete. */
      "allow-force-delete-workspaces"?: boolean;
      /** @description Whether health is assessed for every eligible workspace. */
      "assessments-enforced"?: boolean;
      /**
       * @description How users sign in; two-factor authentication is not available yet.
       * @constant
       */
      "collaborator-auth-policy"?: "password";
      /** @description Stored for clients that set it; has no effect. */
      "cost-estimation-enabled"?: boolean;
      /** @description Agent pool for agent mode. */
      "default-agent-pool-id"?: string | null;
      /**
       * @description Where runs are executed unless a workspace overrides it.
       * @enum {string}
       */
      "default-execution-mode"?: "remote" | "local" | "agent";
      /** @description Default of `global-remote-state` for workspaces that do not set it. */
      "default-global-remote-state"?: boolean;
      /**
       * @description The tool whose versions workspaces use.
       * @enum {string}
       */
      "default-tool"?: "opentofu" | "terraform";
      /**
       * @description Contact e-mail address of the owners.
       * @example ops@example.com
       */
      email?: string;
      /** @description Whether plaintext outputs and renderings sent with encrypted state are kept. */
      "keep-outputs-of-encrypted-state"?: boolean;
      /** @description Whether new tokens last no longer than the limits of `token-ttl-policies`. */
      "max-ttl-enabled"?: boolean;
      /**
       * @description Name; part of URLs.
       * @example acme
       */
      name?: string;
      /** @description The role of owners in single sign-on. Stored for clients; has no effect. */
      "owners-team-saml-role-id"?: string | null;
      /** @description Whether runs may be created. No runner exists yet: runs wait, and command lines execute on their own machine. */
      "remote-execution-enabled"?: boolean;
      /** @description Stored for clients that set it; has no effect. */
      "send-passing-statuses-for-untriggered-speculative-plans"?: boolean;
      /** @description Minutes after which sessions end; stored for clients, has no effect. */
      "session-remember"?: number | null;
      /** @description Minutes of inactivity after which sessions end; stored for clients, has no effect. */
      "session-timeout"?: number | null;
      /** @description Stored for clients that set it; has no effect. */
      "speculative-plan-management-enabled"?: boolean;
      /** @description Whether user tokens are accepted in this organization; team tokens always are. */
      "user-tokens-enabled"?: boolean;
      /** @description Whether new workspaces follow the defaults. */
      "workspaces-inherit-settings-by-default"?: boolean;
    };
    OrganizationsUpdateByPutBodyData: {
      attributes?: components["schemas"]["OrganizationsUpdateByPutBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["OrganizationsUpdateByPutBodyRelationships"];
      /** @constant */
      type?: "organizations";
    };
    OrganizationsUpdateByPutBodyRelationships: {
      /** @description Agent pool for agent mode. */
      "default-agent-pool"?: components["schemas"]["RelatedToAgentPoolOrNothing"];
    };
    OrganizationTokenCreateBody1: {
      /**
       * @description What the token is for.
       * @example pipeline
       */
      description?: string | null;
      /**
       * Format: date-time
       * @description When the token expires; in two years by default, never with null.
       */
      "expired-at"?: string | null;
    };
    OrganizationTokenCreateBody2: {
      data: components["schemas"]["OrganizationTokenCreateBody2Data"];
    };
    OrganizationTokenCreateBody2Attributes: {
      /**
       * @description What the token is for.
       * @example pipeline
       */
      description?: string | null;
      /**
       * Format: date-time
       * @description When the token expires; in two years by default, never with null.
       */
      "expired-at"?: string | null;
    };
    OrganizationTokenCreateBody2Data: {
      attributes: components["schemas"]["OrganizationTokenCreateBody2Attributes"];
    };
    PageMeta: {
      pagination: components["schemas"]["Pagination"];
      /** @description Unknown names in the request, if there were any; they were ignored. */
      warnings?: string[];
    };
    Pagination: {
      /** @description The current page. */
      "current-page": number;
      /** @description The next page, or null. */
      "next-page": number | null;
      /** @description Entries per page. */
      "page-size": number;
      /** @description The previous page, or null. */
      "prev-page": number | null;
      /** @description Number of entries on all pages. */
      "total-count": number;
      /** @description Number of pages, at least 1. */
      "total-pages": number;
    };
    Plan: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["PlanAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["PlanRelationships"];
      /** @constant */
      type: "plans";
    };
    PlanAttributes: {
      /** @description Always 0. */
      "action-invocations"?: number;
      /** @description What can be done with it. */
      actions?: components["schemas"]["PlanAttributesActions"];
      /** @description Who executed it; null until a runner has claimed it. */
      "execution-details"?: null;
      /** @description Whether the plan wrote configuration. */
      "generated-configuration"?: boolean;
      /** @description Whether the plan changes anything. */
      "has-changes"?: boolean;
      /** @description URL that the log can be read from without a token, valid for 25 hours. */
      "log-read-url"?: string;
      /** @description Outputs that change. */
      "output-changes"?: number | null;
      /** @description What the caller may do with it. */
      permissions?: components["schemas"]["PlanAttributesPermissions"];
      /** @description SHA-256 of the plan file. */
      "plan-digest"?: string | null;
      /** @description Resources that are added; null until it is known. */
      "resource-additions"?: number | null;
      /** @description Resources that are changed. */
      "resource-changes"?: number | null;
      /** @description Resources that are destroyed. */
      "resource-destructions"?: number | null;
      /** @description Resources that are imported. */
      "resource-imports"?: number | null;
      /** @description `pending`, `queued`, `running`, `finished`, `errored`, `canceled` or `unreachable`. */
      status?: string;
      /** @description When each status was reached. */
      "status-timestamps"?: {
        [key: string]: string;
      };
      /** @description Whether its log has a JSON object in each line. */
      "structured-run-output-enabled"?: boolean;
    };
    PlanAttributesActions: {
      /** @description is-exportable */
      "is-exportable": boolean;
    };
    PlanAttributesPermissions: {
      /** @description can-export */
      "can-export": boolean;
    };
    PlanDocument: {
      data: components["schemas"]["Plan"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    PlanRelationships: {
      /** @description Always empty. */
      exports?: components["schemas"]["Relationship"];
      /** @description State that it wrote. */
      "state-versions"?: components["schemas"]["Relationship"];
    };
    PoliciesOldWriteBody: {
      /** @description The policy in HCL or JSON, optionally base64-encoded. */
      policy?: string;
      /** @description The old name of `policy`. */
      rules?: string;
    };
    PoliciesWriteBody: {
      /** @description The policy in HCL or JSON, optionally base64-encoded. */
      policy?: string;
      /** @description The old name of `policy`. */
      rules?: string;
    };
    Policy: {
      name: string;
      policy: string;
    };
    PolicyEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["Policy"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    Project: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["ProjectAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["ProjectRelationships"];
      /** @constant */
      type: "projects";
    };
    ProjectAttributes: {
      /** @description Period of inactivity after which its workspaces are destroyed. */
      "auto-destroy-activity-duration"?: string | null;
      /**
       * Format: date-time
       * @description When it was created.
       */
      "created-at"?: string;
      /** @description Execution mode of its workspaces unless they set their own. */
      "default-execution-mode"?: string;
      /** @description What it is for. */
      description?: string;
      /** @description Always false. */
      "is-unified"?: boolean;
      /** @description Name. */
      name?: string;
      /** @description What the caller may do with it. */
      permissions?: components["schemas"]["ProjectAttributesPermissions"];
      /** @description Which defaults are its own rather than those of the organization. */
      "setting-overwrites"?: components["schemas"]["ProjectAttributesSettingOverwrites"];
      /** @description Number of teams with access to it. */
      "team-count"?: number;
      /** @description Number of its workspaces. */
      "workspace-count"?: number;
    };
    ProjectAttributesPermissions: {
      /** @description can-create-workspace */
      "can-create-workspace": boolean;
      /** @description can-destroy */
      "can-destroy": boolean;
      /** @description can-manage-tags */
      "can-manage-tags": boolean;
      /** @description can-manage-teams */
      "can-manage-teams": boolean;
      /** @description can-move-workspace */
      "can-move-workspace": boolean;
      /** @description can-read */
      "can-read": boolean;
      /** @description can-read-teams */
      "can-read-teams": boolean;
      /** @description can-update */
      "can-update": boolean;
    };
    ProjectAttributesSettingOverwrites: {
      /** @description default-agent-pool */
      "default-agent-pool": boolean;
      /** @description default-execution-mode */
      "default-execution-mode": boolean;
    };
    ProjectDocument: {
      data: components["schemas"]["Project"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    ProjectIdentifier: {
      /** @description Identifier of the related resource. */
      id: string;
      /** @constant */
      type: "projects";
    };
    ProjectPage: {
      data: components["schemas"]["Project"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    ProjectRelationships: {
      /** @description Agent pool for agent mode. */
      "default-agent-pool"?: components["schemas"]["Relationship"];
      /** @description Its effective tag bindings; the same as `tag-bindings`. */
      "effective-tag-bindings"?: components["schemas"]["Relationship"];
      /** @description Its organization. */
      organization?: components["schemas"]["Relationship"];
      /** @description Its tag bindings. */
      "tag-bindings"?: components["schemas"]["Relationship"];
    };
    ProjectsAddTagBindingsBody: {
      data: components["schemas"]["ProjectsAddTagBindingsBodyDataEntry"][];
    };
    ProjectsAddTagBindingsBodyDataEntry: {
      attributes?: components["schemas"]["ProjectsAddTagBindingsBodyDataEntryAttributes"];
      /** @description Identifier of an existing resource. */
      id?: string;
      /** @constant */
      type: "tag-bindings";
    };
    ProjectsAddTagBindingsBodyDataEntryAttributes: {
      /**
       * @description Key.
       * @example environment
       */
      key: string;
      /**
       * @description Value.
       * @example production
       */
      value?: string | null;
    };
    ProjectsCreateBody: {
      data: components["schemas"]["ProjectsCreateBodyData"];
    };
    ProjectsCreateBodyAttributes: {
      /**
       * @description Period of inactivity after which its workspaces are destroyed.
       * @example 14d
       */
      "auto-destroy-activity-duration"?: string | null;
      /** @description Agent pool for agent mode. */
      "default-agent-pool-id"?: string | null;
      /**
       * @description Execution mode of its workspaces unless they set their own.
       * @enum {string}
       */
      "default-execution-mode"?: "remote" | "local" | "agent";
      /**
       * @description What the project is for.
       * @default
       */
      description?: string | null;
      /**
       * @description Name of the project.
       * @example Network
       */
      name: string;
      /** @description Which defaults are its own rather than those of the organization. */
      "setting-overwrites"?: components["schemas"]["ProjectsCreateBodyAttributesSettingOverwrites"];
    };
    ProjectsCreateBodyAttributesSettingOverwrites: {
      /** @description Whether it has its own agent pool. */
      "default-agent-pool"?: boolean;
      /** @description Whether it has its own execution mode. */
      "default-execution-mode"?: boolean;
    };
    ProjectsCreateBodyData: {
      attributes?: components["schemas"]["ProjectsCreateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["ProjectsCreateBodyRelationships"];
      /** @constant */
      type?: "projects";
    };
    ProjectsCreateBodyRelationships: {
      /** @description Agent pool for agent mode. */
      "default-agent-pool"?: components["schemas"]["RelatedToAgentPoolOrNothing"];
      /** @description Tag bindings, which its workspaces inherit. */
      "tag-bindings"?: components["schemas"]["RelatedToTagBindings"];
    };
    ProjectsMergeTagBindingsBody: {
      data: components["schemas"]["ProjectsMergeTagBindingsBodyDataEntry"][];
    };
    ProjectsMergeTagBindingsBodyDataEntry: {
      attributes?: components["schemas"]["ProjectsMergeTagBindingsBodyDataEntryAttributes"];
      /** @description Identifier of an existing resource. */
      id?: string;
      /** @constant */
      type: "tag-bindings";
    };
    ProjectsMergeTagBindingsBodyDataEntryAttributes: {
      /**
       * @description Key.
       * @example environment
       */
      key: string;
      /**
       * @description Value.
       * @example production
       */
      value?: string | null;
    };
    ProjectsMoveWorkspacesBody: {
      data: components["schemas"]["WorkspaceIdentifier"][];
    };
    ProjectsReplaceTagBindingsBody: {
      data: components["schemas"]["ProjectsReplaceTagBindingsBodyDataEntry"][];
    };
    ProjectsReplaceTagBindingsBodyDataEntry: {
      attributes?: components["schemas"]["ProjectsReplaceTagBindingsBodyDataEntryAttributes"];
      /** @description Identifier of an existing resource. */
      id?: string;
      /** @constant */
      type: "tag-bindings";
    };
    ProjectsReplaceTagBindingsBodyDataEntryAttributes: {
      /**
       * @description Key.
       * @example environment
       */
      key: string;
      /**
       * @description Value.
       * @example production
       */
      value?: string | null;
    };
    ProjectsUpdateBody: {
      data: components["schemas"]["ProjectsUpdateBodyData"];
    };
    ProjectsUpdateBodyAttributes: {
      /**
       * @description Period of inactivity after which its workspaces are destroyed.
       * @example 14d
       */
      "auto-destroy-activity-duration"?: string | null;
      /** @description Agent pool for agent mode. */
      "default-agent-pool-id"?: string | null;
      /**
       * @description Execution mode of its workspaces unless they set their own.
       * @enum {string}
       */
      "default-execution-mode"?: "remote" | "local" | "agent";
      /** @description What the project is for. */
      description?: string | null;
      /**
       * @description Name of the project.
       * @example Network
       */
      name?: string;
      /** @description Which defaults are its own rather than those of the organization. */
      "setting-overwrites"?: components["schemas"]["ProjectsUpdateBodyAttributesSettingOverwrites"];
    };
    ProjectsUpdateBodyAttributesSettingOverwrites: {
      /** @description Whether it has its own agent pool. */
      "default-agent-pool"?: boolean;
      /** @description Whether it has its own execution mode. */
      "default-execution-mode"?: boolean;
    };
    ProjectsUpdateBodyData: {
      attributes?: components["schemas"]["ProjectsUpdateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["ProjectsUpdateBodyRelationships"];
      /** @constant */
      type?: "projects";
    };
    ProjectsUpdateBodyRelationships: {
      /** @description Agent pool for agent mode. */
      "default-agent-pool"?: components["schemas"]["RelatedToAgentPoolOrNothing"];
      /** @description Tag bindings, which its workspaces inherit. */
      "tag-bindings"?: components["schemas"]["RelatedToTagBindings"];
    };
    QuotasWriteBody: {
      /** @description How long a client that exceeds the limit is blocked; 0 for as short as possible. */
      block_interval?: components["schemas"]["DurationInput"];
      /** @description How requests are grouped; only `ip`, by client address, is supported. */
      group_by?: string;
      /** @description Ignored: a quota for all requests covers the only namespace, others belong to their path. */
      inheritable?: components["schemas"]["FlagInput"];
      /** @description Length of the interval; 1s by default. */
      interval?: components["schemas"]["DurationInput"];
      /** @description The path to limit, with everything below it; empty for all requests. Something must be mounted at, above or below it. */
      path?: string;
      /** @description Requests per interval and client address; greater than 0. */
      rate?: unknown;
      /** @description Always refused: roles have no quotas. */
      role?: string;
      /** @description Ignored. */
      type?: string;
    };
    RateLimitQuota: {
      /** @description Seconds that a client is blocked after exceeding the limit. */
      block_interval: number;
      /** @description Always `ip`: each client address is counted separately. */
      group_by: string;
      /** @description True if the quota is for all requests. */
      inheritable: boolean;
      /** @description Length of the interval in seconds. */
      interval: number;
      /** @description Name of the quota. */
      name: string;
      /** @description The limited path. */
      path: string;
      /** @description Requests per interval. */
      rate: number;
    };
    RateLimitQuotaEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["RateLimitQuota"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    Refusal: {
      /** @description Details of a refused certificate, if enabled. */
      data?: {
        [key: string]: unknown;
      };
      /** @description Error messages; empty if nothing was found. */
      errors: string[];
    };
    RekeyGiveShareBody: {
      /** @description One key share, in hex or base64. */
      key?: string;
      /** @description The nonce of the operation. */
      nonce?: string;
    };
    RekeyResult: {
      /** @description Always false. */
      backup: boolean;
      /** @description Always true: the new shares exist. */
      complete: boolean;
      /** @description The new shares in hex, or encrypted for their holders. */
      keys: string[];
      /** @description The same shares in base64. */
      keys_base64: string[];
      /** @description Identifies the operation. */
      nonce: string;
      /** @description Fingerprints of the PGP keys of the holders, in the order of the shares; null without them. */
      pgp_fingerprints: string[] | null;
      /** @description The nonce for the verification. */
      verification_nonce?: string;
      /** @description If true, the present shares still count. */
      verification_required: boolean;
    };
    RekeyStartBody: {
      /** @description Must not be true: no copy of encrypted shares is kept. */
      backup?: components["schemas"]["FlagInput"];
      /** @description Public PGP keys in base64, one for each share; each share is encrypted with its key. */
      pgp_keys?: components["schemas"]["ListInput"];
      /** @description Whether the new shares count only after they were verified; recommended. */
      require_verification?: components["schemas"]["FlagInput"];
      /** @description Number of new key shares. */
      secret_shares?: components["schemas"]["IntegerInput"];
      /** @description Number of them required to unseal. */
      secret_threshold?: components["schemas"]["IntegerInput"];
    };
    RekeyStatus: {
      /** @description Always false: no copy of encrypted shares is kept. */
      backup: boolean;
      /** @description Number of new shares. */
      n: number;
      /** @description Identifies the operation; every share has to name it. */
      nonce: string;
      /** @description Fingerprints of the PGP keys of the holders; null without them. */
      pgp_fingerprints: string[] | null;
      /** @description Number of present shares given so far. */
      progress: number;
      /** @description Number of present shares required. */
      required: number;
      /** @description Whether new shares are being made. */
      started: boolean;
      /** @description Number of new shares that will be required. */
      t: number;
      /** @description The nonce for the verification, once it can begin. */
      verification_nonce?: string;
      /** @description Whether the new shares have to be verified before they count. */
      verification_required: boolean;
    };
    RekeyVerificationResult: {
      /** @description Always true: the new shares have replaced the others. */
      complete: boolean;
      /** @description Identifies the verification. */
      nonce: string;
    };
    RekeyVerificationStatus: {
      /** @description Number of new shares. */
      n: number;
      /** @description Identifies the verification; every share has to name it. */
      nonce: string;
      /** @description Number of new shares given so far. */
      progress: number;
      /** @description Whether there are new shares to verify. */
      started: boolean;
      /** @description Number of new shares required. */
      t: number;
    };
    RekeyVerifyShareBody: {
      /** @description One key share, in hex or base64. */
      key?: string;
      /** @description The nonce of the operation. */
      nonce?: string;
    };
    RelatedToAgentPoolOrNothing: {
      data: components["schemas"]["AgentPoolIdentifier"] | null;
    };
    RelatedToConfigurationVersionOrNothing: {
      data: components["schemas"]["ConfigurationVersionIdentifier"] | null;
    };
    RelatedToFeatureSet: {
      data: components["schemas"]["FeatureSetIdentifier"];
    };
    RelatedToProject: {
      data: components["schemas"]["ProjectIdentifier"];
    };
    RelatedToProjects: {
      data: components["schemas"]["ProjectIdentifier"][];
    };
    RelatedToRunOrNothing: {
      data: components["schemas"]["RunIdentifier"] | null;
    };
    RelatedToStateVersion: {
      data: components["schemas"]["StateVersionIdentifier"];
    };
    RelatedToStateVersionOrNothing: {
      data: components["schemas"]["StateVersionIdentifier"] | null;
    };
    RelatedToTagBindings: {
      data: components["schemas"]["RelatedToTagBindingsDataEntry"][];
    };
    RelatedToTagBindingsDataEntry: {
      attributes?: components["schemas"]["RelatedToTagBindingsDataEntryAttributes"];
      /** @description Identifier of an existing resource. */
      id?: string;
      /** @constant */
      type: "tag-bindings";
    };
    RelatedToTagBindingsDataEntryAttributes: {
      /**
       * @description Key.
       * @example environment
       */
      key: string;
      /**
       * @description Value.
       * @example production
       */
      value?: string | null;
    };
    RelatedToTags: {
      data: components["schemas"]["RelatedToTagsDataEntry"][];
    };
    RelatedToTagsDataEntry: {
      attributes?: components["schemas"]["RelatedToTagsDataEntryAttributes"];
      /** @description Identifier of an existing resource. */
      id?: string;
      /** @constant */
      type: "tags";
    };
    RelatedToTagsDataEntryAttributes: {
      /**
       * @description Name.
       * @example core
       */
      name: string;
    };
    RelatedToTeam: {
      data: components["schemas"]["TeamIdentifier"];
    };
    RelatedToTeams: {
      data: components["schemas"]["TeamIdentifier"][];
    };
    RelatedToWorkspace: {
      data: components["schemas"]["WorkspaceIdentifier"];
    };
    RelatedToWorkspaces: {
      data: components["schemas"]["WorkspaceIdentifier"][];
    };
    Relationship: {
      data?: components["schemas"]["ResourceIdentifier"] | components["schemas"]["ResourceIdentifier"][] | null;
      /** @description URL of the related resource. */
      links?: components["schemas"]["Links"];
    };
    RemoteStateConsumersAddBody: {
      data: components["schemas"]["WorkspaceIdentifier"][];
    };
    RemoteStateConsumersRemoveBody: {
      data: components["schemas"]["WorkspaceIdentifier"][];
    };
    RemoteStateConsumersReplaceBody: {
      data: components["schemas"]["WorkspaceIdentifier"][];
    };
    Removal: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["RemovalAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["RemovalRelationships"];
      /** @constant */
      type: "removals";
    };
    RemovalAttributes: {
      /** @description `organization` or `tag`. */
      kind?: string;
      /** @description Why the last try failed; null if it did not. */
      "last-error"?: string | null;
      /** @description The name that it had. */
      name?: string;
      /**
       * Format: date-time
       * @description When it was deleted.
       */
      "requested-at"?: string;
      /** @description Who deleted it. */
      "requested-by"?: string;
      /** @description About how many workspaces are left to be removed, or to lose the tag. */
      "rows-left"?: number;
    };
    RemovalPage: {
      data: components["schemas"]["Removal"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    RemovalRelationships: Record<string, never>;
    RemovalsReadData: {
      removals: components["schemas"]["SystemRemoval"][];
    };
    RemovalsReadEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["RemovalsReadData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    ResourceIdentifier: {
      /** @description Identifier of the resource. */
      id: string;
      /** @description Kind of the resource. */
      type: string;
    };
    RestoredCount: {
      /** @description Number after the restore. */
      restored: number;
      /** @description Number that are valid again but were not before the restore. */
      revived: number;
    };
    RestorePreview: {
      /** @description Seconds since that time. */
      age: number;
      /** @description The time the data of the snapshot is from. */
      created: string;
      /** @description Whether only a force restore accepts it. */
      needs_force: boolean;
      /** @description Whether it was taken by this installation. If not, a restore pauses its snapshot configurations. */
      same_cluster: boolean;
      /** @description Whether it was made with the keys of this server. */
      same_keys: boolean;
      /** @description Number of key shares created. */
      seal_shares: number;
      /** @description Number of key shares required to unseal after a force restore elsewhere. */
      seal_threshold: number;
      /** @description `auto` or `shamir`. */
      seal_type: string;
      /** @description Tables in which something would change. */
      tables: {
        [key: string]: components["schemas"]["SnapshotChange"];
      };
      /** @description Tables that would stay as they are. */
      unchanged: string[];
    };
    RestorePreviewEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["RestorePreview"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    RestoreResult: {
      api_tokens: components["schemas"]["RestoredCount"];
      /** @description The cluster the snapshot comes from. */
      cluster_id: string;
      /** @description The time the data is from. */
      created: string;
      /** @description Number of rows restored. */
      entries: number;
      /** @description Whether it was taken by this installation. If not, snapshot configurations are paused. */
      same_cluster: boolean;
      /** @description Whether the server is sealed now, because it lacks the keys of the snapshot. */
      sealed: boolean;
      sessions: components["schemas"]["RestoredCount"];
      tokens: components["schemas"]["RestoredCount"];
      /** @description Whether those that are valid again have been revoked, as asked by `revoke_tokens`. */
      tokens_revoked: boolean;
    };
    RestoreResultEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["RestoreResult"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    RetentionPolicy: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["RetentionPolicyAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["RetentionPolicyRelationships"];
      /** @enum {string} */
      type: "data-retention-policy-delete-olders" | "data-retention-policy-dont-deletes";
    };
    RetentionPolicyAttributes: {
      /** @description Days after which old state and configurations are deleted. */
      "delete-older-than-n-days"?: number;
    };
    RetentionPolicyDocument: {
      data: components["schemas"]["RetentionPolicy"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    RetentionPolicyRelationships: {
      /** @description The workspace or organization it is set on. */
      target?: components["schemas"]["Relationship"];
    };
    Run: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["RunAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["RunRelationships"];
      /** @constant */
      type: "runs";
    };
    RunAttributes: {
      /** @description What can be done with it. */
      actions?: components["schemas"]["RunAttributesActions"];
      /** @description Whether the plan may write configuration for imported resources. */
      "allow-config-generation"?: boolean;
      /** @description Whether a plan without changes is applied. */
      "allow-empty-apply"?: boolean;
      /** @description Whether a plan with changes is applied without confirmation. */
      "auto-apply"?: boolean;
      /**
       * Format: date-time
       * @description When it was canceled, or asked to end.
       */
      "canceled-at"?: string | null;
      /**
       * Format: date-time
       * @description When it was confirmed.
       */
      "confirmed-at"?: string | null;
      /**
       * Format: date-time
       * @description When it was created.
       */
      "created-at"?: string;
      /**
       * Format: date-time
       * @description When the server acts by itself if nothing happens before.
       */
      "deadline-at"?: string | null;
      /** @description Whether the tool logs everything that it does. */
      "debugging-mode"?: boolean;
      /** @description Why it ended with an error. */
      error?: components["schemas"]["RunAttributesError"] | null;
      /**
       * Format: date-time
       * @description From when it can be canceled by force.
       */
      "force-cancel-available-at"?: string | null;
      /** @description Whether the plan changes anything. */
      "has-changes"?: boolean;
      /** @description Actions of the configuration that are invoked. */
      "invoke-action-addrs"?: string[] | null;
      /** @description Whether it destroys everything. */
      "is-destroy"?: boolean;
      /** @description `text` or `json`. */
      "log-format"?: string;
      /** @description What it is for; what is beyond 4,096 characters is cut off. */
      message?: string;
      /** @description What the caller may do with it. */
      permissions?: components["schemas"]["RunAttributesPermissions"];
      /** @description SHA-256 of the plan file: what is shown, confirmed and applied. */
      "plan-digest"?: string | null;
      /** @description Whether it never applies; by default so if its configuration is speculative. */
      "plan-only"?: boolean;
      /** @description Shown as sent; without effect. */
      "policy-paths"?: string[] | null;
      /** @description How many runs are before it; 0 if none of them waits. */
      "position-in-queue"?: number;
      /** @description Whether the state is brought up to date before planning. */
      refresh?: boolean;
      /** @description Whether it only brings the state up to date. */
      "refresh-only"?: boolean;
      /** @description Resources that are replaced. */
      "replace-addrs"?: string[] | null;
      /** @description Whether the plan is kept until somebody confirms it, without holding the workspace. */
      "save-plan"?: boolean;
      /** @description How it was created. */
      source?: string;
      /** @description What has become of it. */
      status?: string;
      /** @description When each status was reached. */
      "status-timestamps"?: {
        [key: string]: string;
      };
      /** @description The only resources that are planned. */
      "target-addrs"?: string[] | null;
      /** @description Same as `tool-version`, under the name that compatible clients know. */
      "terraform-version"?: string;
      /** @description The tool. */
      "tool-name"?: string;
      /** @description The exact version of the tool. */
      "tool-version"?: string;
      /** @description Why it was created. */
      "trigger-reason"?: string;
      /**
       * Format: date-time
       * @description When its status last changed.
       */
      "updated-at"?: string;
      /** @description Variables that it was given, as they were sent. */
      variables?: components["schemas"]["RunAttributesVariable"][];
      /** @description Why it waits; null if it does not. */
      "wait-reason"?: components["schemas"]["RunAttributesWaitReason"] | null;
    };
    RunAttributesActions: {
      /** @description is-cancelable */
      "is-cancelable": boolean;
      /** @description is-confirmable */
      "is-confirmable": boolean;
      /** @description is-discardable */
      "is-discardable": boolean;
      /** @description is-force-cancelable */
      "is-force-cancelable": boolean;
    };
    RunAttributesError: {
      /** @description For programs. */
      code: string;
      /** @description For people: what was wrong, and what to do. */
      message: string;
      /** @description `plan` or `apply`. */
      phase: string;
    };
    RunAttributesPermissions: {
      /** @description can-apply */
      "can-apply": boolean;
      /** @description can-cancel */
      "can-cancel": boolean;
      /** @description can-comment */
      "can-comment": boolean;
      /** @description can-discard */
      "can-discard": boolean;
      /** @description can-force-cancel */
      "can-force-cancel": boolean;
      /** @description can-force-execute */
      "can-force-execute": boolean;
      /** @description can-override-policy-check */
      "can-override-policy-check": boolean;
    };
    RunAttributesVariable: {
      /** @description Name. */
      key: string;
      /** @description Text of its value; null if the workspace has a sensitive variable of that name. */
      value: string | null;
    };
    RunAttributesWaitReason: {
      /** @description For programs. */
      code: string;
      /** @description Whom or what it waits for. */
      details: {
        [key: string]: string;
      };
      /** @description For people. */
      message: string;
      /**
       * Format: date-time
       * @description Since when.
       */
      since: string;
    };
    RunDocument: {
      data: components["schemas"]["Run"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    RunEvent: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["RunEventAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["RunEventRelationships"];
      /** @constant */
      type: "run-events";
    };
    RunEventAttributes: {
      /** @description What happened, for programs. */
      action?: string;
      /**
       * Format: date-time
       * @description When it happened.
       */
      "created-at"?: string;
      /** @description What happened, for people. */
      description?: string;
    };
    RunEventDocument: {
      data: components["schemas"]["RunEvent"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    RunEventList: {
      data: components["schemas"]["RunEvent"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Related URLs. */
      links?: components["schemas"]["Links"];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    RunEventRelationships: {
      /** @description Who did it; null for the server and its runners. */
      actor?: components["schemas"]["Relationship"];
      /** @description What was said. */
      comment?: components["schemas"]["Relationship"];
      /** @description The run. */
      run?: components["schemas"]["Relationship"];
      /** @description Always null. */
      target?: components["schemas"]["Relationship"];
    };
    RunIdentifier: {
      /** @description Identifier of the related resource. */
      id: string;
      /** @constant */
      type: "runs";
    };
    RunPage: {
      data: components["schemas"]["Run"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    RunRelationships: {
      /** @description Its apply. */
      apply?: components["schemas"]["Relationship"];
      /** @description Who canceled it. */
      "canceled-by"?: components["schemas"]["Relationship"];
      /** @description What was said about it. */
      comments?: components["schemas"]["Relationship"];
      /** @description What it plans. */
      "configuration-version"?: components["schemas"]["Relationship"];
      /** @description Who confirmed it; null if it was confirmed by itself. */
      "confirmed-by"?: components["schemas"]["Relationship"];
      /** @description Always null. */
      "cost-estimate"?: components["schemas"]["Relationship"];
      /** @description Who created it. */
      "created-by"?: components["schemas"]["Relationship"];
      /** @description The state that it was planned with. */
      "input-state-version"?: components["schemas"]["Relationship"];
      /** @description Its plan. */
      plan?: components["schemas"]["Relationship"];
      /** @description Always empty. */
      "policy-checks"?: components["schemas"]["Relationship"];
      /** @description What happened to it. */
      "run-events"?: components["schemas"]["Relationship"];
      /** @description Always empty. */
      "task-stages"?: components["schemas"]["Relationship"];
      /** @description Always empty. */
      "tf-policy-evaluations"?: components["schemas"]["Relationship"];
      /** @description Always null. */
      "triggering-run"?: components["schemas"]["Relationship"];
      /** @description Always null. */
      "triggering-source"?: components["schemas"]["Relationship"];
      /** @description Its workspace. */
      workspace?: components["schemas"]["Relationship"];
    };
    RunsApplyBody1: {
      /** @description What is said about it. */
      comment?: string | null;
      /** @description The plan-digest that was shown; refused if the run has another by now. */
      "plan-digest"?: string | null;
    };
    RunsApplyBody2: {
      data: components["schemas"]["RunsApplyBody2Data"];
    };
    RunsApplyBody2Attributes: {
      /** @description What is said about it. */
      comment?: string | null;
      /** @description The plan-digest that was shown; refused if the run has another by now. */
      "plan-digest"?: string | null;
    };
    RunsApplyBody2Data: {
      attributes: components["schemas"]["RunsApplyBody2Attributes"];
    };
    RunsCancelBody1: {
      /** @description What is said about it. */
      comment?: string | null;
    };
    RunsCancelBody2: {
      data: components["schemas"]["RunsCancelBody2Data"];
    };
    RunsCancelBody2Attributes: {
      /** @description What is said about it. */
      comment?: string | null;
    };
    RunsCancelBody2Data: {
      attributes: components["schemas"]["RunsCancelBody2Attributes"];
    };
    RunsCreateBody: {
      data: components["schemas"]["RunsCreateBodyData"];
    };
    RunsCreateBodyAttributes: {
      /**
       * @description Whether the plan may write configuration for imported resources.
       * @default false
       */
      "allow-config-generation"?: boolean;
      /**
       * @description Whether a plan without changes is applied.
       * @default false
       */
      "allow-empty-apply"?: boolean;
      /** @description Whether a plan with changes is applied without confirmation; by default as the workspace says. */
      "auto-apply"?: boolean;
      /**
       * @description Whether the tool logs everything that it does.
       * @default false
       */
      "debugging-mode"?: boolean;
      /** @description Actions of the configuration that are invoked. */
      "invoke-action-addrs"?: string[] | null;
      /**
       * @description Whether it destroys everything.
       * @default false
       */
      "is-destroy"?: boolean;
      /**
       * @description What it is for; what is beyond 4,096 characters is cut off.
       * @default
       */
      message?: string;
      /** @description Whether it never applies; by default so if its configuration is speculative. */
      "plan-only"?: boolean;
      /** @description Shown as sent; without effect. */
      "policy-paths"?: string[] | null;
      /**
       * @description Whether the state is brought up to date before planning.
       * @default true
       */
      refresh?: boolean;
      /**
       * @description Whether it only brings the state up to date.
       * @default false
       */
      "refresh-only"?: boolean;
      /** @description Resources that are replaced. */
      "replace-addrs"?: string[] | null;
      /**
       * @description Whether the plan is kept until somebody confirms it, without holding the workspace.
       * @default false
       */
      "save-plan"?: boolean;
      /** @description The only resources that are planned. */
      "target-addrs"?: string[] | null;
      /** @description The version of the tool, for plan-only runs. */
      "tool-version"?: string | null;
      /** @description Variables of this run alone; the last one of a name counts. */
      variables?: components["schemas"]["RunsCreateBodyAttributesVariable"][] | null;
    };
    RunsCreateBodyAttributesVariable: {
      /** @description Name. */
      key: string;
      /** @description Text of its value. */
      value: string;
    };
    RunsCreateBodyData: {
      attributes?: components["schemas"]["RunsCreateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["RunsCreateBodyRelationships"];
      /** @constant */
      type?: "runs";
    };
    RunsCreateBodyRelationships: {
      /** @description What it plans; by default the newest there is. */
      "configuration-version"?: components["schemas"]["RelatedToConfigurationVersionOrNothing"];
      /** @description The workspace that it is for. */
      workspace: components["schemas"]["RelatedToWorkspace"];
    };
    RunsDiscardBody1: {
      /** @description What is said about it. */
      comment?: string | null;
    };
    RunsDiscardBody2: {
      data: components["schemas"]["RunsDiscardBody2Data"];
    };
    RunsDiscardBody2Attributes: {
      /** @description What is said about it. */
      comment?: string | null;
    };
    RunsDiscardBody2Data: {
      attributes: components["schemas"]["RunsDiscardBody2Attributes"];
    };
    RunsForceCancelBody1: {
      /** @description What is said about it. */
      comment?: string | null;
    };
    RunsForceCancelBody2: {
      data: components["schemas"]["RunsForceCancelBody2Data"];
    };
    RunsForceCancelBody2Attributes: {
      /** @description What is said about it. */
      comment?: string | null;
    };
    RunsForceCancelBody2Data: {
      attributes: components["schemas"]["RunsForceCancelBody2Attributes"];
    };
    RunsForceExecuteBody1: {
      /** @description What is said about it. */
      comment?: string | null;
    };
    RunsForceExecuteBody2: {
      data: components["schemas"]["RunsForceExecuteBody2Data"];
    };
    RunsForceExecuteBody2Attributes: {
      /** @description What is said about it. */
      comment?: string | null;
    };
    RunsForceExecuteBody2Data: {
      attributes: components["schemas"]["RunsForceExecuteBody2Attributes"];
    };
    SealInitBody: {
      /** @description Public PGP keys in base64, one for each share; each share is encrypted with its key. */
      pgp_keys?: components["schemas"]["ListInput"];
      /** @description Only for an auto seal. */
      recovery_pgp_keys?: components["schemas"]["ListInput"];
      /** @description Only for an auto seal. */
      recovery_shares?: components["schemas"]["IntegerInput"];
      /** @description Only for an auto seal. */
      recovery_threshold?: components["schemas"]["IntegerInput"];
      /** @description A public PGP key in base64 to encrypt the root token with. */
      root_token_pgp_key?: string;
      /** @description Number of key shares to create. */
      secret_shares?: components["schemas"]["IntegerInput"];
      /** @description Number of shares required to unseal. */
      secret_threshold?: components["schemas"]["IntegerInput"];
      /** @description Ignored. */
      stored_shares?: components["schemas"]["IntegerInput"];
    };
    SealReadInitAnswer: {
      initialized: boolean;
    };
    SealStatus: {
      /** @description Its identifier. */
      cluster_id?: string;
      /** @description Name of the cluster; only while it is unsealed. */
      cluster_name?: string;
      /** @description Version of this server. */
      holdfast_version: string;
      /** @description Whether the store is initialised. */
      initialized: boolean;
      /** @description Number of shares created. */
      n: number;
      /** @description Identifies the unseal attempt in progress. */
      nonce: string;
      /** @description Number of shares submitted so far. */
      progress: number;
      /** @description Whether this node is sealed. */
      sealed: boolean;
      /** @description Type of the store. */
      storage_type: string;
      /** @description Number of shares required. */
      t: number;
      /** @description `shamir` or `auto`. */
      type: string;
      /** @description Version by which clients enable features. */
      version: string;
    };
    SealUnsealBody: {
      /** @description One key share, in hex or base64. */
      key?: string;
      /** @description Ignored: there is nothing to migrate. */
      migrate?: components["schemas"]["FlagInput"];
      /** @description Discard the shares submitted so far. */
      reset?: components["schemas"]["FlagInput"];
    };
    SearchHit: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["SearchHitAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["SearchHitRelationships"];
      /** @constant */
      type: "search-hits";
    };
    SearchHitAttributes: {
      /** @description Type of what was found: `workspaces`, `projects`, `teams` or `organizations`. */
      kind?: string;
      /** @description Its name. */
      name?: string;
      /** @description Name of the organization it belongs to. */
      organization?: string;
      /** @description Identifier of what was found. */
      "subject-id"?: string;
    };
    SearchHitRelationships: Record<string, never>;
    SearchListAnswer: {
      /** @description What was found. */
      data: components["schemas"]["SearchHit"][];
    };
    SignInJoinAppBody: {
      /** @description CSRF token of the form. */
      csrf?: string;
      /** @description E-mail address of the account. */
      email?: string;
      /** @description Password of the account. */
      password?: string;
      /** @description The password, repeated. */
      password_confirmation?: string;
      /** @description Username of the account to create; without one, the user who is signed in joins. */
      username?: string;
    };
    SignInJoinUiBody: {
      /** @description CSRF token of the form. */
      csrf?: string;
      /** @description E-mail address of the account. */
      email?: string;
      /** @description Password of the account. */
      password?: string;
      /** @description The password, repeated. */
      password_confirmation?: string;
      /** @description Username of the account to create; without one, the user who is signed in joins. */
      username?: string;
    };
    SignInOutAppBody: {
      /** @description CSRF token of the form. */
      csrf?: string;
      /** @description End all sessions. */
      everywhere?: boolean;
    };
    SignInOutUiBody: {
      /** @description CSRF token of the form. */
      csrf?: string;
      /** @description End all sessions. */
      everywhere?: boolean;
    };
    SignInRedeemInvitationAppBody: {
      /** @description The new password. */
      password?: string;
      /** @description The new password, repeated. */
      password_confirmation?: string;
    };
    SignInRedeemInvitationUiBody: {
      /** @description The new password. */
      password?: string;
      /** @description The new password, repeated. */
      password_confirmation?: string;
    };
    SignInRedeemResetAppBody: {
      /** @description The new password. */
      password?: string;
      /** @description The new password, repeated. */
      password_confirmation?: string;
    };
    SignInRedeemResetUiBody: {
      /** @description The new password. */
      password?: string;
      /** @description The new password, repeated. */
      password_confirmation?: string;
    };
    SignInSubmitAppBody: {
      /** @description Sign in with the client certificate of the connection. */
      certificate?: boolean;
      /** @description Page to redirect to. */
      next?: string;
      /** @description Password. */
      password?: string;
      /** @description The certificate role that names the user; by default any role that accepts the certificate. */
      role?: string;
      /** @description A user token or the root token, instead of username and password. */
      token?: string;
      /** @description Username or e-mail address. */
      username?: string;
    };
    SignInSubmitUiBody: {
      /** @description Sign in with the client certificate of the connection. */
      certificate?: boolean;
      /** @description Page to redirect to. */
      next?: string;
      /** @description Password. */
      password?: string;
      /** @description The certificate role that names the user; by default any role that accepts the certificate. */
      role?: string;
      /** @description A user token or the root token, instead of username and password. */
      token?: string;
      /** @description Username or e-mail address. */
      username?: string;
    };
    SnapshotAttempt: {
      /** @description How long it took. */
      duration_ms: number;
      /** @description When it ended; empty while it runs. */
      end: string;
      /** @description Why it failed; empty on success. */
      error: string;
      /** @description Identifies the attempt. */
      id: string;
      /** @description Node that took it. */
      node: string;
      /** @description Whether it was proved not to restore. */
      not_restorable: boolean;
      /** @description Names of the old snapshots removed after it. */
      pruned: string[];
      /** @description SHA-256 of the whole archive. */
      sha256: string;
      /** @description Bytes. */
      size: number;
      /** @description When it began. */
      start: string;
      /** @description Location of the snapshot. */
      url: string;
      /** @description When it was verified by a restore. */
      verified_at: string;
      /** @description Why verification failed, or could not be done. */
      verify_error: string;
    };
    SnapshotChange: {
      /** @description Number of rows that would come back. */
      added: number;
      /** @description Number of rows that would change. */
      changed: number;
      /** @description Keys of the first of them. */
      examples: {
        [key: string]: string[];
      };
      /** @description Number of rows that would be lost. */
      removed: number;
      /** @description Number of rows now. */
      rows_now: number;
      /** @description Number of rows after a restore. */
      rows_then: number;
    };
    SnapshotConfiguration: {
      /** @description Prefix of the names of snapshots. */
      file_prefix: string;
      /** @description Seconds between snapshots. */
      interval: number;
      /** @description Directory, or prefix of the objects. */
      path_prefix: string;
      /** @description Number of snapshots to keep. */
      retain: number;
      /** @description Storage type, spelled as it was set. */
      storage_type: string;
    } & {
      [key: string]: unknown;
    };
    SnapshotConfigurationEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["SnapshotConfiguration"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    SnapshotDay: {
      /** @description Number of attempts that began on it and have ended. */
      attempts: number;
      /** @description The day in UTC. */
      day: string;
      /** @description The longest time that it took to store one. */
      duration_ms: number;
      /** @description Why an attempt failed or a snapshot does not restore; empty if all went well. */
      error: string;
      /** @description How many of them failed. */
      failed: number;
      /** @description How many snapshots were proved not to restore. */
      not_restorable: number;
      /** @description The longest time from there until one was verified. */
      proof_ms: number;
      /** @description How many snapshots were verified. */
      proved: number;
      /** @description Bytes of the largest snapshot; 0 if none was stored. */
      size: number;
    };
    SnapshotInspection: {
      /** @description Seconds since that time. */
      age: number;
      /** @description The cluster it comes from. */
      cluster_id: string;
      /** @description Its name. */
      cluster_name: string;
      /** @description The time its data is from. */
      created: string;
      /** @description The type of database it was taken from; it can be restored into either. */
      engine: string;
      /** @description Number of rows in all tables. */
      entries: number;
      /** @description Format version of its content. */
      format: number;
      /** @description Increases from snapshot to snapshot. */
      index: number;
      /** @description Whether it was taken by this installation. If not, a restore pauses its snapshot configurations. */
      same_cluster: boolean;
      /** @description Whether it was made with the keys of this server; if not, only a force restore accepts it. */
      same_keys: boolean;
      /** @description Number of key shares created. */
      seal_shares: number;
      /** @description Number of key shares required to unseal after a force restore elsewhere. */
      seal_threshold: number;
      /** @description `auto` or `shamir`. */
      seal_type: string;
      /** @description Checksum of the whole snapshot. */
      sha256: string;
      /** @description Size of the whole snapshot in bytes. */
      size: number;
      /** @description The tables by name. */
      tables: {
        [key: string]: components["schemas"]["SnapshotInspectionTable"];
      };
      /** @description Version of Holdfast that wrote it. */
      version: string;
    };
    SnapshotInspectionEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["SnapshotInspection"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    SnapshotInspectionTable: {
      /** @description Checksum of the rows, independent of their order and of the database. */
      digest: string;
      /** @description Number of rows in the table. */
      rows: number;
    };
    SnapshotsCheckNewBody: {
      /** @description Test the destination first, and store nothing if a permission is missing. */
      check?: components["schemas"]["FlagInput"];
      /** @description Access key; without it the usual sources of the provider are used. For `cloudA-store`. */
      cloudA_access_key_id?: string;
      /** @description Bucket to write to. For `cloudA-store`. */
      cloudA_bucket?: string;
      /** @description Plain HTTP to the endpoint; for tests. For `cloudA-store`. */
      cloudA_disable_tls?: components["schemas"]["FlagInput"];
      /** @description Encrypt with the key service. For `cloudA-store`. */
      cloudA_enable_kms?: components["schemas"]["FlagInput"];
      /** @description Host, host:port or URL of another implementation. For `cloudA-store`. */
      cloudA_endpoint?: string;
      /** @description endpoint/bucket in place of bucket.endpoint. For `cloudA-store`. */
      cloudA_force_path_style?: components["schemas"]["FlagInput"];
      /** @description Key of the key service. For `cloudA-store`. */
      cloudA_kms_key?: string;
      /** @description Region of the bucket. For `cloudA-store`. */
      cloudA_region?: string;
      /** @description Secret of the access key. For `cloudA-store`. */
      cloudA_secret_access_key?: string;
      /** @description Encrypt with AES256. For `cloudA-store`. */
      cloudA_server_side_encryption?: components["schemas"]["FlagInput"];
      /** @description Session token of temporary credentials. For `cloudA-store`. */
      cloudA_session_token?: string;
      /** @description Bucket to write to. For `cloudB-store`. */
      cloudB_bucket?: string;
      /** @description Plain HTTP to the endpoint; for tests. For `cloudB-store`. */
      cloudB_disable_tls?: components["schemas"]["FlagInput"];
      /** @description Host, host:port or URL of another implementation. For `cloudB-store`. */
      cloudB_endpoint?: string;
      /** @description Service account key as JSON text. For `cloudB-store`. */
      cloudB_service_account_key?: string;
      /** @description Key of the account, for shared authentication. For `cloudC-store`. */
      cloudC_account_key?: string;
      /** @description Storage account. For `cloudC-store`. */
      cloudC_account_name?: string;
      /** @description `shared`, `managed` or `environment`. For `cloudC-store`. */
      cloudC_auth_mode?: string;
      /** @description Cloud the account lives in. For `cloudC-store`. */
      cloudC_blob_environment?: string;
      /** @description Identity, for managed authentication. For `cloudC-store`. */
      cloudC_client_id?: string;
      /** @description Container to write to. For `cloudC-store`. */
      cloudC_container_name?: string;
      /** @description URL of another implementation. For `cloudC-store`. */
      cloudC_endpoint?: string;
      /**
       * @description Prefix of the names of snapshots.
       * @default holdfast-snapshot
       */
      file_prefix?: string;
      /** @description Seconds between snapshots, or a duration such as `24h`. Required. */
      interval?: components["schemas"]["DurationInput"];
      /** @description Bytes that all snapshots with this prefix may take; holds retain + 1 of them. For `local`. */
      local_max_space?: components["schemas"]["IntegerInput"];
      /** @description Directory for `local`, otherwise the prefix of the objects. Required. */
      path_prefix?: string;
      /**
       * @description Number of snapshots to keep.
       * @default 1
       */
      retain?: components["schemas"]["IntegerInput"];
      /** @description Maximum duration of an attempt; ten minutes or the interval by default. */
      snapshot_timeout?: components["schemas"]["DurationInput"];
      /** @description Where snapshots go: local, cloudA-store, cloudB-store, cloudC-store, aws-s3, google-gcs, azure-blob. Required. */
      storage_type?: string;
      /**
       * @description How each stored snapshot is verified: `none`, `checksum` or `restore`.
       * @default restore
       */
      verify?: string;
    };
    SnapshotsDaysData: {
      days: components["schemas"]["SnapshotDay"][];
    };
    SnapshotsDaysEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["SnapshotsDaysData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    SnapshotsHistoryData: {
      attempts: components["schemas"]["SnapshotAttempt"][];
    };
    SnapshotsHistoryEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["SnapshotsHistoryData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    SnapshotsInventoryData: {
      /** @description Details of each snapshot. */
      key_info: {
        [key: string]: components["schemas"]["SnapshotsInventoryKeyInfoEntry"];
      };
      keys: string[];
    };
    SnapshotsInventoryEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["SnapshotsInventoryData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    SnapshotsInventoryKeyInfoEntry: {
      /** @description Whether retention would keep it. */
      kept: boolean;
      /** @description Bytes. */
      size: number;
      /** @description When it was started. */
      time: string;
    };
    SnapshotsRevokeRevivedTokensData: {
      /** @description Number of API tokens deleted. */
      api_tokens: number;
      /** @description Number of sessions ended. */
      sessions: number;
      /** @description Number of tokens revoked. */
      tokens: number;
    };
    SnapshotsRevokeRevivedTokensEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["SnapshotsRevokeRevivedTokensData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    SnapshotsRunBody: {
      /** @description How long to wait for it to finish; does not wait by default. */
      wait?: components["schemas"]["DurationInput"];
      /** @description Whether to wait until it has been verified too, if it is to be. */
      wait_for_verification?: components["schemas"]["FlagInput"];
    };
    SnapshotStatus: {
      /** @description Number of consecutive failed attempts. */
      consecutive_errors: number;
      /** @description Why old snapshots could not be removed; empty on success. */
      last_prune_error: string;
      /** @description When it ended. */
      last_snapshot_end: string;
      /** @description Why it failed; empty on success. */
      last_snapshot_error: string;
      /** @description SHA-256 of the newest successful snapshot. */
      last_snapshot_sha256: string;
      /** @description Size of the newest successful snapshot in bytes. */
      last_snapshot_size: number;
      /** @description When the newest finished attempt began. */
      last_snapshot_start: string;
      /** @description Location of the newest successful snapshot. */
      last_snapshot_url: string;
      /** @description When the newest successful snapshot was stored. */
      last_success_end: string;
      /** @description When a snapshot was last verified by a restore; if after `last_success_end`, it was the newest. */
      last_verified_at: string;
      /** @description Why the newest successful snapshot failed verification; empty if it passed or has not been verified yet. */
      last_verify_error: string;
      /** @description When the next attempt is due. */
      next_snapshot_start: string;
      /** @description Node that took the newest snapshot. */
      node: string;
      /** @description Whether the newest successful snapshot was proved not to restore. */
      not_restorable: boolean;
      /** @description Whether the newest successful snapshot is older than it should be. */
      overdue: boolean;
      /** @description When the newest attempt began. */
      snapshot_start: string;
      /** @description Seconds that an attempt may take. */
      snapshot_timeout: number;
      /** @description Where the snapshots are stored. */
      snapshot_url: string;
      /** @description `scheduled`, `running`, `backoff` or `paused`. */
      state: string;
      /** @description Number of snapshots in the destination, once counted. */
      stored_snapshots?: number;
      /** @description Their total size in bytes; `local` destinations only. */
      used_space?: number;
      /** @description How stored snapshots are verified. */
      verify: string;
    };
    SnapshotStatusEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["SnapshotStatus"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    SnapshotsWriteConfigBody: {
      /** @description Test the destination first, and store nothing if a permission is missing. */
      check?: components["schemas"]["FlagInput"];
      /** @description Access key; without it the usual sources of the provider are used. For `cloudA-store`. */
      cloudA_access_key_id?: string;
      /** @description Bucket to write to. For `cloudA-store`. */
      cloudA_bucket?: string;
      /** @description Plain HTTP to the endpoint; for tests. For `cloudA-store`. */
      cloudA_disable_tls?: components["schemas"]["FlagInput"];
      /** @description Encrypt with the key service. For `cloudA-store`. */
      cloudA_enable_kms?: components["schemas"]["FlagInput"];
      /** @description Host, host:port or URL of another implementation. For `cloudA-store`. */
      cloudA_endpoint?: string;
      /** @description endpoint/bucket in place of bucket.endpoint. For `cloudA-store`. */
      cloudA_force_path_style?: components["schemas"]["FlagInput"];
      /** @description Key of the key service. For `cloudA-store`. */
      cloudA_kms_key?: string;
      /** @description Region of the bucket. For `cloudA-store`. */
      cloudA_region?: string;
      /** @description Secret of the access key. For `cloudA-store`. */
      cloudA_secret_access_key?: string;
      /** @description Encrypt with AES256. For `cloudA-store`. */
      cloudA_server_side_encryption?: components["schemas"]["FlagInput"];
      /** @description Session token of temporary credentials. For `cloudA-store`. */
      cloudA_session_token?: string;
      /** @description Bucket to write to. For `cloudB-store`. */
      cloudB_bucket?: string;
      /** @description Plain HTTP to the endpoint; for tests. For `cloudB-store`. */
      cloudB_disable_tls?: components["schemas"]["FlagInput"];
      /** @description Host, host:port or URL of another implementation. For `cloudB-store`. */
      cloudB_endpoint?: string;
      /** @description Service account key as JSON text. For `cloudB-store`. */
      cloudB_service_account_key?: string;
      /** @description Key of the account, for shared authentication. For `cloudC-store`. */
      cloudC_account_key?: string;
      /** @description Storage account. For `cloudC-store`. */
      cloudC_account_name?: string;
      /** @description `shared`, `managed` or `environment`. For `cloudC-store`. */
      cloudC_auth_mode?: string;
      /** @description Cloud the account lives in. For `cloudC-store`. */
      cloudC_blob_environment?: string;
      /** @description Identity, for managed authentication. For `cloudC-store`. */
      cloudC_client_id?: string;
      /** @description Container to write to. For `cloudC-store`. */
      cloudC_container_name?: string;
      /** @description URL of another implementation. For `cloudC-store`. */
      cloudC_endpoint?: string;
      /**
       * @description Prefix of the names of snapshots.
       * @default holdfast-snapshot
       */
      file_prefix?: string;
      /** @description Seconds between snapshots, or a duration such as `24h`. Required. */
      interval?: components["schemas"]["DurationInput"];
      /** @description Bytes that all snapshots with this prefix may take; holds retain + 1 of them. For `local`. */
      local_max_space?: components["schemas"]["IntegerInput"];
      /** @description Directory for `local`, otherwise the prefix of the objects. Required. */
      path_prefix?: string;
      /**
       * @description Number of snapshots to keep.
       * @default 1
       */
      retain?: components["schemas"]["IntegerInput"];
      /** @description Maximum duration of an attempt; ten minutes or the interval by default. */
      snapshot_timeout?: components["schemas"]["DurationInput"];
      /** @description Where snapshots go: local, cloudA-store, cloudB-store, cloudC-store, aws-s3, google-gcs, azure-blob. Required. */
      storage_type?: string;
      /**
       * @description How each stored snapshot is verified: `none`, `checksum` or `restore`.
       * @default restore
       */
      verify?: string;
    };
    SnapshotVerification: {
      /** @description How long it took. */
      duration_ms: number;
      /** @description Number of rows restored into the scratch database. */
      entries: number;
      /** @description Whether the restored data equals the snapshot. */
      ok: boolean;
      /** @description What is wrong; empty if nothing is. */
      problem: string;
      /** @description Whether it was made with the keys of this server. */
      same_keys: boolean;
      /** @description Checksum of the whole snapshot. */
      sha256: string;
      /** @description Size of the whole snapshot in bytes. */
      size: number;
      /** @description The tables by name. */
      tables: {
        [key: string]: components["schemas"]["SnapshotVerificationTable"];
      };
    };
    SnapshotVerificationEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["SnapshotVerification"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    SnapshotVerificationTable: {
      /** @description Checksum of the rows, independent of their order and of the database. */
      digest: string;
      /** @description Number of rows in the table. */
      rows: number;
    };
    SshKey: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["SshKeyAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["SshKeyRelationships"];
      /** @constant */
      type: "ssh-keys";
    };
    SshKeyAttributes: {
      /** @description Name. */
      name?: string;
    };
    SshKeyDocument: {
      data: components["schemas"]["SshKey"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    SshKeyPage: {
      data: components["schemas"]["SshKey"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    SshKeyRelationships: Record<string, never>;
    SshKeysCreateBody: {
      data: components["schemas"]["SshKeysCreateBodyData"];
    };
    SshKeysCreateBodyAttributes: {
      /**
       * @description Name of the key.
       * @example modules
       */
      name: string;
      /** @description The private key. It is stored encrypted and never shown again. */
      value: string;
    };
    SshKeysCreateBodyData: {
      attributes?: components["schemas"]["SshKeysCreateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /** @constant */
      type?: "ssh-keys";
    };
    SshKeysUpdateBody: {
      data: components["schemas"]["SshKeysUpdateBodyData"];
    };
    SshKeysUpdateBodyAttributes: {
      /**
       * @description Name of the key.
       * @example modules
       */
      name?: string;
    };
    SshKeysUpdateBodyData: {
      attributes?: components["schemas"]["SshKeysUpdateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /** @constant */
      type?: "ssh-keys";
    };
    StartedAttempt: {
      /** @description Identifies the attempt in the history. */
      attempt_id: string;
    };
    StartedAttemptEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["StartedAttempt"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    StateComparison: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["StateComparisonAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["StateComparisonRelationships"];
      /** @constant */
      type: "state-comparisons";
    };
    StateComparisonAttributes: {
      /** @description The outputs that differ. */
      outputs?: components["schemas"]["StateComparisonAttributesOutput"][];
      /** @description The resource instances that differ. */
      resources?: components["schemas"]["StateComparisonAttributesResource"][];
      /**
       * @description Whether they were compared, or why not: together they may have 2 MiB, in format 4.
       * @enum {string}
       */
      status?: "compared" | "nothing-before" | "too-large" | "unreadable";
    };
    StateComparisonAttributesOutput: {
      /** @description What differs of it, at most 100 attributes. */
      attributes: components["schemas"]["StateComparisonAttributesOutputAttribute"][];
      /**
       * @description How it differs.
       * @enum {string}
       */
      kind: "added" | "removed" | "changed";
      /** @description How many more attributes differ. */
      more: number;
      /** @description Address of the resource, or name of the output. */
      name: string;
    };
    StateComparisonAttributesOutputAttribute: {
      /** @description Its value after, in the same form. */
      after: string | null;
      /** @description Its value before, as JSON; null if there was none, empty if it is sensitive. */
      before: string | null;
      /** @description Its name; members of objects by their path. */
      name: string;
      /** @description True if its values are not shown. */
      sensitive: boolean;
    };
    StateComparisonAttributesResource: {
      /** @description What differs of it, at most 100 attributes. */
      attributes: components["schemas"]["StateComparisonAttributesResourceAttribute"][];
      /**
       * @description How it differs.
       * @enum {string}
       */
      kind: "added" | "removed" | "changed";
      /** @description How many more attributes differ. */
      more: number;
      /** @description Address of the resource, or name of the output. */
      name: string;
    };
    StateComparisonAttributesResourceAttribute: {
      /** @description Its value after, in the same form. */
      after: string | null;
      /** @description Its value before, as JSON; null if there was none, empty if it is sensitive. */
      before: string | null;
      /** @description Its name; members of objects by their path. */
      name: string;
      /** @description True if its values are not shown. */
      sensitive: boolean;
    };
    StateComparisonDocument: {
      data: components["schemas"]["StateComparison"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    StateComparisonRelationships: {
      /** @description The version that it was compared with. */
      since?: components["schemas"]["Relationship"];
      /** @description The version that was compared. */
      "state-version"?: components["schemas"]["Relationship"];
    };
    StateResource: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["StateResourceAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["StateResourceRelationships"];
      /** @constant */
      type: "resources";
    };
    StateResourceAttributes: {
      /** @description Address in the configuration, without the word `module`. */
      address?: string;
      /**
       * Format: date-time
       * @description When the state that contains it was written.
       */
      "created-at"?: string;
      /** @description The state version that contains it. */
      "modified-by-state-version-id"?: string;
      /** @description The module it belongs to; `root` for the root module. */
      module?: string;
      /** @description Its name. */
      name?: string;
      /** @description Its index or key among the instances of its resource; null if it has none. */
      "name-index"?: string | null;
      /** @description The provider that manages it. */
      provider?: string;
      /** @description Its type; that of data sources begins with `data.`. */
      "provider-type"?: string;
      /**
       * Format: date-time
       * @description When the state that contains it was written.
       */
      "updated-at"?: string;
    };
    StateResourcePage: {
      data: components["schemas"]["StateResource"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    StateResourceRelationships: Record<string, never>;
    StateVersion: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["StateVersionAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["StateVersionRelationships"];
      /** @constant */
      type: "state-versions";
    };
    StateVersionAttributes: {
      /**
       * Format: date-time
       * @description When it was created.
       */
      "created-at"?: string;
      /** @description True if it is encrypted, so that only its writer can read it. */
      encrypted?: boolean;
      /** @description URL to download its JSON rendering from. */
      "hosted-json-state-download-url"?: string | null;
      /** @description URL to upload its JSON rendering to, once. */
      "hosted-json-state-upload-url"?: string | null;
      /** @description URL to download the state from, valid for 25 hours. */
      "hosted-state-download-url"?: string | null;
      /** @description URL to upload the state to, once; shown to its creator. */
      "hosted-state-upload-url"?: string | null;
      /** @description True until the lock it was written under is released. */
      intermediate?: boolean;
      /** @description Lineage: identifies states that derive from one another. */
      lineage?: string | null;
      /** @description MD5 of the state. */
      md5?: string;
      /** @description Resources of each type by module. */
      modules?: {
        [key: string]: {
          [key: string]: number;
        };
      };
      /** @description Resources of each type by provider. */
      providers?: {
        [key: string]: {
          [key: string]: number;
        };
      };
      /** @description Number of instances of managed resources. */
      "resource-count"?: number;
      /** @description False if the state is encrypted or not of format 4, so that the number is unknown. */
      "resource-count-known"?: boolean;
      /** @description The resources, at most 2,000 of them. */
      resources?: components["schemas"]["StateVersionAttributesResource"][];
      /** @description Whether resources and outputs have been extracted. */
      "resources-processed"?: boolean;
      /** @description Serial number of the state, increased with every write. */
      serial?: number;
      /** @description Size of the state in bytes. */
      size?: number;
      /** @description Format version of the state. */
      "state-version"?: number | null;
      /** @description `pending`, `finalized`, `discarded`, or the status of its backing data. */
      status?: string;
      /** @description Same as `tool-version`, under the name that older clients know. */
      "terraform-version"?: string | null;
      /** @description Version of the tool that wrote it. */
      "tool-version"?: string | null;
      /** @description Commit of the configuration. */
      "vcs-commit-sha"?: string | null;
      /** @description URL of that commit. */
      "vcs-commit-url"?: string | null;
    };
    StateVersionAttributesResource: {
      /** @description Number of its instances. */
      count: number;
      /** @description The module it is in. */
      module: string;
      /** @description Name of the resource. */
      name: string;
      /** @description Its provider. */
      provider: string;
      /** @description Type of the resource; data sources begin with `data.`. */
      type: string;
    };
    StateVersionDocument: {
      data: components["schemas"]["StateVersion"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    StateVersionIdentifier: {
      /** @description Identifier of the related resource. */
      id: string;
      /** @constant */
      type: "state-versions";
    };
    StateVersionOutput: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["StateVersionOutputAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["StateVersionOutputRelationships"];
      /** @constant */
      type: "state-version-outputs";
    };
    StateVersionOutputAttributes: {
      /** @description The type as the tool writes it; null if the state does not record it. */
      "detailed-type"?: unknown;
      /** @description Name of the output. */
      name?: string;
      /** @description Whether the list of the current outputs hides its value. */
      sensitive?: boolean;
      /** @description `string`, `number`, `boolean`, `array` or `object`. */
      type?: string;
      /** @description The value; null if it is sensitive and hidden. */
      value?: unknown;
    };
    StateVersionOutputDocument: {
      data: components["schemas"]["StateVersionOutput"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    StateVersionOutputList: {
      data: components["schemas"]["StateVersionOutput"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Related URLs. */
      links?: components["schemas"]["Links"];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    StateVersionOutputPage: {
      data: components["schemas"]["StateVersionOutput"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    StateVersionOutputRelationships: Record<string, never>;
    StateVersionPage: {
      data: components["schemas"]["StateVersion"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    StateVersionRelationships: {
      /** @description Who wrote it. */
      "created-by"?: components["schemas"]["Relationship"];
      /** @description Its outputs. */
      outputs?: components["schemas"]["Relationship"];
      /** @description The version whose content a rollback copied into this one. */
      "rollback-state-version"?: components["schemas"]["Relationship"];
      /** @description The run that wrote it. */
      run?: components["schemas"]["Relationship"];
      /** @description The workspace it belongs to. */
      workspace?: components["schemas"]["Relationship"];
    };
    StateVersionsCreateBody: {
      data: components["schemas"]["StateVersionsCreateBodyData"];
    };
    StateVersionsCreateBodyAttributes: {
      /** @description Accept the state without comparing lineage and serial. */
      force?: boolean | null;
      /** @description The JSON rendering of the state, in base64. */
      "json-state"?: string | null;
      /** @description The JSON rendering of the outputs, in base64. */
      "json-state-outputs"?: string | null;
      /** @description Lineage: identifies states that derive from one another. */
      lineage?: string | null;
      /**
       * @description MD5 of the raw state, in hex.
       * @example d41d8cd98f00b204e9800998ecf8427e
       */
      md5: string;
      /**
       * @description Serial number of the state, increased with every write.
       * @example 1
       */
      serial: number;
      /** @description The state in base64. If omitted, the response contains the URL to upload it to. */
      state?: string | null;
    };
    StateVersionsCreateBodyData: {
      attributes?: components["schemas"]["StateVersionsCreateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["StateVersionsCreateBodyRelationships"];
      /** @constant */
      type?: "state-versions";
    };
    StateVersionsCreateBodyRelationships: {
      /** @description The run that wrote the state. */
      run?: components["schemas"]["RelatedToRunOrNothing"];
    };
    StateVersionsRollbackBody: {
      data: components["schemas"]["StateVersionsRollbackBodyData"];
    };
    StateVersionsRollbackBodyData: {
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["StateVersionsRollbackBodyRelationships"];
      /** @constant */
      type?: "state-versions";
    };
    StateVersionsRollbackBodyRelationships: {
      /** @description The version that has to be the newest one; if another was written since, nothing is done. */
      "newest-state-version"?: components["schemas"]["RelatedToStateVersionOrNothing"];
      /** @description The version to roll back to. */
      "rollback-state-version": components["schemas"]["RelatedToStateVersion"];
    };
    StatusLeaderAnswer: {
      /** @description Whether several nodes can share the database. */
      ha_enabled: boolean;
      /** @description Whether the responding node leads. */
      is_self: boolean;
      /** @description Address of the leading node. */
      leader_address: string;
    };
    StatusLicenseData: {
      autoload_used: boolean;
    };
    StatusLicenseEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["StatusLicenseData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    StatusNodesAnswer: {
      nodes: components["schemas"]["StatusNodesAnswerNode"][];
    };
    StatusNodesAnswerNode: {
      /** @description Whether it leads background work. Every node answers requests. */
      active_node: boolean;
      /** @description The address for callers. */
      api_address: string;
      /** @description By how much its clock is ahead of that of the database. */
      clock_skew_ms: number;
      /** @description Where this node listens; empty if its configuration does not tell. */
      cluster_address: string;
      /** @description The release that it runs. */
      holdfast_version: string;
      /** @description Its host name. */
      hostname: string;
      /** @description Background jobs that it is running. */
      jobs_held: number;
      /**
       * Format: date-time
       * @description Its last sign of life.
       */
      last_echo: string;
      /**
       * Format: date-time
       * @description When it started.
       */
      started_at: string;
      /** @description `present`, or `gone` if it was stopped or has given no sign for half a minute. */
      state: string;
      /** @description The version that clients are told. */
      version: string;
    };
    StatusStorageNodesConfig: {
      servers: unknown[];
    };
    StatusStorageNodesData: {
      config: components["schemas"]["StatusStorageNodesConfig"];
    };
    StatusStorageNodesEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["StatusStorageNodesData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    StorageCheck: {
      /** @description Missing permissions, as the service names them. */
      missing: string[];
      /** @description Whether all permissions are granted. */
      ok: boolean;
      rights: components["schemas"]["StorageCheckRights"];
    };
    StorageCheckEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["StorageCheck"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    StorageCheckRights: {
      delete: components["schemas"]["StorageRight"];
      list: components["schemas"]["StorageRight"];
      read: components["schemas"]["StorageRight"];
      write: components["schemas"]["StorageRight"];
    };
    StorageRight: {
      /** @description Whether it worked. */
      allowed: boolean;
      /** @description Response of the service; empty on success. */
      error: string;
      /** @description Name of the permission at the service. */
      right: string;
    };
    SystemRemoval: {
      /** @description Identifies the removal among those of its kind. */
      id: string;
      /** @description `mount` or `tokens`. */
      kind: string;
      /** @description Why the last try failed; empty if it did not. */
      last_error: string;
      /** @description The path of the mount, or which tokens are removed. */
      name: string;
      /** @description When it was asked for. */
      requested_at: string;
      /** @description Display name of the token that asked for it. */
      requested_by: string;
      /** @description About how many rows are left. */
      rows_left: number;
    };
    Tag: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["TagAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["TagRelationships"];
      /** @constant */
      type: "tags";
    };
    TagAttributes: {
      /**
       * Format: date-time
       * @description When it was first used in the organization.
       */
      "created-at"?: string;
      /** @description Number of workspaces that have it. */
      "instance-count"?: number;
      /** @description Name. */
      name?: string;
    };
    TagBinding: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["TagBindingAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["TagBindingRelationships"];
      /** @constant */
      type: "tag-bindings";
    };
    TagBindingAttributes: {
      /**
       * Format: date-time
       * @description When it was bound.
       */
      "created-at"?: string;
      /** @description Key. */
      key?: string;
      /** @description Value. */
      value?: string;
    };
    TagBindingList: {
      data: components["schemas"]["TagBinding"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Related URLs. */
      links?: components["schemas"]["Links"];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    TagBindingRelationships: Record<string, never>;
    TagBindingsAddBody: {
      data: components["schemas"]["TagBindingsAddBodyDataEntry"][];
    };
    TagBindingsAddBodyDataEntry: {
      attributes?: components["schemas"]["TagBindingsAddBodyDataEntryAttributes"];
      /** @description Identifier of an existing resource. */
      id?: string;
      /** @constant */
      type: "tag-bindings";
    };
    TagBindingsAddBodyDataEntryAttributes: {
      /**
       * @description Key.
       * @example environment
       */
      key: string;
      /**
       * @description Value.
       * @example production
       */
      value?: string | null;
    };
    TagBindingsMergeBody: {
      data: components["schemas"]["TagBindingsMergeBodyDataEntry"][];
    };
    TagBindingsMergeBodyDataEntry: {
      attributes?: components["schemas"]["TagBindingsMergeBodyDataEntryAttributes"];
      /** @description Identifier of an existing resource. */
      id?: string;
      /** @constant */
      type: "tag-bindings";
    };
    TagBindingsMergeBodyDataEntryAttributes: {
      /**
       * @description Key.
       * @example environment
       */
      key: string;
      /**
       * @description Value.
       * @example production
       */
      value?: string | null;
    };
    TagBindingsReplaceBody: {
      data: components["schemas"]["TagBindingsReplaceBodyDataEntry"][];
    };
    TagBindingsReplaceBodyDataEntry: {
      attributes?: components["schemas"]["TagBindingsReplaceBodyDataEntryAttributes"];
      /** @description Identifier of an existing resource. */
      id?: string;
      /** @constant */
      type: "tag-bindings";
    };
    TagBindingsReplaceBodyDataEntryAttributes: {
      /**
       * @description Key.
       * @example environment
       */
      key: string;
      /**
       * @description Value.
       * @example production
       */
      value?: string | null;
    };
    TagIdentifier: {
      /** @description Identifier of the related resource. */
      id: string;
      /** @constant */
      type: "tags";
    };
    TagPage: {
      data: components["schemas"]["Tag"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    TagRelationships: {
      /** @description The organization it belongs to. */
      organization?: components["schemas"]["Relationship"];
    };
    TagsAddBody: {
      data: components["schemas"]["TagsAddBodyDataEntry"][];
    };
    TagsAddBodyDataEntry: {
      attributes?: components["schemas"]["TagsAddBodyDataEntryAttributes"];
      /** @description Identifier of an existing resource. */
      id?: string;
      /** @constant */
      type: "tags";
    };
    TagsAddBodyDataEntryAttributes: {
      /**
       * @description Name.
       * @example core
       */
      name: string;
    };
    TagsAttachToWorkspacesBody: {
      data: components["schemas"]["WorkspaceIdentifier"][];
    };
    TagsDeleteBody: {
      data: components["schemas"]["TagIdentifier"][];
    };
    TagsRemoveBody: {
      data: components["schemas"]["TagsRemoveBodyDataEntry"][];
    };
    TagsRemoveBodyDataEntry: {
      attributes?: components["schemas"]["TagsRemoveBodyDataEntryAttributes"];
      /** @description Identifier of an existing resource. */
      id?: string;
      /** @constant */
      type: "tags";
    };
    TagsRemoveBodyDataEntryAttributes: {
      /**
       * @description Name.
       * @example core
       */
      name: string;
    };
    TaskStage: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["TaskStageAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["TaskStageRelationships"];
      /** @constant */
      type: "task-stages";
    };
    TaskStageAttributes: Record<string, never>;
    TaskStageList: {
      data: components["schemas"]["TaskStage"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Related URLs. */
      links?: components["schemas"]["Links"];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    TaskStageRelationships: Record<string, never>;
    Team: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["TeamAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["TeamRelationships"];
      /** @constant */
      type: "teams";
    };
    TeamAttributes: {
      /** @description Whether tokens from certificate logins may act as this team. */
      "allow-certificate-login"?: boolean;
      /** @description Whether members may create its tokens. */
      "allow-member-token-management"?: boolean;
      /**
       * Format: date-time
       * @description When it was created.
       */
      "created-at"?: string;
      /** @description Name of the team. */
      name?: string;
      /** @description What it may do in the whole organization. */
      "organization-access"?: components["schemas"]["TeamAttributesOrganizationAccess"];
      /** @description What the caller may do with it. */
      permissions?: components["schemas"]["TeamAttributesPermissions"];
      /** @description Name of the team in single sign-on; stored for clients, has no effect. */
      "sso-team-id"?: string | null;
      /** @description Number of members. */
      "users-count"?: number;
      /** @description `secret` or `organization`. */
      visibility?: string;
    };
    TeamAttributesOrganizationAccess: {
      /** @description access-secret-teams */
      "access-secret-teams": boolean;
      /** @description delegate-policy-overrides */
      "delegate-policy-overrides": boolean;
      /** @description manage-agent-pools */
      "manage-agent-pools": boolean;
      /** @description manage-membership */
      "manage-membership": boolean;
      /** @description manage-modules */
      "manage-modules": boolean;
      /** @description manage-organization-access */
      "manage-organization-access": boolean;
      /** @description manage-policies */
      "manage-policies": boolean;
      /** @description manage-policy-overrides */
      "manage-policy-overrides": boolean;
      /** @description manage-projects */
      "manage-projects": boolean;
      /** @description manage-providers */
      "manage-providers": boolean;
      /** @description manage-run-tasks */
      "manage-run-tasks": boolean;
      /** @description manage-teams */
      "manage-teams": boolean;
      /** @description manage-vcs-settings */
      "manage-vcs-settings": boolean;
      /** @description manage-workspaces */
      "manage-workspaces": boolean;
      /** @description read-projects */
      "read-projects": boolean;
      /** @description read-workspaces */
      "read-workspaces": boolean;
    };
    TeamAttributesPermissions: {
      /** @description can-destroy */
      "can-destroy": boolean;
      /** @description can-update-api-token */
      "can-update-api-token": boolean;
      /** @description can-update-membership */
      "can-update-membership": boolean;
      /** @description can-update-name */
      "can-update-name": boolean;
      /** @description can-update-organization-access */
      "can-update-organization-access": boolean;
      /** @description can-update-visibility */
      "can-update-visibility": boolean;
    };
    TeamDocument: {
      data: components["schemas"]["Team"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    TeamIdentifier: {
      /** @description Identifier of the related resource. */
      id: string;
      /** @constant */
      type: "teams";
    };
    TeamPage: {
      data: components["schemas"]["Team"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    TeamProject: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["TeamProjectAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["TeamProjectRelationships"];
      /** @constant */
      type: "team-projects";
    };
    TeamProjectAttributes: {
      /** @description Level of access. */
      access?: string;
      /** @description Access to the project itself. */
      "project-access"?: components["schemas"]["TeamProjectAttributesProjectAccess"];
      /** @description Access to the workspaces in the project. */
      "workspace-access"?: components["schemas"]["TeamProjectAttributesWorkspaceAccess"];
    };
    TeamProjectAttributesProjectAccess: {
      /** @description Access to settings. */
      settings: string;
      /** @description Access to team access. */
      teams: string;
      /** @description Stored for clients; has no effect. */
      "variable-sets": string;
    };
    TeamProjectAttributesWorkspaceAccess: {
      /** @description Stored for clients; has no effect. */
      create: boolean;
      /** @description Whether it may delete workspaces. */
      delete: boolean;
      /** @description Whether it may lock and unlock. */
      locking: boolean;
      /** @description Stored for clients; has no effect. */
      move: boolean;
      /** @description Stored for clients; has no effect. */
      "policy-overrides": boolean;
      /** @description Whether it may manage run tasks. */
      "run-tasks": boolean;
      /** @description Access to runs. */
      runs: string;
      /** @description Whether it may download mock data for policies. */
      "sentinel-mocks": string;
      /** @description Access to state. */
      "state-versions": string;
      /** @description Access to variables. */
      variables: string;
    };
    TeamProjectDocument: {
      data: components["schemas"]["TeamProject"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    TeamProjectPage: {
      data: components["schemas"]["TeamProject"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    TeamProjectRelationships: {
      /** @description The project. */
      project?: components["schemas"]["Relationship"];
      /** @description The team. */
      team?: components["schemas"]["Relationship"];
    };
    TeamProjectsCreateBody: {
      data: components["schemas"]["TeamProjectsCreateBodyData"];
    };
    TeamProjectsCreateBodyAttributes: {
      /**
       * @description Level of access; with `custom`, each permission is set separately.
       * @enum {string}
       */
      access: "read" | "write" | "maintain" | "admin" | "custom";
      /** @description Access to the project itself. */
      "project-access"?: components["schemas"]["TeamProjectsCreateBodyAttributesProjectAccess"];
      /** @description Access to the workspaces in the project. */
      "workspace-access"?: components["schemas"]["TeamProjectsCreateBodyAttributesWorkspaceAccess"];
    };
    TeamProjectsCreateBodyAttributesProjectAccess: {
      /**
       * @description Access to settings.
       * @enum {string}
       */
      settings?: "read" | "update" | "delete";
      /**
       * @description Access to team access.
       * @enum {string}
       */
      teams?: "none" | "read" | "manage";
      /**
       * @description Stored for clients, has no effect: there are no variable sets.
       * @enum {string}
       */
      "variable-sets"?: "none" | "read" | "write";
    };
    TeamProjectsCreateBodyAttributesWorkspaceAccess: {
      /** @description Stored for clients, has no effect: those who manage all workspaces may create them. */
      create?: boolean;
      /** @description Whether it may delete workspaces. */
      delete?: boolean;
      /** @description Whether it may lock and unlock. */
      locking?: boolean;
      /** @description Stored for clients, has no effect: administrators of both projects may move workspaces. */
      move?: boolean;
      /** @description Stored for clients, has no effect: there are no policies. */
      "policy-overrides"?: boolean;
      /** @description Whether it may manage run tasks. */
      "run-tasks"?: boolean;
      /**
       * @description Access to runs.
       * @enum {string}
       */
      runs?: "read" | "plan" | "apply";
      /**
       * @description Whether it may download mock data for policies.
       * @enum {string}
       */
      "sentinel-mocks"?: "none" | "read";
      /**
       * @description Access to state.
       * @enum {string}
       */
      "state-versions"?: "none" | "read-outputs" | "read" | "write";
      /**
       * @description Access to variables.
       * @enum {string}
       */
      variables?: "none" | "read" | "write";
    };
    TeamProjectsCreateBodyData: {
      attributes?: components["schemas"]["TeamProjectsCreateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["TeamProjectsCreateBodyRelationships"];
      /**
       * @description Kind of the resource.
       * @enum {string}
       */
      type?: "team-projects" | "team-project-access";
    };
    TeamProjectsCreateBodyRelationships: {
      /** @description The project. */
      project: components["schemas"]["RelatedToProject"];
      /** @description The team. */
      team: components["schemas"]["RelatedToTeam"];
    };
    TeamProjectsUpdateBody: {
      data: components["schemas"]["TeamProjectsUpdateBodyData"];
    };
    TeamProjectsUpdateBodyAttributes: {
      /**
       * @description Level of access; with `custom`, each permission is set separately.
       * @enum {string}
       */
      access?: "read" | "write" | "maintain" | "admin" | "custom";
      /** @description Access to the project itself. */
      "project-access"?: components["schemas"]["TeamProjectsUpdateBodyAttributesProjectAccess"];
      /** @description Access to the workspaces in the project. */
      "workspace-access"?: components["schemas"]["TeamProjectsUpdateBodyAttributesWorkspaceAccess"];
    };
    TeamProjectsUpdateBodyAttributesProjectAccess: {
      /**
       * @description Access to settings.
       * @enum {string}
       */
      settings?: "read" | "update" | "delete";
      /**
       * @description Access to team access.
       * @enum {string}
       */
      teams?: "none" | "read" | "manage";
      /**
       * @description Stored for clients, has no effect: there are no variable sets.
       * @enum {string}
       */
      "variable-sets"?: "none" | "read" | "write";
    };
    TeamProjectsUpdateBodyAttributesWorkspaceAccess: {
      /** @description Stored for clients, has no effect: those who manage all workspaces may create them. */
      create?: boolean;
      /** @description Whether it may delete workspaces. */
      delete?: boolean;
      /** @description Whether it may lock and unlock. */
      locking?: boolean;
      /** @description Stored for clients, has no effect: administrators of both projects may move workspaces. */
      move?: boolean;
      /** @description Stored for clients, has no effect: there are no policies. */
      "policy-overrides"?: boolean;
      /** @description Whether it may manage run tasks. */
      "run-tasks"?: boolean;
      /**
       * @description Access to runs.
       * @enum {string}
       */
      runs?: "read" | "plan" | "apply";
      /**
       * @description Whether it may download mock data for policies.
       * @enum {string}
       */
      "sentinel-mocks"?: "none" | "read";
      /**
       * @description Access to state.
       * @enum {string}
       */
      "state-versions"?: "none" | "read-outputs" | "read" | "write";
      /**
       * @description Access to variables.
       * @enum {string}
       */
      variables?: "none" | "read" | "write";
    };
    TeamProjectsUpdateBodyData: {
      attributes?: components["schemas"]["TeamProjectsUpdateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /**
       * @description Kind of the resource.
       * @enum {string}
       */
      type?: "team-projects" | "team-project-access";
    };
    TeamRelationships: {
      /** @description Its token. */
      "authentication-token"?: components["schemas"]["Relationship"];
      /** @description The organization. */
      organization?: components["schemas"]["Relationship"];
      /** @description The memberships of its members. */
      "organization-memberships"?: components["schemas"]["Relationship"];
      /** @description Its members. */
      users?: components["schemas"]["Relationship"];
    };
    TeamsAddOrganizationMembershipsBody: {
      data: components["schemas"]["OrganizationMembershipIdentifier"][];
    };
    TeamsAddUsersBody: {
      data: components["schemas"]["UserIdentifier"][];
    };
    TeamsCreateBody: {
      data: components["schemas"]["TeamsCreateBodyData"];
    };
    TeamsCreateBodyAttributes: {
      /**
       * @description Whether tokens from certificate logins may act as this team.
       * @default false
       */
      "allow-certificate-login"?: boolean;
      /**
       * @description Whether members may create tokens of the team.
       * @default true
       */
      "allow-member-token-management"?: boolean;
      /**
       * @description Name of the team.
       * @example operators
       */
      name: string;
      /** @description What the team may do in the whole organization. */
      "organization-access"?: components["schemas"]["TeamsCreateBodyAttributesOrganizationAccess"];
      /** @description Name of the team in single sign-on; stored for clients, has no effect. */
      "sso-team-id"?: string | null;
      /**
       * @description Who sees the team: its members, or everybody in the organization.
       * @enum {string}
       */
      visibility?: "secret" | "organization";
    };
    TeamsCreateBodyAttributesOrganizationAccess: {
      /** @description Grants access-secret-teams. */
      "access-secret-teams"?: boolean;
      /** @description Grants delegate-policy-overrides. */
      "delegate-policy-overrides"?: boolean;
      /** @description Grants manage-agent-pools. */
      "manage-agent-pools"?: boolean;
      /** @description Grants manage-membership. */
      "manage-membership"?: boolean;
      /** @description Grants manage-modules. */
      "manage-modules"?: boolean;
      /** @description Grants manage-organization-access. */
      "manage-organization-access"?: boolean;
      /** @description Grants manage-policies. */
      "manage-policies"?: boolean;
      /** @description Grants manage-policy-overrides. */
      "manage-policy-overrides"?: boolean;
      /** @description Grants manage-projects. */
      "manage-projects"?: boolean;
      /** @description Grants manage-providers. */
      "manage-providers"?: boolean;
      /** @description Grants manage-run-tasks. */
      "manage-run-tasks"?: boolean;
      /** @description Grants manage-teams. */
      "manage-teams"?: boolean;
      /** @description Grants manage-vcs-settings. */
      "manage-vcs-settings"?: boolean;
      /** @description Grants manage-workspaces. */
      "manage-workspaces"?: boolean;
      /** @description Grants read-projects. */
      "read-projects"?: boolean;
      /** @description Grants read-workspaces. */
      "read-workspaces"?: boolean;
    };
    TeamsCreateBodyData: {
      attributes?: components["schemas"]["TeamsCreateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /** @constant */
      type?: "teams";
    };
    TeamsRemoveOrganizationMembershipsBody: {
      data: components["schemas"]["OrganizationMembershipIdentifier"][];
    };
    TeamsRemoveUsersBody: {
      data: components["schemas"]["UserIdentifier"][];
    };
    TeamsUpdateBody: {
      data: components["schemas"]["TeamsUpdateBodyData"];
    };
    TeamsUpdateBodyAttributes: {
      /** @description Whether tokens from certificate logins may act as this team. */
      "allow-certificate-login"?: boolean;
      /** @description Whether members may create tokens of the team. */
      "allow-member-token-management"?: boolean;
      /**
       * @description Name of the team.
       * @example operators
       */
      name?: string;
      /** @description What the team may do in the whole organization. */
      "organization-access"?: components["schemas"]["TeamsUpdateBodyAttributesOrganizationAccess"];
      /** @description Name of the team in single sign-on; stored for clients, has no effect. */
      "sso-team-id"?: string | null;
      /**
       * @description Who sees the team: its members, or everybody in the organization.
       * @enum {string}
       */
      visibility?: "secret" | "organization";
    };
    TeamsUpdateBodyAttributesOrganizationAccess: {
      /** @description Grants access-secret-teams. */
      "access-secret-teams"?: boolean;
      /** @description Grants delegate-policy-overrides. */
      "delegate-policy-overrides"?: boolean;
      /** @description Grants manage-agent-pools. */
      "manage-agent-pools"?: boolean;
      /** @description Grants manage-membership. */
      "manage-membership"?: boolean;
      /** @description Grants manage-modules. */
      "manage-modules"?: boolean;
      /** @description Grants manage-organization-access. */
      "manage-organization-access"?: boolean;
      /** @description Grants manage-policies. */
      "manage-policies"?: boolean;
      /** @description Grants manage-policy-overrides. */
      "manage-policy-overrides"?: boolean;
      /** @description Grants manage-projects. */
      "manage-projects"?: boolean;
      /** @description Grants manage-providers. */
      "manage-providers"?: boolean;
      /** @description Grants manage-run-tasks. */
      "manage-run-tasks"?: boolean;
      /** @description Grants manage-teams. */
      "manage-teams"?: boolean;
      /** @description Grants manage-vcs-settings. */
      "manage-vcs-settings"?: boolean;
      /** @description Grants manage-workspaces. */
      "manage-workspaces"?: boolean;
      /** @description Grants read-projects. */
      "read-projects"?: boolean;
      /** @description Grants read-workspaces. */
      "read-workspaces"?: boolean;
    };
    TeamsUpdateBodyData: {
      attributes?: components["schemas"]["TeamsUpdateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /** @constant */
      type?: "teams";
    };
    TeamTokenCreateBody1: {
      /**
       * @description What the token is for.
       * @example pipeline
       */
      description?: string | null;
      /**
       * Format: date-time
       * @description When the token expires; in two years by default, never with null.
       */
      "expired-at"?: string | null;
    };
    TeamTokenCreateBody2: {
      data: components["schemas"]["TeamTokenCreateBody2Data"];
    };
    TeamTokenCreateBody2Attributes: {
      /**
       * @description What the token is for.
       * @example pipeline
       */
      description?: string | null;
      /**
       * Format: date-time
       * @description When the token expires; in two years by default, never with null.
       */
      "expired-at"?: string | null;
    };
    TeamTokenCreateBody2Data: {
      attributes: components["schemas"]["TeamTokenCreateBody2Attributes"];
    };
    TeamTokensCreateBody1: {
      /**
       * @description What the token is for.
       * @example pipeline
       */
      description?: string | null;
      /**
       * Format: date-time
       * @description When the token expires; in two years by default, never with null.
       */
      "expired-at"?: string | null;
    };
    TeamTokensCreateBody2: {
      data: components["schemas"]["TeamTokensCreateBody2Data"];
    };
    TeamTokensCreateBody2Attributes: {
      /**
       * @description What the token is for.
       * @example pipeline
       */
      description?: string | null;
      /**
       * Format: date-time
       * @description When the token expires; in two years by default, never with null.
       */
      "expired-at"?: string | null;
    };
    TeamTokensCreateBody2Data: {
      attributes: components["schemas"]["TeamTokensCreateBody2Attributes"];
    };
    TeamWorkspace: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["TeamWorkspaceAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["TeamWorkspaceRelationships"];
      /** @constant */
      type: "team-workspaces";
    };
    TeamWorkspaceAttributes: {
      /** @description Level of access. */
      access?: string;
      /** @description Stored for clients; has no effect. */
      "policy-overrides"?: boolean;
      /** @description Whether it may manage run tasks. */
      "run-tasks"?: boolean;
      /** @description Access to runs. */
      runs?: string;
      /** @description Whether it may download mock data for policies. */
      "sentinel-mocks"?: string;
      /** @description Access to state. */
      "state-versions"?: string;
      /** @description Access to variables. */
      variables?: string;
      /** @description Whether it may lock and unlock. */
      "workspace-locking"?: boolean;
    };
    TeamWorkspaceDocument: {
      data: components["schemas"]["TeamWorkspace"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    TeamWorkspacePage: {
      data: components["schemas"]["TeamWorkspace"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    TeamWorkspaceRelationships: {
      /** @description The team. */
      team?: components["schemas"]["Relationship"];
      /** @description The workspace. */
      workspace?: components["schemas"]["Relationship"];
    };
    TeamWorkspacesCreateBody: {
      data: components["schemas"]["TeamWorkspacesCreateBodyData"];
    };
    TeamWorkspacesCreateBodyAttributes: {
      /**
       * @description Level of access; with `custom`, each permission is set separately.
       * @enum {string}
       */
      access: "read" | "plan" | "write" | "admin" | "custom";
      /** @description Stored for clients, has no effect: there are no policies. */
      "policy-overrides"?: boolean;
      /** @description Whether it may manage run tasks. */
      "run-tasks"?: boolean;
      /**
       * @description Access to runs.
       * @enum {string}
       */
      runs?: "read" | "plan" | "apply";
      /**
       * @description Whether it may download mock data for policies.
       * @enum {string}
       */
      "sentinel-mocks"?: "none" | "read";
      /**
       * @description Access to state.
       * @enum {string}
       */
      "state-versions"?: "none" | "read-outputs" | "read" | "write";
      /**
       * @description Access to variables.
       * @enum {string}
       */
      variables?: "none" | "read" | "write";
      /** @description Whether it may lock and unlock. */
      "workspace-locking"?: boolean;
    };
    TeamWorkspacesCreateBodyData: {
      attributes?: components["schemas"]["TeamWorkspacesCreateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["TeamWorkspacesCreateBodyRelationships"];
      /** @constant */
      type?: "team-workspaces";
    };
    TeamWorkspacesCreateBodyRelationships: {
      /** @description The team. */
      team: components["schemas"]["RelatedToTeam"];
      /** @description The workspace. */
      workspace: components["schemas"]["RelatedToWorkspace"];
    };
    TeamWorkspacesUpdateBody: {
      data: components["schemas"]["TeamWorkspacesUpdateBodyData"];
    };
    TeamWorkspacesUpdateBodyAttributes: {
      /**
       * @description Level of access; with `custom`, each permission is set separately.
       * @enum {string}
       */
      access?: "read" | "plan" | "write" | "admin" | "custom";
      /** @description Stored for clients, has no effect: there are no policies. */
      "policy-overrides"?: boolean;
      /** @description Whether it may manage run tasks. */
      "run-tasks"?: boolean;
      /**
       * @description Access to runs.
       * @enum {string}
       */
      runs?: "read" | "plan" | "apply";
      /**
       * @description Whether it may download mock data for policies.
       * @enum {string}
       */
      "sentinel-mocks"?: "none" | "read";
      /**
       * @description Access to state.
       * @enum {string}
       */
      "state-versions"?: "none" | "read-outputs" | "read" | "write";
      /**
       * @description Access to variables.
       * @enum {string}
       */
      variables?: "none" | "read" | "write";
      /** @description Whether it may lock and unlock. */
      "workspace-locking"?: boolean;
    };
    TeamWorkspacesUpdateBodyData: {
      attributes?: components["schemas"]["TeamWorkspacesUpdateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /** @constant */
      type?: "team-workspaces";
    };
    TerraformVersionsCreateBody: {
      data: components["schemas"]["TerraformVersionsCreateBodyData"];
    };
    TerraformVersionsCreateBodyAttributes: {
      /** @description Downloads by platform; used instead of `url` and `sha`, and replaces earlier ones. */
      archs?: components["schemas"]["TerraformVersionsCreateBodyAttributesArch"][];
      /**
       * @description Whether it is a beta, which constraints skip unless they name it.
       * @default false
       */
      beta?: boolean;
      /**
       * @description Whether it is deprecated.
       * @default false
       */
      deprecated?: boolean;
      /** @description Why it is deprecated. */
      "deprecated-reason"?: string | null;
      /**
       * @description Whether workspaces can use it.
       * @default true
       */
      enabled?: boolean;
      /** @description SHA-256 of that download. */
      sha?: string | null;
      /**
       * @description The tool it is a release of; defaults to the first one.
       * @enum {string}
       */
      tool?: "opentofu" | "terraform";
      /** @description Download URL for Linux on amd64. */
      url?: string | null;
      /**
       * @description Exact version.
       * @example 1.13.0
       */
      version: string;
    };
    TerraformVersionsCreateBodyAttributesArch: {
      /**
       * @description The CPU architecture.
       * @enum {string}
       */
      arch: "amd64" | "arm64" | "s390x";
      /**
       * @description The operating system.
       * @constant
       */
      os: "linux";
      /** @description SHA-256 of the download. */
      sha: string;
      /** @description Download URL. */
      url: string;
    };
    TerraformVersionsCreateBodyData: {
      attributes?: components["schemas"]["TerraformVersionsCreateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /**
       * @description Kind of the resource.
       * @enum {string}
       */
      type?: "tool-versions" | "terraform-versions";
    };
    TerraformVersionsUpdateBody: {
      data: components["schemas"]["TerraformVersionsUpdateBodyData"];
    };
    TerraformVersionsUpdateBodyAttributes: {
      /** @description Downloads by platform; used instead of `url` and `sha`, and replaces earlier ones. */
      archs?: components["schemas"]["TerraformVersionsUpdateBodyAttributesArch"][];
      /** @description Whether it is a beta, which constraints skip unless they name it. */
      beta?: boolean;
      /** @description Whether it is deprecated. */
      deprecated?: boolean;
      /** @description Why it is deprecated. */
      "deprecated-reason"?: string | null;
      /** @description Whether workspaces can use it. */
      enabled?: boolean;
      /** @description SHA-256 of that download. */
      sha?: string | null;
      /** @description Download URL for Linux on amd64. */
      url?: string | null;
      /**
       * @description Exact version.
       * @example 1.13.0
       */
      version?: string;
    };
    TerraformVersionsUpdateBodyAttributesArch: {
      /**
       * @description The CPU architecture.
       * @enum {string}
       */
      arch: "amd64" | "arm64" | "s390x";
      /**
       * @description The operating system.
       * @constant
       */
      os: "linux";
      /** @description SHA-256 of the download. */
      sha: string;
      /** @description Download URL. */
      url: string;
    };
    TerraformVersionsUpdateBodyData: {
      attributes?: components["schemas"]["TerraformVersionsUpdateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /**
       * @description Kind of the resource.
       * @enum {string}
       */
      type?: "tool-versions" | "terraform-versions";
    };
    TokenAuth: {
      /** @description Identifies the token without giving access; empty for batch tokens. */
      accessor: string;
      /** @description The token; empty if it must not be shown. */
      client_token: string;
      /** @description The entity it acts for; may be empty. */
      entity_id: string;
      /** @description Policies of its entity. */
      identity_policies?: string[];
      /** @description Lifetime in seconds; 0 if it does not expire. */
      lease_duration: number;
      /** @description Its metadata. */
      metadata: {
        [key: string]: string;
      } | null;
      /** @description Always null. */
      mfa_requirement: null;
      /** @description How many times it can be used; 0 for no limit. */
      num_uses: number;
      /** @description Whether it is an orphan, that is, has no parent. */
      orphan: boolean;
      /** @description All policies that apply: those of the token and those of its entity. */
      policies: string[];
      /** @description Whether it can be renewed. */
      renewable: boolean;
      /** @description Policies of the token itself. */
      token_policies?: string[];
      /** @description `service` or `batch`. */
      token_type: string;
    };
    TokenAuthEnvelope: {
      auth: components["schemas"]["TokenAuth"];
      /** @description Empty: the result is in another member. */
      data: Record<string, never>;
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    TokenInfo: {
      /** @description Identifies the token without giving access. */
      accessor: string;
      /** @description Addresses it is accepted from. */
      bound_cidrs?: string[];
      /** @description Unix time in seconds. */
      creation_time: number;
      /** @description Lifetime it was created with, in seconds. */
      creation_ttl: number;
      /** @description Its name in audit records. */
      display_name: string;
      /** @description The entity it acts for; may be empty. */
      entity_id: string;
      /** @description When it expires; null for never. */
      expire_time: string | null;
      /** @description Maximum lifetime in seconds, regardless of renewals; 0 for none. */
      explicit_max_ttl: number;
      /** @description The token; empty when it was looked up by its accessor. */
      id: string;
      /** @description Policies of its entity. */
      identity_policies?: string[];
      /** @description When it was created. */
      issue_time: string;
      /** @description When it was last renewed. */
      last_renewal?: string;
      /** @description When it was last renewed, as Unix time in seconds. */
      last_renewal_time?: number;
      /** @description Its metadata. */
      meta: {
        [key: string]: string;
      } | null;
      /** @description Uses left; 0 for no limit, -1 if this request is the last. */
      num_uses: number;
      /** @description Whether it is an orphan, that is, has no parent. */
      orphan: boolean;
      /** @description The path that created it. */
      path: string;
      /** @description Lifetime that each renewal resets it to, in seconds. */
      period?: number;
      /** @description Policies of the token itself. */
      policies: string[];
      /** @description Whether it can be renewed. */
      renewable: boolean;
      /** @description The token role it was created with. */
      role?: string;
      /** @description Seconds left; 0 if it does not expire. */
      ttl: number;
      /** @description `service` or `batch`. */
      type: string;
    };
    TokenInfoEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["TokenInfo"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    TokenLimit: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["TokenLimitAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["TokenLimitRelationships"];
      /** @constant */
      type: "organization-token-ttl-policies";
    };
    TokenLimitAttributes: {
      /** @description How long such a token may last, in milliseconds. */
      "max-ttl-ms"?: number;
      /** @description Whose tokens it is about: `organization`, `team`, `user` or `audit_trails`. */
      "token-type"?: string;
    };
    TokenLimitList: {
      data: components["schemas"]["TokenLimit"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Related URLs. */
      links?: components["schemas"]["Links"];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    TokenLimitRelationships: Record<string, never>;
    TokenRole: {
      /** @description Entity aliases that may be requested. */
      allowed_entity_aliases: string[];
      /** @description Policies that tokens of this role may have. */
      allowed_policies: string[];
      /** @description Same as `allowed_policies`, with `*` as a wildcard. */
      allowed_policies_glob: string[];
      /** @description The old name of `token_bound_cidrs`, if they were set under it. */
      bound_cidrs?: string[];
      /** @description Policies that tokens of this role must not have. */
      disallowed_policies: string[];
      /** @description Same as `disallowed_policies`, with `*` as a wildcard. */
      disallowed_policies_glob: string[];
      /** @description The old name of `token_explicit_max_ttl`. */
      explicit_max_ttl: number;
      /** @description Name of the role. */
      name: string;
      /** @description Whether its tokens have no parent. */
      orphan: boolean;
      /** @description Suffix of the path of its tokens. */
      path_suffix: string;
      /** @description The old name of `token_period`. */
      period: number;
      /** @description Whether its tokens can be renewed. */
      renewable: boolean;
      /** @description Addresses that its tokens are accepted from. */
      token_bound_cidrs?: string[];
      /** @description Maximum lifetime in seconds, regardless of renewals; 0 for none. */
      token_explicit_max_ttl: number;
      /** @description Whether the policy `default` is not added. */
      token_no_default_policy: boolean;
      /** @description How many times a token can be used. */
      token_num_uses?: number;
      /** @description Lifetime in seconds that each renewal resets to; 0 for none. */
      token_period: number;
      /** @description Type of its tokens. */
      token_type: string;
    };
    TokenRoleEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["TokenRole"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    TokenRolesWriteBody: {
      /** @description Entity aliases that may be requested, with `*` as a wildcard; case-insensitive. */
      allowed_entity_aliases?: components["schemas"]["ListInput"];
      /**
       * @description Policies that tokens of this role may have.
       * @example [
       *       "web"
       *     ]
       */
      allowed_policies?: components["schemas"]["ListInput"];
      /** @description Same as `allowed_policies`, with `*` as a wildcard. */
      allowed_policies_glob?: components["schemas"]["ListInput"];
      /** @description The old name of `token_bound_cidrs`. */
      bound_cidrs?: components["schemas"]["ListInput"];
      /** @description Policies that tokens of this role must not have. */
      disallowed_policies?: components["schemas"]["ListInput"];
      /** @description Same as `disallowed_policies`, with `*` as a wildcard. */
      disallowed_policies_glob?: components["schemas"]["ListInput"];
      /** @description The old name of `token_explicit_max_ttl`. */
      explicit_max_ttl?: components["schemas"]["DurationInput"];
      /** @description Whether tokens of this role have no parent; false by default. */
      orphan?: components["schemas"]["FlagInput"];
      /** @description Suffix added to the path of tokens, so that they can be revoked together. */
      path_suffix?: string;
      /** @description The old name of `token_period`. */
      period?: components["schemas"]["DurationInput"];
      /**
       * @description Whether tokens of this role can be renewed; true by default.
       * @default true
       */
      renewable?: components["schemas"]["FlagInput"];
      /**
       * @description Addresses that tokens of this role are accepted from.
       * @example [
       *       "10.0.0.0/8"
       *     ]
       */
      token_bound_cidrs?: components["schemas"]["ListInput"];
      /** @description Maximum lifetime, regardless of renewals; 0 for none. */
      token_explicit_max_ttl?: components["schemas"]["DurationInput"];
      /** @description Do not add the policy `default`. */
      token_no_default_policy?: components["schemas"]["FlagInput"];
      /** @description How many times a token can be used; 0 for no limit. */
      token_num_uses?: components["schemas"]["IntegerInput"];
      /** @description Lifetime that each renewal resets to; 0 for tokens that are not periodic. */
      token_period?: components["schemas"]["DurationInput"];
      /** @description `service`, `batch`, `default-service` (the default) or `default-batch`. */
      token_type?: unknown;
    };
    TokensLookupAccessorBody: {
      /** @description The accessor of the token. */
      accessor?: string;
    };
    TokensLookupBody: {
      /** @description The token to look up; by default the caller's own. */
      token?: string;
    };
    TokensLookupSelfByWriteBody: {
      /** @description Ignored. */
      token?: string;
    };
    TokensRenewAccessorBody: {
      /** @description The accessor of the token. */
      accessor?: string;
      /**
       * @description Requested lifetime from now on; its limits may allow less.
       * @example 1h
       */
      increment?: components["schemas"]["DurationInput"];
    };
    TokensRenewBody: {
      /**
       * @description Requested lifetime from now on; its limits may allow less.
       * @example 1h
       */
      increment?: components["schemas"]["DurationInput"];
      /** @description The token to renew. */
      token?: string;
    };
    TokensRenewSelfBody: {
      /**
       * @description Requested lifetime from now on; its limits may allow less.
       * @example 1h
       */
      increment?: components["schemas"]["DurationInput"];
      /** @description Ignored. */
      token?: string;
    };
    TokensRevokeAccessorBody: {
      /** @description The accessor of the token. */
      accessor?: string;
    };
    TokensRevokeBody: {
      /** @description The token to revoke. */
      token?: string;
    };
    TokensRevokeOrphanBody: {
      /** @description The token to revoke. */
      token?: string;
    };
    TokensRevokeSelfBody: {
      /** @description Ignored. */
      token?: string;
    };
    ToolsHashBody: {
      /** @description `sha2-256` (the default), `sha2-224`, `-384`, `-512`, or `sha3-` with one of these lengths. */
      algorithm?: string;
      /** @description `hex` (the default) or `base64`. */
      format?: string;
      /** @description Data to hash, in base64. */
      input?: string;
    };
    ToolsHashData: {
      /** @description The hash. */
      sum: string;
    };
    ToolsHashEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["ToolsHashData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    ToolsHashWithBody: {
      /** @description `sha2-256` (the default), `sha2-224`, `-384`, `-512`, or `sha3-` with one of these lengths. */
      algorithm?: string;
      /** @description `hex` (the default) or `base64`. */
      format?: string;
      /** @description Data to hash, in base64. */
      input?: string;
    };
    ToolsHashWithData: {
      /** @description The hash. */
      sum: string;
    };
    ToolsHashWithEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["ToolsHashWithData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    ToolsRandomBody: {
      /** @description Number of bytes; 32 by default. */
      bytes?: components["schemas"]["IntegerInput"];
      /** @description `base64` (the default) or `hex`. */
      format?: string;
    };
    ToolsRandomBytesBody: {
      /** @description Number of bytes; 32 by default. */
      bytes?: components["schemas"]["IntegerInput"];
      /** @description `base64` (the default) or `hex`. */
      format?: string;
    };
    ToolsRandomBytesData: {
      /** @description The random bytes. */
      random_bytes: string;
    };
    ToolsRandomBytesEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["ToolsRandomBytesData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    ToolsRandomData: {
      /** @description The random bytes. */
      random_bytes: string;
    };
    ToolsRandomEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["ToolsRandomData"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    ToolVersion: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["ToolVersionAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["ToolVersionRelationships"];
      /** @enum {string} */
      type: "tool-versions" | "terraform-versions";
    };
    ToolVersionAttributes: {
      /** @description Downloads by platform; empty if none are recorded. */
      archs?: components["schemas"]["ToolVersionAttributesArch"][];
      /** @description Whether it is a beta, which constraints skip unless they name it. */
      beta?: boolean;
      /**
       * Format: date-time
       * @description When it was added.
       */
      "created-at"?: string;
      /** @description Whether it is deprecated. */
      deprecated?: boolean;
      /** @description Why it is deprecated. */
      "deprecated-reason"?: string | null;
      /** @description Whether workspaces can use it. */
      enabled?: boolean;
      /** @description Whether it came with the server. */
      official?: boolean;
      /** @description SHA-256 of that download. */
      sha?: string | null;
      /** @description The tool it is a release of. */
      tool?: string;
      /** @description Download URL for Linux on amd64. */
      url?: string | null;
      /** @description Exact version. */
      version?: string;
    };
    ToolVersionAttributesArch: {
      /** @description The CPU architecture. */
      arch: string;
      /** @description The operating system. */
      os: string;
      /** @description SHA-256 of the download. */
      sha: string;
      /** @description Download URL. */
      url: string;
    };
    ToolVersionDocument: {
      data: components["schemas"]["ToolVersion"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    ToolVersionList: {
      data: components["schemas"]["ToolVersion"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Related URLs. */
      links?: components["schemas"]["Links"];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    ToolVersionPage: {
      data: components["schemas"]["ToolVersion"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    ToolVersionRelationships: Record<string, never>;
    ToolVersionsCreateBody: {
      data: components["schemas"]["ToolVersionsCreateBodyData"];
    };
    ToolVersionsCreateBodyAttributes: {
      /** @description Downloads by platform; used instead of `url` and `sha`, and replaces earlier ones. */
      archs?: components["schemas"]["ToolVersionsCreateBodyAttributesArch"][];
      /**
       * @description Whether it is a beta, which constraints skip unless they name it.
       * @default false
       */
      beta?: boolean;
      /**
       * @description Whether it is deprecated.
       * @default false
       */
      deprecated?: boolean;
      /** @description Why it is deprecated. */
      "deprecated-reason"?: string | null;
      /**
       * @description Whether workspaces can use it.
       * @default true
       */
      enabled?: boolean;
      /** @description SHA-256 of that download. */
      sha?: string | null;
      /**
       * @description The tool it is a release of; defaults to the first one.
       * @enum {string}
       */
      tool?: "opentofu" | "terraform";
      /** @description Download URL for Linux on amd64. */
      url?: string | null;
      /**
       * @description Exact version.
       * @example 1.13.0
       */
      version: string;
    };
    ToolVersionsCreateBodyAttributesArch: {
      /**
       * @description The CPU architecture.
       * @enum {string}
       */
      arch: "amd64" | "arm64" | "s390x";
      /**
       * @description The operating system.
       * @constant
       */
      os: "linux";
      /** @description SHA-256 of the download. */
      sha: string;
      /** @description Download URL. */
      url: string;
    };
    ToolVersionsCreateBodyData: {
      attributes?: components["schemas"]["ToolVersionsCreateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /**
       * @description Kind of the resource.
       * @enum {string}
       */
      type?: "tool-versions" | "terraform-versions";
    };
    ToolVersionsUpdateBody: {
      data: components["schemas"]["ToolVersionsUpdateBodyData"];
    };
    ToolVersionsUpdateBodyAttributes: {
      /** @description Downloads by platform; used instead of `url` and `sha`, and replaces earlier ones. */
      archs?: components["schemas"]["ToolVersionsUpdateBodyAttributesArch"][];
      /** @description Whether it is a beta, which constraints skip unless they name it. */
      beta?: boolean;
      /** @description Whether it is deprecated. */
      deprecated?: boolean;
      /** @description Why it is deprecated. */
      "deprecated-reason"?: string | null;
      /** @description Whether workspaces can use it. */
      enabled?: boolean;
      /** @description SHA-256 of that download. */
      sha?: string | null;
      /** @description Download URL for Linux on amd64. */
      url?: string | null;
      /**
       * @description Exact version.
       * @example 1.13.0
       */
      version?: string;
    };
    ToolVersionsUpdateBodyAttributesArch: {
      /**
       * @description The CPU architecture.
       * @enum {string}
       */
      arch: "amd64" | "arm64" | "s390x";
      /**
       * @description The operating system.
       * @constant
       */
      os: "linux";
      /** @description SHA-256 of the download. */
      sha: string;
      /** @description Download URL. */
      url: string;
    };
    ToolVersionsUpdateBodyData: {
      attributes?: components["schemas"]["ToolVersionsUpdateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /**
       * @description Kind of the resource.
       * @enum {string}
       */
      type?: "tool-versions" | "terraform-versions";
    };
    TuneMountBody: {
      /** @description Response headers the method may set. */
      allowed_response_headers?: components["schemas"]["ListInput"];
      /** @description Request fields to record unhashed in audit records. */
      audit_non_hmac_request_keys?: components["schemas"]["ListInput"];
      /** @description Response fields to record unhashed in audit records. */
      audit_non_hmac_response_keys?: components["schemas"]["ListInput"];
      /** @description Default lifetime of tokens if a role sets none; empty keeps it, `system` or 0 resets it. */
      default_lease_ttl?: string;
      /** @description What the mount is for. */
      description?: string;
      /** @description Stored; has no effect. */
      force_no_cache?: components["schemas"]["FlagInput"];
      /** @description `unauth` shows the mount to callers without a token. */
      listing_visibility?: string;
      /** @description Maximum lifetime of tokens; empty keeps it, `system` or 0 resets it. */
      max_lease_ttl?: string;
      /** @description Stored with the mount. */
      options?: components["schemas"]["MapInput"];
      /** @description Request headers to pass to the method. */
      passthrough_request_headers?: components["schemas"]["ListInput"];
      /** @description Must be empty: every type has the version of the server. */
      plugin_version?: string;
      /** @description `default-service`, `default-batch`, `service` or `batch`. */
      token_type?: string;
      /** @description Always refused: no method locks users out. */
      user_lockout_config?: {
        [key: string]: unknown;
      };
    };
    UncountedRunPage: {
      data: components["schemas"]["Run"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["UncountedRunPageMeta"];
    };
    UncountedRunPageMeta: {
      pagination: components["schemas"]["UncountedRunPageMetaPagination"];
    };
    UncountedRunPageMetaPagination: {
      /** @description The current page. */
      "current-page": number;
      /** @description The next page, or null. */
      "next-page": number | null;
      /** @description Entries per page. */
      "page-size": number;
      /** @description The previous page, or null. */
      "prev-page": number | null;
    };
    User: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["UserAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["UserRelationships"];
      /** @constant */
      type: "users";
    };
    UserAttributes: {
      /** @description Whether the user may sign in with a certificate. */
      "allow-certificate-login"?: boolean;
      /** @description Picture, as a `data:` URL. */
      "avatar-url"?: string;
      /**
       * Format: date-time
       * @description When the user was created.
       */
      "created-at"?: string;
      /** @description E-mail address; null if the caller may not see it. */
      email?: string | null;
      /** @description True once a password has been set. */
      "has-password"?: boolean;
      /** @description Link to set the first password; only in the response that creates the user. */
      "invitation-url"?: string;
      /** @description True for site administrators. */
      "is-admin"?: boolean;
      /** @description True if a site administrator has set the e-mail address; only such addresses accept invitations. Shown with the address. */
      "is-email-verified"?: boolean;
      /** @description True if the account belongs to a team or organization rather than a person. */
      "is-service-account"?: boolean;
      /** @description Whether the user is suspended; shown to administrators. */
      "is-suspended"?: boolean;
      /** @description What the caller may do with the account. */
      permissions?: components["schemas"]["UserAttributesPermissions"];
      /** @description Link to set a new password; only in the response that creates the link. */
      "reset-url"?: string;
      /** @description Two-factor authentication; not in use. */
      "two-factor"?: components["schemas"]["UserAttributesTwoFactor"];
      /** @description Always null. */
      "unconfirmed-email"?: string | null;
      /** @description Username to sign in with. */
      username?: string;
      /** @description Always false. */
      "v2-only"?: boolean;
    };
    UserAttributesPermissions: {
      /** @description can-change-email */
      "can-change-email": boolean;
      /** @description can-change-username */
      "can-change-username": boolean;
      /** @description can-create-organizations */
      "can-create-organizations": boolean;
      /** @description can-manage-user-tokens */
      "can-manage-user-tokens": boolean;
    };
    UserAttributesTwoFactor: {
      /** @description enabled */
      enabled: boolean;
      /** @description verified */
      verified: boolean;
    };
    UserDocument: {
      data: components["schemas"]["User"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    UserIdentifier: {
      /** @description Identifier of the related resource. */
      id: string;
      /** @constant */
      type: "users";
    };
    UserPage: {
      data: components["schemas"]["User"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    UserRelationships: {
      /** @description The team or organization of a service account, otherwise the user. */
      "authenticated-resource"?: components["schemas"]["Relationship"];
      /** @description The organizations the user belongs to; shown to administrators. */
      organizations?: components["schemas"]["Relationship"];
    };
    UserTokensCreateBody1: {
      /**
       * @description What the token is for.
       * @example pipeline
       */
      description?: string | null;
      /**
       * Format: date-time
       * @description When the token expires; in two years by default, never with null.
       */
      "expired-at"?: string | null;
    };
    UserTokensCreateBody2: {
      data: components["schemas"]["UserTokensCreateBody2Data"];
    };
    UserTokensCreateBody2Attributes: {
      /**
       * @description What the token is for.
       * @example pipeline
       */
      description?: string | null;
      /**
       * Format: date-time
       * @description When the token expires; in two years by default, never with null.
       */
      "expired-at"?: string | null;
    };
    UserTokensCreateBody2Data: {
      attributes: components["schemas"]["UserTokensCreateBody2Attributes"];
    };
    Variable: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["VariableAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["VariableRelationships"];
      /** @constant */
      type: "vars";
    };
    VariableAttributes: {
      /** @description `terraform` or `env`. */
      category?: string;
      /**
       * Format: date-time
       * @description When it was created.
       */
      "created-at"?: string;
      /** @description What it is for. */
      description?: string | null;
      /** @description Whether the value is parsed as HCL. */
      hcl?: boolean;
      /** @description Name. */
      key?: string;
      /** @description Whether the value is write-only. */
      sensitive?: boolean;
      /** @description Value; null if it is sensitive. */
      value?: string | null;
      /** @description Changes with every change of the variable. */
      "version-id"?: string;
    };
    VariableDocument: {
      data: components["schemas"]["Variable"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    VariableList: {
      data: components["schemas"]["Variable"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Related URLs. */
      links?: components["schemas"]["Links"];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    VariableRelationships: {
      /** @description The workspace it belongs to. */
      configurable?: components["schemas"]["Relationship"];
    };
    VarsCreateBareBody: {
      data: components["schemas"]["VarsCreateBareBodyData"];
    };
    VarsCreateBareBodyAttributes: {
      /**
       * @description `terraform` for inputs of the configuration, `env` for the environment of runs.
       * @example terraform
       * @enum {string}
       */
      category: "terraform" | "env";
      /** @description What it is for. */
      description?: string | null;
      /**
       * @description Whether the value is parsed as HCL rather than as plain text; no effect for `env`.
       * @default false
       */
      hcl?: boolean;
      /**
       * @description Name of the variable.
       * @example region
       */
      key: string;
      /**
       * @description Whether the value is write-only. Once true, it cannot be reset.
       * @default false
       */
      sensitive?: boolean;
      /**
       * @description Its value; never returned for a sensitive variable.
       * @default
       * @example eu-west-1
       */
      value?: string | null;
    };
    VarsCreateBareBodyData: {
      attributes?: components["schemas"]["VarsCreateBareBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["VarsCreateBareBodyRelationships"];
      /** @constant */
      type?: "vars";
    };
    VarsCreateBareBodyRelationships: {
      /** @description The workspace it is for. */
      workspace: components["schemas"]["RelatedToWorkspace"];
    };
    VarsCreateBody: {
      data: components["schemas"]["VarsCreateBodyData"];
    };
    VarsCreateBodyAttributes: {
      /**
       * @description `terraform` for inputs of the configuration, `env` for the environment of runs.
       * @example terraform
       * @enum {string}
       */
      category: "terraform" | "env";
      /** @description What it is for. */
      description?: string | null;
      /**
       * @description Whether the value is parsed as HCL rather than as plain text; no effect for `env`.
       * @default false
       */
      hcl?: boolean;
      /**
       * @description Name of the variable.
       * @example region
       */
      key: string;
      /**
       * @description Whether the value is write-only. Once true, it cannot be reset.
       * @default false
       */
      sensitive?: boolean;
      /**
       * @description Its value; never returned for a sensitive variable.
       * @default
       * @example eu-west-1
       */
      value?: string | null;
    };
    VarsCreateBodyData: {
      attributes?: components["schemas"]["VarsCreateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /** @constant */
      type?: "vars";
    };
    VarsUpdateBareBody: {
      data: components["schemas"]["VarsUpdateBareBodyData"];
    };
    VarsUpdateBareBodyAttributes: {
      /**
       * @description `terraform` for inputs of the configuration, `env` for the environment of runs.
       * @example terraform
       * @enum {string}
       */
      category?: "terraform" | "env";
      /** @description What it is for. */
      description?: string | null;
      /** @description Whether the value is parsed as HCL rather than as plain text; no effect for `env`. */
      hcl?: boolean;
      /**
       * @description Name of the variable.
       * @example region
       */
      key?: string;
      /** @description Whether the value is write-only. Once true, it cannot be reset. */
      sensitive?: boolean;
      /**
       * @description Its value; never returned for a sensitive variable.
       * @example eu-west-1
       */
      value?: string | null;
    };
    VarsUpdateBareBodyData: {
      attributes?: components["schemas"]["VarsUpdateBareBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /** @constant */
      type?: "vars";
    };
    VarsUpdateBody: {
      data: components["schemas"]["VarsUpdateBodyData"];
    };
    VarsUpdateBodyAttributes: {
      /**
       * @description `terraform` for inputs of the configuration, `env` for the environment of runs.
       * @example terraform
       * @enum {string}
       */
      category?: "terraform" | "env";
      /** @description What it is for. */
      description?: string | null;
      /** @description Whether the value is parsed as HCL rather than as plain text; no effect for `env`. */
      hcl?: boolean;
      /**
       * @description Name of the variable.
       * @example region
       */
      key?: string;
      /** @description Whether the value is write-only. Once true, it cannot be reset. */
      sensitive?: boolean;
      /**
       * @description Its value; never returned for a sensitive variable.
       * @example eu-west-1
       */
      value?: string | null;
    };
    VarsUpdateBodyData: {
      attributes?: components["schemas"]["VarsUpdateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /** @constant */
      type?: "vars";
    };
    WarningsEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      /** @description Empty: the result is in another member. */
      data: Record<string, never>;
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[];
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    Workspace: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["WorkspaceAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["WorkspaceRelationships"];
      /** @constant */
      type: "workspaces";
    };
    WorkspaceAttributes: {
      /** @description What can be done with it. */
      actions?: components["schemas"]["WorkspaceAttributesActions"];
      /** @description Whether destroy plans are allowed. */
      "allow-destroy-plan"?: boolean;
      /** @description Average in milliseconds, over past runs. */
      "apply-duration-average"?: number | null;
      /** @description Whether health is assessed; hosted edition only. */
      "assessments-enabled"?: boolean;
      /** @description Apply automatically when a run is started by a user or a push. */
      "auto-apply"?: boolean;
      /** @description Apply automatically when a run trigger started the run. */
      "auto-apply-run-trigger"?: boolean;
      /** @description Period of inactivity after which everything is destroyed: `14d`, `36h`. */
      "auto-destroy-activity-duration"?: string | null;
      /**
       * Format: date-time
       * @description When everything is next scheduled to be destroyed.
       */
      "auto-destroy-at"?: string | null;
      /** @description null, `scheduled`, `queued`, `destroying`, `destroyed`, `errored` or `skipped`. */
      "auto-destroy-status"?: string | null;
      /** @description Whom to ask about it. */
      contact?: string | null;
      /**
       * Format: date-time
       * @description When it was created.
       */
      "created-at"?: string;
      /** @description What it is for. */
      description?: string | null;
      /** @description Always `default`. */
      environment?: string;
      /** @description `remote`, `local` or `agent`; its own, or the default of its project or organization. */
      "execution-mode"?: string;
      /** @description Whether path prefixes and patterns decide which pushes start runs. */
      "file-triggers-enabled"?: boolean;
      /** @description Whether every workspace of the organization may read the state. */
      "global-remote-state"?: boolean;
      /** @description Whether that period is inherited from the project; null if there is none. */
      "inherits-project-auto-destroy"?: boolean | null;
      /**
       * Format: date-time
       * @description When health was last assessed.
       */
      "last-assessment-result-at"?: string | null;
      /**
       * Format: date-time
       * @description When its state last changed.
       */
      "latest-change-at"?: string;
      /**
       * Format: date-time
       * @description When the lock expires, if it does.
       */
      "lock-expires-at"?: string | null;
      /** @description Whether it is locked. */
      locked?: boolean;
      /**
       * Format: date-time
       * @description When it was locked.
       */
      "locked-at"?: string | null;
      /** @description Reason for the lock. */
      "locked-reason"?: string | null;
      /** @description Name, unique in the organization. */
      name?: string;
      /** @description Name of the version control connection. */
      "oauth-client-name"?: string | null;
      /** @description Deprecated: false if execution-mode is local. */
      operations?: boolean;
      /** @description What the caller may do with it. */
      permissions?: components["schemas"]["WorkspaceAttributesPermissions"];
      /** @description Average in milliseconds, over past runs. */
      "plan-duration-average"?: number | null;
      /** @description Past runs that a policy stopped. */
      "policy-check-failures"?: number | null;
      /** @description Whether every workspace of the project may read the state. */
      "project-remote-state"?: boolean;
      /** @description Whether runs may start before the first one was queued manually. */
      "queue-all-runs"?: boolean;
      /** @description The release that the constraint currently resolves to. */
      "resolved-tool-version"?: string | null;
      /** @description Number of resources that its state manages. */
      "resource-count"?: number;
      /** @description Past runs that failed. */
      "run-failures"?: number | null;
      /** @description Which settings are its own. */
      "setting-overwrites"?: components["schemas"]["WorkspaceAttributesSettingOverwrites"];
      /** @description Where the workspace came from. */
      source?: string;
      /** @description Name of the tool that created it. */
      "source-name"?: string | null;
      /** @description URL of the tool that created it. */
      "source-url"?: string | null;
      /** @description Whether pull requests start speculative plans. */
      "speculative-enabled"?: boolean;
      /** @description Whether runs produce structured output. */
      "structured-run-output-enabled"?: boolean;
      /** @description Flat tags, in the order they were added. */
      "tag-names"?: string[];
      /** @description Same as `tool-version`, under the name that compatible clients know. */
      "terraform-version"?: string;
      /** @description The tool that runs configurations. */
      "tool-name"?: string;
      /** @description Version or constraint, as it was set. */
      "tool-version"?: string;
      /** @description Glob patterns of watched files. */
      "trigger-patterns"?: string[];
      /** @description Paths watched in addition to the working directory. */
      "trigger-prefixes"?: string[];
      /**
       * Format: date-time
       * @description When its settings last changed.
       */
      "updated-at"?: string;
      /** @description The repository it is linked to, or null. */
      "vcs-repo"?: components["schemas"]["WorkspaceAttributesVcsRepo"] | null;
      /** @description ":org/:repo". */
      "vcs-repo-identifier"?: string | null;
      /** @description Directory of the configuration in the repository. */
      "working-directory"?: string | null;
      /** @description Same as `workspace-kpis-runs-count`. */
      "workspace-kpis-run-count"?: number | null;
      /** @description Past runs that these figures cover. */
      "workspace-kpis-runs-count"?: number | null;
    };
    WorkspaceAttributesActions: {
      /** @description is-destroyable */
      "is-destroyable": boolean;
    };
    WorkspaceAttributesPermissions: {
      /** @description can-create-state-versions */
      "can-create-state-versions": boolean;
      /** @description can-destroy */
      "can-destroy": boolean;
      /** @description can-force-delete */
      "can-force-delete": boolean;
      /** @description can-force-unlock */
      "can-force-unlock": boolean;
      /** @description can-lock */
      "can-lock": boolean;
      /** @description can-manage-assessments */
      "can-manage-assessments": boolean;
      /** @description can-manage-ephemeral-workspaces */
      "can-manage-ephemeral-workspaces": boolean;
      /** @description can-manage-run-tasks */
      "can-manage-run-tasks": boolean;
      /** @description can-manage-tags */
      "can-manage-tags": boolean;
      /** @description can-queue-apply */
      "can-queue-apply": boolean;
      /** @description can-queue-destroy */
      "can-queue-destroy": boolean;
      /** @description can-queue-run */
      "can-queue-run": boolean;
      /** @description can-read-assessment-results */
      "can-read-assessment-results": boolean;
      /** @description can-read-run */
      "can-read-run": boolean;
      /** @description can-read-settings */
      "can-read-settings": boolean;
      /** @description can-read-state-outputs */
      "can-read-state-outputs": boolean;
      /** @description can-read-state-versions */
      "can-read-state-versions": boolean;
      /** @description can-read-variable */
      "can-read-variable": boolean;
      /** @description can-unlock */
      "can-unlock": boolean;
      /** @description can-update */
      "can-update": boolean;
      /** @description can-update-variable */
      "can-update-variable": boolean;
    };
    WorkspaceAttributesSettingOverwrites: {
      /** @description agent-pool */
      "agent-pool": boolean;
      /** @description execution-mode */
      "execution-mode": boolean;
    };
    WorkspaceAttributesVcsRepo: {
      /** @description Branch; empty for the default branch. */
      branch: string;
      /** @description Display name of the repository. */
      "display-identifier": string;
      /** @description ":org/:repo". */
      identifier: string;
      /** @description Whether submodules are fetched. */
      "ingress-submodules": boolean;
      /** @description The version control token. */
      "oauth-token-id": string | null;
      /** @description URL of the repository's web page. */
      "repository-http-url": string | null;
      /** @description The kind of provider. */
      "service-provider": string | null;
      /** @description Git tags that start runs. */
      "tags-regex": string | null;
      /** @description The app installation used instead of a token, if any. */
      "vcs-app-installation-id"?: string;
      /** @description URL that the provider calls; null if the caller cannot change the workspace. */
      "webhook-url": string | null;
    };
    WorkspaceChangesUndoBody1: {
      /**
       * @description Whether settings that have been changed again since are reset too.
       * @default false
       */
      force?: boolean;
    };
    WorkspaceChangesUndoBody2: {
      data: components["schemas"]["WorkspaceChangesUndoBody2Data"];
    };
    WorkspaceChangesUndoBody2Attributes: {
      /**
       * @description Whether settings that have been changed again since are reset too.
       * @default false
       */
      force?: boolean;
    };
    WorkspaceChangesUndoBody2Data: {
      attributes: components["schemas"]["WorkspaceChangesUndoBody2Attributes"];
    };
    WorkspaceDocument: {
      data: components["schemas"]["Workspace"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    WorkspaceEvent: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["WorkspaceEventAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["WorkspaceEventRelationships"];
      /** @constant */
      type: "workspace-events";
    };
    WorkspaceEventAttributes: {
      /** @description The action in the change log: create, update, lock, force-unlock, expire-lock, … */
      action?: string;
      /** @description Who did it. */
      actor?: components["schemas"]["WorkspaceEventAttributesActor"];
      /** @description Names of the changed attributes; read the workspace for their values. */
      changed?: string[];
      /**
       * Format: date-time
       * @description When it happened.
       */
      "created-at"?: string;
      /**
       * @description What happened; the name of the event.
       * @enum {string}
       */
      event?: "locked" | "unlocked" | "changed" | "deleted" | "tags" | "state";
      /** @description What was changed: the workspace, or something in it. */
      subject?: components["schemas"]["WorkspaceEventAttributesSubject"];
    };
    WorkspaceEventAttributesActor: {
      /** @description Identifier. */
      id: string;
      /** @description Name at that time. */
      name: string;
      /** @description Kind. */
      type: string;
    };
    WorkspaceEventAttributesSubject: {
      /** @description Identifier. */
      id: string;
      /** @description Name at that time. */
      name: string;
      /** @description Kind. */
      type: string;
    };
    WorkspaceEventDocument: {
      data: components["schemas"]["WorkspaceEvent"];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    WorkspaceEventRelationships: {
      /** @description The organization. */
      organization?: components["schemas"]["Relationship"];
      /** @description The workspace. */
      workspace?: components["schemas"]["Relationship"];
    };
    WorkspaceIdentifier: {
      /** @description Identifier of the related resource. */
      id: string;
      /** @constant */
      type: "workspaces";
    };
    WorkspaceLock: {
      /** @description Those that `fields` does not name are left out. */
      attributes: components["schemas"]["WorkspaceLockAttributes"];
      /** @description Identifier of the resource. */
      id: string;
      /** @description URL of the resource. */
      links?: components["schemas"]["Links"];
      relationships?: components["schemas"]["WorkspaceLockRelationships"];
      /** @constant */
      type: "workspace-locks";
    };
    WorkspaceLockAttributes: {
      /**
       * Format: date-time
       * @description When the lock expires, if it does.
       */
      "expires-at"?: string | null;
      /** @description Name of the holder; null for a team that you cannot see. */
      "holder-name"?: string | null;
      /**
       * Format: date-time
       * @description When the workspace was locked.
       */
      "locked-at"?: string;
      /** @description Reason for the lock. */
      reason?: string;
      /** @description How many calls wait for the lock at the node that answers. */
      waiting?: number;
    };
    WorkspaceLockDocument: {
      data: components["schemas"]["WorkspaceLock"] | null;
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description What is to be said about the request. */
      meta?: components["schemas"]["Meta"];
    };
    WorkspaceLockRelationships: {
      /** @description The holder: a user, a team or a run. */
      "locked-by"?: components["schemas"]["Relationship"];
      /** @description The workspace that is locked. */
      workspace?: components["schemas"]["Relationship"];
    };
    WorkspacePage: {
      data: components["schemas"]["Workspace"][];
      /** @description Related resources, as requested with `include`. */
      included?: components["schemas"]["IncludedResource"][];
      /** @description Absolute URLs of this and other pages. */
      links: components["schemas"]["Links"];
      meta: components["schemas"]["PageMeta"];
    };
    WorkspaceRelationships: {
      /** @description The agent pool that executes its runs in agent mode. */
      "agent-pool"?: components["schemas"]["Relationship"];
      /** @description The newest assessment of its health. */
      "current-assessment-result"?: components["schemas"]["Relationship"];
      /** @description The configuration in use. */
      "current-configuration-version"?: components["schemas"]["Relationship"];
      /** @description The current run, or the last one. */
      "current-run"?: components["schemas"]["Relationship"];
      /** @description Its current state version. */
      "current-state-version"?: components["schemas"]["Relationship"];
      /** @description The retention policy set on it, not an inherited one. */
      "data-retention-policy"?: components["schemas"]["Relationship"];
      /** @description Effective tag bindings, including those of the project. */
      "effective-tag-bindings"?: components["schemas"]["Relationship"];
      /** @description Deprecated: the same as current-run. */
      "latest-run"?: components["schemas"]["Relationship"];
      /** @description Who locked it: a user, a team or a run. */
      "locked-by"?: components["schemas"]["Relationship"];
      /** @description The organization, by name. */
      organization?: components["schemas"]["Relationship"];
      /** @description Root outputs of its current state. */
      outputs?: components["schemas"]["Relationship"];
      /** @description The project it belongs to. */
      project?: components["schemas"]["Relationship"];
      /** @description The README of its configuration. */
      readme?: components["schemas"]["Relationship"];
      /** @description The workspaces that may read its state. */
      "remote-state-consumers"?: components["schemas"]["Relationship"];
      /** @description The SSH key used to fetch modules. */
      "ssh-key"?: components["schemas"]["Relationship"];
      /** @description Its own tag bindings. */
      "tag-bindings"?: components["schemas"]["Relationship"];
      /** @description Its variables. */
      vars?: components["schemas"]["Relationship"];
    };
    WorkspacesAssignSshKeyBody: {
      data: components["schemas"]["WorkspacesAssignSshKeyBodyData"] | null;
    };
    WorkspacesAssignSshKeyBodyAttributes: {
      /** @description Key to use, or null for none. */
      id: string | null;
    };
    WorkspacesAssignSshKeyBodyData: {
      attributes?: components["schemas"]["WorkspacesAssignSshKeyBodyAttributes"];
      /** @description `workspaces`, or `ssh-keys` with the id beside it. */
      type: string;
    };
    WorkspacesBulkAnswer: {
      data: components["schemas"]["BulkResult"][];
      links?: components["schemas"]["WorkspacesBulkAnswerLinks"];
      meta: components["schemas"]["WorkspacesBulkAnswerMeta"];
    };
    WorkspacesBulkAnswerLinks: {
      /** @description Where to send the same body for those that were not reached, if there are any. */
      next: string;
    };
    WorkspacesBulkAnswerMeta: {
      /** @description Number of workspaces that were changed, or would be. */
      changed: number;
      /** @description True if nothing was changed. */
      "dry-run": boolean;
      /** @description Number of workspaces that the query selects; with `page[after]`, after that name. */
      matched: number;
      /** @description Number of workspaces that could not be changed. */
      refused: number;
      /** @description Number of workspaces that were not reached. */
      remaining: number;
      /** @description Number of workspaces that needed no change. */
      unchanged: number;
      /** @description Unknown names in the request, if there were any; they were ignored. */
      warnings?: string[];
    };
    WorkspacesBulkBody1: {
      /**
       * @description What to do with each workspace.
       * @enum {string}
       */
      action: "lock" | "unlock" | "force-unlock" | "add-tags" | "remove-tags" | "add-bindings";
      /** @description Tag bindings. */
      bindings?: components["schemas"]["WorkspacesBulkBody1Binding"][];
      /**
       * @description Report what would happen without changing anything.
       * @default false
       */
      "dry-run"?: boolean;
      /**
       * @description Release the locks automatically after this time.
       * @example 2h
       */
      "expires-after"?: string | null;
      /** @description Why the workspaces are locked. */
      reason?: string | null;
      /** @description Names of flat tags. */
      tags?: string[];
    };
    WorkspacesBulkBody1Binding: {
      /**
       * @description Key.
       * @example environment
       */
      key: string;
      /**
       * @description Value.
       * @example production
       */
      value?: string | null;
    };
    WorkspacesBulkBody2: {
      data: components["schemas"]["WorkspacesBulkBody2Data"];
    };
    WorkspacesBulkBody2Attributes: {
      /**
       * @description What to do with each workspace.
       * @enum {string}
       */
      action: "lock" | "unlock" | "force-unlock" | "add-tags" | "remove-tags" | "add-bindings";
      /** @description Tag bindings. */
      bindings?: components["schemas"]["WorkspacesBulkBody2AttributesBinding"][];
      /**
       * @description Report what would happen without changing anything.
       * @default false
       */
      "dry-run"?: boolean;
      /**
       * @description Release the locks automatically after this time.
       * @example 2h
       */
      "expires-after"?: string | null;
      /** @description Why the workspaces are locked. */
      reason?: string | null;
      /** @description Names of flat tags. */
      tags?: string[];
    };
    WorkspacesBulkBody2AttributesBinding: {
      /**
       * @description Key.
       * @example environment
       */
      key: string;
      /**
       * @description Value.
       * @example production
       */
      value?: string | null;
    };
    WorkspacesBulkBody2Data: {
      attributes: components["schemas"]["WorkspacesBulkBody2Attributes"];
    };
    WorkspacesChangeRetentionPolicyBody: {
      data: components["schemas"]["WorkspacesChangeRetentionPolicyBodyData"];
    };
    WorkspacesChangeRetentionPolicyBodyAttributes: {
      /**
       * @description Days after which old state and configurations are deleted.
       * @example 33
       */
      "delete-older-than-n-days"?: number;
    };
    WorkspacesChangeRetentionPolicyBodyData: {
      attributes?: components["schemas"]["WorkspacesChangeRetentionPolicyBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /**
       * @description Kind of the resource.
       * @enum {string}
       */
      type: "data-retention-policy-delete-olders" | "data-retention-policy-dont-deletes";
    };
    WorkspacesCreateBody: {
      data: components["schemas"]["WorkspacesCreateBodyData"];
    };
    WorkspacesCreateBodyAttributes: {
      /** @description Agent pool for agent mode; an empty value is ignored. */
      "agent-pool-id"?: string | null;
      /**
       * @description Whether destroy plans are allowed.
       * @default true
       */
      "allow-destroy-plan"?: boolean;
      /**
       * @description Whether health is assessed; hosted edition only.
       * @default false
       */
      "assessments-enabled"?: boolean;
      /**
       * @description Apply automatically when a run is started by a user or a push.
       * @default false
       */
      "auto-apply"?: boolean;
      /**
       * @description Apply automatically when a run trigger started the run.
       * @default false
       */
      "auto-apply-run-trigger"?: boolean;
      /**
       * @description Period of inactivity after which everything is destroyed.
       * @example 14d
       */
      "auto-destroy-activity-duration"?: string | null;
      /**
       * Format: date-time
       * @description When everything is to be destroyed; null for never.
       */
      "auto-destroy-at"?: string | null;
      /**
       * @description Whom to ask about it.
       * @example net-team@corp.example
       */
      contact?: string | null;
      /** @description What it is for. */
      description?: string | null;
      /**
       * @description Where runs are executed.
       * @enum {string}
       */
      "execution-mode"?: "remote" | "local" | "agent";
      /**
       * @description Whether path prefixes and patterns decide which pushes start runs.
       * @default true
       */
      "file-triggers-enabled"?: boolean;
      /** @description Whether every workspace of the organization may read the state. */
      "global-remote-state"?: boolean;
      /** @description Whether that period is inherited from the project. */
      "inherits-project-auto-destroy"?: boolean | null;
      /**
       * @description Letters, numbers, "-" and "_"; unique in the organization.
       * @example network-prod
       */
      name: string;
      /** @description Deprecated: true for execution-mode remote, false for local. */
      operations?: boolean;
      /** @description Whether every workspace of the project may read the state. */
      "project-remote-state"?: boolean;
      /**
       * @description Whether runs may start before the first one was queued manually.
       * @default false
       */
      "queue-all-runs"?: boolean;
      /** @description Which settings are the workspace's own; with false they follow the defaults of project and organization. */
      "setting-overwrites"?: components["schemas"]["WorkspacesCreateBodyAttributesSettingOverwrites"] | null;
      /** @description Name of the tool that created the workspace. */
      "source-name"?: string | null;
      /** @description URL of the tool that created the workspace. */
      "source-url"?: string | null;
      /**
       * @description Whether pull requests start speculative plans.
       * @default true
       */
      "speculative-enabled"?: boolean;
      /**
       * @description Whether runs produce structured output.
       * @default true
       */
      "structured-run-output-enabled"?: boolean;
      /**
       * @description Exact version, constraint, or `latest`; optionally prefixed with `tool:`.
       * @example ~> 1.9
       */
      "tool-version"?: string;
      /**
       * @description Glob patterns of watched files.
       * @default []
       */
      "trigger-patterns"?: string[] | null;
      /**
       * @description Paths watched in addition to the working directory.
       * @default []
       */
      "trigger-prefixes"?: string[] | null;
      /** @description Link to a repository; null removes it. A new link needs identifier and oauth-token-id. */
      "vcs-repo"?: components["schemas"]["WorkspacesCreateBodyAttributesVcsRepo"] | null;
      /** @description Directory of the configuration in the repository. */
      "working-directory"?: string | null;
    };
    WorkspacesCreateBodyAttributesSettingOverwrites: {
      /**
       * @description Whether it has its own agent pool.
       * @default true
       */
      "agent-pool"?: boolean;
      /**
       * @description Whether it has its own execution mode.
       * @default true
       */
      "execution-mode"?: boolean;
    };
    WorkspacesCreateBodyAttributesVcsRepo: {
      /** @description Branch; empty for the default branch. */
      branch?: string | null;
      /** @description ":org/:repo". */
      identifier?: string;
      /**
       * @description Whether submodules are fetched.
       * @default false
       */
      "ingress-submodules"?: boolean;
      /** @description The version control token, `ot-…`. */
      "oauth-token-id"?: string | null;
      /** @description Git tags that start runs, as a regular expression. */
      "tags-regex"?: string | null;
      /** @description An app installation instead of the token; on updates only. */
      "vcs-app-installation-id"?: string | null;
    };
    WorkspacesCreateBodyData: {
      attributes?: components["schemas"]["WorkspacesCreateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["WorkspacesCreateBodyRelationships"];
      /** @constant */
      type: "workspaces";
    };
    WorkspacesCreateBodyRelationships: {
      /** @description Agent pool for agent mode, unless the attribute names one. */
      "agent-pool"?: components["schemas"]["RelatedToAgentPoolOrNothing"];
      /** @description The project it belongs to; the default project if omitted. */
      project?: components["schemas"]["RelatedToProject"];
      /** @description Tag bindings; on an update they replace the existing ones. */
      "tag-bindings"?: components["schemas"]["RelatedToTagBindings"];
      /** @description Flat tags. */
      tags?: components["schemas"]["RelatedToTags"];
    };
    WorkspacesExtendLockBody1: {
      /**
       * @description Release the lock automatically after this time, counted from now.
       * @example 10m
       */
      "expires-after": string;
      /**
       * Format: date-time
       * @description The `locked-at` of the lock that is meant; any lock of the caller if it is left out.
       */
      "locked-at"?: string | null;
    };
    WorkspacesExtendLockBody2: {
      data: components["schemas"]["WorkspacesExtendLockBody2Data"];
    };
    WorkspacesExtendLockBody2Attributes: {
      /**
       * @description Release the lock automatically after this time, counted from now.
       * @example 10m
       */
      "expires-after": string;
      /**
       * Format: date-time
       * @description The `locked-at` of the lock that is meant; any lock of the caller if it is left out.
       */
      "locked-at"?: string | null;
    };
    WorkspacesExtendLockBody2Data: {
      attributes: components["schemas"]["WorkspacesExtendLockBody2Attributes"];
    };
    WorkspacesForceUnlockBody1: {
      /**
       * Format: date-time
       * @description The `locked-at` of the lock that is meant; any lock if it is left out.
       */
      "locked-at"?: string | null;
      /**
       * @description Why the lock is broken; the history keeps it.
       * @example The machine is gone
       */
      reason?: string | null;
    };
    WorkspacesForceUnlockBody2: {
      data: components["schemas"]["WorkspacesForceUnlockBody2Data"];
    };
    WorkspacesForceUnlockBody2Attributes: {
      /**
       * Format: date-time
       * @description The `locked-at` of the lock that is meant; any lock if it is left out.
       */
      "locked-at"?: string | null;
      /**
       * @description Why the lock is broken; the history keeps it.
       * @example The machine is gone
       */
      reason?: string | null;
    };
    WorkspacesForceUnlockBody2Data: {
      attributes: components["schemas"]["WorkspacesForceUnlockBody2Attributes"];
    };
    WorkspacesLockBody1: {
      /**
       * @description Release the lock automatically after this time.
       * @example 2h
       */
      "expires-after"?: string | null;
      /**
       * @description Why the workspace is locked.
       * @example Migrating
       */
      reason?: string | null;
    };
    WorkspacesLockBody2: {
      data: components["schemas"]["WorkspacesLockBody2Data"];
    };
    WorkspacesLockBody2Attributes: {
      /**
       * @description Release the lock automatically after this time.
       * @example 2h
       */
      "expires-after"?: string | null;
      /**
       * @description Why the workspace is locked.
       * @example Migrating
       */
      reason?: string | null;
    };
    WorkspacesLockBody2Data: {
      attributes: components["schemas"]["WorkspacesLockBody2Attributes"];
    };
    WorkspacesSetRetentionPolicyBody: {
      data: components["schemas"]["WorkspacesSetRetentionPolicyBodyData"];
    };
    WorkspacesSetRetentionPolicyBodyAttributes: {
      /**
       * @description Days after which old state and configurations are deleted.
       * @example 33
       */
      "delete-older-than-n-days"?: number;
    };
    WorkspacesSetRetentionPolicyBodyData: {
      attributes?: components["schemas"]["WorkspacesSetRetentionPolicyBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      /**
       * @description Kind of the resource.
       * @enum {string}
       */
      type: "data-retention-policy-delete-olders" | "data-retention-policy-dont-deletes";
    };
    WorkspacesUpdateBody: {
      data: components["schemas"]["WorkspacesUpdateBodyData"];
    };
    WorkspacesUpdateBodyAttributes: {
      /** @description Agent pool for agent mode; an empty value is ignored. */
      "agent-pool-id"?: string | null;
      /** @description Whether destroy plans are allowed. */
      "allow-destroy-plan"?: boolean;
      /** @description Whether health is assessed; hosted edition only. */
      "assessments-enabled"?: boolean;
      /** @description Apply automatically when a run is started by a user or a push. */
      "auto-apply"?: boolean;
      /** @description Apply automatically when a run trigger started the run. */
      "auto-apply-run-trigger"?: boolean;
      /**
       * @description Period of inactivity after which everything is destroyed.
       * @example 14d
       */
      "auto-destroy-activity-duration"?: string | null;
      /**
       * Format: date-time
       * @description When everything is to be destroyed; null for never.
       */
      "auto-destroy-at"?: string | null;
      /**
       * @description Whom to ask about it.
       * @example net-team@corp.example
       */
      contact?: string | null;
      /** @description What it is for. */
      description?: string | null;
      /**
       * @description Where runs are executed.
       * @enum {string}
       */
      "execution-mode"?: "remote" | "local" | "agent";
      /** @description Whether path prefixes and patterns decide which pushes start runs. */
      "file-triggers-enabled"?: boolean;
      /** @description Whether every workspace of the organization may read the state. */
      "global-remote-state"?: boolean;
      /** @description Whether that period is inherited from the project. */
      "inherits-project-auto-destroy"?: boolean | null;
      /**
       * @description Letters, numbers, "-" and "_"; unique in the organization.
       * @example network-prod
       */
      name?: string;
      /** @description Deprecated: true for execution-mode remote, false for local. */
      operations?: boolean;
      /** @description Whether every workspace of the project may read the state. */
      "project-remote-state"?: boolean;
      /** @description Whether runs may start before the first one was queued manually. */
      "queue-all-runs"?: boolean;
      /** @description Which settings are the workspace's own; with false they follow the defaults of project and organization. */
      "setting-overwrites"?: components["schemas"]["WorkspacesUpdateBodyAttributesSettingOverwrites"] | null;
      /** @description Whether pull requests start speculative plans. */
      "speculative-enabled"?: boolean;
      /** @description Whether runs produce structured output. */
      "structured-run-output-enabled"?: boolean;
      /**
       * @description Exact version, constraint, or `latest`; optionally prefixed with `tool:`.
       * @example ~> 1.9
       */
      "tool-version"?: string;
      /** @description Glob patterns of watched files. */
      "trigger-patterns"?: string[] | null;
      /** @description Paths watched in addition to the working directory. */
      "trigger-prefixes"?: string[] | null;
      /** @description Link to a repository; null removes it. A new link needs identifier and oauth-token-id. */
      "vcs-repo"?: components["schemas"]["WorkspacesUpdateBodyAttributesVcsRepo"] | null;
      /** @description Directory of the configuration in the repository. */
      "working-directory"?: string | null;
    };
    WorkspacesUpdateBodyAttributesSettingOverwrites: {
      /** @description Whether it has its own agent pool. */
      "agent-pool"?: boolean;
      /** @description Whether it has its own execution mode. */
      "execution-mode"?: boolean;
    };
    WorkspacesUpdateBodyAttributesVcsRepo: {
      /** @description Branch; empty for the default branch. */
      branch?: string | null;
      /** @description ":org/:repo". */
      identifier?: string;
      /** @description Whether submodules are fetched. */
      "ingress-submodules"?: boolean;
      /** @description The version control token, `ot-…`. */
      "oauth-token-id"?: string | null;
      /** @description Git tags that start runs, as a regular expression. */
      "tags-regex"?: string | null;
      /** @description An app installation instead of the token; on updates only. */
      "vcs-app-installation-id"?: string | null;
    };
    WorkspacesUpdateBodyData: {
      attributes?: components["schemas"]["WorkspacesUpdateBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["WorkspacesUpdateBodyRelationships"];
      /** @constant */
      type: "workspaces";
    };
    WorkspacesUpdateBodyRelationships: {
      /** @description Agent pool for agent mode, unless the attribute names one. */
      "agent-pool"?: components["schemas"]["RelatedToAgentPoolOrNothing"];
      /** @description The project it belongs to; the default project if omitted. */
      project?: components["schemas"]["RelatedToProject"];
      /** @description Tag bindings; on an update they replace the existing ones. */
      "tag-bindings"?: components["schemas"]["RelatedToTagBindings"];
    };
    WorkspacesUpdateByNameBody: {
      data: components["schemas"]["WorkspacesUpdateByNameBodyData"];
    };
    WorkspacesUpdateByNameBodyAttributes: {
      /** @description Agent pool for agent mode; an empty value is ignored. */
      "agent-pool-id"?: string | null;
      /** @description Whether destroy plans are allowed. */
      "allow-destroy-plan"?: boolean;
      /** @description Whether health is assessed; hosted edition only. */
      "assessments-enabled"?: boolean;
      /** @description Apply automatically when a run is started by a user or a push. */
      "auto-apply"?: boolean;
      /** @description Apply automatically when a run trigger started the run. */
      "auto-apply-run-trigger"?: boolean;
      /**
       * @description Period of inactivity after which everything is destroyed.
       * @example 14d
       */
      "auto-destroy-activity-duration"?: string | null;
      /**
       * Format: date-time
       * @description When everything is to be destroyed; null for never.
       */
      "auto-destroy-at"?: string | null;
      /**
       * @description Whom to ask about it.
       * @example net-team@corp.example
       */
      contact?: string | null;
      /** @description What it is for. */
      description?: string | null;
      /**
       * @description Where runs are executed.
       * @enum {string}
       */
      "execution-mode"?: "remote" | "local" | "agent";
      /** @description Whether path prefixes and patterns decide which pushes start runs. */
      "file-triggers-enabled"?: boolean;
      /** @description Whether every workspace of the organization may read the state. */
      "global-remote-state"?: boolean;
      /** @description Whether that period is inherited from the project. */
      "inherits-project-auto-destroy"?: boolean | null;
      /**
       * @description Letters, numbers, "-" and "_"; unique in the organization.
       * @example network-prod
       */
      name?: string;
      /** @description Deprecated: true for execution-mode remote, false for local. */
      operations?: boolean;
      /** @description Whether every workspace of the project may read the state. */
      "project-remote-state"?: boolean;
      /** @description Whether runs may start before the first one was queued manually. */
      "queue-all-runs"?: boolean;
      /** @description Which settings are the workspace's own; with false they follow the defaults of project and organization. */
      "setting-overwrites"?: components["schemas"]["WorkspacesUpdateByNameBodyAttributesSettingOverwrites"] | null;
      /** @description Whether pull requests start speculative plans. */
      "speculative-enabled"?: boolean;
      /** @description Whether runs produce structured output. */
      "structured-run-output-enabled"?: boolean;
      /**
       * @description Exact version, constraint, or `latest`; optionally prefixed with `tool:`.
       * @example ~> 1.9
       */
      "tool-version"?: string;
      /** @description Glob patterns of watched files. */
      "trigger-patterns"?: string[] | null;
      /** @description Paths watched in addition to the working directory. */
      "trigger-prefixes"?: string[] | null;
      /** @description Link to a repository; null removes it. A new link needs identifier and oauth-token-id. */
      "vcs-repo"?: components["schemas"]["WorkspacesUpdateByNameBodyAttributesVcsRepo"] | null;
      /** @description Directory of the configuration in the repository. */
      "working-directory"?: string | null;
    };
    WorkspacesUpdateByNameBodyAttributesSettingOverwrites: {
      /** @description Whether it has its own agent pool. */
      "agent-pool"?: boolean;
      /** @description Whether it has its own execution mode. */
      "execution-mode"?: boolean;
    };
    WorkspacesUpdateByNameBodyAttributesVcsRepo: {
      /** @description Branch; empty for the default branch. */
      branch?: string | null;
      /** @description ":org/:repo". */
      identifier?: string;
      /** @description Whether submodules are fetched. */
      "ingress-submodules"?: boolean;
      /** @description The version control token, `ot-…`. */
      "oauth-token-id"?: string | null;
      /** @description Git tags that start runs, as a regular expression. */
      "tags-regex"?: string | null;
      /** @description An app installation instead of the token; on updates only. */
      "vcs-app-installation-id"?: string | null;
    };
    WorkspacesUpdateByNameBodyData: {
      attributes?: components["schemas"]["WorkspacesUpdateByNameBodyAttributes"];
      /** @description If given, must match the addressed resource. */
      id?: string;
      relationships?: components["schemas"]["WorkspacesUpdateByNameBodyRelationships"];
      /** @constant */
      type: "workspaces";
    };
    WorkspacesUpdateByNameBodyRelationships: {
      /** @description Agent pool for agent mode, unless the attribute names one. */
      "agent-pool"?: components["schemas"]["RelatedToAgentPoolOrNothing"];
      /** @description The project it belongs to; the default project if omitted. */
      project?: components["schemas"]["RelatedToProject"];
      /** @description Tag bindings; on an update they replace the existing ones. */
      "tag-bindings"?: components["schemas"]["RelatedToTagBindings"];
    };
    WrapInfo: {
      /** @description Its accessor. */
      accessor: string;
      /** @description The path that produced the response. */
      creation_path: string;
      /** @description When it was wrapped. */
      creation_time: string;
      /** @description The wrapping token. */
      token: string;
      /** @description Seconds that the response is kept. */
      ttl: number;
      /** @description The accessor of the wrapped token. */
      wrapped_accessor?: string;
    };
    WrapInfoEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      /** @description Empty: the result is in another member. */
      data: Record<string, never>;
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      wrap_info: components["schemas"]["WrapInfo"];
    };
    WrappingInfo: {
      /** @description The path that produced the response. */
      creation_path: string;
      /** @description When it was wrapped. */
      creation_time: string;
      /** @description Seconds that the response is kept. */
      creation_ttl: number;
    };
    WrappingInfoEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      data: components["schemas"]["WrappingInfo"];
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
    WrappingLookupBody: {
      /** @description The wrapping token; by default the caller's own. */
      token?: string;
    };
    WrappingRewrapBody: {
      /** @description The wrapping token; by default the caller's own. */
      token?: string;
    };
    WrappingUnwrapBody: {
      /** @description The wrapping token; by default the caller's own. */
      token?: string;
    };
    WrappingUnwrapEnvelope: {
      /** @description The token that a login or a token request returns. */
      auth: components["schemas"]["TokenAuth"] | null;
      /** @description The response as it was wrapped. */
      data: unknown;
      /** @description Duration of the lease in seconds; 0 if there is none. */
      lease_duration: number;
      /** @description The lease of the returned secret; empty if there is none. */
      lease_id: string;
      /** @description Type of the mount that responded. */
      mount_type: string;
      /** @description Whether the lease can be renewed. */
      renewable: boolean;
      /** @description Identifies the request in log and audit records. */
      request_id: string;
      /** @description Warnings for the caller. */
      warnings: string[] | null;
      /** @description The wrapping token, if the response is wrapped; the other members are empty then. */
      wrap_info: components["schemas"]["WrapInfo"] | null;
    };
  };
  responses: {
    /** @description Unchanged since the response whose `ETag` was sent. */
    NotModified: {
      headers: {
        ETag: components["headers"]["ETag"];
        [name: string]: unknown;
      };
      content?: never;
    };
  };
  parameters: {
    /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
    IfNoneMatch: string;
    /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
    Prefer: string;
  };
  requestBodies: never;
  headers: {
    /** @description Changes whenever the body does; for `If-None-Match`. */
    ETag: string;
    /** @description Unknown parameters and members of the request: `299 - "text"` for each, separated by commas. A document has the texts in `meta.warnings`. */
    Warning: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  "state-content.download": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The signed token in the URL of a state version's content. */
        token: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Download the content of a state version. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": string;
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "state-content.upload": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The signed token in the URL of a state version's content. */
        token: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/octet-stream": string;
      };
    };
    responses: {
      /** @description Upload the content of a state version; works once. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "run-logs.read": {
    parameters: {
      query?: {
        /** @description How many bytes at most. */
        limit?: string;
        /** @description After how many bytes. */
        offset?: string;
      };
      header?: never;
      path: {
        /** @description The signed token in the `log-read-url` of a plan or an apply. */
        token: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the log of a plan or an apply from an offset on. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": string;
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "account.details": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the account of the caller. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["UserDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "account.password": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["AccountPasswordBody"];
      };
    };
    responses: {
      /** @description Change your own password; this ends all sessions. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["UserDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "account.update": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["AccountUpdateBody"];
      };
    };
    responses: {
      /** @description Change your own username or e-mail address. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["UserDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "feature-sets.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
        /** @description Part of the name. */
        q?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the feature sets that organizations can subscribe to; hosted edition only. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["FeatureSetPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "nodes.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the nodes that share the database, by name. A node that is gone stays in the list for a day. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["NodePage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organizations.subscribe": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["OrganizationsSubscribeBody"];
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "removals.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the organizations and tags that are gone and whose rows are still being removed, the oldest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["RemovalPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "terraform-versions.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Releases of this tool only. */
        "filter[tool]"?: string;
        /** @description The release of exactly this version. */
        "filter[version]"?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
        /** @description Part of the version. */
        "search[version]"?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the releases in the catalogue, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ToolVersionPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "terraform-versions.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["TerraformVersionsCreateBody"];
      };
    };
    responses: {
      /** @description Add a release to the catalogue. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ToolVersionDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "terraform-versions.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the release. */
        versionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a release in the catalogue. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ToolVersionDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "terraform-versions.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the release. */
        versionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "terraform-versions.update": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the release. */
        versionId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["TerraformVersionsUpdateBody"];
      };
    };
    responses: {
      /** @description Change or disable a release in the catalogue. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ToolVersionDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tool-versions.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Releases of this tool only. */
        "filter[tool]"?: string;
        /** @description The release of exactly this version. */
        "filter[version]"?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
        /** @description Part of the version. */
        "search[version]"?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the releases in the catalogue, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ToolVersionPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tool-versions.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["ToolVersionsCreateBody"];
      };
    };
    responses: {
      /** @description Add a release to the catalogue. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ToolVersionDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tool-versions.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the release. */
        versionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a release in the catalogue. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ToolVersionDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tool-versions.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the release. */
        versionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tool-versions.update": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the release. */
        versionId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["ToolVersionsUpdateBody"];
      };
    };
    responses: {
      /** @description Change or disable a release in the catalogue. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ToolVersionDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "admin-users.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Only site administrators, or only other users. */
        "filter[admin]"?: boolean;
        /** @description Only suspended users, or only users who are not. */
        "filter[suspended]"?: boolean;
        /** @description Related resources to include: organizations. */
        include?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
        /** @description Part of a username or e-mail address. */
        q?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List all users, including people who are invited and have not joined yet. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["UserPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "admin-users.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: organizations. */
        include?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["AdminUsersCreateBody"];
      };
    };
    responses: {
      /** @description Create a user; without a password, the response contains an invitation link. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["UserDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "admin-users.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: organizations. */
        include?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the user. */
        userId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a user, or someone who is invited. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["UserDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "admin-users.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the user. */
        userId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "admin-users.update": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: organizations. */
        include?: string;
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the user. */
        userId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["AdminUsersUpdateBody"];
      };
    };
    responses: {
      /** @description Change a user, or whether the user is a site administrator. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["UserDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "admin-users.grant-admin": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: organizations. */
        include?: string;
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the user. */
        userId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Make a user a site administrator. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["UserDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "admin-users.reset": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: organizations. */
        include?: string;
      };
      header?: never;
      path: {
        /** @description Identifier of the user. */
        userId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Create a link with which a user can set a new password. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["UserDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "admin-users.revoke-admin": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: organizations. */
        include?: string;
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the user. */
        userId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Remove site administration from a user. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["UserDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "admin-users.suspend": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: organizations. */
        include?: string;
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the user. */
        userId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Suspend a user: sign-in is refused and the user's tokens stop working. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["UserDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "admin-users.unsuspend": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: organizations. */
        include?: string;
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the user. */
        userId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Lift the suspension of a user. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["UserDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "agent-pools.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: workspaces. */
        include?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the pool. */
        poolId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read an agent pool. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["AgentPoolDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "agent-pools.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the pool. */
        poolId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "agent-pools.update": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the pool. */
        poolId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["AgentPoolsUpdateBody"];
      };
    };
    responses: {
      /** @description Change an agent pool; lists in the request replace the existing ones. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["AgentPoolDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "agent-tokens.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the pool. */
        poolId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the tokens of an agent pool. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["AuthenticationTokenPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "agent-tokens.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: never;
      path: {
        /** @description Identifier of the pool. */
        poolId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/vnd.api+json": components["schemas"]["AgentTokensCreateBody1"] | components["schemas"]["AgentTokensCreateBody2"];
      };
    };
    responses: {
      /** @description Create a token for the executors of an agent pool. It is shown only once and gives no other access. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["AuthenticationTokenDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "applies.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the apply. */
        applyId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read an apply. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ApplyDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tokens.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the token. */
        tokenId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the details of a token, without its value. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["AuthenticationTokenDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tokens.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the token. */
        tokenId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "comments.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the comment. */
        commentId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a comment on a run. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["CommentDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "configuration-versions.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: ingress_attributes, run. */
        include?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the configuration version. */
        configurationVersionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a configuration version. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ConfigurationVersionDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "oauth-clients.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: oauth_tokens. */
        include?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the connection. */
        clientId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a version control connection. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OauthClientDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "oauth-clients.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the connection. */
        clientId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "oauth-clients.update": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the connection. */
        clientId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["OauthClientsUpdateBody"];
      };
    };
    responses: {
      /** @description Rename a version control connection, move it to another address, or replace its token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OauthClientDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "oauth-clients.list-tokens": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the connection. */
        clientId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the tokens of a version control connection, without their values. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OauthTokenList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "oauth-tokens.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the token. */
        oauthTokenId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a version control token, without its value. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OauthTokenDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "oauth-tokens.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the token. */
        oauthTokenId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "oauth-tokens.update": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the token. */
        oauthTokenId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["OauthTokensUpdateBody"];
      };
    };
    responses: {
      /** @description Set the SSH key of a version control token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OauthTokenDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "memberships.mine": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description E-mail addresses. Separate several values with commas. */
        "filter[email]"?: string;
        /** @description `invited` or `active`. */
        "filter[status]"?: string;
        /** @description Related resources to include: user, teams. */
        include?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
        /** @description Part of an e-mail address or username. */
        q?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the organizations you belong to. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OrganizationMembershipPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "memberships.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: user, teams. */
        include?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the membership. */
        membershipId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a membership. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OrganizationMembershipDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "memberships.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the membership. */
        membershipId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organizations.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
        /** @description Part of the name or of the e-mail address. */
        q?: string;
        /** @description Part of the e-mail address. */
        "q[email]"?: string;
        /** @description Part of the name. */
        "q[name]"?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the organizations you belong to. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OrganizationPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organizations.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["OrganizationsCreateBody"];
      };
    };
    responses: {
      /** @description Create an organization; you become its first owner. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OrganizationDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organizations.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: default_project. */
        include?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read an organization. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OrganizationDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organizations.update-by-put": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["OrganizationsUpdateByPutBody"];
      };
    };
    responses: {
      /** @description Change the settings of an organization; omitted attributes keep their values. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OrganizationDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organizations.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organizations.update": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["OrganizationsUpdateBody"];
      };
    };
    responses: {
      /** @description Change the settings of an organization; omitted attributes keep their values. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OrganizationDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "agent-pools.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Only pools that the project may use. */
        "filter[allowed-projects][name]"?: string;
        /** @description Only pools that the workspace may use. */
        "filter[allowed-workspaces][name]"?: string;
        /** @description Related resources to include: workspaces. */
        include?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
        /** @description Part of the name. */
        q?: string;
        /** @description Sort key: one of name, created-at; prefix it with "-" to reverse the order. */
        sort?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the agent pools of an organization. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["AgentPoolPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "agent-pools.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": {
         *         "type": "agent-pools",
         *         "attributes": {
         *           "name": "on-premises"
         *         }
         *       }
         *     }
         */
        "application/vnd.api+json": components["schemas"]["AgentPoolsCreateBody"];
      };
    };
    responses: {
      /** @description Create an agent pool. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["AgentPoolDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "attention.list": {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List what needs attention: what failed first, then what is at risk. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["AttentionListAnswer"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organization-token.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description `audit-trails` for a separate token, which gives no access yet. */
        token?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the details of the organization token, without its value. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["AuthenticationTokenDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organization-token.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description `audit-trails` for a separate token, which gives no access yet. */
        token?: string;
      };
      header?: never;
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/vnd.api+json": components["schemas"]["OrganizationTokenCreateBody1"] | components["schemas"]["OrganizationTokenCreateBody2"];
      };
    };
    responses: {
      /** @description Create the organization token, replacing any previous one. It is shown only once. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["AuthenticationTokenDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organization-token.delete": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description `audit-trails` for a separate token, which gives no access yet. */
        token?: string;
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "runs.capacity": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read how many runs of an organization are executed and wait. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OrganizationCapacityDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "changes.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Changes of this resource only. */
        "filter[subject][id]"?: string;
        /** @description Changes of this kind of resource only. */
        "filter[subject][type]"?: string;
        /** @description Changes of this workspace only. */
        "filter[workspace][id]"?: string;
        /** @description Position to continue from, as given in `links.next`. */
        "page[before]"?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the changes made in an organization, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ChangeList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organizations.entitlement-set": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read which features are available and enabled. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["EntitlementSetDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspace-events.of-organization": {
    parameters: {
      query?: never;
      header?: {
        /** @description The id of the last event received; the stream continues after it. */
        "Last-Event-ID"?: string;
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Stream events of the workspaces you can see in an organization. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": components["schemas"]["WorkspaceEventDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "oauth-clients.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: oauth_tokens. */
        include?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the version control connections of an organization. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OauthClientPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "oauth-clients.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["OauthClientsCreateBody"];
      };
    };
    responses: {
      /** @description Create a version control connection with a token from the provider. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OauthClientDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "oauth-tokens.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the tokens of all version control connections, without their values. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OauthTokenPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "memberships.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description E-mail addresses. Separate several values with commas. */
        "filter[email]"?: string;
        /** @description `invited` or `active`. */
        "filter[status]"?: string;
        /** @description Related resources to include: user, teams. */
        include?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
        /** @description Part of an e-mail address or username. */
        q?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the members of an organization, including people who are invited. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OrganizationMembershipPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "memberships.invite": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: user, teams. */
        include?: string;
      };
      header?: never;
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["MembershipsInviteBody"];
      };
    };
    responses: {
      /** @description Invite someone by e-mail address. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OrganizationMembershipDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "projects.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Only projects with one of these names, in any case. Separate several values with commas. */
        "filter[names]"?: string;
        /** @description Tag bindings that a project must have. This is the key of the first; further ones have other numbers. */
        "filter[tagged][0][key]"?: string;
        /** @description Tag bindings that a project must have. This is the value of the first; further ones have other numbers. */
        "filter[tagged][0][value]"?: string;
        /** @description Related resources to include: effective_tag_bindings. */
        include?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
        /** @description Part of the name. */
        q?: string;
        /** @description Sort key: one of name; prefix it with "-" to reverse the order. */
        sort?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the projects you can see. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ProjectPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "projects.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": {
         *         "type": "projects",
         *         "attributes": {
         *           "name": "Network"
         *         }
         *       }
         *     }
         */
        "application/vnd.api+json": components["schemas"]["ProjectsCreateBody"];
      };
    };
    responses: {
      /** @description Create a project. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ProjectDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organizations.retention-policy": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the default retention policy, which applies to workspaces without their own. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["RetentionPolicyDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organizations.set-retention-policy": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": {
         *         "type": "data-retention-policy-delete-olders",
         *         "attributes": {
         *           "delete-older-than-n-days": 33
         *         }
         *       }
         *     }
         */
        "application/vnd.api+json": components["schemas"]["OrganizationsSetRetentionPolicyBody"];
      };
    };
    responses: {
      /** @description Set the default retention policy, which applies to workspaces without their own. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["RetentionPolicyDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organizations.remove-retention-policy": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organizations.change-retention-policy": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": {
         *         "type": "data-retention-policy-delete-olders",
         *         "attributes": {
         *           "delete-older-than-n-days": 33
         *         }
         *       }
         *     }
         */
        "application/vnd.api+json": components["schemas"]["OrganizationsChangeRetentionPolicyBody"];
      };
    };
    responses: {
      /** @description Set the retention policy; same as POST. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["RetentionPolicyDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "runs.of-organization": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Only runs for these agent pools. Separate several values with commas. */
        "filter[agent-pool-names]"?: string;
        /** @description Only runs meant for this: plan_and_apply, plan_only, refresh_only, destroy, empty_apply, save_plan, action_only. Separate several values with commas. */
        "filter[operation]"?: string;
        /** @description Only runs created so: tfe-api, tfe-ui, tfe-configuration-version. Separate several values with commas. */
        "filter[source]"?: string;
        /** @description One of final, non_final, discardable. */
        "filter[status-group]"?: string;
        /** @description Only runs with one of these statuses. Separate several values with commas. */
        "filter[status]"?: string;
        /** @description A year, or `year` for the last twelve months. */
        "filter[timeframe]"?: string;
        /** @description Only runs of these workspaces. Separate several values with commas. */
        "filter[workspace-names]"?: string;
        /** @description Related resources to include: plan, apply, created_by, confirmed_by, canceled_by, cost_estimate, configuration_version, configuration_version.ingress_attributes, workspace, task_stages, policy_checks, run_events, comments, input_state_version, tf_policy_evaluations. */
        include?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
        /** @description The user, the id of the run, or a part of its message. */
        "search[basic]"?: string;
        /** @description The beginning of the commit; nothing comes from commits yet. */
        "search[commit]"?: string;
        /** @description The user who created the run. */
        "search[user]"?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the runs you can see in an organization, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["UncountedRunPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "runs.queue": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: plan, apply, created_by, confirmed_by, canceled_by, cost_estimate, configuration_version, configuration_version.ingress_attributes, workspace, task_stages, policy_checks, run_events, comments, input_state_version, tf_policy_evaluations. */
        include?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the runs of an organization that are executed or wait to be, in the order of the queue. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["RunPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "ssh-keys.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the SSH keys of an organization. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["SshKeyPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "ssh-keys.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["SshKeysCreateBody"];
      };
    };
    responses: {
      /** @description Store an SSH key. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["SshKeyDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tags.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Exclude the tags of this workspace. */
        "filter[exclude][taggable][id]"?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
        /** @description Part of the name. */
        q?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the flat tags of an organization. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TagPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tags.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["TagsDeleteBody"];
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organization-team-tokens.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
        /** @description Part of the name of a team. */
        q?: string;
        /** @description Sort key: one of team-name, created-by, created-at, expired-at, last-used-at; prefix it with "-" to reverse the order. */
        sort?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the tokens of the teams whose tokens you can manage. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["AuthenticationTokenPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "teams.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Names. Separate several values with commas. */
        "filter[names]"?: string;
        /** @description Related resources to include: users, organization_memberships. */
        include?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
        /** @description Part of the name. */
        q?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the teams you can see. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TeamPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "teams.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: users, organization_memberships. */
        include?: string;
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["TeamsCreateBody"];
      };
    };
    responses: {
      /** @description Create a team. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TeamDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organizations.token-limits": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List how long new tokens may last. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TokenLimitList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "organizations.set-token-limits": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": {
         *         "type": "organization-token-ttl-policies",
         *         "attributes": {
         *           "token-ttl-policies": [
         *             {
         *               "token-type": "team",
         *               "max-ttl-ms": 86400000
         *             }
         *           ]
         *         }
         *       }
         *     }
         */
        "application/vnd.api+json": components["schemas"]["OrganizationsSetTokenLimitsBody"];
      };
    };
    responses: {
      /** @description Set how long new tokens may last; existing tokens stay as they are. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TokenLimitList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tool-versions.choose": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the releases available to workspaces, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ToolVersionList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Workspaces whose current run has this status. Separate several values with commas. */
        "filter[current-run][status]"?: string;
        /** @description Workspaces that are locked, or those that are not. */
        "filter[locked]"?: boolean;
        /** @description Workspaces with these names only. Separate several values with commas. */
        "filter[names]"?: string;
        /** @description Workspaces of this project only. */
        "filter[project][id]"?: string;
        /** @description Effective tag bindings that a workspace must have. This is the key of the first; further ones have other numbers. */
        "filter[tagged][0][key]"?: string;
        /** @description Effective tag bindings that a workspace must have. This is the value of the first; further ones have other numbers. */
        "filter[tagged][0][value]"?: string;
        /** @description Workspaces with this tool version, as it was set: `~> 1.9` does not find `1.9.4`. */
        "filter[tool-version]"?: string;
        /** @description Workspaces whose `updated-at` is this time or later. */
        "filter[updated-since]"?: string;
        /** @description Related resources to include: current_run, current_run.plan, current_run.apply, current_run.configuration_version, current_run.configuration_version.ingress_attributes, latest_run, latest_run.plan, latest_run.apply, latest_run.configuration_version, latest_run.configuration_version.ingress_attributes, current_configuration_version, current_configuration_version.ingress_attributes, current_state_version, current_assessment_result, locked_by, organization, outputs, project, readme, agent_pool, vars, effective_tag_bindings. */
        include?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
        /** @description Flat tags or tag binding keys; a workspace must have none of them. Separate several values with commas. */
        "search[exclude-tags]"?: string;
        /** @description Part of the name, case-insensitive. */
        "search[name]"?: string;
        /** @description Flat tags or tag binding keys; a workspace must have all of them. Separate several values with commas. */
        "search[tags]"?: string;
        /** @description The name, with "*" as a wildcard at its beginning, its end or both. */
        "search[wildcard-name]"?: string;
        /** @description Sort key: one of name, current-run.created-at, latest-change-at; prefix it with "-" to reverse the order. */
        sort?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the workspaces you can see in an organization. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["WorkspacePage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": {
         *         "type": "workspaces",
         *         "attributes": {
         *           "name": "network-prod",
         *           "execution-mode": "local"
         *         }
         *       }
         *     }
         */
        "application/vnd.api+json": components["schemas"]["WorkspacesCreateBody"];
      };
    };
    responses: {
      /** @description Create a workspace. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["WorkspaceDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.show-by-name": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: current_run, current_run.plan, current_run.apply, current_run.configuration_version, current_run.configuration_version.ingress_attributes, latest_run, latest_run.plan, latest_run.apply, latest_run.configuration_version, latest_run.configuration_version.ingress_attributes, current_configuration_version, current_configuration_version.ingress_attributes, current_state_version, current_assessment_result, locked_by, organization, outputs, project, readme, agent_pool, vars, effective_tag_bindings. */
        include?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the workspace. */
        name: string;
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a workspace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["WorkspaceDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.delete-by-name": {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier read without `include` and `fields`: nothing is done if the workspace has changed since. */
        "If-Match"?: string;
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the workspace. */
        name: string;
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.update-by-name": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier read without `include` and `fields`: nothing is done if the workspace has changed since. */
        "If-Match"?: string;
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the workspace. */
        name: string;
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": {
         *         "type": "workspaces",
         *         "attributes": {
         *           "auto-apply": true
         *         }
         *       }
         *     }
         */
        "application/vnd.api+json": components["schemas"]["WorkspacesUpdateByNameBody"];
      };
    };
    responses: {
      /** @description Change the settings of a workspace; omitted attributes keep their values. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["WorkspaceDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.safe-delete-by-name": {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier read without `include` and `fields`: nothing is done if the workspace has changed since. */
        "If-Match"?: string;
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the workspace. */
        name: string;
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tag-bindings.list-by-name": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Name of the workspace. */
        name: string;
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the tag bindings of a workspace, found by name. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TagBindingList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.bulk": {
    parameters: {
      query?: {
        /** @description Workspaces whose current run has this status. Separate several values with commas. */
        "filter[current-run][status]"?: string;
        /** @description Workspaces that are locked, or those that are not. */
        "filter[locked]"?: boolean;
        /** @description Workspaces with these names only. Separate several values with commas. */
        "filter[names]"?: string;
        /** @description Workspaces of this project only. */
        "filter[project][id]"?: string;
        /** @description Effective tag bindings that a workspace must have. This is the key of the first; further ones have other numbers. */
        "filter[tagged][0][key]"?: string;
        /** @description Effective tag bindings that a workspace must have. This is the value of the first; further ones have other numbers. */
        "filter[tagged][0][value]"?: string;
        /** @description Workspaces with this tool version, as it was set: `~> 1.9` does not find `1.9.4`. */
        "filter[tool-version]"?: string;
        /** @description Workspaces whose `updated-at` is this time or later. */
        "filter[updated-since]"?: string;
        /** @description Name of the workspace to continue after, as given in `links.next`. */
        "page[after]"?: string;
        /** @description Flat tags or tag binding keys; a workspace must have none of them. Separate several values with commas. */
        "search[exclude-tags]"?: string;
        /** @description Part of the name, case-insensitive. */
        "search[name]"?: string;
        /** @description Flat tags or tag binding keys; a workspace must have all of them. Separate several values with commas. */
        "search[tags]"?: string;
        /** @description The name, with "*" as a wildcard at its beginning, its end or both. */
        "search[wildcard-name]"?: string;
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Name of the organization. */
        organization: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "action": "add-tags",
         *       "tags": [
         *         "core"
         *       ],
         *       "dry-run": true
         *     }
         */
        "application/vnd.api+json": components["schemas"]["WorkspacesBulkBody1"] | components["schemas"]["WorkspacesBulkBody2"];
      };
    };
    responses: {
      /** @description Lock, unlock or tag all workspaces that match a list query. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["WorkspacesBulkAnswer"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "ping.show": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  "plans.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the plan. */
        planId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a plan. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["PlanDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "projects.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: effective_tag_bindings. */
        include?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the project. */
        projectId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a project. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ProjectDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "projects.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the project. */
        projectId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "projects.update": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the project. */
        projectId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["ProjectsUpdateBody"];
      };
    };
    responses: {
      /** @description Change the settings of a project. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ProjectDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "projects.list-effective-tag-bindings": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the project. */
        projectId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the effective tag bindings of a project. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["EffectiveTagBindingList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "projects.list-tag-bindings-relationship": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the project. */
        projectId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the tag bindings of a project (relationship endpoint). */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TagBindingList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "projects.add-tag-bindings": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the project. */
        projectId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["ProjectsAddTagBindingsBody"];
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "projects.replace-tag-bindings": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the project. */
        projectId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["ProjectsReplaceTagBindingsBody"];
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "projects.move-workspaces": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the project. */
        projectId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["ProjectsMoveWorkspacesBody"];
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "projects.list-tag-bindings": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the project. */
        projectId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the tag bindings of a project. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TagBindingList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "projects.merge-tag-bindings": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the project. */
        projectId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["ProjectsMergeTagBindingsBody"];
      };
    };
    responses: {
      /** @description Add tag bindings to a project or change their values. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TagBindingList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "run-events.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: actor, comment. */
        include?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the event. */
        runEventId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read an event of a run. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["RunEventDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "runs.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description A second request with this key within 24 hours answers with the first run. */
        "Idempotency-Key"?: string;
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["RunsCreateBody"];
      };
    };
    responses: {
      /** @description Create a run of a workspace. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["RunDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "runs.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: plan, apply, created_by, confirmed_by, canceled_by, cost_estimate, configuration_version, configuration_version.ingress_attributes, workspace, task_stages, policy_checks, run_events, comments, input_state_version, tf_policy_evaluations. */
        include?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the run. */
        runId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a run. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["RunDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "runs.apply": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the run. */
        runId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/vnd.api+json": components["schemas"]["RunsApplyBody1"] | components["schemas"]["RunsApplyBody2"];
      };
    };
    responses: {
      /** @description Confirm the plan of a run, which is applied then. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "runs.cancel": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the run. */
        runId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/vnd.api+json": components["schemas"]["RunsCancelBody1"] | components["schemas"]["RunsCancelBody2"];
      };
    };
    responses: {
      /** @description Cancel a run that waits, or ask the tool of one that is executed to end. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "runs.discard": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the run. */
        runId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/vnd.api+json": components["schemas"]["RunsDiscardBody1"] | components["schemas"]["RunsDiscardBody2"];
      };
    };
    responses: {
      /** @description Discard a run that waits, or whose plan waits for confirmation. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "runs.force-cancel": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the run. */
        runId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/vnd.api+json": components["schemas"]["RunsForceCancelBody1"] | components["schemas"]["RunsForceCancelBody2"];
      };
    };
    responses: {
      /** @description End a run that was canceled and did not end; its state may be incomplete. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "runs.force-execute": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the run. */
        runId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/vnd.api+json": components["schemas"]["RunsForceExecuteBody1"] | components["schemas"]["RunsForceExecuteBody2"];
      };
    };
    responses: {
      /** @description Let a run go first: the one that holds the workspace is discarded or canceled. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "applies.of-run": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the run. */
        runId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the apply of a run. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ApplyDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "comments.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the run. */
        runId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the comments on a run, the first ones first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["CommentList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "comments.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the run. */
        runId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["CommentsCreateBody"];
      };
    };
    responses: {
      /** @description Comment on a run. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["CommentDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "runs.configuration-version": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: ingress_attributes. */
        include?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the run. */
        runId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the configuration version of a run. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ConfigurationVersionDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "plans.of-run": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the run. */
        runId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the plan of a run. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["PlanDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "runs.policy-checks": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the run. */
        runId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the policy checks of a run; there are none. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TaskStageList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "run-events.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: actor, comment. */
        include?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the run. */
        runId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List what happened to a run, the first events first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["RunEventList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "runs.task-stages": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the run. */
        runId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the task stages of a run; there are none. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TaskStageList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "search.list": {
    parameters: {
      query?: {
        /** @description Name of the only organization to search in. */
        "filter[organization]"?: string;
        /** @description Part of the name, in any case. */
        q?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Find workspaces, projects, teams and organizations that you can see by a part of their name. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["SearchListAnswer"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "ssh-keys.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the key. */
        keyId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read an SSH key, without its value. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["SshKeyDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "ssh-keys.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the key. */
        keyId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "ssh-keys.update": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the key. */
        keyId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["SshKeysUpdateBody"];
      };
    };
    responses: {
      /** @description Rename an SSH key. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["SshKeyDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "state-version-outputs.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the output. */
        outputId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read an output with its value, even if it is sensitive. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["StateVersionOutputDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "state-versions.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Name of the organization; required. */
        "filter[organization][name]"?: string;
        /** @description Only versions with this status. */
        "filter[status]"?: string;
        /** @description Name of the workspace; required. */
        "filter[workspace][name]"?: string;
        /** @description Related resources to include: outputs, created_by, run, run.created_by, run.configuration_version. */
        include?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the state versions of a workspace, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["StateVersionPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "state-versions.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: outputs, created_by, run, run.created_by, run.configuration_version. */
        include?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the version. */
        stateVersionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a state version. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["StateVersionDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "state-versions.permanently-delete": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the version. */
        stateVersionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Permanently delete the content of a state version. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["StateVersionDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "state-versions.restore": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the version. */
        stateVersionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Restore the soft-deleted content of a state version. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["StateVersionDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "state-versions.soft-delete": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the version. */
        stateVersionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Soft-delete the content of a state version; it can be restored for a limited time. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["StateVersionDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "state-versions.compare": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description The version to compare with; the one before if it is left out. */
        since?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the version. */
        stateVersionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Compare a state version with another one of the same workspace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["StateComparisonDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "state-version-outputs.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the version. */
        stateVersionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the outputs of a state version. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["StateVersionOutputPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tags.attach-to-workspaces": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the tag. */
        tagId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["TagsAttachToWorkspacesBody"];
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "team-projects.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Identifier of the project; required. */
        "filter[project][id]"?: string;
        /** @description The access of this team only. */
        "filter[team][id]"?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the teams that have access to a project. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TeamProjectPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "team-projects.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["TeamProjectsCreateBody"];
      };
    };
    responses: {
      /** @description Give a team access to a project. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TeamProjectDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "team-projects.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the access. */
        teamProjectId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a team's access to a project. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TeamProjectDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "team-projects.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the access. */
        teamProjectId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "team-projects.update": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the access. */
        teamProjectId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["TeamProjectsUpdateBody"];
      };
    };
    responses: {
      /** @description Change a team's access to a project. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TeamProjectDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "team-workspaces.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description The access of this team only. */
        "filter[team][id]"?: string;
        /** @description Identifier of the workspace; required. */
        "filter[workspace][id]"?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the teams that have access to a workspace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TeamWorkspacePage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "team-workspaces.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["TeamWorkspacesCreateBody"];
      };
    };
    responses: {
      /** @description Give a team access to a workspace. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TeamWorkspaceDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "team-workspaces.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the access. */
        teamWorkspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a team's access to a workspace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TeamWorkspaceDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "team-workspaces.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the access. */
        teamWorkspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "team-workspaces.update": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the access. */
        teamWorkspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["TeamWorkspacesUpdateBody"];
      };
    };
    responses: {
      /** @description Change a team's access to a workspace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TeamWorkspaceDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "teams.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: users, organization_memberships. */
        include?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the team. */
        teamId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a team. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TeamDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "teams.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the team. */
        teamId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "teams.update": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: users, organization_memberships. */
        include?: string;
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the team. */
        teamId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["TeamsUpdateBody"];
      };
    };
    responses: {
      /** @description Change a team. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TeamDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "team-token.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the team. */
        teamId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the details of the team token, without its value. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["AuthenticationTokenDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "team-token.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: never;
      path: {
        /** @description Identifier of the team. */
        teamId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/vnd.api+json": components["schemas"]["TeamTokenCreateBody1"] | components["schemas"]["TeamTokenCreateBody2"];
      };
    };
    responses: {
      /** @description Create the team token, replacing any previous one. It is shown only once. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["AuthenticationTokenDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "team-token.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the team. */
        teamId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "team-tokens.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the team. */
        teamId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the tokens of a team. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["AuthenticationTokenPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "team-tokens.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: never;
      path: {
        /** @description Identifier of the team. */
        teamId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/vnd.api+json": components["schemas"]["TeamTokensCreateBody1"] | components["schemas"]["TeamTokensCreateBody2"];
      };
    };
    responses: {
      /** @description Create an additional team token, told apart by its description. It is shown only once. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["AuthenticationTokenDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "memberships.of-team": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description E-mail addresses. Separate several values with commas. */
        "filter[email]"?: string;
        /** @description `invited` or `active`. */
        "filter[status]"?: string;
        /** @description Related resources to include: user, teams. */
        include?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
        /** @description Part of an e-mail address or username. */
        q?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the team. */
        teamId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the members of a team by organization membership. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["OrganizationMembershipPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "teams.add-organization-memberships": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the team. */
        teamId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["TeamsAddOrganizationMembershipsBody"];
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "teams.remove-organization-memberships": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the team. */
        teamId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["TeamsRemoveOrganizationMembershipsBody"];
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "teams.add-users": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the team. */
        teamId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["TeamsAddUsersBody"];
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "teams.remove-users": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the team. */
        teamId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["TeamsRemoveUsersBody"];
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "users.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the user. */
        userId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a user you share an organization with or that it has invited, or the service account of your team or organization. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["UserDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "user-tokens.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the user. */
        userId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the tokens of a user. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["AuthenticationTokenPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "user-tokens.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: never;
      path: {
        /** @description Identifier of the user. */
        userId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/vnd.api+json": components["schemas"]["UserTokensCreateBody1"] | components["schemas"]["UserTokensCreateBody2"];
      };
    };
    responses: {
      /** @description Create a user token. It is shown only once. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["AuthenticationTokenDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "vars.list-bare": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Name of the organization; required. */
        "filter[organization][name]"?: string;
        /** @description Name of the workspace; required. */
        "filter[workspace][name]"?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the variables of the workspace named by the filters. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["VariableList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "vars.create-bare": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": {
         *         "type": "vars",
         *         "attributes": {
         *           "key": "region",
         *           "value": "eu-west-1",
         *           "category": "terraform"
         *         },
         *         "relationships": {
         *           "workspace": {
         *             "data": {
         *               "type": "workspaces",
         *               "id": "ws-SihZTyXKfNXUWuUa"
         *             }
         *           }
         *         }
         *       }
         *     }
         */
        "application/vnd.api+json": components["schemas"]["VarsCreateBareBody"];
      };
    };
    responses: {
      /** @description Create a variable in the workspace named in the body. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["VariableDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "vars.show-bare": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the variable. */
        variableId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a variable. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["VariableDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "vars.delete-bare": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the variable. */
        variableId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "vars.update-bare": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the variable. */
        variableId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": {
         *         "type": "vars",
         *         "attributes": {
         *           "value": "eu-west-2"
         *         }
         *       }
         *     }
         */
        "application/vnd.api+json": components["schemas"]["VarsUpdateBareBody"];
      };
    };
    responses: {
      /** @description Change a variable; omitted attributes keep their values. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["VariableDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: current_run, current_run.plan, current_run.apply, current_run.configuration_version, current_run.configuration_version.ingress_attributes, latest_run, latest_run.plan, latest_run.apply, latest_run.configuration_version, latest_run.configuration_version.ingress_attributes, current_configuration_version, current_configuration_version.ingress_attributes, current_state_version, current_assessment_result, locked_by, organization, outputs, project, readme, agent_pool, vars, effective_tag_bindings. */
        include?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a workspace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["WorkspaceDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier read without `include` and `fields`: nothing is done if the workspace has changed since. */
        "If-Match"?: string;
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.update": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier read without `include` and `fields`: nothing is done if the workspace has changed since. */
        "If-Match"?: string;
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": {
         *         "type": "workspaces",
         *         "attributes": {
         *           "auto-apply": true
         *         }
         *       }
         *     }
         */
        "application/vnd.api+json": components["schemas"]["WorkspacesUpdateBody"];
      };
    };
    responses: {
      /** @description Change the settings of a workspace; omitted attributes keep their values. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["WorkspaceDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.extend-lock": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "expires-after": "10m",
         *       "locked-at": "2026-01-21T10:00:00.000Z"
         *     }
         */
        "application/vnd.api+json": components["schemas"]["WorkspacesExtendLockBody1"] | components["schemas"]["WorkspacesExtendLockBody2"];
      };
    };
    responses: {
      /** @description Let your lock of a workspace end later. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["WorkspaceDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.force-unlock": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/vnd.api+json": components["schemas"]["WorkspacesForceUnlockBody1"] | components["schemas"]["WorkspacesForceUnlockBody2"];
      };
    };
    responses: {
      /** @description Unlock a workspace, no matter who locked it. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["WorkspaceDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.lock": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description How long to wait for the lock, `30s` for example; at most 60 seconds. */
        wait?: string;
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "reason": "Migrating the network"
         *     }
         */
        "application/vnd.api+json": components["schemas"]["WorkspacesLockBody1"] | components["schemas"]["WorkspacesLockBody2"];
      };
    };
    responses: {
      /** @description Lock a workspace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["WorkspaceDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.safe-delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier read without `include` and `fields`: nothing is done if the workspace has changed since. */
        "If-Match"?: string;
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.unlock": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Unlock a workspace you locked. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["WorkspaceDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "vars.list-all": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the variables of a workspace, including inherited ones. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["VariableList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspace-changes.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Changes of this kind of resource only. */
        "filter[subject][type]"?: string;
        /** @description Position to continue from, as given in `links.next`. */
        "page[before]"?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the changes made to a workspace, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ChangeList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspace-changes.undo": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the change. */
        changeId: string;
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/vnd.api+json": components["schemas"]["WorkspaceChangesUndoBody1"] | components["schemas"]["WorkspaceChangesUndoBody2"];
      };
    };
    responses: {
      /** @description Undo a change: reset the settings it changed to their previous values. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["WorkspaceDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "configuration-versions.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: ingress_attributes, run. */
        include?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the configuration versions of a workspace, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ConfigurationVersionPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "configuration-versions.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": {
         *         "type": "configuration-versions",
         *         "attributes": {
         *           "auto-queue-runs": false
         *         }
         *       }
         *     }
         */
        "application/vnd.api+json": components["schemas"]["ConfigurationVersionsCreateBody"];
      };
    };
    responses: {
      /** @description Create a configuration version, whose content is uploaded afterwards. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ConfigurationVersionDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "state-versions.current": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: outputs, created_by, run, run.created_by, run.configuration_version. */
        include?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the current state version of a workspace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["StateVersionDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "state-version-outputs.current": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List all outputs of the current state version of a workspace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["StateVersionOutputList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tag-bindings.list-effective": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the effective tag bindings of a workspace, inherited ones last. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["EffectiveTagBindingList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspace-events.of-workspace": {
    parameters: {
      query?: never;
      header?: {
        /** @description The id of the last event received; the stream continues after it. */
        "Last-Event-ID"?: string;
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Stream events of a workspace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": components["schemas"]["WorkspaceEventDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.show-lock": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: locked_by. */
        include?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read who holds the lock of a workspace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["WorkspaceLockDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.retention-policy": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the effective retention policy: that of the workspace, or the default of its organization. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["RetentionPolicyDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.set-retention-policy": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": {
         *         "type": "data-retention-policy-delete-olders",
         *         "attributes": {
         *           "delete-older-than-n-days": 33
         *         }
         *       }
         *     }
         */
        "application/vnd.api+json": components["schemas"]["WorkspacesSetRetentionPolicyBody"];
      };
    };
    responses: {
      /** @description Set the retention policy of a workspace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["RetentionPolicyDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.remove-retention-policy": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.change-retention-policy": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": {
         *         "type": "data-retention-policy-delete-olders",
         *         "attributes": {
         *           "delete-older-than-n-days": 33
         *         }
         *       }
         *     }
         */
        "application/vnd.api+json": components["schemas"]["WorkspacesChangeRetentionPolicyBody"];
      };
    };
    responses: {
      /** @description Set the retention policy; same as POST. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["RetentionPolicyDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "remote-state-consumers.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: current_run, current_run.plan, current_run.apply, current_run.configuration_version, current_run.configuration_version.ingress_attributes, latest_run, latest_run.plan, latest_run.apply, latest_run.configuration_version, latest_run.configuration_version.ingress_attributes, current_configuration_version, current_configuration_version.ingress_attributes, current_state_version, current_assessment_result, locked_by, organization, outputs, project, readme, agent_pool, vars, effective_tag_bindings. */
        include?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the workspaces that may read the state of a workspace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["WorkspacePage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "remote-state-consumers.add": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": [
         *         {
         *           "type": "workspaces",
         *           "id": "ws-SihZTyXKfNXUWuUb"
         *         }
         *       ]
         *     }
         */
        "application/vnd.api+json": components["schemas"]["RemoteStateConsumersAddBody"];
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "remote-state-consumers.remove": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": [
         *         {
         *           "type": "workspaces",
         *           "id": "ws-SihZTyXKfNXUWuUb"
         *         }
         *       ]
         *     }
         */
        "application/vnd.api+json": components["schemas"]["RemoteStateConsumersRemoveBody"];
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "remote-state-consumers.replace": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": [
         *         {
         *           "type": "workspaces",
         *           "id": "ws-SihZTyXKfNXUWuUb"
         *         }
         *       ]
         *     }
         */
        "application/vnd.api+json": components["schemas"]["RemoteStateConsumersReplaceBody"];
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspaces.assign-ssh-key": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": {
         *         "type": "workspaces",
         *         "attributes": {
         *           "id": "sshkey-1111111111111111"
         *         }
         *       }
         *     }
         */
        "application/vnd.api+json": components["schemas"]["WorkspacesAssignSshKeyBody"];
      };
    };
    responses: {
      /** @description Set the SSH key of a workspace, or remove it with null. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["WorkspaceDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tag-bindings.list-relationship": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the tag bindings of a workspace (relationship endpoint). */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TagBindingList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tag-bindings.add": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": [
         *         {
         *           "type": "tag-bindings",
         *           "attributes": {
         *             "key": "environment",
         *             "value": "production"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/vnd.api+json": components["schemas"]["TagBindingsAddBody"];
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tag-bindings.replace": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": [
         *         {
         *           "type": "tag-bindings",
         *           "attributes": {
         *             "key": "environment",
         *             "value": "production"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/vnd.api+json": components["schemas"]["TagBindingsReplaceBody"];
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tags.list-on-workspace": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Part of the name. */
        name?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the flat tags of a workspace, in the order they were added. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TagPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tags.add": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": [
         *         {
         *           "type": "tags",
         *           "attributes": {
         *             "name": "core"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/vnd.api+json": components["schemas"]["TagsAddBody"];
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tags.remove": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": [
         *         {
         *           "type": "tags",
         *           "attributes": {
         *             "name": "core"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/vnd.api+json": components["schemas"]["TagsRemoveBody"];
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "workspace-resources.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the resource instances in the current state of a workspace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["StateResourcePage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "runs.of-workspace": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Only runs meant for this: plan_and_apply, plan_only, refresh_only, destroy, empty_apply, save_plan, action_only. Separate several values with commas. */
        "filter[operation]"?: string;
        /** @description Only runs created so: tfe-api, tfe-ui, tfe-configuration-version. Separate several values with commas. */
        "filter[source]"?: string;
        /** @description One of final, non_final, discardable. */
        "filter[status-group]"?: string;
        /** @description Only runs with one of these statuses. Separate several values with commas. */
        "filter[status]"?: string;
        /** @description A year, or `year` for the last twelve months. */
        "filter[timeframe]"?: string;
        /** @description Related resources to include: plan, apply, created_by, confirmed_by, canceled_by, cost_estimate, configuration_version, configuration_version.ingress_attributes, workspace, task_stages, policy_checks, run_events, comments, input_state_version, tf_policy_evaluations. */
        include?: string;
        /** @description Page number. */
        "page[number]"?: number;
        /** @description Entries per page; 20 by default, at most 100. */
        "page[size]"?: number;
        /** @description The user, the id of the run, or a part of its message. */
        "search[basic]"?: string;
        /** @description The beginning of the commit; nothing comes from commits yet. */
        "search[commit]"?: string;
        /** @description The user who created the run. */
        "search[user]"?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the runs of a workspace, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["RunPage"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "state-versions.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: outputs, created_by, run, run.created_by, run.configuration_version. */
        include?: string;
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": {
         *         "type": "state-versions",
         *         "attributes": {
         *           "serial": 1,
         *           "md5": "d41d8cd98f00b204e9800998ecf8427e"
         *         }
         *       }
         *     }
         */
        "application/vnd.api+json": components["schemas"]["StateVersionsCreateBody"];
      };
    };
    responses: {
      /** @description Create a state version, with its content or with URLs to upload it to. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["StateVersionDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "state-versions.rollback": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
        /** @description Related resources to include: outputs, created_by, run, run.created_by, run.configuration_version. */
        include?: string;
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/vnd.api+json": components["schemas"]["StateVersionsRollbackBody"];
      };
    };
    responses: {
      /** @description Roll back: copy an earlier state into a new state version. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["StateVersionDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tag-bindings.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the tag bindings of a workspace, excluding inherited ones. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TagBindingList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "tag-bindings.merge": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": [
         *         {
         *           "type": "tag-bindings",
         *           "attributes": {
         *             "key": "environment",
         *             "value": "production"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/vnd.api+json": components["schemas"]["TagBindingsMergeBody"];
      };
    };
    responses: {
      /** @description Add tag bindings to a workspace or change their values; none are removed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["TagBindingList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "vars.list": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the variables of a workspace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["VariableList"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "vars.create": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": {
         *         "type": "vars",
         *         "attributes": {
         *           "key": "region",
         *           "value": "eu-west-1",
         *           "category": "terraform"
         *         }
         *       }
         *     }
         */
        "application/vnd.api+json": components["schemas"]["VarsCreateBody"];
      };
    };
    responses: {
      /** @description Create a variable in a workspace. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["VariableDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "vars.show": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304 without a body. */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /** @description Identifier of the variable. */
        variableId: string;
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a variable. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["VariableDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "vars.delete": {
    parameters: {
      query?: never;
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the variable. */
        variableId: string;
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "vars.update": {
    parameters: {
      query?: {
        /** @description Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; all of them for types that are not named. */
        fields?: {
          [key: string]: string;
        };
      };
      header?: {
        /** @description With `handling=validate`, the response is that of the call, but nothing is changed. */
        Prefer?: components["parameters"]["Prefer"];
      };
      path: {
        /** @description Identifier of the variable. */
        variableId: string;
        /** @description Identifier of the workspace. */
        workspaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "data": {
         *         "type": "vars",
         *         "attributes": {
         *           "value": "eu-west-2"
         *         }
         *       }
         *     }
         */
        "application/vnd.api+json": components["schemas"]["VarsUpdateBody"];
      };
    };
    responses: {
      /** @description Change a variable; omitted attributes keep their values. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["VariableDocument"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/vnd.api+json": components["schemas"]["ErrorDocument"];
        };
      };
    };
  };
  "sign-in.session.app": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the signed-in user and the CSRF token that writes require. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["BrowserSession"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["NotSignedIn"];
        };
      };
    };
  };
  "site.healthz": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Check liveness: the process is running and does not need a restart. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  "site.readyz": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Check readiness: the store responds, the server is unsealed, and requests can be audited. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-roles.list": {
    parameters: {
      query: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list: "true";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List certificate roles. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-roles.read": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the role; case-insensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a certificate role. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CertRoleEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-roles.write": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the role; case-insensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "certificate": "-----BEGIN CERTIFICATE-----\n…",
         *       "allowed_common_names": "web-*",
         *       "token_policies": "web"
         *     }
         */
        "application/json": components["schemas"]["CertRolesWriteBody"];
      };
    };
    responses: {
      /** @description Create or update a certificate role. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-roles.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the role; case-insensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-login.check": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the role; case-insensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["CertLoginCheckBody"];
      };
    };
    responses: {
      /** @description Explain how a role would evaluate a certificate. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CertLoginCheckEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-roles.preview": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the role; case-insensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["CertRolesPreviewBody"];
      };
    };
    responses: {
      /** @description Show what a write of a role would store, without storing it. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CertRolePreviewEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-logins.clients": {
    parameters: {
      query?: {
        /** @description Maximum number of rows, up to 1000; 100 unless sent. */
        limit?: number;
        /** @description Only those that this role accepted. */
        role?: string;
        /** @description Only those of this time until now: `24h`, or a number of seconds. */
        since?: number;
        /** @description Only those whose chain led to the certificate with this SHA-256. */
        trusted_by?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the certificates that logged in, the last ones first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CertLoginsClientsEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-config.read": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the settings of certificate login. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CertAuthConfigurationEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-config.write": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "disable_binding": true
         *     }
         */
        "application/json": components["schemas"]["CertConfigWriteBody"];
      };
    };
    responses: {
      /** @description Change the settings of certificate login. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-crls.list": {
    parameters: {
      query: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list: "true";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List revocation lists. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-crls.read": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the list; case-insensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the serial numbers and the status of a revocation list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CertRevocationListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-crls.write": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the list; case-insensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "url": "http://crl.example.com/intermediate.crl"
         *     }
         */
        "application/json": components["schemas"]["CertCrlsWriteBody"];
      };
    };
    responses: {
      /** @description Store a revocation list, or a URL to fetch it from. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-crls.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the list; case-insensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-login.explain": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["CertLoginExplainBody"];
      };
    };
    responses: {
      /** @description Explain how every role would evaluate a certificate. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CertLoginExplainEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-login.login": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "name": "web"
         *     }
         */
        "application/json": components["schemas"]["CertLoginLoginBody"];
      };
    };
    responses: {
      /** @description Log in with the client certificate of the TLS connection. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "request_id": "3f6c9a52-6f0c-4d0c-8a3b-1c3c8f3b7f10",
           *       "lease_id": "",
           *       "renewable": false,
           *       "lease_duration": 0,
           *       "data": {},
           *       "wrap_info": null,
           *       "warnings": null,
           *       "auth": {
           *         "client_token": "hfs.…",
           *         "accessor": "Jn3cPk0xQ1mVf7sZb2TdWy8r",
           *         "policies": [
           *           "default",
           *           "web"
           *         ],
           *         "token_policies": [
           *           "default",
           *           "web"
           *         ],
           *         "metadata": {
           *           "cert_name": "web"
           *         },
           *         "lease_duration": 3600,
           *         "renewable": true,
           *         "entity_id": "",
           *         "token_type": "service",
           *         "orphan": true,
           *         "mfa_requirement": null,
           *         "num_uses": 0
           *       },
           *       "mount_type": "system"
           *     }
           */
          "application/json": components["schemas"]["TokenAuthEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-logins.list": {
    parameters: {
      query?: {
        /** @description Only those before the one with this id: the next page. */
        after?: string;
        /** @description Only those with the certificate that has this SHA-256. */
        fingerprint?: string;
        /** @description Maximum number of rows, up to 1000; 100 unless sent. */
        limit?: number;
        /** @description Only those refused by this check. */
        reason?: string;
        /** @description Only those of this role. */
        role?: string;
        /** @description Only those of this time until now: `24h`, or a number of seconds. */
        since?: number;
        /** @description `accepted` or `refused`; both if not sent. */
        verdict?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List recorded logins, the newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CertLoginsListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-logins.read": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the login. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a recorded login. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CertLoginsReadEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-summary.lists": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List revocation lists with how fresh and how long they are. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CertSummaryListsEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-summary.roles": {
    parameters: {
      query?: {
        /** @description Only roles after this one. */
        after?: string;
        /** @description Maximum number of rows, up to 500; 100 unless sent. */
        limit?: number;
        /** @description Only roles whose name contains this. */
        search?: string;
        /** @description Time until now in which logins are counted; 24 hours unless sent. */
        since?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List roles with what they trust and the logins that they accepted and refused. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CertSummaryRolesEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cert-summary.trust": {
    parameters: {
      query?: {
        /** @description Maximum number of rows, up to 500; 100 unless sent. */
        limit?: number;
        /** @description Time until now in which logins are counted; 30 days unless sent. */
        since?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the certificates that roles trust, the first to expire first, with roles, lists and clients. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CertSummaryTrustEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tokens.list-accessors": {
    parameters: {
      query: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list: "true";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the accessors of all stored tokens. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tokens.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "policies": [
         *         "web"
         *       ],
         *       "ttl": "1h",
         *       "meta": {
         *         "owner": "ann"
         *       }
         *     }
         */
        "application/json": components["schemas"]["CreateTokenBody"];
      };
    };
    responses: {
      /** @description Create a token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenAuthEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tokens.create-orphan": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "policies": [
         *         "web"
         *       ],
         *       "ttl": "24h"
         *     }
         */
        "application/json": components["schemas"]["CreateTokenBody"];
      };
    };
    responses: {
      /** @description Create a token without a parent. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenAuthEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tokens.create-by-role": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the token role. */
        role_name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "ttl": "30m"
         *     }
         */
        "application/json": components["schemas"]["CreateTokenBody"];
      };
    };
    responses: {
      /** @description Create a token with a token role. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenAuthEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tokens.lookup-by-read": {
    parameters: {
      query?: {
        /** @description The token to look up; by default the caller's own. */
        token?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Look up a token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenInfoEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tokens.lookup": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "token": "hfs.…"
         *     }
         */
        "application/json": components["schemas"]["TokensLookupBody"];
      };
    };
    responses: {
      /** @description Look up a token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenInfoEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tokens.lookup-accessor": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "accessor": "q6kZ0c5mJ1sWn8rT2vYb4xHd"
         *     }
         */
        "application/json": components["schemas"]["TokensLookupAccessorBody"];
      };
    };
    responses: {
      /** @description Look up a token by its accessor. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenInfoEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tokens.lookup-self": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Look up the caller's token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenInfoEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tokens.lookup-self-by-write": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TokensLookupSelfByWriteBody"];
      };
    };
    responses: {
      /** @description Look up the caller's token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenInfoEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tokens.renew": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "token": "hfs.…",
         *       "increment": "1h"
         *     }
         */
        "application/json": components["schemas"]["TokensRenewBody"];
      };
    };
    responses: {
      /** @description Renew a token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenAuthEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tokens.renew-accessor": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "accessor": "q6kZ0c5mJ1sWn8rT2vYb4xHd"
         *     }
         */
        "application/json": components["schemas"]["TokensRenewAccessorBody"];
      };
    };
    responses: {
      /** @description Renew a token by its accessor. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenAuthEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tokens.renew-self": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "increment": "1h"
         *     }
         */
        "application/json": components["schemas"]["TokensRenewSelfBody"];
      };
    };
    responses: {
      /** @description Renew the caller's token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenAuthEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tokens.revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "token": "hfs.…"
         *     }
         */
        "application/json": components["schemas"]["TokensRevokeBody"];
      };
    };
    responses: {
      /** @description Revoke a token and all its descendants. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tokens.revoke-accessor": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "accessor": "q6kZ0c5mJ1sWn8rT2vYb4xHd"
         *     }
         */
        "application/json": components["schemas"]["TokensRevokeAccessorBody"];
      };
    };
    responses: {
      /** @description Revoke a token by its accessor. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tokens.revoke-orphan": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "token": "hfs.…"
         *     }
         */
        "application/json": components["schemas"]["TokensRevokeOrphanBody"];
      };
    };
    responses: {
      /** @description Revoke a token; its children stay valid as orphans. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tokens.revoke-self": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TokensRevokeSelfBody"];
      };
    };
    responses: {
      /** @description Revoke the caller's token and all its descendants. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "token-roles.list": {
    parameters: {
      query: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list: "true";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List token roles. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "token-roles.read": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the token role. */
        role_name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a token role. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenRoleEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "token-roles.write": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the token role. */
        role_name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "allowed_policies": [
         *         "web"
         *       ],
         *       "orphan": true,
         *       "token_period": "24h"
         *     }
         */
        "application/json": components["schemas"]["TokenRolesWriteBody"];
      };
    };
    responses: {
      /** @description Create or update a token role. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "token-roles.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the token role. */
        role_name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tokens.tidy": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Clean up the remains of tokens that are no longer valid. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cubbyhole.list-all": {
    parameters: {
      query: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list: "true";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the cubbyhole of the caller's token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cubbyhole.read": {
    parameters: {
      query?: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list?: "true";
      };
      header?: never;
      path: {
        /** @description Path of the value; slashes make folders. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a value from the cubbyhole of the caller's token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CubbyholeReadEnvelope"] | components["schemas"]["KeyListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cubbyhole.write": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Path of the value; slashes make folders. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "key": "value"
         *     }
         */
        "application/json": {
          [key: string]: unknown;
        };
      };
    };
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cubbyhole.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Path of the value; slashes make folders. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "identity.write-entity": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "name": "billing",
         *       "policies": [
         *         "billing-read"
         *       ],
         *       "metadata": {
         *         "team": "finance"
         *       }
         *     }
         */
        "application/json": components["schemas"]["EntityBody"];
      };
    };
    responses: {
      /** @description Create an entity, or update the one with this id or name. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["IdentityWriteEntityEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "identity.write-alias": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["EntityAliasBody"];
      };
    };
    responses: {
      /** @description Create an alias, or update the one with this id, or with this name at this mount. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["IdentityWriteAliasEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "identity.list-aliases": {
    parameters: {
      query: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list: "true";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List aliases by id. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyInfoListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "identity.read-alias": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the alias. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read an alias. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EntityAliasEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "identity.update-alias": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the alias. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["EntityAliasBody"];
      };
    };
    responses: {
      /** @description Update an alias. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["IdentityUpdateAliasEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "identity.delete-alias": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the alias. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "identity.delete-entities": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["IdentityDeleteEntitiesBody"];
      };
    };
    responses: {
      /** @description Delete several entities. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "identity.list-entities": {
    parameters: {
      query: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list: "true";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List entities by id. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EntityListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "identity.read-entity": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the entity. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read an entity. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EntityEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "identity.update-entity": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the entity. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["EntityBody"];
      };
    };
    responses: {
      /** @description Update an entity. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "identity.delete-entity": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the entity. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "identity.merge-entities": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["IdentityMergeEntitiesBody"];
      };
    };
    responses: {
      /** @description Merge entities into one, which takes over the tokens of the others. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "identity.list-entities-by-name": {
    parameters: {
      query: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list: "true";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List entities by name, in an order that ignores case. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EntityListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "identity.read-entity-by-name": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the entity; case-insensitive. May contain slashes; send them as they are, since `%2F` is refused. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read an entity by its name. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EntityEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "identity.write-entity-by-name": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the entity; case-insensitive. May contain slashes; send them as they are, since `%2F` is refused. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["EntityBody"];
      };
    };
    responses: {
      /** @description Create or update the entity with this name. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["IdentityWriteEntityByNameEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "identity.delete-entity-by-name": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the entity; case-insensitive. May contain slashes; send them as they are, since `%2F` is refused. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "identity.look-up-entity": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["IdentityLookUpEntityBody"];
      };
    };
    responses: {
      /** @description Find an entity by its id, its name or one of its aliases. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EntityEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "audit.list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List audit devices by path. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AuditListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "audit.chain": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the device. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the key and the heads of an audit device's hash chain, to verify that its records are complete. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AuditChainEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "audit.hash": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the device. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AuditHashBody"];
      };
    };
    responses: {
      /** @description Compute the keyed hash that an audit device writes for a text, to search its records. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AuditHashEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "audit.enable": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the device. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "type": "file",
         *       "options": {
         *         "file_path": "/var/log/holdfast/audit.log"
         *       }
         *     }
         */
        "application/json": components["schemas"]["AuditEnableBody"];
      };
    };
    responses: {
      /** @description Enable an audit device. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "audit.disable": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the device. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.list-auth": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List auth methods by path. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MountsListAuthEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.read-auth": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Mount path of the auth method, without `auth/`. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read an auth method. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MountEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.enable-auth": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Mount path of the auth method, without `auth/`. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "type": "cert",
         *       "description": "Machines at the edge"
         *     }
         */
        "application/json": components["schemas"]["EnableMountBody"];
      };
    };
    responses: {
      /** @description Enable an auth method at a path. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.disable-auth": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Mount path of the auth method, without `auth/`. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.read-auth-tuning": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Mount path of the auth method, without `auth/`. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the settings of an auth method. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MountTuningEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.tune-auth": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Mount path of the auth method, without `auth/`. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TuneMountBody"];
      };
    };
    responses: {
      /** @description Change the settings of an auth method. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "capabilities.token": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["CapabilitiesTokenBody"];
      };
    };
    responses: {
      /** @description Read the capabilities of a token on the given paths. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CapabilitiesTokenEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "capabilities.accessor": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["CapabilitiesAccessorBody"];
      };
    };
    responses: {
      /** @description Read the capabilities of a token, given by its accessor, on the given paths. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CapabilitiesAccessorEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "capabilities.self": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "paths": [
         *         "auth/cert/certs/web"
         *       ]
         *     }
         */
        "application/json": components["schemas"]["CapabilitiesSelfBody"];
      };
    };
    responses: {
      /** @description Read the capabilities of the caller's token on the given paths. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CapabilitiesSelfEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "audit.list-headers": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the request headers that are included in audit records. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AuditListHeadersEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "audit.read-header": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the header; case-insensitive. */
        header: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read how a request header is recorded in audit records. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AuditReadHeaderEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "audit.write-header": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the header; case-insensitive. */
        header: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AuditWriteHeaderBody"];
      };
    };
    responses: {
      /** @description Include a request header in audit records. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "audit.delete-header": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the header; case-insensitive. */
        header: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cross-origin.read": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the CORS settings. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CrossOriginSettingsEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cross-origin.write": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "allowed_origins": [
         *         "https://app.example.com"
         *       ]
         *     }
         */
        "application/json": components["schemas"]["CrossOriginWriteBody"];
      };
    };
    responses: {
      /** @description Configure CORS: let pages of other origins call the API. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "cross-origin.delete": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "status.nodes": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the nodes that share the database. A node that is gone stays in the list for a day. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["StatusNodesAnswer"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "status.health": {
    parameters: {
      query?: {
        /** @description The status code to return in this state. */
        activecode?: number;
        /** @description The status code to return in this state. */
        drsecondarycode?: number;
        /** @description The status code to return in this state. */
        haunhealthycode?: number;
        /** @description The status code to return in this state. */
        performancestandbycode?: number;
        /** @description The status code to return in this state. */
        removedcode?: number;
        /** @description The status code to return in this state. */
        sealedcode?: number;
        /** @description The status code to return in this state. */
        standbycode?: number;
        /** @description The status code to return in this state. */
        uninitcode?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Report the health of this node by status code. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "initialized": true,
           *       "sealed": false,
           *       "standby": false,
           *       "version": "1.21.0",
           *       "holdfast_version": "0.1.0",
           *       "server_time_utc": 1794736800,
           *       "enterprise": true,
           *       "storage_full": false
           *     }
           */
          "application/json": components["schemas"]["Health"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "seal.read-init": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read whether the store is initialised. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SealReadInitAnswer"];
        };
      };
    };
  };
  "seal.init": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SealInitBody"];
      };
    };
    responses: {
      /** @description Initialise the store and show its key shares once. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Initialization"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "reference.v1": {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response: if it is still current, the response is 304. */
        "If-None-Match"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Return the OpenAPI document of /v1. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            [key: string]: unknown;
          };
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.list-visible": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the mounts the caller may see. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MountsListVisibleEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.read-visible": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Any path below `/v1`. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the mount that a path belongs to. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MountEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "capabilities.resultant": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read all policy rules that apply to the caller's token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CapabilitiesResultantEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "seal.key-status": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read which data key is in use. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EncryptionKeyStatusEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "status.leader": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read which node leads background work. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["StatusLeaderAnswer"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.irrevocable": {
    parameters: {
      query?: {
        /** @description Only `irrevocable` is supported. */
        type?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the leases that could not be revoked. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["LeasesIrrevocableEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.count": {
    parameters: {
      query?: {
        /** @description Only `irrevocable` is supported. */
        type?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Count the leases that could not be revoked. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["LeasesCountEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.list-all": {
    parameters: {
      query: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list: "true";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the paths that have leases. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.lookup": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "lease_id": "auth/cert/login/Zk3…"
         *     }
         */
        "application/json": components["schemas"]["LeasesLookupBody"];
      };
    };
    responses: {
      /** @description Look up a lease. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["LeaseEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.list": {
    parameters: {
      query: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list: "true";
      };
      header?: never;
      path: {
        /** @description Path whose leases are listed. May contain slashes; send them as they are, since `%2F` is refused. */
        prefix: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the leases below a path. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.renew": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["LeasesRenewBody"];
      };
    };
    responses: {
      /** @description Renew a lease. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.renew-by-path": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the lease. May contain slashes; send them as they are, since `%2F` is refused. */
        lease_id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["LeasesRenewByPathBody"];
      };
    };
    responses: {
      /** @description Renew a lease. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "lease_id": "auth/cert/login/Zk3…",
         *       "sync": true
         *     }
         */
        "application/json": components["schemas"]["LeasesRevokeBody"];
      };
    };
    responses: {
      /** @description Revoke a lease. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.revoke-force": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Path under which leases are revoked. May contain slashes; send them as they are, since `%2F` is refused. */
        prefix: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.revoke-prefix": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Path under which leases are revoked. May contain slashes; send them as they are, since `%2F` is refused. */
        prefix: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["LeasesRevokePrefixBody"];
      };
    };
    responses: {
      /** @description Revoke all leases below a path. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.revoke-by-path": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the lease. May contain slashes; send them as they are, since `%2F` is refused. */
        lease_id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["LeasesRevokeByPathBody"];
      };
    };
    responses: {
      /** @description Revoke a lease. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.tidy": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Clean up the remains of leases that are no longer valid. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "status.license": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read which features the licence enables. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["StatusLicenseEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "status.metrics": {
    parameters: {
      query?: {
        /** @description `prometheus` for the text format, which is also the default. */
        format?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the metrics of this node. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/plain": string;
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the mounts other than auth methods, by path. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MountsListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.read": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Mount path of the engine. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a mount. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MountEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.enable": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Mount path of the engine. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["EnableMountBody"];
      };
    };
    responses: {
      /** @description Mount a secrets engine. No engine types are available, so this is always refused. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.disable": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Mount path of the engine. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.read-secret-tuning": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Mount path of the engine. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the settings of a mount. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MountTuningEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.tune-secret": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Mount path of the engine. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TuneMountBody"];
      };
    };
    responses: {
      /** @description Change the settings of a mount. Built-in mounts cannot be changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.read-tuning": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Mount path of the auth method, without `auth/`. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the settings of an auth method (path used by command-line clients). */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MountTuningEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.tune": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Mount path of the auth method, without `auth/`. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["TuneMountBody"];
      };
    };
    responses: {
      /** @description Change the settings of an auth method (path used by command-line clients). */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "namespaces.list": {
    parameters: {
      query: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list: "true";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the namespaces below the root; always empty. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "namespaces.read": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Path of the namespace. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a namespace; never found, as there is only the root namespace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "namespaces.create": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Path of the namespace. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Always refused: there is only the root namespace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "namespaces.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Path of the namespace. May contain slashes; send them as they are, since `%2F` is refused. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Always refused: there is only the root namespace. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "policies.list-by-read": {
    parameters: {
      query?: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list?: "true";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List policies. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "policies.read": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the policy; case-insensitive. May contain slashes; send them as they are, since `%2F` is refused. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a policy. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PolicyEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "policies.write": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the policy; case-insensitive. May contain slashes; send them as they are, since `%2F` is refused. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "policy": "path \"auth/cert/certs/*\" { capabilities = [\"read\", \"list\"] }"
         *     }
         */
        "application/json": components["schemas"]["PoliciesWriteBody"];
      };
    };
    responses: {
      /** @description Create or update a policy. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "policies.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the policy; case-insensitive. May contain slashes; send them as they are, since `%2F` is refused. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "policies.old-list": {
    parameters: {
      query?: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list?: "true";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List policies (legacy path). */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "policies.old-read": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the policy; case-insensitive. May contain slashes; send them as they are, since `%2F` is refused. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a policy (legacy path). */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "policies.old-write": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the policy; case-insensitive. May contain slashes; send them as they are, since `%2F` is refused. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["PoliciesOldWriteBody"];
      };
    };
    responses: {
      /** @description Create or update a policy (legacy path). */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "policies.old-delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the policy; case-insensitive. May contain slashes; send them as they are, since `%2F` is refused. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "quotas.list": {
    parameters: {
      query: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list: "true";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List rate limits. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "quotas.read": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the quota. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read a rate limit. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RateLimitQuotaEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "quotas.write": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the quota. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "path": "auth/cert/login",
         *       "rate": 20,
         *       "interval": "1s"
         *     }
         */
        "application/json": components["schemas"]["QuotasWriteBody"];
      };
    };
    responses: {
      /** @description Create or update a rate limit: it limits the requests of each client address below a path. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "quotas.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the quota. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "rekey.status": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read how far the making of new key shares has come. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RekeyStatus"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "rekey.start": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RekeyStartBody"];
      };
    };
    responses: {
      /** @description Start to make new key shares. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RekeyStatus"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "rekey.cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "rekey.give-share": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RekeyGiveShareBody"];
      };
    };
    responses: {
      /** @description Give one of the present key shares; with the last one needed, the new shares are shown once. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RekeyStatus"] | components["schemas"]["RekeyResult"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "rekey.verification-status": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read how far the verification of new key shares has come. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RekeyVerificationStatus"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "rekey.verify-share": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RekeyVerifyShareBody"];
      };
    };
    responses: {
      /** @description Give one of the new key shares; with the last one needed, they replace the present ones. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RekeyVerificationStatus"] | components["schemas"]["RekeyVerificationResult"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "rekey.restart-verification": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Forget the new key shares given so far; the verification starts again with another nonce. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RekeyVerificationStatus"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.move": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "from": "auth/cert",
         *       "to": "auth/edge/cert"
         *     }
         */
        "application/json": components["schemas"]["MountsMoveBody"];
      };
    };
    responses: {
      /** @description Move an auth method to another path. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MountsMoveEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "mounts.move-status": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The `migration_id` of the move. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the status of a move. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MountsMoveStatusEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "removals.read": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the mounts and tokens that are gone and whose rows are still being removed, the oldest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RemovalsReadEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.renew-old": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["LeasesRenewOldBody"];
      };
    };
    responses: {
      /** @description Renew a lease. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.renew-by-path-old": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the lease. May contain slashes; send them as they are, since `%2F` is refused. */
        lease_id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["LeasesRenewByPathOldBody"];
      };
    };
    responses: {
      /** @description Renew a lease. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.revoke-old": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "lease_id": "auth/cert/login/Zk3…",
         *       "sync": true
         *     }
         */
        "application/json": components["schemas"]["LeasesRevokeOldBody"];
      };
    };
    responses: {
      /** @description Revoke a lease. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.revoke-force-old": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Path under which leases are revoked. May contain slashes; send them as they are, since `%2F` is refused. */
        prefix: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.revoke-prefix-old": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Path under which leases are revoked. May contain slashes; send them as they are, since `%2F` is refused. */
        prefix: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["LeasesRevokePrefixOldBody"];
      };
    };
    responses: {
      /** @description Revoke all leases below a path. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "leases.revoke-by-path-old": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the lease. May contain slashes; send them as they are, since `%2F` is refused. */
        lease_id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["LeasesRevokeByPathOldBody"];
      };
    };
    responses: {
      /** @description Revoke a lease. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "seal.rotate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "seal.rotate-keyring": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "seal.seal": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "seal.status": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the seal status of the server. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SealStatus"];
        };
      };
    };
  };
  "status.step-down": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "status.storage-nodes": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Describe the store as clients of a Raft cluster expect it: one server, which is its own leader. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["StatusStorageNodesEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "status.join": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Always refused: nodes do not join each other. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "status.remove-peer": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Always refused: nodes do not join each other. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.save": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Take a snapshot now and download it. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/gzip": string;
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.restore": {
    parameters: {
      query?: {
        /** @description Revoke every token, API token and session that the snapshot would make valid again: those revoked or expired since it was taken. The token of this call and its parents stay valid. If that token is not part of the snapshot, nothing is revoked: perhaps no valid token would be left. */
        revoke_tokens?: boolean;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/gzip": string;
      };
    };
    responses: {
      /** @description Restore a snapshot, replacing everything in the store. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RestoreResultEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.check-new": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SnapshotsCheckNewBody"];
      };
    };
    responses: {
      /** @description Test a destination before storing its configuration. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["StorageCheckEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.check": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the configuration; case-sensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Test the destination of a configuration: write, list, read and delete one byte. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["StorageCheckEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.list-configs": {
    parameters: {
      query: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list: "true";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the automated snapshot configurations. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "request_id": "3f6c9a52-6f0c-4d0c-8a3b-1c3c8f3b7f10",
           *       "lease_id": "",
           *       "renewable": false,
           *       "lease_duration": 0,
           *       "data": {
           *         "keys": [
           *           "hourly",
           *           "nightly"
           *         ]
           *       },
           *       "wrap_info": null,
           *       "warnings": null,
           *       "auth": null,
           *       "mount_type": "system"
           *     }
           */
          "application/json": components["schemas"]["KeyListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.read-config": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the configuration; case-sensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read an automated snapshot configuration; secrets are never shown. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "request_id": "3f6c9a52-6f0c-4d0c-8a3b-1c3c8f3b7f10",
           *       "lease_id": "",
           *       "renewable": false,
           *       "lease_duration": 0,
           *       "data": {
           *         "interval": 86400,
           *         "retain": 7,
           *         "storage_type": "local",
           *         "path_prefix": "/var/backups/holdfast",
           *         "local_max_space": 1073741824,
           *         "file_prefix": "holdfast-snapshot"
           *       },
           *       "wrap_info": null,
           *       "warnings": null,
           *       "auth": null,
           *       "mount_type": "system"
           *     }
           */
          "application/json": components["schemas"]["SnapshotConfigurationEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.write-config": {
    parameters: {
      query?: {
        /** @description Same as the body field of this name. */
        check?: boolean;
      };
      header?: never;
      path: {
        /** @description Name of the configuration; case-sensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "interval": "24h",
         *       "retain": 7,
         *       "storage_type": "local",
         *       "path_prefix": "/var/backups/holdfast",
         *       "local_max_space": 1073741824
         *     }
         */
        "application/json": components["schemas"]["SnapshotsWriteConfigBody"];
      };
    };
    responses: {
      /** @description Create or update an automated snapshot configuration. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WarningsEnvelope"];
        };
      };
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.delete-config": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the configuration; case-sensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.days": {
    parameters: {
      query?: {
        /** @description How many days, today among them; a year by default. */
        days?: number;
      };
      header?: never;
      path: {
        /** @description Name of the configuration; case-sensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Summarize the attempts of a configuration by day, oldest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SnapshotsDaysEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.history": {
    parameters: {
      query?: {
        /** @description Maximum number of attempts; all stored ones by default. */
        limit?: number;
      };
      header?: never;
      path: {
        /** @description Name of the configuration; case-sensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the latest attempts of a configuration, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SnapshotsHistoryEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.pause": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the configuration; case-sensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.resume": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the configuration; case-sensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.run": {
    parameters: {
      query?: {
        /** @description Same as the body field of this name. */
        wait?: number;
      };
      header?: never;
      path: {
        /** @description Name of the configuration; case-sensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SnapshotsRunBody"];
      };
    };
    responses: {
      /** @description Take a snapshot now. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["StartedAttemptEnvelope"];
        };
      };
      /** @description Take a snapshot now. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["StartedAttemptEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.loaded-automated": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the configuration. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Not available: snapshots are not loaded for inspection. Inspect or preview them instead. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.load-automated": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the configuration. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Not available: snapshots are not loaded for inspection. Inspect or preview them instead. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.unload-automated": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the configuration. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Not available: snapshots are not loaded for inspection. Inspect or preview them instead. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.inventory": {
    parameters: {
      query: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list: "true";
      };
      header?: never;
      path: {
        /** @description Name of the configuration; case-sensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the snapshots in the destination, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SnapshotsInventoryEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.download": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the snapshot. */
        file: string;
        /** @description Name of the configuration; case-sensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Download a stored snapshot. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/gzip": string;
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.remove": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the snapshot. */
        file: string;
        /** @description Name of the configuration; case-sensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success; no content. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.inspect-stored": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the snapshot. */
        file: string;
        /** @description Name of the configuration; case-sensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Inspect a stored snapshot: read it from end to end and summarize its content. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SnapshotInspectionEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.preview-stored": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the snapshot. */
        file: string;
        /** @description Name of the configuration; case-sensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Preview a restore: show what restoring this stored snapshot would change. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RestorePreviewEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.restore-stored": {
    parameters: {
      query?: {
        /** @description Revoke every token, API token and session that the snapshot would make valid again: those revoked or expired since it was taken. The token of this call and its parents stay valid. If that token is not part of the snapshot, nothing is revoked: perhaps no valid token would be left. */
        revoke_tokens?: boolean;
      };
      header?: never;
      path: {
        /** @description Name of the snapshot. */
        file: string;
        /** @description Name of the configuration; case-sensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Restore a stored snapshot, replacing everything in the store. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RestoreResultEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.status": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the configuration; case-sensitive. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Read the status of an automated snapshot configuration. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "request_id": "3f6c9a52-6f0c-4d0c-8a3b-1c3c8f3b7f10",
           *       "lease_id": "",
           *       "renewable": false,
           *       "lease_duration": 0,
           *       "data": {
           *         "snapshot_start": "2026-11-15T10:00:00+00:00",
           *         "snapshot_url": "file:///var/backups/holdfast/holdfast-snapshot-1794736800000000007.snap",
           *         "last_snapshot_start": "2026-11-15T10:00:00+00:00",
           *         "last_snapshot_end": "2026-11-15T10:00:05+00:00",
           *         "last_snapshot_error": "",
           *         "last_snapshot_url": "file:///var/backups/holdfast/holdfast-snapshot-1794736800000000007.snap",
           *         "state": "scheduled",
           *         "next_snapshot_start": "2026-11-15T11:00:00+00:00",
           *         "consecutive_errors": 0,
           *         "overdue": false,
           *         "last_success_end": "2026-11-15T10:00:05+00:00",
           *         "last_snapshot_size": 1048576,
           *         "last_snapshot_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
           *         "last_prune_error": "",
           *         "verify": "checksum",
           *         "last_verified_at": "",
           *         "last_verify_error": "",
           *         "not_restorable": false,
           *         "node": "node-1",
           *         "snapshot_timeout": 3600
           *       },
           *       "wrap_info": null,
           *       "warnings": null,
           *       "auth": null,
           *       "mount_type": "system"
           *     }
           */
          "application/json": components["schemas"]["SnapshotStatusEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.restore-by-force": {
    parameters: {
      query?: {
        /** @description Revoke every token, API token and session that the snapshot would make valid again: those revoked or expired since it was taken. The token of this call and its parents stay valid. If that token is not part of the snapshot, nothing is revoked: perhaps no valid token would be left. */
        revoke_tokens?: boolean;
      };
      header?: {
        /** @description The recovery key of that server, instead of the seal key. */
        "X-Holdfast-Recovery-Key"?: string;
        /** @description The content of `seal.key` of the server the snapshot comes from. */
        "X-Holdfast-Seal-Key"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/gzip": string;
      };
    };
    responses: {
      /** @description Restore a snapshot from any server, replacing everything in the store. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RestoreResultEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.loaded": {
    parameters: {
      query: {
        /** @description Set to `true` to list. */
        list: "true";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Not available: snapshots are not loaded for inspection. Inspect or preview them instead. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.load": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Not available: snapshots are not loaded for inspection. Inspect or preview them instead. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.loaded-one": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the loaded snapshot. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Not available: snapshots are not loaded for inspection. Inspect or preview them instead. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.unload": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the loaded snapshot. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Not available: snapshots are not loaded for inspection. Inspect or preview them instead. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.inspect": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/gzip": string;
      };
    };
    responses: {
      /** @description Inspect a snapshot: read it from end to end and summarize its content. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SnapshotInspectionEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.preview": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/gzip": string;
      };
    };
    responses: {
      /** @description Preview a restore: show what restoring this snapshot would change. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RestorePreviewEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.revoke-revived-tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Revoke the tokens and sessions that the last restore made valid again. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SnapshotsRevokeRevivedTokensEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "snapshots.verify": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/gzip": string;
      };
    };
    responses: {
      /** @description Verify a snapshot: restore it into a scratch database and compare. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SnapshotVerificationEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tools.hash": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "input": "aGVsbG8=",
         *       "algorithm": "sha2-256"
         *     }
         */
        "application/json": components["schemas"]["ToolsHashBody"];
      };
    };
    responses: {
      /** @description Hash data. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ToolsHashEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tools.hash-with": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the algorithm. */
        algorithm: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ToolsHashWithBody"];
      };
    };
    responses: {
      /** @description Hash data with the algorithm given in the path. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ToolsHashWithEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tools.random": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ToolsRandomBody"];
      };
    };
    responses: {
      /** @description Generate random bytes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ToolsRandomEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "tools.random-bytes": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Number of bytes. */
        count: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ToolsRandomBytesBody"];
      };
    };
    responses: {
      /** @description Generate the number of random bytes given in the path. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ToolsRandomBytesEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "seal.unseal": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SealUnsealBody"];
      };
    };
    responses: {
      /** @description Submit one key share to unseal the server. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SealStatus"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "status.versions-by-read": {
    parameters: {
      query?: {
        /** @description List names after this one, which need not exist. */
        after?: string;
        /** @description Maximum number of names to return; 0 or less for all. */
        limit?: number;
        /** @description Set to `true` to list. */
        list?: "true";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description List the server versions this store has run. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["KeyInfoListEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "wrapping.lookup-by-read": {
    parameters: {
      query?: {
        /** @description The wrapping token; by default the caller's own. */
        token?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Look up the properties of a wrapping token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WrappingInfoEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "wrapping.lookup": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "token": "hfs.…"
         *     }
         */
        "application/json": components["schemas"]["WrappingLookupBody"];
      };
    };
    responses: {
      /** @description Look up the properties of a wrapping token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WrappingInfoEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "wrapping.rewrap": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "token": "hfs.…"
         *     }
         */
        "application/json": components["schemas"]["WrappingRewrapBody"];
      };
    };
    responses: {
      /** @description Rewrap a wrapped response with a new token. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WrapInfoEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "wrapping.unwrap": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "token": "hfs.…"
         *     }
         */
        "application/json": components["schemas"]["WrappingUnwrapBody"];
      };
    };
    responses: {
      /** @description Unwrap a wrapped response; works once. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WrappingUnwrapEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
  "wrapping.wrap": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "secret": "value"
         *     }
         */
        "application/json": {
          [key: string]: unknown;
        };
      };
    };
    responses: {
      /** @description Wrap an object. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WrapInfoEnvelope"];
        };
      };
      /** @description A failure. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Refusal"];
        };
      };
    };
  };
}
