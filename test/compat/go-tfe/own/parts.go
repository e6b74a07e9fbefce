package main

import (
	"fmt"

	tfe "github.com/hashicorp/go-tfe"
)

func (j *journey) tags() {
	ws, other := j.workspace("tags"), j.workspace("tags-too")
	done(j.client.Workspaces.AddTags(j.ctx, ws.ID, tfe.WorkspaceAddTagsOptions{Tags: []*tfe.Tag{{Name: "one"}, {Name: "two"}}}))
	tags := must(j.client.Workspaces.ListTags(j.ctx, ws.ID, nil))
	same("tags", 2, len(tags.Items))
	byID := []*tfe.Tag{{ID: tags.Items[0].ID}}
	done(j.client.Workspaces.AddTags(j.ctx, other.ID, tfe.WorkspaceAddTagsOptions{Tags: byID}))
	unknown := []*tfe.Tag{{Name: "two"}, {Name: "unknown"}}
	done(j.client.Workspaces.RemoveTags(j.ctx, ws.ID, tfe.WorkspaceRemoveTagsOptions{Tags: unknown}))
	same("a tag left", "one", must(j.client.Workspaces.ReadByID(j.ctx, ws.ID)).TagNames[0])
	found := must(j.client.OrganizationTags.List(j.ctx, j.org.Name, &tfe.OrganizationTagsListOptions{Query: "one"}))
	same("its workspaces", 2, found.Items[0].InstanceCount)
	third := j.workspace("tags-three")
	done(j.client.OrganizationTags.AddWorkspaces(j.ctx, found.Items[0].ID, tfe.AddWorkspacesToTagOptions{WorkspaceIDs: []string{third.ID}}))
	same("attached by its tag", 1, len(must(j.client.Workspaces.ReadByID(j.ctx, third.ID)).TagNames))
	done(j.client.OrganizationTags.Delete(j.ctx, j.org.Name, tfe.OrganizationTagsDeleteOptions{IDs: []string{found.Items[0].ID}}))
	same("no tag left", 0, len(must(j.client.Workspaces.ReadByID(j.ctx, third.ID)).TagNames))
}

func (j *journey) tagBindings() {
	ws := j.workspace("bindings")
	added := must(j.client.Workspaces.AddTagBindings(j.ctx, ws.ID, tfe.WorkspaceAddTagBindingsOptions{
		TagBindings: []*tfe.TagBinding{{Key: "env", Value: "dev"}, {Key: "team", Value: "ops"}},
	}))
	same("bindings", 2, len(added))
	done(j.bindProject(must(j.client.Workspaces.ReadByID(j.ctx, ws.ID)).Project.ID, "region", "north"))
	effective := must(j.client.Workspaces.ListEffectiveTagBindings(j.ctx, ws.ID))
	same("in force", 3, len(effective))
	same("own ones have no links", 0, len(effective[0].Links))
	if effective[2].Links["inherited-from"] == nil {
		panic("an inherited binding says where it comes from")
	}
	many := make([]*tfe.TagBinding, 11)
	for index := range many {
		many[index] = &tfe.TagBinding{Key: fmt.Sprintf("key-%d", index)}
	}
	if _, err := j.client.Workspaces.AddTagBindings(j.ctx, ws.ID, tfe.WorkspaceAddTagBindingsOptions{TagBindings: many}); err == nil {
		panic("eleven bindings are too many")
	}
	done(j.client.Workspaces.DeleteAllTagBindings(j.ctx, ws.ID))
	same("none left", 0, len(must(j.client.Workspaces.ListTagBindings(j.ctx, ws.ID))))
}

func (j *journey) bindProject(id string, key string, value string) error {
	_, err := j.client.Projects.AddTagBindings(j.ctx, id, tfe.ProjectAddTagBindingsOptions{
		TagBindings: []*tfe.TagBinding{{Key: key, Value: value}},
	})
	return err
}

func (j *journey) consumers() {
	ws, a, b := j.workspace("producer"), j.workspace("consumer-a"), j.workspace("consumer-b")
	count := func() int {
		return len(must(j.client.Workspaces.ListRemoteStateConsumers(j.ctx, ws.ID, nil)).Items)
	}
	done(j.client.Workspaces.AddRemoteStateConsumers(j.ctx, ws.ID, tfe.WorkspaceAddRemoteStateConsumersOptions{
		Workspaces: []*tfe.Workspace{a, b},
	}))
	same("consumers", 2, count())
	done(j.client.Workspaces.RemoveRemoteStateConsumers(j.ctx, ws.ID, tfe.WorkspaceRemoveRemoteStateConsumersOptions{
		Workspaces: []*tfe.Workspace{a},
	}))
	same("one left", 1, count())
	done(j.client.Workspaces.UpdateRemoteStateConsumers(j.ctx, ws.ID, tfe.WorkspaceUpdateRemoteStateConsumersOptions{
		Workspaces: []*tfe.Workspace{a},
	}))
	same("replaced", 1, count())
}

