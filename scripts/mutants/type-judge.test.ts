import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../steps/run-command.mjs'
import { TypeJudge } from './type-judge.ts'

test('what several projects share is judged by one of them', () => {
  const shared = 'apps/web-console/src/console/parts/days.ts'
  const text = readFileSync(join(root, shared), 'utf8')
  using judge = new TypeJudge(root)
  expect(judge.compiles(shared, text)).toBe(true)
  expect(judge.compiles(shared, `${text}export const wrong: string = 1\n`)).toBe(false)
})
