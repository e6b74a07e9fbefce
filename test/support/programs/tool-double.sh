#!/bin/sh
# Behaves like the command line of a tool, for tests of the runner. What a configuration wants of it stands in comments:
# `#double: hang`. Resources are the lines `resource "terraform_data" "NAME"`.
set -eu
version=@version@
command=$1
shift

wants() { cat ./*.tf 2>/dev/null | grep -q "^#double: $1\$"; }
names() { cat ./*.tf 2>/dev/null | sed -n 's/^resource "terraform_data" "\([a-z0-9_]*\)".*/\1/p' | sort; }
esc=$(printf '\033')

case "${TF_WORKSPACE:-default}" in
default) state=terraform.tfstate ;;
*) state=terraform.tfstate.d/$TF_WORKSPACE/terraform.tfstate ;;
esac
existing() { sed -n 's/^ *"name": "\(.*\)",$/\1/p' "$state" 2>/dev/null | sort; }
serial() { sed -n 's/^ *"serial": \([0-9]*\),$/\1/p' "$state" 2>/dev/null; }

# Writes a state of the named resources, in one piece.
write_state() {
  next=$(($(serial || echo 0) + 1))
  {
    printf '{\n  "version": 4,\n  "terraform_version": "%s",\n  "serial": %s,\n  "lineage": "double",\n  "outputs": {},\n  "resources": [' "$version" "$next"
    separator=
    for name in "$@"; do
      printf '%s\n    {\n      "mode": "managed",\n      "type": "terraform_data",\n      "name": "%s",\n      "provider": "provider[\\"terraform.io/builtin/terraform\\"]",\n      "instances": [{"schema_version": 0, "attributes": {"id": "%s"}}]\n    }' "$separator" "$name" "$name"
      separator=,
    done
    printf '\n  ]\n}\n'
  } > "$state.new"
  cat "$state.new" > "$state"
  rm "$state.new"
}

hang() {
  if wants "$1-deaf"; then trap '' INT; else trap 'echo "Interrupt received."; exit 1' INT; fi
  echo "hanging in $1"
  while :; do sleep 0.05; done
}

act() {
  if wants "$1-hangs" || wants "$1-deaf"; then hang "$1"; fi
  if wants "$1-crashes"; then kill -SEGV $$; fi
  if wants "$1-fails"; then echo "Error: the double was told to fail in $1" >&2; exit 1; fi
  if wants "$1-prints-100MB"; then head -c 100000000 /dev/zero | tr '\0' 'x' | fold -w 1000; fi
  if wants "$1-prints-secret"; then printf 'The secret is %s.\n' "${SECRET:-}"; printf '%s' "${SECRET:-}" | base64; fi
  if wants "$1-prints-environment"; then env | sort; fi
}

case $command in
version)
  printf '{"terraform_version": "%s", "platform": "linux_amd64", "provider_selections": {}}\n' "$version"
  ;;
init)
  act init
  echo "Initialised."
  ;;
plan)
  out=
  for word in "$@"; do case $word in -out=*) out=${word#-out=} ;; esac; done
  act plan
  wanted=$(names)
  for word in "$@"; do [ "$word" != -destroy ] || wanted=; done
  changes=
  for name in $wanted; do existing | grep -qx "$name" || changes="$changes +$name"; done
  for name in $(existing); do printf '%s\n' $wanted | grep -qx "$name" || changes="$changes -$name"; done
  printf 'double %s\nserial %s\nchanges%s\nwanted %s\n' "$version" "$(serial || true)" "$changes" "$(echo $wanted)" > "$out"
  printf '%s[1mPlan:%s[0m changes:%s\n' "$esc" "$esc" "$changes"
  if wants plan-goes-on; then (sleep 0.3; echo evil > "$out"; echo evil > rewritten) >/dev/null 2>&1 & fi
  if wants plan-leaves-link; then rm "$out"; ln -s /etc/passwd "$out"; fi
  [ -z "$changes" ] || exit 2
  ;;
show)
  file=$2
  if head -n 1 "$file" | grep -q '^double '; then
    printf '{"format_version":"1.2","terraform_version":"%s","resource_changes":[' "$version"
    separator=
    for change in $(sed -n 's/^changes//p' "$file"); do
      name=${change#?}
      case $change in
      +*) rest='["create"],"before":null,"after":{"input":"'$name'"}' ;;
      *) rest='["delete"],"before":{"input":"'$name'"},"after":null' ;;
      esac
      printf '%s{"address":"terraform_data.%s","mode":"managed","type":"terraform_data","name":"%s","provider_name":"terraform.io/builtin/terraform","change":{"actions":%s,"before_sensitive":false,"after_sensitive":false}}' "$separator" "$name" "$name" "$rest"
      separator=,
    done
    printf ']}\n'
  else
    printf '{"format_version":"1.0","terraform_version":"%s","values":{"root_module":{}}}\n' "$version"
  fi
  ;;
providers)
  printf '{"format_version":"1.0","provider_schemas":{"terraform.io/builtin/terraform":{"resource_schemas":{"terraform_data":{"version":0,"block":{"attributes":{"input":{"type":"dynamic","optional":true}}}}}}}}\n'
  ;;
apply)
  for file in "$@"; do :; done
  [ "$(sed -n 's/^serial //p' "$file")" = "$(serial || true)" ] || { echo "Error: Saved plan is stale" >&2; exit 1; }
  wanted=$(sed -n 's/^wanted //p' "$file")
  added=0
  done=
  for name in $wanted; do
    done="$done $name"
    added=$((added + 1))
    echo "terraform_data.$name: Creation complete after 0s"
    if wants apply-writes-partial; then write_state $done; act apply; fi
  done
  if wants apply-writes-half; then printf '{"version": 4, "ser' > "$state"; exit 1; fi
  act apply
  write_state $wanted
  printf '\n%sApply complete! Resources: %s added, 0 changed, 0 destroyed.\n' "" "$added"
  ;;
*)
  echo "no such command: $command" >&2
  exit 1
  ;;
esac
