"""A whole round with hvac. It ends with `ok`, or with the assertion that does not hold."""

import json
import os
import sys

import hvac

facts = json.loads(os.environ["HOLDFAST_FACTS"])
client = hvac.Client(url=facts["url"], token=facts["token"])


def refused(error, call):
    try:
        call()
    except error as thrown:
        return thrown
    raise AssertionError(f"{error.__name__} expected")


def keys_of(answer):
    return answer["data"]["keys"]


assert client.is_authenticated()
assert client.sys.is_initialized() and not client.sys.is_sealed()
assert client.sys.read_health_status(method="GET")["initialized"] is True
assert client.sys.read_health_status().status_code == 200
assert client.sys.read_leader_status()["performance_standby"] is False
assert client.seal_status["version"] == "1.21.0+ent"

# Policies
policy = 'path "auth/token/create" { capabilities = ["update"] } path "sys/mounts" { capabilities = ["read"] }'
client.sys.create_or_update_policy("maker", policy)
assert client.sys.read_policy("maker")["rules"] == policy
assert "maker" in client.sys.list_policies()["policies"]
client.sys.create_or_update_acl_policy("second", policy)
assert keys_of(client.sys.list_acl_policies()) == ["default", "maker", "second", "root"]
assert client.sys.read_acl_policy("second")["data"]["policy"] == policy
client.sys.delete_acl_policy("second")
refused(hvac.exceptions.InvalidPath, lambda: client.sys.read_acl_policy("second"))
thrown = refused(hvac.exceptions.InvalidRequest, lambda: client.sys.create_or_update_policy("bad", "path {"))
assert thrown.errors, "the reason of a refusal arrives"

# Tokens
made = client.auth.token.create(policies=["maker"], ttl="1h", meta={"team": "blue"})["auth"]
token, accessor = made["client_token"], made["accessor"]
assert client.auth.token.lookup(token)["data"]["meta"] == {"team": "blue"}
assert client.auth.token.lookup_accessor(accessor)["data"]["id"] == ""
assert client.auth.token.renew(token, increment="2h")["auth"]["lease_duration"] == 7200
assert client.auth.token.renew_accessor(accessor)["auth"]["client_token"] == ""
own = hvac.Client(url=facts["url"], token=token)
assert own.auth.token.lookup_self()["data"]["display_name"] == "token-token"
assert own.auth.token.renew_self()["auth"]["client_token"] == token
assert own.sys.get_capabilities(paths=["sys/mounts", "sys/seal"])["data"] == {
    "sys/mounts": ["read"],
    "sys/seal": ["deny"],
}
assert client.sys.get_capabilities(paths=["sys/mounts"], token=token)["data"]["sys/mounts"] == ["read"]
assert client.sys.get_capabilities(paths=["sys/mounts"], accessor=accessor)["capabilities"] == ["read"]
refused(hvac.exceptions.Forbidden, lambda: own.sys.list_auth_methods())
assert accessor in keys_of(client.auth.token.list_accessors())
client.auth.token.create_or_update_role("ci", allowed_policies="maker", orphan=True, token_period="1h")
assert keys_of(client.auth.token.list_roles()) == ["ci"]
assert client.auth.token.read_role("ci")["data"]["orphan"] is True
assert client.auth.token.create(role_name="ci")["auth"]["orphan"] is True
client.auth.token.delete_role("ci")
client.auth.token.revoke(token)
assert not own.is_authenticated()

# Auth methods
for path in ("cert", "edge/cert"):
    client.sys.enable_auth_method("cert", path=path, description="machines")
assert sorted(client.sys.list_auth_methods()["data"]) == ["cert/", "edge/cert/", "token/"]
assert client.sys.list_auth_methods()["cert/"]["type"] == "cert"
client.sys.tune_auth_method("cert", default_lease_ttl="1800s", description="tuned")
assert client.sys.read_auth_method_tuning("cert")["data"]["default_lease_ttl"] == 1800
assert client.sys.list_mounted_secrets_engines()["data"]["sys/"]["type"] == "system"

# Secrets with versions
client.sys.enable_secrets_engine("kv", path="app", options={"version": "2"})
kv = client.secrets.kv.v2
assert kv.create_or_update_secret("web/db", {"user": "app"}, cas=0, mount_point="app")["data"]["version"] == 1
refused(hvac.exceptions.InvalidRequest, lambda: kv.create_or_update_secret("web/db", {}, cas=0, mount_point="app"))
assert kv.patch("web/db", {"password": "s3cr3t"}, mount_point="app")["data"]["version"] == 2
read = kv.read_secret_version("web/db", mount_point="app", raise_on_deleted_version=True)["data"]
assert read["data"] == {"user": "app", "password": "s3cr3t"}, read
assert keys_of(kv.list_secrets("web", mount_point="app")) == ["db"]
kv.delete_latest_version_of_secret("web/db", mount_point="app")
gone = refused(
    hvac.exceptions.InvalidPath,
    lambda: kv.read_secret_version("web/db", mount_point="app", raise_on_deleted_version=True),
)
assert gone.json["data"]["metadata"]["version"] == 2
kv.undelete_secret_versions("web/db", [2], mount_point="app")
kv.destroy_secret_versions("web/db", [1], mount_point="app")
kv.update_metadata("web/db", max_versions=3, custom_metadata={"owner": "edge"}, mount_point="app")
about = kv.read_secret_metadata("web/db", mount_point="app")["data"]
assert about["versions"]["1"]["destroyed"] and about["custom_metadata"] == {"owner": "edge"}
kv.configure(cas_required=True, mount_point="app")
assert kv.read_configuration(mount_point="app")["data"]["cas_required"] is True
kv.delete_metadata_and_all_versions("web/db", mount_point="app")

