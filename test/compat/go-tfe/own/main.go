// Drives a server through the reference Go client: everything a person or a pipeline does with workspaces and what
// stands around them. Address and token come from TFE_ADDRESS and TFE_TOKEN. The first surprise ends the program.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	tfe "github.com/hashicorp/go-tfe"
)

type journey struct {
	ctx    context.Context
	client *tfe.Client
	org    *tfe.Organization
}

func main() {
	defer func() {
		if surprise := recover(); surprise != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s", surprise, debug.Stack())
			os.Exit(1)
		}
	}()
	client := must(tfe.NewClient(tfe.DefaultConfig()))
	same("API version", "2.6", client.RemoteAPIVersion())
	j := &journey{ctx: context.Background(), client: client}
	steps := []struct {
		name string
		run  func()
	}{
		{"organizations", j.organizations},
		{"workspaces", j.workspaces},
		{"lists", j.lists},
		{"locks", j.locks},
		{"tags", j.tags},
		{"tag bindings", j.tagBindings},
		{"consumers", j.consumers},
		{"ssh keys", j.sshKeys},
		{"retention", j.retention},
		{"variables", j.variables},
		{"agent pools", j.agentPools},
		{"projects", j.projects},
		{"people", j.people},
		{"administration", j.administration},
		{"teams", j.teams},
		{"tokens", j.tokens},
		{"state", j.state},
		{"deletion", j.deletion},
	}
	for _, step := range steps {
		step.run()
		fmt.Println(step.name)
	}
	done(client.Organizations.Delete(j.ctx, j.org.Name))
}

func (j *journey) workspace(name string) *tfe.Workspace {
	options := tfe.WorkspaceCreateOptions{Name: tfe.String(name)}
	return must(j.client.Workspaces.Create(j.ctx, j.org.Name, options))
}

func must[T any](value T, err error) T {
	done(err)
	return value
}

func done(err error) {
	if err != nil {
		panic(err)
	}
}

func same[T comparable](what string, wanted T, got T) {
	if wanted != got {
		panic(fmt.Sprintf("%s: wanted %v, got %v", what, wanted, got))
	}
}

func fails(what string, wanted error, got error) {
	if got == nil || !(errors.Is(got, wanted) || got.Error() == wanted.Error()) {
		panic(fmt.Sprintf("%s: wanted the error %v, got %v", what, wanted, got))
	}
}
