import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@chancela/testkit/tools'
import { expect, test } from 'vitest'
import { Journal, withoutCpfs } from './journal.ts'

const clock = () => new Date('2026-11-19T12:00:00Z')

test('the newest lines are kept, the file stays small and is its user’s alone', () => {
  const file = join(temporaryFolder(), 'journal.log')
  const journal = new Journal(file, clock, 2_000)
  expect(journal.last(3)).toEqual([])
  for (let number = 1; number <= 200; number++) journal.write(`line ${number}\nof one sentence`)
  expect(statSync(file).size).toBeLessThanOrEqual(2_000)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(journal.last(2)).toEqual([199, 200].map((number) => `2026-11-19T12:00:00.000Z line ${number} of one sentence`))
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) expect(line).toMatch(/^2026-.*sentence$/)
})

test('a CPF is written with its middle alone, wherever it stands', () => {
  const file = join(temporaryFolder(), 'journal.log')
  const journal = new Journal(file, clock)
  journal.write('MARIA:52998224725 is here, and cpf529.982.247-25.p12, of 00.000.000/0001-91 (10987654321098).')
  expect(readFileSync(file, 'utf8')).toBe(
    '2026-11-19T12:00:00.000Z MARIA:***.982.247-** is here, and cpf***.982.247-**.p12, of 00.000.000/0001-91 (10987654321098).\n',
  )
  expect(withoutCpfs('52998224725 52998224725')).toBe('***.982.247-** ***.982.247-**')
})

test('where nothing can be written, nothing is thrown', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file'), '')
  new Journal(join(folder, 'file', 'journal.log'), clock).write('lost')
})