# Secrets without versions, and the local space of a token
client.sys.enable_secrets_engine("kv", path="plain")
client.secrets.kv.v1.create_or_update_secret("a", {"x": 1}, mount_point="plain")
assert client.secrets.kv.v1.read_secret("a", mount_point="plain")["data"] == {"x": 1}
client.sys.move_backend("plain", "moved")
assert keys_of(client.secrets.kv.v1.list_secrets("", mount_point="moved")) == ["a"]
for path in ("app", "moved"):
    client.sys.disable_secrets_engine(path)
client.write("cubbyhole/note", text="mine")
assert client.read("cubbyhole/note")["data"] == {"text": "mine"}

# Logins with a secret id
client.sys.enable_auth_method("approle")
client.auth.approle.create_or_update_approle("web", token_policies=["maker"], secret_id_num_uses=1)
role_id = client.auth.approle.read_role_id("web")["data"]["role_id"]
secret_id = client.auth.approle.generate_secret_id("web", metadata={"team": "blue"})["data"]["secret_id"]
own = hvac.Client(url=facts["url"])
assert own.auth.approle.login(role_id, secret_id)["auth"]["metadata"] == {"role_name": "web", "team": "blue"}
assert own.is_authenticated()
refused(hvac.exceptions.InvalidRequest, lambda: own.auth.approle.login(role_id, secret_id))
client.sys.disable_auth_method("approle")

# Logins with a signed token
client.sys.enable_auth_method("jwt")
client.auth.jwt.configure(jwt_validation_pubkeys=[facts["jwt_key"]])
client.auth.jwt.create_role("ci", user_claim="sub", bound_audiences=["holdfast"], allowed_redirect_uris=[])
login = hvac.Client(url=facts["url"]).auth.jwt.jwt_login("ci", facts["jwt"])
assert login["auth"]["metadata"] == {"role": "ci"}, login["auth"]
client.sys.disable_auth_method("jwt")

# Certificates
client.auth.cert.create_ca_certificate_role(name="web", certificate_file=facts["ca_file"], token_policies="maker")
assert keys_of(client.auth.cert.list_certificate_roles()) == ["web"]
machine = hvac.Client(url=facts["https_url"], verify=facts["server_ca"], cert=(facts["cert"], facts["key"]))
login = machine.auth.cert.login(name="web", cert_pem=facts["cert"], key_pem=facts["key"])
assert login["auth"]["policies"] == ["default", "maker"], login["auth"]
assert machine.is_authenticated()
entity = client.secrets.identity.read_entity(login["auth"]["entity_id"])["data"]
assert entity["aliases"][0]["mount_type"] == "cert"
client.secrets.identity.update_entity(entity["id"], metadata={"team": "edge"})
assert client.secrets.identity.lookup_entity(entity_id=entity["id"])["data"]["metadata"] == {"team": "edge"}
assert entity["id"] in keys_of(client.secrets.identity.list_entities())
assert entity["aliases"][0]["id"] in keys_of(client.secrets.identity.list_entity_aliases())

assert client.auth.cert.read_ca_certificate_role("web")["data"]["token_policies"] == ["maker"]
client.auth.cert.configure_tls_certificate()
client.sys.move_backend("auth/cert", "auth/fleet/cert")
assert "fleet/cert/" in client.sys.list_auth_methods()["data"]
assert not machine.is_authenticated()
client.sys.move_backend("auth/fleet/cert", "auth/cert")

# Quotas and leases
client.sys.create_or_update_quota("logins", path="auth/cert", rate=100.5)
assert client.sys.read_quota("logins")["data"]["rate"] == 100.5
assert keys_of(client.sys.list_quotas()) == ["logins"]
client.sys.delete_quota("logins")
client.auth.token.create(policies=["maker"], ttl="1h")
lease = next(key for key in keys_of(client.sys.list_leases("auth/token/create")) if not key.endswith("/"))
assert client.sys.read_lease(f"auth/token/create/{lease}")["data"]["renewable"] is True
client.sys.revoke_lease(f"auth/token/create/{lease}")
client.sys.revoke_prefix("auth/token/create")

# Audit
client.sys.enable_audit_device("file", path="file", options={"file_path": facts["log"]})
assert list(client.sys.list_enabled_audit_devices()["data"]) == ["file/"]
assert client.sys.calculate_hash("file", "abc")["data"]["hash"].startswith("hmac-sha256:")
client.sys.disable_audit_device("file")

# Wrapping
wrapped = client.auth.token.create(policies=["maker"], wrap_ttl="1m")["wrap_info"]["token"]
assert client.sys.unwrap(token=wrapped)["auth"]["client_token"].startswith("hfs.")
refused(hvac.exceptions.InvalidRequest, lambda: client.sys.unwrap(token=wrapped))
own = client.sys.wrap({"a": "b"}, ttl=60)["wrap_info"]["token"]
assert hvac.Client(url=facts["url"], token=own).sys.unwrap()["data"] == {"a": "b"}

# Nodes
assert len(client.sys.read_raft_config()["data"]["config"]["servers"]) == 1
assert client.sys.get_encryption_key_status()["data"]["term"] >= 1
client.sys.rotate_encryption_key()

for path in ("cert", "edge/cert"):
    client.sys.disable_auth_method(path)
assert list(client.sys.list_auth_methods()["data"]) == ["token/"]
client.logout(revoke_token=False)
assert not client.is_authenticated()
sys.stdout.write("ok\n")
