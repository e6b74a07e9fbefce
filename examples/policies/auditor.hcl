# Which policies there are, and what they say.
path "sys/policies/acl" { capabilities = ["list"] }
path "sys/policies/acl/*" { capabilities = ["read"] }

# Whether snapshots succeed, without the credentials of their stores.
path "sys/storage/raft/snapshot-auto/status/*" { capabilities = ["read"] }

# Never the policies of administrators, whatever else is allowed.
path "sys/policies/acl/admin-*" { capabilities = ["deny"] }
