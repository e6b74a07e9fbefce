package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	bao "github.com/openbao/openbao/api/v2"
)

func secrets(root *bao.Client) {
	ctx := context.Background()
	must(root.Sys().Mount("app", &bao.MountInput{Type: "kv", Options: map[string]string{"version": "2"}}))
	kv := root.KVv2("app")
	_, err := kv.Get(ctx, "db")
	expect(errors.Is(err, bao.ErrSecretNotFound), "a secret that does not exist", err)
	first, err := kv.Put(ctx, "db", map[string]any{"user": "a"}, bao.WithCheckAndSet(0))
	must(err)
	expect(first.VersionMetadata.Version == 1, "first version", first.VersionMetadata)
	_, err = kv.Put(ctx, "db", map[string]any{}, bao.WithCheckAndSet(0))
	expect(err != nil && strings.Contains(err.Error(), "check-and-set parameter did not match"), "check-and-set", err)
	second, err := kv.Patch(ctx, "db", map[string]any{"port": 1})
	must(err)
	expect(second.VersionMetadata.Version == 2, "patch", second.VersionMetadata)
	must(kv.PutMetadata(ctx, "db", bao.KVMetadataPutInput{MaxVersions: 5, DeleteVersionAfter: 36 * time.Hour}))
	must(kv.PatchMetadata(ctx, "db", bao.KVMetadataPatchInput{CustomMetadata: map[string]any{"owner": "a"}}))
	known, err := kv.GetMetadata(ctx, "db")
	must(err)
	expect(known.MaxVersions == 5 && known.DeleteVersionAfter == 36*time.Hour, "metadata", known)
	expect(known.CustomMetadata["owner"] == "a" && !known.UpdatedTime.IsZero(), "metadata", known)
	must(kv.Delete(ctx, "db"))
	deleted, err := kv.Get(ctx, "db")
	must(err)
	expect(deleted.Data == nil && !deleted.VersionMetadata.DeletionTime.IsZero(), "deleted", deleted)
	must(kv.Undelete(ctx, "db", []int{2}))
	must(kv.DeleteVersions(ctx, "db", []int{2}))
	third, err := kv.Rollback(ctx, "db", 1)
	must(err)
	expect(third.VersionMetadata.Version == 3, "rollback", third.VersionMetadata)
	must(kv.Destroy(ctx, "db", []int{2}))
	versions, err := kv.GetVersionsAsList(ctx, "db")
	must(err)
	expect(len(versions) == 3 && versions[1].Destroyed, "versions", versions)
	must(kv.DeleteMetadata(ctx, "db"))

	must(root.Sys().Mount("old", &bao.MountInput{Type: "kv"}))
	must(root.KVv1("old").Put(ctx, "db", map[string]any{"user": "a", "ttl": "1h"}))
	plain, err := root.KVv1("old").Get(ctx, "db")
	must(err)
	expect(plain.Raw.LeaseDuration == 3600 && plain.Data["user"] == "a", "version 1", plain)
	must(root.KVv1("old").Delete(ctx, "db"))
}

// An operator of a cluster logs in each of these ways, checks its token, and reads, lists and writes secrets so.
func operator(root *bao.Client) {
	rules := `
		path "app/data/*" { capabilities = ["create", "read", "update", "delete"] }
		path "app/metadata/*" { capabilities = ["create", "read", "update", "delete", "list"] }`
	must(root.Sys().PutPolicy("operator", rules))
	for _, caller := range []*bao.Client{byApplicationRole(root), byToken(root), byCertificate(root)} {
		own, err := caller.Auth().Token().LookupSelf()
		must(err)
		expect(slices.Contains(own.Data["policies"].([]any), "operator"), "policies", own.Data)
		push(caller)
		values, err := caller.Logical().ReadWithData("app/data/team/db", map[string][]string{"version": {"1"}})
		must(err)
		expect(values.Data["data"].(map[string]any)["user"] == "a", "version 1", values.Data)
		expect(slices.Equal(find(caller, ""), []string{"team/db"}), "found", nil)
		_, err = caller.Logical().Delete("app/data/team/db")
		must(err)
		gone, err := caller.Logical().Read("app/data/team/db")
		must(err)
		expect(gone.Data["data"] == nil, "deleted", gone.Data)
		_, err = caller.Logical().Delete("app/metadata/team/db")
		must(err)
	}
}

// Metadata come first, so that others see whose secret this is before it has a value.
func push(caller *bao.Client) {
	absent, err := caller.Logical().Read("app/data/team/db")
	must(err)
	expect(absent == nil, "absent", absent)
	mine := map[string]any{"custom_metadata": map[string]any{"managed-by": "external-secrets"}}
	_, err = caller.Logical().Write("app/metadata/team/db", mine)
	must(err)
	found, err := caller.Logical().Read("app/metadata/team/db")
	must(err)
	expect(found.Data["custom_metadata"].(map[string]any)["managed-by"] == "external-secrets", "owner", found.Data)
	for cas := range 2 {
		body := map[string]any{"data": map[string]any{"user": "a"}, "options": map[string]any{"cas": cas}}
		_, err = caller.Logical().Write("app/data/team/db", body)
		must(err)
	}
}

func find(caller *bao.Client, folder string) []string {
	list, err := caller.Logical().List("app/metadata/" + folder)
	must(err)
	var found []string
	for _, key := range list.Data["keys"].([]any) {
		path := folder + key.(string)
		if strings.HasSuffix(path, "/") {
			found = append(found, find(caller, path)...)
		} else {
			found = append(found, path)
		}
	}
	return found
}

func loggedIn(root *bao.Client, path string, body map[string]any) *bao.Client {
	answer, err := as(root, "").Logical().Write(path, body)
	must(err)
	return as(root, answer.Auth.ClientToken)
}

func byApplicationRole(root *bao.Client) *bao.Client {
	must(root.Sys().EnableAuthWithOptions("approle", &bao.EnableAuthOptions{Type: "approle"}))
	_, err := root.Logical().Write("auth/approle/role/operator", map[string]any{"token_policies": "operator"})
	must(err)
	role, err := root.Logical().Read("auth/approle/role/operator/role-id")
	must(err)
	made, err := root.Logical().Write("auth/approle/role/operator/secret-id", nil)
	must(err)
	ids := map[string]any{"role_id": role.Data["role_id"], "secret_id": made.Data["secret_id"]}
	return loggedIn(root, "auth/approle/login", ids)
}

func byToken(root *bao.Client) *bao.Client {
	must(root.Sys().EnableAuthWithOptions("kubernetes", &bao.EnableAuthOptions{Type: "jwt"}))
	keys := map[string]any{"jwt_validation_pubkeys": os.Getenv("COMPAT_JWT_KEY")}
	_, err := root.Logical().Write("auth/kubernetes/config", keys)
	must(err)
	terms := map[string]any{"role_type": "jwt", "user_claim": "sub", "bound_audiences": "holdfast", "token_policies": "operator"}
	_, err = root.Logical().Write("auth/kubernetes/role/operator", terms)
	must(err)
	return loggedIn(root, "auth/kubernetes/login", map[string]any{"role": "operator", "jwt": os.Getenv("COMPAT_JWT")})
}

func byCertificate(root *bao.Client) *bao.Client {
	ca, err := os.ReadFile(os.Getenv("COMPAT_CLIENT_CA"))
	must(err)
	role := map[string]any{"certificate": string(ca), "token_policies": "operator"}
	_, err = root.Logical().Write("auth/cert/certs/operator", role)
	must(err)
	return loggedIn(root, "auth/cert/login", map[string]any{"name": "operator"})
}
