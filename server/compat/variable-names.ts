/** The category of variables that are inputs of a configuration, as clients of this family spell it. */
export const inputCategory = 'terraform'
