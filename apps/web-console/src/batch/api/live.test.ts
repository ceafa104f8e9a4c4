import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { refreshQueries } from './live.ts'

/** A shown query; each of its loads waits until it is answered. */
function shown(queries: QueryClient, queryKey: readonly string[]) {
  const answers: ((value: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve))
  onTestFinished(new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => {}))
  return answers
}

test.each([
  ['a change', new Set(['failures'])],
  ['the opening of the stream', undefined],
])('what %s finds in its first load is asked for again after it', async (_, words) => {
  const queries = new QueryClient()
  const answers = shown(queries, ['failures', 'day'])
  await expect.poll(() => answers.length).toBe(1)
  refreshQueries(queries, words)
  answers[0]!('before the change')
  await expect.poll(() => answers.length).toBe(2)
  answers[1]!('after the change')
  await expect.poll(() => queries.getQueryData(['failures', 'day'])).toBe('after the change')
})

test('a change is asked for at once, in place of a load under way, and of no other query', async () => {
  const queries = new QueryClient()
  const [failures, jobs] = [shown(queries, ['failures', 'day']), shown(queries, ['jobs'])]
  for (const answers of [failures, jobs]) {
    await expect.poll(() => answers.length).toBe(1)
    answers[0]!('first')
  }
  await expect.poll(() => queries.isFetching()).toBe(0)
  refreshQueries(queries, new Set(['failures']))
  refreshQueries(queries, new Set(['failures']))
  await expect.poll(() => failures.length).toBe(3)
  failures[2]!('newest')
  await expect.poll(() => queries.getQueryData(['failures', 'day'])).toBe('newest')
  expect(jobs.length).toBe(1)
})
