/** A resource by type and id. */
export type Identifier = { readonly type: string; readonly id: string }

/** An identifier as one text, to look it up by. */
export const keyOf = ({ type, id }: Identifier): string => `${type} ${id}`

/** How one resource refers to others. */
export type Relationship = {
  readonly data?: Identifier | readonly Identifier[] | null
  readonly links?: { readonly related: string }
}

/** A resource as it is sent. */
export type Resource = Identifier & {
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, Relationship>>
  readonly links?: Readonly<Record<string, string | null>>
}