func (j *journey) sshKeys() {
	ws := j.workspace("keys")
	key := must(j.client.SSHKeys.Create(j.ctx, j.org.Name, tfe.SSHKeyCreateOptions{
		Name: tfe.String("deploy"), Value: tfe.String("a private key"),
	}))
	assigned := must(j.client.Workspaces.AssignSSHKey(j.ctx, ws.ID, tfe.WorkspaceAssignSSHKeyOptions{SSHKeyID: tfe.String(key.ID)}))
	same("assigned", key.ID, assigned.SSHKey.ID)
	if must(j.client.Workspaces.UnassignSSHKey(j.ctx, ws.ID)).SSHKey != nil {
		panic("the key is still assigned")
	}
	same("renamed", "deploys", must(j.client.SSHKeys.Update(j.ctx, key.ID, tfe.SSHKeyUpdateOptions{Name: tfe.String("deploys")})).Name)
	same("listed", 1, len(must(j.client.SSHKeys.List(j.ctx, j.org.Name, nil)).Items))
	done(j.client.SSHKeys.Delete(j.ctx, key.ID))
}

func (j *journey) retention() {
	ws := j.workspace("retention")
	first := must(j.client.Workspaces.SetDataRetentionPolicyDeleteOlder(j.ctx, ws.ID, tfe.DataRetentionPolicyDeleteOlderSetOptions{DeleteOlderThanNDays: 33}))
	again := must(j.client.Workspaces.SetDataRetentionPolicyDeleteOlder(j.ctx, ws.ID, tfe.DataRetentionPolicyDeleteOlderSetOptions{DeleteOlderThanNDays: 1}))
	same("the same policy", first.ID, again.ID)
	must(j.client.Workspaces.SetDataRetentionPolicyDontDelete(j.ctx, ws.ID, tfe.DataRetentionPolicyDontDeleteSetOptions{}))
	if must(j.client.Workspaces.ReadDataRetentionPolicyChoice(j.ctx, ws.ID)).DataRetentionPolicyDontDelete == nil {
		panic("the policy is the other one by now")
	}
	done(j.client.Workspaces.DeleteDataRetentionPolicy(j.ctx, ws.ID))
	must(j.client.Organizations.SetDataRetentionPolicyDeleteOlder(j.ctx, j.org.Name, tfe.DataRetentionPolicyDeleteOlderSetOptions{DeleteOlderThanNDays: 9}))
	done(j.client.Organizations.DeleteDataRetentionPolicy(j.ctx, j.org.Name))
}

func (j *journey) variables() {
	ws := j.workspace("variables")
	secret := must(j.client.Variables.Create(j.ctx, ws.ID, tfe.VariableCreateOptions{
		Key: tfe.String("password"), Value: tfe.String("hunter2"), Category: tfe.Category(tfe.CategoryTerraform), Sensitive: tfe.Bool(true),
	}))
	same("a sensitive value", "", must(j.client.Variables.Read(j.ctx, ws.ID, secret.ID)).Value)
	plain := must(j.client.Variables.Create(j.ctx, ws.ID, tfe.VariableCreateOptions{
		Key: tfe.String("REGION"), Value: tfe.String("north"), Category: tfe.Category(tfe.CategoryEnv),
	}))
	same("changed", "south", must(j.client.Variables.Update(j.ctx, ws.ID, plain.ID, tfe.VariableUpdateOptions{Value: tfe.String("south")})).Value)
	same("listed", 2, len(must(j.client.Variables.List(j.ctx, ws.ID, nil)).Items))
	same("all", 2, len(must(j.client.Variables.ListAll(j.ctx, ws.ID, nil)).Items))
	done(j.client.Variables.Delete(j.ctx, ws.ID, plain.ID))
}

func (j *journey) agentPools() {
	ws := j.workspace("agents")
	pool := must(j.client.AgentPools.Create(j.ctx, j.org.Name, tfe.AgentPoolCreateOptions{Name: tfe.String("on-premises")}))
	used := must(j.client.Workspaces.UpdateByID(j.ctx, ws.ID, tfe.WorkspaceUpdateOptions{
		ExecutionMode: tfe.String("agent"), AgentPoolID: tfe.String(pool.ID),
	}))
	same("its pool", pool.ID, used.AgentPool.ID)
	if j.client.AgentPools.Delete(j.ctx, pool.ID) == nil {
		panic("a pool in use is not deleted")
	}
	must(j.client.Workspaces.UpdateByID(j.ctx, ws.ID, tfe.WorkspaceUpdateOptions{ExecutionMode: tfe.String("local")}))
	must(j.client.AgentPools.UpdateAllowedWorkspaces(j.ctx, pool.ID, tfe.AgentPoolAllowedWorkspacesUpdateOptions{AllowedWorkspaces: []*tfe.Workspace{ws}}))
	same("allowed", 1, len(must(j.client.AgentPools.Read(j.ctx, pool.ID)).AllowedWorkspaces))
	same("listed", 1, len(must(j.client.AgentPools.List(j.ctx, j.org.Name, &tfe.AgentPoolListOptions{Query: "premises"})).Items))
	done(j.client.AgentPools.Delete(j.ctx, pool.ID))
}
