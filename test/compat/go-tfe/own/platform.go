package main

import (
	"crypto/md5"
	"encoding/base64"
	"fmt"

	tfe "github.com/hashicorp/go-tfe"
)

func (j *journey) organizations() {
	j.org = must(j.client.Organizations.Create(j.ctx, tfe.OrganizationCreateOptions{
		Name: tfe.String("journey"), Email: tfe.String("ops@example.com"),
	}))
	same("its permissions", true, j.org.Permissions.CanCreateWorkspace)
	must(j.client.Organizations.Update(j.ctx, j.org.Name, tfe.OrganizationUpdateOptions{AllowForceDeleteWorkspaces: tfe.Bool(true)}))
	shown := must(j.client.Organizations.ReadWithOptions(j.ctx, j.org.Name, tfe.OrganizationReadOptions{
		Include: []tfe.OrganizationIncludeOpt{tfe.OrganizationDefaultProject},
	}))
	same("a changed setting", true, shown.AllowForceDeleteWorkspaces)
	same("its default project", "Default Project", shown.DefaultProject.Name)
	same("found", 1, len(must(j.client.Organizations.List(j.ctx, &tfe.OrganizationListOptions{Query: "journey"})).Items))
	same("state storage", true, must(j.client.Organizations.ReadEntitlements(j.ctx, j.org.Name)).StateStorage)
}

func (j *journey) projects() {
	project := must(j.client.Projects.Create(j.ctx, j.org.Name, tfe.ProjectCreateOptions{
		Name: "Network", Description: tfe.String("wires"), TagBindings: []*tfe.TagBinding{{Key: "cost", Value: "42"}},
	}))
	same("found by name", 1, len(must(j.client.Projects.List(j.ctx, j.org.Name, &tfe.ProjectListOptions{Name: "Network"})).Items))
	tagged := []*tfe.TagBinding{{Key: "cost"}}
	same("found by tag", 1, len(must(j.client.Projects.List(j.ctx, j.org.Name, &tfe.ProjectListOptions{TagBindings: tagged})).Items))
	ws := j.workspace("moved")
	moved := must(j.client.Workspaces.UpdateByID(j.ctx, ws.ID, tfe.WorkspaceUpdateOptions{Project: project}))
	same("moved", project.ID, moved.Project.ID)
	same("renamed", "Networks", must(j.client.Projects.Update(j.ctx, project.ID, tfe.ProjectUpdateOptions{Name: tfe.String("Networks")})).Name)
	if j.client.Projects.Delete(j.ctx, project.ID) == nil {
		panic("a project with workspaces is not deleted")
	}
	done(j.client.Workspaces.DeleteByID(j.ctx, ws.ID))
	done(j.client.Projects.Delete(j.ctx, project.ID))
}

func (j *journey) people() {
	me := must(j.client.Users.ReadCurrent(j.ctx))
	same("a person", false, me.IsServiceAccount)
	invited := must(j.client.OrganizationMemberships.Create(j.ctx, j.org.Name, tfe.OrganizationMembershipCreateOptions{
		Email: tfe.String("new@example.com"),
	}))
	same("invited", tfe.OrganizationMembershipInvited, invited.Status)
	all := must(j.client.OrganizationMemberships.List(j.ctx, j.org.Name, &tfe.OrganizationMembershipListOptions{
		Include: []tfe.OrgMembershipIncludeOpt{tfe.OrgMembershipUser},
	}))
	same("members", 2, len(all.Items))
	done(j.client.OrganizationMemberships.Delete(j.ctx, invited.ID))
}

