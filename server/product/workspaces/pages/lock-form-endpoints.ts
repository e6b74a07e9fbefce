import { Failure } from '../../../kernel/failure.ts'
import { fields } from '../../../kit/bodies.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import type { Reply } from '../../../kit/reply.ts'
import {
  leadToPage,
  leaveNotice,
  type PagePrefix,
  type Problem,
  pagePrefixes,
  redirectTo,
  signInFirst,
  type Viewer,
} from '../../people/sign-in/index.ts'
import type { Session } from '../../people/users/index.ts'
import {
  forceUnlockShown,
  holderOf,
  isSameHolder,
  lockInForce,
  lockWorkspace,
  longestReason,
  mayOnWorkspace,
  namedWorkspaceInPath,
  newLock,
  type OnWorkspace,
  onWorkspace,
  unlockWorkspace,
} from '../workspaces/index.ts'
import { findByRule, type LockVerb, lockVerbs, problemOf, whenSignedIn } from './page-parts-endpoints.ts'
import { pathOf, showWorkspace } from './workspace-page-endpoints.ts'

type Sent = { csrf?: string; reason?: string; since?: string; back?: string }

const rights = { lock: 'can-lock', unlock: 'can-unlock', 'force-unlock': 'can-force-unlock' } as const

const notAllowed: Problem = { text: 'You are not allowed to do this to the workspace.', status: 403 }

const doneTexts: Readonly<Record<LockVerb, (name: string) => string>> = {
  lock: (name) => `You have locked ${name}.`,
  unlock: (name) => `${name} is unlocked.`,
  'force-unlock': (name) => `${name} is unlocked by force.`,
}

/** Does what the form asks and shows its page again, so that a reload of it repeats nothing. */
async function change(call: Call, viewer: Viewer, session: Session, verb: LockVerb, sent: Sent): Promise<Reply> {
  const found = await findByRule(onWorkspace(rights[verb]), call)
  if (!found) return await showWorkspace(call, viewer, notAllowed)
  const { name } = found.resource
  const path = `${viewer.prefix}${pathOf(call, name)}${backPattern.test(sent.back ?? '') ? sent.back : ''}`
  const done = () =>
    redirectTo(path, leaveNotice(call, { path, session }, { kind: 'done', text: doneTexts[verb](name) }))
  try {
    await perform(call, found, verb, sent)
    return done()
  } catch (thrown) {
    const problem = problemOf(thrown)
    return (await isDone(call, verb)) ? done() : await showWorkspace(call, viewer, lockProblem(thrown, problem))
  }
}

/** Pages below that of the workspace which have a form for its lock, too. */
const backPattern = /^\/states(\/sv-\w+)?$/

/** The page says who holds the lock since when; the text for clients would say it twice. */
const lockProblem = (thrown: unknown, problem: Problem): Problem =>
  thrown instanceof Failure && (thrown.code === 'lock.already-locked' || thrown.code === 'lock.held-by-other')
    ? { ...problem, text: 'Nothing was changed: somebody else holds the lock.' }
    : problem

async function perform(call: Call, { resource, grants, actor }: OnWorkspace, verb: LockVerb, sent: Sent) {
  const { deps } = call
  const seen = {
    workspace: resource,
    allows: (current: typeof resource) => mayOnWorkspace(grants, rights[verb], current),
  }
  const author = authorOf(call)
  if (verb === 'lock') {
    const reason = (sent.reason ?? '').trim().slice(0, longestReason)
    return await lockWorkspace(deps, author, seen, newLock(actor, { reason }, deps.clock.now()))
  }
  if (verb === 'unlock') return await unlockWorkspace(deps, author, seen, holderOf(actor))
  return await forceUnlockShown(deps, author, seen, sent.since ?? '')
}

/** True if the lock is already as the form asks: a second click is not an error. */
async function isDone(call: Call, verb: LockVerb): Promise<boolean> {
  const found = await findByRule(onWorkspace(rights[verb]), call)
  const lock = found && lockInForce(found.resource.lock, call.deps.clock.now())
  if (!found || verb !== 'lock') return found !== undefined && !lock
  return lock ? isSameHolder(lock.holder, holderOf(found.actor)) : false
}

const body = fields(
  Type.Object({
    csrf: field.text('CSRF token of the form.'),
    reason: field.text('Why the workspace is locked.'),
    since: field.text('When the lock began that may be broken.'),
    back: field.text('The page to show again, below that of the workspace: `/states`, or one version of the state.'),
  }),
  { maxBytes: 32 * 1024 },
)

const formsBelow = (prefix: PagePrefix) =>
  lockVerbs.flatMap((verb) => {
    const page = `${prefix}/:organization/workspaces/:name` as const
    const route = `${page}/actions/${verb}` as const
    const form = endpoint({
      id: `workspace-pages.${verb}${prefix.replace('/', '.')}`,
      route: `POST ${route}`,
      summary: `Send the ${verb} form of a workspace page.`,
      access: signInFirst,
      params: namedWorkspaceInPath,
      body,
      returns: { 303: null, 403: null, 404: null, 409: null, 503: null },
      handle: (call) => {
        const path = pathOf(call, call.params.name ?? '')
        const run = (known: Call, viewer: Viewer, session: Session) => change(known, viewer, session, verb, call.body)
        return whenSignedIn(call, prefix, path, run, { csrf: call.body.csrf })
      },
    })
    return [form, leadToPage(route, page, namedWorkspaceInPath)]
  })

/** The forms that lock and unlock a workspace on its page. */
export const lockFormEndpoints: readonly Endpoint[] = defineEndpoints('site', pagePrefixes.flatMap(formsBelow))
