import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { compile, nextLine, program } from './index.ts'

/** Imports by the same names as in the file: a package of ours, a file next to it. */
const greeter = program(
  import.meta.url,
  `import { SECOND } from '@chancela/service-kernel/clock'
   import { temporaryFolder } from '../tools/temporary-folder.ts'
   console.log(process.env.GREETING, SECOND, typeof temporaryFolder)
   setInterval(() => {}, 60_000)`,
)

let last: ChildProcess

test('a program runs what its file could import, with the variables it is started with', async () => {
  last = await greeter({ GREETING: 'hello' })
  expect(await nextLine(last)).toBe('hello 1000 function')
  expect(last.exitCode).toBeNull()
})

test('no process outlives the test that started it', async () => {
  if (last.signalCode === null) await once(last, 'exit')
  expect(last.signalCode).toBe('SIGKILL')
})

test('a program that ends without a word fails whoever waits for one', async () => {
  const silent = program(import.meta.url, '')
  await expect(nextLine(await silent())).rejects.toThrow('The process ended without a word.')
})

test('what is compiled again takes the place of what was', async () => {
  const text = 'console.log(1)'
  expect(await compile(import.meta.url, text)).toBe(await compile(import.meta.url, text))
})
