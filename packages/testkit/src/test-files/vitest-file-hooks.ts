// A set-up file of Vitest: it runs again for every test file, also where files share a process.
import { afterAll, beforeAll } from 'vitest'
import { runFileEnd, runFileStart } from './file-hooks.ts'
import './vitest-patience.ts'

beforeAll(runFileStart)
afterAll(runFileEnd)
