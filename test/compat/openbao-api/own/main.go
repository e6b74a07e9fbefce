// Drives a server with OpenBao's own client library, unmodified, and prints each step that went well.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	bao "github.com/openbao/openbao/api/v2"
)

func main() {
	root, err := bao.NewClient(bao.DefaultConfig())
	must(err)
	for _, step := range []struct {
		name string
		take func(*bao.Client)
	}{
		{"status", status},
		{"policies", policies},
		{"tokens", tokens},
		{"wrapping", wrapping},
		{"methods", methods},
		{"login", login},
		{"secrets", secrets},
		{"operator", operator},
		{"audit", audit},
		{"snapshot", snapshot},
	} {
		step.take(root)
		fmt.Println(step.name)
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		panic(err)
	}
}

func expect(holds bool, what string, seen any) {
	if !holds {
		panic(fmt.Sprintf("%s: %v", what, seen))
	}
}

func status(root *bao.Client) {
	sealed, err := root.Sys().SealStatus()
	must(err)
	expect(sealed.Initialized && !sealed.Sealed, "unsealed", sealed)
	health, err := root.Sys().Health()
	must(err)
	expect(health.Initialized && !health.Sealed && !health.Standby, "healthy", health)
	_, err = root.Sys().Leader()
	must(err)
	must(root.Sys().Rotate())
	must(root.Sys().RotateKeyring())
}

func policies(root *bao.Client) {
	must(root.Sys().PutPolicy("reader", `path "sys/mounts" { capabilities = ["read"] }`))
	text, err := root.Sys().GetPolicy("reader")
	must(err)
	expect(strings.Contains(text, "sys/mounts"), "policy", text)
	names, err := root.Sys().ListPolicies()
	must(err)
	expect(slices.Contains(names, "reader"), "names of policies", names)
	can, err := root.Sys().CapabilitiesSelf("sys/mounts")
	must(err)
	expect(slices.Equal(can, []string{"root"}), "capabilities", can)
}

func tokens(root *bao.Client) {
	made, err := root.Auth().Token().Create(&bao.TokenCreateRequest{Policies: []string{"reader"}, TTL: "1h", DisplayName: "ci"})
	must(err)
	caller := as(root, made.Auth.ClientToken)
	own, err := caller.Auth().Token().LookupSelf()
	must(err)
	expect(own.Data["display_name"] == "token-ci", "own token", own.Data)
	_, err = caller.Sys().ListMounts()
	must(err)
	_, err = caller.Sys().ListAuth()
	expect(err != nil && strings.Contains(err.Error(), "permission denied"), "refusal", err)
	renewed, err := caller.Auth().Token().RenewSelf(7200)
	must(err)
	expect(renewed.Auth.LeaseDuration == 7200, "renewal", renewed.Auth.LeaseDuration)
	can, err := root.Sys().Capabilities(made.Auth.ClientToken, "sys/mounts")
	must(err)
	expect(slices.Equal(can, []string{"read"}), "capabilities of another", can)
	must(root.Auth().Token().RevokeAccessor(made.Auth.Accessor))
	_, err = caller.Auth().Token().LookupSelf()
	expect(err != nil && strings.Contains(err.Error(), "Code: 403"), "revoked", err)
}

func wrapping(root *bao.Client) {
	asking := as(root, root.Token())
	asking.SetWrappingLookupFunc(func(string, string) string { return "60s" })
	wrapped, err := asking.Auth().Token().Create(&bao.TokenCreateRequest{Policies: []string{"reader"}, TTL: "1h"})
	must(err)
	expect(wrapped.WrapInfo != nil && wrapped.WrapInfo.TTL == 60, "wrapped", wrapped.WrapInfo)
	inside, err := root.Logical().Unwrap(wrapped.WrapInfo.Token)
	must(err)
	expect(inside.Auth != nil && inside.Auth.ClientToken != "", "unwrapped", inside)
	_, err = root.Logical().Unwrap(wrapped.WrapInfo.Token)
	expect(err != nil, "unwrapped twice", err)
}

func methods(root *bao.Client) {
	must(root.Sys().EnableAuthWithOptions("cert", &bao.EnableAuthOptions{Type: "cert"}))
	edge := &bao.EnableAuthOptions{Type: "cert", Description: "Edge", Config: bao.AuthConfigInput{MaxLeaseTTL: "2h"}}
	must(root.Sys().EnableAuthWithOptions("edge/cert", edge))
	mounts, err := root.Sys().ListAuth()
	must(err)
	expect(mounts["edge/cert/"] != nil && mounts["edge/cert/"].Description == "Edge", "methods", mounts)
	must(root.Sys().TuneMount("auth/cert", bao.MountConfigInput{DefaultLeaseTTL: "30m"}))
	tuned, err := root.Sys().MountConfig("auth/cert")
	must(err)
	expect(tuned.DefaultLeaseTTL == 1800, "tuned", tuned)
	must(root.Sys().DisableAuth("edge/cert"))
}

// The library finds the client's certificate where the command line does: in the environment.
func login(root *bao.Client) {
	ca, err := os.ReadFile(os.Getenv("COMPAT_CLIENT_CA"))
	must(err)
	role := map[string]any{"certificate": string(ca), "token_policies": "reader", "allowed_common_names": "web*"}
	_, err = root.Logical().Write("auth/cert/certs/web", role)
	must(err)
	listed, err := root.Logical().List("auth/cert/certs")
	must(err)
	expect(slices.Equal(listed.Data["keys"].([]any), []any{"web"}), "roles", listed.Data)
	machine := as(root, "")
	secret, err := machine.Logical().Write("auth/cert/login", map[string]any{"name": "web"})
	must(err)
	expect(secret.Auth.LeaseDuration == 1800 && secret.Auth.Metadata["cert_name"] == "web", "login", secret.Auth)
	machine.SetToken(secret.Auth.ClientToken)
	watcher, err := machine.NewLifetimeWatcher(&bao.LifetimeWatcherInput{Secret: secret})
	must(err)
	go watcher.Start()
	expect((<-watcher.RenewCh()).Secret.Auth.Renewable, "renewal by the certificate", nil)
	watcher.Stop()
	must(machine.Auth().Token().RevokeSelf(""))
	_, err = machine.Logical().Write("auth/cert/login", map[string]any{"name": "other"})
	expect(err != nil, "login by a role that is not there", err)
}

func audit(root *bao.Client) {
	options := map[string]string{"file_path": os.Getenv("COMPAT_AUDIT_FILE")}
	must(root.Sys().EnableAuditWithOptions("file", &bao.EnableAuditOptions{Type: "file", Options: options}))
	devices, err := root.Sys().ListAudit()
	must(err)
	expect(devices["file/"] != nil && devices["file/"].Type == "file", "devices", devices)
	hash, err := root.Sys().AuditHash("file", "value")
	must(err)
	expect(strings.HasPrefix(hash, "hmac-sha256:"), "hash", hash)
	must(root.Sys().DisableAudit("file"))
}

func snapshot(root *bao.Client) {
	var saved bytes.Buffer
	must(root.Sys().RaftSnapshotWithContext(context.Background(), &saved))
	expect(saved.Len() > 1000, "bytes of a snapshot", saved.Len())
	must(root.Sys().RaftSnapshotRestore(bytes.NewReader(saved.Bytes()), false))
	names, err := root.Sys().ListPolicies()
	must(err)
	expect(slices.Contains(names, "reader"), "policies after a restore", names)
}

func as(client *bao.Client, token string) *bao.Client {
	other, err := client.Clone()
	must(err)
	other.SetToken(token)
	return other
}
