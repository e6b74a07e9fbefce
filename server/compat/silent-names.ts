/**
 * What published clients send of their own accord and what means nothing here: it gives no warning, since nobody who uses
 * the client could leave it out. Attributes stand by the type of their resource, with the values that ask for nothing.
 */
export const silentNames = {
  attributes: {
    // The provider sends its defaults whenever it changes an organization; only `true` would ask for something.
    organizations: { 'enforce-hyok': [false], 'stacks-enabled': [false] },
  },
  // go-tfe writes the list of tag bindings out in this parameter, beside the filter for each of them.
  parameters: ['TagBindings'],
} as const
