// A set-up file of Vitest: it runs again for every test file, also where files share a process.
import { afterAll, afterEach, beforeAll } from 'vitest'
import { runFileEnd, runFileStart } from './file-hooks.ts'
import { newErrors } from './open-logs.ts'
import './vitest-patience.ts'

beforeAll(runFileStart)
afterAll(runFileEnd)

afterEach(({ task }) => {
  if (task.result?.state === 'fail') for (const line of newErrors()) console.error(line)
})
