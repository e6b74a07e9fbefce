terraform {
  # The address and the organization come from the environment (TF_CLOUD_HOSTNAME, TF_CLOUD_ORGANIZATION).
  cloud {
    workspaces { name = "example-state" }
  }
}

variable "size" {
  type    = string
  default = "small"
}

resource "terraform_data" "machine" {
  input = var.size
}

output "size" {
  value = terraform_data.machine.output
}
