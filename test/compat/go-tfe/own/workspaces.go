package main

import (
	"fmt"
	"reflect"

	tfe "github.com/hashicorp/go-tfe"
)

func (j *journey) workspaces() {
	made := must(j.client.Workspaces.Create(j.ctx, j.org.Name, tfe.WorkspaceCreateOptions{
		Name:             tfe.String("network"),
		Description:      tfe.String("wires"),
		AutoApply:        tfe.Bool(true),
		ExecutionMode:    tfe.String("local"),
		TerraformVersion: tfe.String("1.9.4"),
		TriggerPrefixes:  []string{"/modules"},
		WorkingDirectory: tfe.String("live/"),
		Tags:             []*tfe.Tag{{Name: "first"}},
		TagBindings:      []*tfe.TagBinding{{Key: "env", Value: "dev"}},
	}))
	shown := must(j.client.Workspaces.Read(j.ctx, j.org.Name, "network"))
	same("shown as it was made", true, reflect.DeepEqual(made, shown))
	same("its id", made.ID, must(j.client.Workspaces.ReadByID(j.ctx, made.ID)).ID)
	same("its version", "1.9.4", shown.TerraformVersion)
	same("its mode", "local", shown.ExecutionMode)
	same("its tag", "first", shown.TagNames[0])
	renamed := must(j.client.Workspaces.Update(j.ctx, j.org.Name, "network", tfe.WorkspaceUpdateOptions{
		Name:            tfe.String("networks"),
		TriggerPatterns: []string{"/live/**/*"},
	}))
	same("prefixes after patterns", 0, len(renamed.TriggerPrefixes))
	same("a kept description", "wires", renamed.Description)
	_, err := j.client.Workspaces.Read(j.ctx, j.org.Name, "network")
	fails("the old name", tfe.ErrResourceNotFound, err)
	changed := must(j.client.Workspaces.UpdateByID(j.ctx, made.ID, tfe.WorkspaceUpdateOptions{AutoApply: tfe.Bool(false)}))
	same("auto-apply", false, changed.AutoApply)
	_, err = j.client.Workspaces.Create(j.ctx, j.org.Name, tfe.WorkspaceCreateOptions{Name: tfe.String("networks")})
	fails("a taken name", fmt.Errorf("invalid attribute\n\nName has already been taken"), err)
}

func (j *journey) lists() {
	project := must(j.client.Projects.Create(j.ctx, j.org.Name, tfe.ProjectCreateOptions{Name: "Listed"}))
	for _, name := range []string{"app-dev", "app-prod"} {
		must(j.client.Workspaces.Create(j.ctx, j.org.Name, tfe.WorkspaceCreateOptions{
			Name:        tfe.String(name),
			Project:     project,
			Tags:        []*tfe.Tag{{Name: "app"}, {Name: name}},
			TagBindings: []*tfe.TagBinding{{Key: "app", Value: name}},
		}))
	}
	list := func(options tfe.WorkspaceListOptions) string {
		names := ""
		for _, each := range must(j.client.Workspaces.List(j.ctx, j.org.Name, &options)).Items {
			names += " " + each.Name
		}
		return names
	}
	same("sorted", " app-dev app-prod networks", list(tfe.WorkspaceListOptions{Sort: "name"}))
	same("reversed", " networks app-prod app-dev", list(tfe.WorkspaceListOptions{Sort: "-name"}))
	same("searched", " networks", list(tfe.WorkspaceListOptions{Search: "etwor"}))
	same("by wildcard", " app-prod", list(tfe.WorkspaceListOptions{WildcardName: "*-prod"}))
	same("by tags", " app-dev", list(tfe.WorkspaceListOptions{Tags: "app,app-dev"}))
	same("without tags", " app-prod", list(tfe.WorkspaceListOptions{Tags: "app", ExcludeTags: "app-dev"}))
	same("of a project", " app-dev app-prod", list(tfe.WorkspaceListOptions{ProjectID: project.ID, Sort: "name"}))
	same("by a run's status", "", list(tfe.WorkspaceListOptions{CurrentRunStatus: "applied"}))
	keyed := []*tfe.TagBinding{{Key: "app", Value: "app-prod"}}
	same("by a binding", " app-prod", list(tfe.WorkspaceListOptions{TagBindings: keyed}))
	page := must(j.client.Workspaces.List(j.ctx, j.org.Name, &tfe.WorkspaceListOptions{
		ListOptions: tfe.ListOptions{PageNumber: 2, PageSize: 2},
		Sort:        "name",
		Include:     []tfe.WSIncludeOpt{tfe.WSOrganization, tfe.WSProject, tfe.WSEffectiveTagBindings},
	}))
	same("second page", "networks", page.Items[0].Name)
	same("total", 3, page.TotalCount)
	same("included address", j.org.Email, page.Items[0].Organization.Email)
	same("included bindings", 1, len(page.Items[0].EffectiveTagBindings))
}

