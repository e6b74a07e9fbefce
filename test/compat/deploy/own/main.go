// Checks deployment files by the types and parsers of the programs that read them:
//
//	deploy-check objects FILE     Kubernetes objects, decoded strictly into their types
//	deploy-check compose FILE     a compose file, loaded as the compose command does
//	deploy-check dockerfile FILE  a Dockerfile, with the warnings of BuildKit
//
// Each problem is a line of the output, and the exit status 1 if there are any.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	certmanagerv1 "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
)

func main() {
	checks := map[string]func(string) []error{"objects": checkObjects, "compose": checkCompose, "dockerfile": checkDockerfile}
	if len(os.Args) != 3 || checks[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: deploy-check objects|compose|dockerfile FILE")
		os.Exit(2)
	}
	problems := checks[os.Args[1]](os.Args[2])
	for _, problem := range problems {
		fmt.Println(problem)
	}
	if len(problems) > 0 {
		os.Exit(1)
	}
}

// Objects of a group that is not registered are problems, too.
func checkObjects(file string) (problems []error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{appsv1.AddToScheme, corev1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme, certmanagerv1.AddToScheme} {
		utilruntime.Must(add(scheme))
	}
	strict := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{Yaml: true, Strict: true})
	content, err := os.ReadFile(file)
	if err != nil {
		return []error{err}
	}
	documents := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(content)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return problems
		}
		if err != nil {
			return append(problems, err)
		}
		if len(bytes.TrimSpace(document)) == 0 {
			continue
		}
		if _, kind, err := strict.Decode(document, nil, nil); err != nil {
			problems = append(problems, fmt.Errorf("%v: %w", kind, err))
		}
	}
}

func checkCompose(file string) []error {
	options, err := cli.NewProjectOptions([]string{file}, cli.WithOsEnv, cli.WithDotEnv)
	if err != nil {
		return []error{err}
	}
	if _, err = options.LoadProject(context.Background()); err != nil {
		return []error{err}
	}
	return nil
}

func checkDockerfile(file string) (problems []error) {
	content, err := os.Open(file)
	if err != nil {
		return []error{err}
	}
	defer content.Close()
	parsed, err := parser.Parse(content)
	if err != nil {
		return []error{err}
	}
	warn := func(rule, description, _, message string, _ []parser.Range) {
		problems = append(problems, fmt.Errorf("%s: %s", rule, message))
	}
	for _, warning := range parsed.Warnings {
		problems = append(problems, errors.New(warning.Short))
	}
	if _, _, err = instructions.Parse(parsed.AST, linter.New(&linter.Config{Warn: warn})); err != nil {
		problems = append(problems, err)
	}
	return problems
}
