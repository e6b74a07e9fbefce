package main

import (
	"strings"

	tfe "github.com/hashicorp/go-tfe"
)

func (j *journey) administration() {
	me := must(j.client.Users.ReadCurrent(j.ctx))
	people := func(options tfe.AdminUserListOptions) []*tfe.AdminUser {
		return must(j.client.Admin.Users.List(j.ctx, &options)).Items
	}
	mine := people(tfe.AdminUserListOptions{Query: me.Username, Include: []tfe.AdminUserIncludeOpt{tfe.AdminUserOrgs}})
	same("my organization", j.org.Name, mine[0].Organizations[0].Name)
	other := people(tfe.AdminUserListOptions{Query: "admin-security-maintenance"})[0]
	same("suspended", true, must(j.client.Admin.Users.Suspend(j.ctx, other.ID)).IsSuspended)
	same("found", other.ID, people(tfe.AdminUserListOptions{SuspendedUsers: "true"})[0].ID)
	if _, err := j.client.Admin.Users.Suspend(j.ctx, other.ID); err == nil {
		panic("nobody is suspended twice")
	}
	same("back", false, must(j.client.Admin.Users.Unsuspend(j.ctx, other.ID)).IsSuspended)
	same("office revoked", false, must(j.client.Admin.Users.RevokeAdmin(j.ctx, other.ID)).IsAdmin)
	same("office granted", true, must(j.client.Admin.Users.GrantAdmin(j.ctx, other.ID)).IsAdmin)

	build := func(arch string) *tfe.ToolVersionArchitecture {
		return &tfe.ToolVersionArchitecture{URL: "https://example.com/" + arch, Sha: strings.Repeat("a", 64), OS: "linux", Arch: arch}
	}
	release := must(j.client.Admin.TerraformVersions.Create(j.ctx, tfe.AdminTerraformVersionCreateOptions{
		Version: tfe.String("1.77.0"), Archs: []*tfe.ToolVersionArchitecture{build("arm64"), build("amd64")},
	}))
	same("builds", 2, len(release.Archs))
	same("where the first is", "https://example.com/amd64", release.URL)
	done(j.client.Admin.TerraformVersions.Delete(j.ctx, release.ID))
}