func (j *journey) teams() {
	ws := j.workspace("teams")
	team := must(j.client.Teams.Create(j.ctx, j.org.Name, tfe.TeamCreateOptions{
		Name: tfe.String("ops"), OrganizationAccess: &tfe.OrganizationAccessOptions{ManageVCSSettings: tfe.Bool(true)},
	}))
	me := must(j.client.Users.ReadCurrent(j.ctx))
	done(j.client.TeamMembers.Add(j.ctx, team.ID, tfe.TeamMemberAddOptions{Usernames: []string{me.Username}}))
	same("its people", 1, len(must(j.client.TeamMembers.ListUsers(j.ctx, team.ID))))
	access := must(j.client.TeamAccess.Add(j.ctx, tfe.TeamAccessAddOptions{
		Access: tfe.Access(tfe.AccessCustom), Runs: tfe.RunsPermission(tfe.RunsPermissionPlan), Team: team, Workspace: ws,
	}))
	same("custom access", tfe.RunsPermissionPlan, access.Runs)
	raised := must(j.client.TeamAccess.Update(j.ctx, access.ID, tfe.TeamAccessUpdateOptions{Access: tfe.Access(tfe.AccessAdmin)}))
	same("raised access", tfe.AccessAdmin, raised.Access)
	same("listed", 1, len(must(j.client.TeamAccess.List(j.ctx, &tfe.TeamAccessListOptions{WorkspaceID: ws.ID})).Items))
	done(j.client.TeamAccess.Remove(j.ctx, access.ID))
	project := must(j.client.TeamProjectAccess.Add(j.ctx, tfe.TeamProjectAccessAddOptions{
		Access: tfe.TeamProjectAccessMaintain, Team: team, Project: ws.Project,
	}))
	done(j.client.TeamProjectAccess.Remove(j.ctx, project.ID))
	done(j.client.Teams.Delete(j.ctx, team.ID))
}

func (j *journey) tokens() {
	me := must(j.client.Users.ReadCurrent(j.ctx))
	mine := must(j.client.UserTokens.Create(j.ctx, me.ID, tfe.UserTokenCreateOptions{Description: "laptop"}))
	same("shown once", "", must(j.client.UserTokens.Read(j.ctx, mine.ID)).Token)
	done(j.client.UserTokens.Delete(j.ctx, mine.ID))
	must(j.client.OrganizationTokens.Create(j.ctx, j.org.Name))
	must(j.client.OrganizationTokens.Read(j.ctx, j.org.Name))
	done(j.client.OrganizationTokens.Delete(j.ctx, j.org.Name))
}

func (j *journey) state() {
	ws := j.workspace("state")
	must(j.client.Workspaces.Lock(j.ctx, ws.ID, tfe.WorkspaceLockOptions{}))
	raw := []byte(`{"version":4,"terraform_version":"1.9.4","serial":1,"lineage":"l","outputs":{"ip":{"value":"10.0.0.1","type":"string"}},` +
		`"resources":[{"mode":"managed","type":"terraform_data","name":"it","instances":[{"attributes":{"id":"1"}}]}]}`)
	sum := fmt.Sprintf("%x", md5.Sum(raw))
	uploaded := must(j.client.StateVersions.Upload(j.ctx, ws.ID, tfe.StateVersionUploadOptions{
		StateVersionCreateOptions: tfe.StateVersionCreateOptions{MD5: &sum, Serial: tfe.Int64(1), Lineage: tfe.String("l")},
		RawState:                  raw,
	}))
	same("status", tfe.StateVersionFinalized, must(j.client.StateVersions.Read(j.ctx, uploaded.ID)).Status)
	inline := base64.StdEncoding.EncodeToString(raw)
	_, err := j.client.StateVersions.Create(j.ctx, ws.ID, tfe.StateVersionCreateOptions{MD5: &sum, Serial: tfe.Int64(0), State: &inline})
	if err == nil {
		panic("a lower serial is refused")
	}
	must(j.client.Workspaces.Unlock(j.ctx, ws.ID))
	current := must(j.client.StateVersions.ReadCurrentWithOptions(j.ctx, ws.ID, &tfe.StateVersionCurrentOptions{
		Include: []tfe.StateVersionIncludeOpt{tfe.SVoutputs},
	}))
	same("current", uploaded.ID, current.ID)
	same("an output", "ip", current.Outputs[0].Name)
	same("its bytes", string(raw), string(must(j.client.StateVersions.Download(j.ctx, current.DownloadURL))))
	same("listed", 1, len(must(j.client.StateVersions.List(j.ctx, &tfe.StateVersionListOptions{Organization: j.org.Name, Workspace: ws.Name})).Items))
	same("resources", 1, must(j.client.Workspaces.ReadByID(j.ctx, ws.ID)).ResourceCount)
	fails("safe delete", tfe.ErrWorkspaceNotSafeToDelete, j.client.Workspaces.SafeDeleteByID(j.ctx, ws.ID))
}