func (j *journey) locks() {
	ws := j.workspace("locks")
	locked := must(j.client.Workspaces.Lock(j.ctx, ws.ID, tfe.WorkspaceLockOptions{Reason: tfe.String("deploying")}))
	same("locked", true, locked.Locked)
	if locked.LockedBy == nil || locked.LockedBy.User == nil {
		panic("a lock of a person is held by a user")
	}
	_, err := j.client.Workspaces.Lock(j.ctx, ws.ID, tfe.WorkspaceLockOptions{})
	fails("a second lock", tfe.ErrWorkspaceLocked, err)
	fails("safe delete of a locked one", tfe.ErrWorkspaceLockedCannotDelete, j.client.Workspaces.SafeDeleteByID(j.ctx, ws.ID))
	same("unlocked", false, must(j.client.Workspaces.Unlock(j.ctx, ws.ID)).Locked)
	_, err = j.client.Workspaces.Unlock(j.ctx, ws.ID)
	fails("a second unlock", tfe.ErrWorkspaceNotLocked, err)
	must(j.client.Workspaces.Lock(j.ctx, ws.ID, tfe.WorkspaceLockOptions{}))
	same("force-unlocked", false, must(j.client.Workspaces.ForceUnlock(j.ctx, ws.ID)).Locked)
	_, err = j.client.Workspaces.ForceUnlock(j.ctx, ws.ID)
	fails("a second force-unlock", tfe.ErrWorkspaceNotLocked, err)
	j.lockOfTeam(ws)
}

func (j *journey) lockOfTeam(ws *tfe.Workspace) {
	team := must(j.client.Teams.Create(j.ctx, j.org.Name, tfe.TeamCreateOptions{Name: tfe.String("lockers")}))
	must(j.client.TeamAccess.Add(j.ctx, tfe.TeamAccessAddOptions{
		Access: tfe.Access(tfe.AccessWrite), Team: team, Workspace: ws,
	}))
	token := must(j.client.TeamTokens.Create(j.ctx, team.ID))
	config := tfe.DefaultConfig()
	config.Token = token.Token
	asTeam := must(tfe.NewClient(config))
	must(asTeam.Workspaces.Lock(j.ctx, ws.ID, tfe.WorkspaceLockOptions{}))
	_, err := j.client.Workspaces.Unlock(j.ctx, ws.ID)
	fails("unlocking a team's lock", tfe.ErrWorkspaceLockedByTeam, err)
	must(j.client.Workspaces.ForceUnlock(j.ctx, ws.ID))
	done(j.client.Teams.Delete(j.ctx, team.ID))
}

func (j *journey) deletion() {
	byName, byID, safe, safeByID := j.workspace("gone-1"), j.workspace("gone-2"), j.workspace("gone-3"), j.workspace("gone-4")
	done(j.client.Workspaces.Delete(j.ctx, j.org.Name, byName.Name))
	done(j.client.Workspaces.DeleteByID(j.ctx, byID.ID))
	done(j.client.Workspaces.SafeDelete(j.ctx, j.org.Name, safe.Name))
	done(j.client.Workspaces.SafeDeleteByID(j.ctx, safeByID.ID))
	for _, ws := range []*tfe.Workspace{byName, byID, safe, safeByID} {
		_, err := j.client.Workspaces.ReadByID(j.ctx, ws.ID)
		fails("a deleted workspace", tfe.ErrResourceNotFound, err)
	}
}
