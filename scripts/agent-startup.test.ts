// The agent as a system starts it: the program of a package, in processes of its own, for a person who has a folder.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { identityOf, newIdentitySecret } from '@chancela/session-server/channel'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { bundleAgent } from './steps/agent-bundle.mjs'
import { root } from './steps/run-command.mjs'

const folder = mkdtempSync(join(tmpdir(), 'chancela-startup-'))
const program = join(folder, 'chancela-agent.cjs')

beforeAll(async () => writeFileSync(program, (await bundleAgent(root)).program))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let people = 0

/** A person without a desktop and without a systemd, whose agent is enrolled at a server that is not there. */
function newPerson() {
  const home = join(folder, `person ${people++} "ana"`)
  const agentHome = join(home, '.config', 'chancela', 'agent')
  const environment = { PATH: process.env.PATH, HOME: home }
  mkdirSync(home)
  onTestFinished(async () => void (await cli('uninstall')))

  async function cli(...args: readonly string[]) {
    const child = spawn(process.execPath, [program, ...args], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    const said = { out: '', err: '' }
    child.stdout.on('data', (bytes) => {
      said.out += bytes
    })
    child.stderr.on('data', (bytes) => {
      said.err += bytes
    })
    const [code] = await once(child, 'close')
    return { code, ...said }
  }

  return {
    cli,
    entry: join(home, '.config', 'autostart', 'chancela-agent.desktop'),
    enrol() {
      mkdirSync(agentHome, { recursive: true })
      const enrolment = {
        server: 'http://127.0.0.1:9',
        serverPublicKey: identityOf(newIdentitySecret()).publicKey,
        workstationId: 'w-1',
        name: 'Recepção',
        secret: newIdentitySecret(),
      }
      writeFileSync(join(agentHome, 'enrolment.json'), JSON.stringify(enrolment))
    },
    log: () => readFileSync(join(agentHome, 'agent.log'), 'utf8'),
    logMode: () => statSync(join(agentHome, 'agent.log')).mode & 0o777,
    /** Of the agent that runs. */
    async pid(): Promise<number | undefined> {
      const number = /runs as process (\d+)/.exec((await cli('status')).out)?.[1]
      return number === undefined ? undefined : Number(number)
    },
  }
}

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('an installed agent runs at once, comes back when it is killed, and is gone after the uninstall', async () => {
  const person = newPerson()
  person.enrol()
  const { code, out, err } = await person.cli('install')
  expect([code, err, out]).toEqual([0, '', expect.stringContaining(person.entry)])
  expect(readFileSync(person.entry, 'utf8')).toContain('.config/chancela/agent')

  const first = (await person.pid())!
  process.kill(first, 'SIGKILL')
  const second = await vi.waitUntil(async () => {
    const pid = await person.pid()
    return pid !== first && pid
  })
  expect([person.logMode(), person.log()]).toEqual([0o600, expect.stringContaining('http://127.0.0.1:9')])

  expect(await person.cli('run')).toMatchObject({ code: 1, err: expect.stringContaining('runs already') })
  expect(await person.cli('run', '--background')).toMatchObject({
    code: 1,
    err: expect.stringContaining('runs already'),
  })

  expect(await person.cli('uninstall')).toMatchObject({ code: 0, err: '', out: expect.stringContaining(person.entry) })
  expect([existsSync(person.entry), isThere(second), await person.pid()]).toEqual([false, false, undefined])
  expect(await person.cli('uninstall')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing is installed') })
})

test('an agent that is installed again is one agent, started anew, with the same entry', async () => {
  const person = newPerson()
  person.enrol()
  await person.cli('install')
  const [first, entry] = [await person.pid(), readFileSync(person.entry, 'utf8')]
  expect((await person.cli('install')).code).toBe(0)
  expect([await person.pid(), isThere(first!)]).toEqual([expect.any(Number), false])
  expect(readFileSync(person.entry, 'utf8')).toBe(entry)
})

test('what is not enrolled is not installed, nor run in the background', async () => {
  const person = newPerson()
  for (const args of [['install'], ['run', '--background']]) {
    const { code, out, err } = await person.cli(...args)
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(/^This machine is not enrolled.+\.\n$/)])
  }
  expect(existsSync(person.entry)).toBe(false)
})
