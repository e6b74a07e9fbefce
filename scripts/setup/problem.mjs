/** Something the user can fix; its message is shown as it is, without a stack trace. */
export class SetupProblem extends Error {}
