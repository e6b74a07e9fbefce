import { html } from '../../../../kit/html.ts'
import { page } from '../../../../kit/page.ts'
import type { Reply } from '../../../../kit/reply.ts'
import { shortestPassword } from '../../users/index.ts'
import { type Problem, problemText, tiedToProblem, windowTitleOf } from '../problem.ts'

/** The page where a link lets somebody set a password. */
export const passwordPage = (title: string, action: string, username: string, problem?: Problem): Reply =>
  page(
    title,
    html`<p>You are <strong>${username}</strong>. Choose a password of at least ${shortestPassword} characters.</p>
${problemText(problem?.text)}
<form method="post" action="${action}">
<input name="username" value="${username}" autocomplete="username" readonly hidden>
<label>New password<input name="password" type="password" autocomplete="new-password" required autofocus${tiedToProblem(problem !== undefined)}></label>
<label>The same again
<input name="password_confirmation" type="password" autocomplete="new-password" required${tiedToProblem(problem !== undefined)}></label>
<button>Set password</button></form>`,
    { status: problem?.status ?? 200, windowTitle: windowTitleOf(title, problem) },
  )

/** The page for a link that no longer works. */
export const invalidLinkPage = (
  advice = 'Ask an administrator for a new one. If you have set your password already,',
): Reply =>
  page(
    'This link does not work',
    html`<p>It is invalid, has been used or has expired. ${advice} <a href="/app/sign-in">sign in</a>.</p>`,
    { status: 404 },
  )
