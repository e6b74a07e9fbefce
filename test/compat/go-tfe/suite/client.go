// Package suite names the version of the reference Go client whose own tests are run: the last one that ships them.
package suite

import _ "github.com/hashicorp/go-tfe"
