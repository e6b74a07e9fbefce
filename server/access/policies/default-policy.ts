/** The text of `default` as a new server has it: what a token may do about itself. Operators may edit it. */
export const defaultPolicyText = `# What every token may do about itself. Edit it as you like; it cannot be deleted.

# The token: look at it, keep it alive, give it up.
path "auth/token/lookup-self" { capabilities = ["read", "update"] }
path "auth/token/renew-self"  { capabilities = ["update"] }
path "auth/token/revoke-self" { capabilities = ["update"] }

# What the token is allowed to do, for tools and the web interface.
path "sys/capabilities-self"         { capabilities = ["update"] }
path "sys/internal/ui/resultant-acl" { capabilities = ["read"] }

# The entity behind the token.
path "identity/entity/id/{{identity.entity.id}}"     { capabilities = ["read"] }
path "identity/entity/name/{{identity.entity.name}}" { capabilities = ["read"] }

# Leases whose id the holder knows.
path "sys/leases/lookup" { capabilities = ["update"] }
path "sys/leases/renew"  { capabilities = ["update"] }
path "sys/renew"         { capabilities = ["update"] }

# The token's private store.
path "cubbyhole/*" { capabilities = ["create", "read", "update", "delete", "list"] }

# Hand an answer over wrapped, look at a wrapping token, open it.
path "sys/wrapping/wrap"   { capabilities = ["update"] }
path "sys/wrapping/lookup" { capabilities = ["update"] }
path "sys/wrapping/unwrap" { capabilities = ["update"] }

# Hash a text.
path "sys/tools/hash"   { capabilities = ["update"] }
path "sys/tools/hash/*" { capabilities = ["update"] }
`

/** The text of `response-wrapping`: the token that carries a wrapped answer may fetch it, hand it on, and nothing else. */
export const responseWrappingPolicyText = `path "cubbyhole/response"   { capabilities = ["create", "read"] }
path "sys/wrapping/unwrap" { capabilities = ["update"] }
path "sys/wrapping/rewrap" { capabilities = ["update"] }
`
