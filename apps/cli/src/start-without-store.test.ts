// The command on a machine whose PostgreSQL is not there, as a unit starts it after a power cut.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, temporaryFolder } from '@chancela/testkit/tools'
import { expect, onTestFinished, test } from 'vitest'

const PROGRAM = join(import.meta.dirname, '../bin/chancela.mjs')
const unhurried = { timeout: 300_000 }

test(
  'a batch signer started without its database says so, answers, and ends with 0 when it is asked to',
  unhurried,
  async () => {
    const folder = temporaryFolder()
    const config = join(folder, 'chancela.json')
    const settings = {
      Http: { Port: 0 },
      Compact: { Port: 0 },
      Database: { Url: `postgres://ana:hunter2@127.0.0.1:${await freePort()}/db` },
      Auth: { ApiKey: 'a key of sixteen letters and more' },
      Storage: { Inputs: [{ Name: 'default', Path: 'in' }] },
    }
    writeFileSync(config, JSON.stringify({ 'batch-signer': settings }))
    const child = spawn(process.execPath, [PROGRAM, 'start', 'batch-signer', '--config', config, '--data', folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let told = ''
    child.stderr.on('data', (chunk) => {
      told += chunk
    })
    await expect.poll(() => told.includes('does no work') || child.exitCode !== null, unhurried).toBe(true)
    expect(told).toContain('nothing answers at')
    expect(told).not.toContain('hunter2')
    const address = /batch-signer +(http\S+)/.exec(told)![1]
    expect((await fetch(`${address}/api/health`)).status).toBe(200)
    expect((await fetch(`${address}/api/ready`)).status).toBe(503)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  },
)
