/** Thrown by a handler when no further attempt would help: the job is dead at once. */
export class HopelessJob extends Error {
  override readonly name = 'HopelessJob'
}

/** The reason a signal was aborted, or a completion refused: another worker may hold the job by now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'

  constructor() {
    super('The lease on the job has run out, and another worker may have claimed it.')
  }
}

/** The reason a signal was aborted: the worker stops and the time to drain is over. */
export class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping'

  constructor() {
    super('The worker is stopping and can wait no longer.')
  }
}

/** Characters of an error stored on a job: enough for the reason, too few to fill a disk. */
const KEPT_CHARACTERS = 2_000

/** An error as it is stored on the job: its message and those of its causes, without stacks. */
export function errorText(error: unknown): string {
  const texts: string[] = []
  for (let link: unknown = error; link !== undefined && texts.length < 5; link = causeOf(link)) texts.push(textOf(link))
  return texts.join('; because ').slice(0, KEPT_CHARACTERS)
}

const textOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error))

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)
