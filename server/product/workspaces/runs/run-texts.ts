import type { PhaseKind } from './run.ts'
import type { Row } from './run-table.ts'
import type { ErrorCode } from './run-words.ts'

/** What each error says to people, and what they can do. */
export const errorTexts: Readonly<Record<ErrorCode, string>> = {
  'tool-failed': 'The tool reported an error. Read the log above, correct the configuration and start another run.',
  'init-failed': 'The tool could not be prepared. Read the log above, correct the configuration and start another run.',
  unsupported: 'The runner cannot do what this run asks for. Use a newer runner, then start another run.',
  'configuration-missing': 'The configuration has no content any more. Upload it again and start another run.',
  'working-directory-missing':
    'The configuration has no such working directory. Correct the setting of the workspace or upload another one.',
  'configuration-invalid-archive': 'The archive of the configuration cannot be unpacked. Upload it again.',
  'tool-unavailable':
    'The runner has not this version of the tool, and may not fetch it. Choose another version, or install it there.',
  'tool-checksum': 'The tool that was fetched is not the one of the catalogue. Check the catalogue and its mirrors.',
  'variable-invalid': 'A variable cannot be given to the tool. Correct it and start another run.',
  'ssh-key-missing': 'The SSH key of the workspace is gone. Choose another and start another run.',
  'plan-digest-differs':
    'The plan that arrived for the apply is not the one that was confirmed, so nothing was applied. Plan again.',
  'output-too-large':
    'What the tool wrote is larger than can be kept. Split the configuration, then start another run.',
  'state-upload-failed':
    'The new state could not be stored. It is kept with the apply or on the runner: store it before anything else.',
  'state-conflict':
    'Another state was stored meanwhile. That of this apply is kept with it: compare both before anything else.',
  'out-of-memory': 'The tool needed more memory than it may have. Split the configuration or give the runner more.',
  'generated-configuration':
    'The plan wrote configuration, which has to be reviewed first. Add it to the configuration and start another run.',
  'plan-stale': 'The state has changed since the plan was made, so the plan can no longer be applied. Plan again.',
  'not-permitted': 'Whoever confirmed the plan may no longer apply in this workspace. Somebody else has to plan again.',
  'executor-lost':
    'The runner was lost while the tool was at work. Real resources may differ from the state: plan again before anything else.',
  'executor-start-failed': 'Two runners took the job and neither began it. Check the runners, then start another run.',
  'timed-out': 'The phase took longer than it may. Split the configuration or raise the limit, then start another run.',
  internal: 'The runner ended the phase for no known reason. Read its log, then start another run.',
}

/** What an event says for each transition that tells more than its name. */
const eventTexts: Readonly<Record<string, string>> = {
  start: 'The plan waits for a runner.',
  'start-beside': 'The plan waits for a runner.',
  turn: 'The confirmed plan is applied next.',
  'turn-outdated': 'The state changed before the confirmed plan was applied.',
  'turn-refused': 'Whoever confirmed the plan may no longer apply.',
  'claim-plan': 'A runner began to plan.',
  'claim-apply': 'A runner began to apply.',
  'plan-errored': 'The plan ended with an error.',
  'plan-generated': 'The plan wrote configuration, which is never applied.',
  'plan-finished': 'The plan finished, and nothing is applied.',
  'plan-saved': 'The plan was saved until somebody confirms it.',
  'plan-applied': 'The plan was confirmed by itself.',
  'plan-applied-empty': 'The plan without changes was confirmed by itself.',
  planned: 'The plan waits for confirmation.',
  confirm: 'The plan was confirmed.',
  'confirm-saved': 'The saved plan was confirmed.',
  'confirm-saved-behind': 'The saved plan was confirmed, and waits for the workspace.',
  'outdate-saved': 'The state changed, so the saved plan was discarded.',
  'outdate-confirmed': 'The state changed before the confirmed plan was applied.',
  applied: 'The plan was applied.',
  'apply-errored': 'The apply ended with an error.',
  discard: 'The run was discarded.',
  localize: 'The workspace changed to local execution, so the run was discarded.',
  expire: 'The saved plan was discarded because nobody confirmed it in time.',
  cancel: 'The run was canceled.',
  'cancel-running': 'The tool was asked to end.',
  kill: 'The tool did not end in time and is killed.',
  overdue: 'The plan was canceled without its runner.',
  'overdue-late': 'The phase had its longest time and did not end.',
  'time-limit': 'The phase had its longest time, and the tool was asked to end.',
  interrupted: 'The tool ended because it was asked to.',
  'interrupted-late': 'The tool ended because its time was over.',
  'interrupted-by-nobody': 'The runner ended the phase for no known reason.',
  'force-cancel': 'The run was canceled by force.',
  advance: 'The run was moved to the front of the queue by force.',
  'displace-planned': 'The run was discarded because another was to go first.',
  'displace-queued': 'The run was canceled because another was to go first.',
  'unlock-planned': 'The workspace was unlocked by force, so the run was discarded.',
  'unlock-queued': 'The workspace was unlocked by force, so the run was canceled.',
  'unlock-running': 'The workspace was unlocked by force, so the run was canceled.',
  'lose-canceled': 'The runner was lost after the run had been canceled.',
  'lose-late': 'The runner was lost after the time of the phase was over.',
  'lose-plan': 'The executor was lost; planning again.',
  'lose-plan-again': 'A second runner was lost during the plan.',
  'lose-start': 'The runner did not begin to apply; another does.',
  'lose-start-again': 'A second runner did not begin to apply.',
  'lose-apply': 'The runner gives no signs of life; it may still come back.',
  'lose-apply-for-good': 'The runner did not come back.',
}

/** The sentence of an event that a transition causes. */
export const eventText = ({ id, event }: Row): string => eventTexts[id] ?? event

/** Byte 2 begins a log and byte 3 ends it; readers wait for both. */
const [begins, ends] = ['\u0002', '\u0003']

/** Readers drop the first three lines of an apply, so three that nobody misses come first. */
const dropped: Readonly<Record<PhaseKind, string>> = {
  plan: '',
  apply:
    'This is the log of an apply.\nIts first three lines are not shown by command lines.\nWhat happened follows.\n',
}

/** What is added to the log of a phase: a line, and its end when the phase is over. */
export function logPart(
  kind: PhaseKind,
  line: string | undefined,
  { wasEmpty, isOver, isOfJob }: { readonly wasEmpty: boolean; readonly isOver: boolean; readonly isOfJob: boolean },
): string {
  const text = line === undefined ? '' : `${line}\n`
  const first = text === '' || isOfJob ? '' : dropped[kind]
  return `${wasEmpty ? `${begins}${first}` : ''}${text}${isOver ? ends : ''}`
}
