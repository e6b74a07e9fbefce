import { hidden } from '../../../../access/permissions/index.ts'
import type { RuleAccess } from '../../../../kit/endpoint.ts'

/** Retention policies belong to the self-hosted edition; in the other one their addresses do not exist for anybody. */
export const selfHosted = <S>(rule: RuleAccess<S>): RuleAccess<S> => ({
  ...rule,
  check: async (call) => {
    const subject = await rule.check(call)
    if (call.deps.settings.edition !== 'self-hosted') throw hidden()
    return subject
  },
})
