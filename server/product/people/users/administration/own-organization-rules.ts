/** An organization that a person belongs to. */
export type OwnOrganization = {
  readonly userId: string
  readonly id: string
  readonly name: string
}
