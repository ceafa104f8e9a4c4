import { CallFailure } from '../../../shared/api/request.ts'

/** Repeats a call that the service puts off: a batch makes more of them than a minute allows. */
export async function patiently<Answer>(act: () => Promise<Answer>, wait = waitSeconds): Promise<Answer> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      const seconds = askedToWait(error)
      if (seconds === undefined) throw error
      await wait(seconds)
    }
  }
}

const TOO_MANY_REQUESTS = 429

function askedToWait(error: unknown): number | undefined {
  if (!(error instanceof CallFailure) || error.reason.kind !== 'refused') return undefined
  const { status, retryAfterSeconds = 1 } = error.reason.problem
  return status === TOO_MANY_REQUESTS ? retryAfterSeconds : undefined
}

const waitSeconds = (seconds: number) => new Promise<void>((done) => setTimeout(done, seconds * 1000))
