import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hashPassword, isPassword } from './index.ts'

const COST = 10
const FROM = '192.0.2.1'

/** As many as read files, unless somebody set UV_THREADPOOL_SIZE. */
const FILE_THREADS = Number(process.env.UV_THREADPOOL_SIZE ?? 4)

/** Keeps every thread that reads files busy: opening a pipe to read it waits for somebody who writes. */
function occupyFileThreads(): { free(): Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'chancela-pipes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const pipes = Array.from({ length: FILE_THREADS }, (_, n) => join(folder, String(n)))
  execFileSync('mkfifo', pipes)
  const opening = pipes.map((pipe) => open(pipe, 'r'))
  return {
    async free() {
      // Opened for both, this end waits for nobody.
      const ends = pipes.map((pipe) => openSync(pipe, constants.O_RDWR))
      await Promise.all(opening.map(async (one) => (await one).close()))
      for (const end of ends) closeSync(end)
    },
  }
}

describe('passwords', () => {
  test('are hashed by none of the threads that read files', async () => {
    // Both threads read their program before.
    const [hash] = await Promise.all([hashPassword('uma senha', COST, FROM), hashPassword('outra', COST, FROM)])
    const { free } = occupyFileThreads()
    try {
      const checks = ['uma senha', 'outra senha'].map((password) => isPassword(password, hash, COST, FROM))
      expect(await Promise.all(checks)).toEqual([true, false])
    } finally {
      await free()
    }
  })
})
