import { expect, test } from 'vitest'
import { CallFailure } from '../../../shared/api/request.ts'
import { patiently } from './patiently.ts'

const refused = (status: number, retryAfterSeconds?: number) =>
  new CallFailure({
    kind: 'refused',
    problem: {
      status,
      code: `http-${status}`,
      title: '',
      requestId: undefined,
      errors: {},
      details: {},
      retryAfterSeconds,
    },
  })

/** A call that fails so often, and what was waited for between. */
async function attempted(failures: readonly unknown[]) {
  const waits: number[] = []
  let calls = 0
  const act = async () => {
    calls += 1
    if (calls <= failures.length) throw failures[calls - 1]
    return 'done'
  }
  const answer = await patiently(act, async (seconds) => void waits.push(seconds)).catch((error: unknown) => error)
  return { answer, waits, calls }
}

test('a call that is put off is repeated after the time that was asked for', async () => {
  expect(await attempted([refused(429, 7), refused(429)])).toEqual({ answer: 'done', waits: [7, 1], calls: 3 })
})

test.each([refused(409), new CallFailure({ kind: 'unreachable' })])('%s is not repeated', async (failure) => {
  expect(await attempted([failure])).toEqual({ answer: failure, waits: [], calls: 1 })
})
