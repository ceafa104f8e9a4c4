import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf, newIdentitySecret } from '@chancela/session-server/channel'
import { temporaryFolder } from '@chancela/testkit/tools'
import { expect, test } from 'vitest'
import { waitAfter } from './back-off.ts'
import { AgentHome, defaultHome } from './home.ts'
import { markOf, programInTaskList, startTimeInStat } from './process-mark.ts'
import { runAgentCli } from './run-agent-cli.ts'
import { newFileHolder, PASSWORD } from './test-support/holder-file.ts'

async function agent(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runAgentCli(args, {
    print: (text) => void out.push(text),
    log: (text) => void err.push(text),
    terminal: { write: () => {}, ask: async () => PASSWORD },
    untilStopped: async () => {},
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

const enrolled = (home: string) =>
  new AgentHome(home).writeEnrolment({
    server: 'http://127.0.0.1:9',
    serverPublicKey: identityOf(newIdentitySecret()).publicKey,
    workstationId: 'w-1',
    name: 'Recepção',
    secret: newIdentitySecret(),
  })

test('a problem the person can mend is one sentence without a stack', async () => {
  const home = temporaryFolder()
  for (const args of [
    ['run', '--home', home],
    ['status', '--home', home],
    ['enrol', 'http://127.0.0.1:9', 'no code', '--home', home],
    ['enrol', 'ftp://example', 'AAAAA-AAAAA-AAAAA-AAAAA-AAAAA-AAAAA', '--home', home],
    ['enrol', 'http://127.0.0.1:9', 'AAAAA-AAAAA-AAAAA-AAAAA-AAAAA-AAAAA', '--home', home],
    ['add-token', '/no/such/module.so', '--home', home],
    ['add-file', join(home, 'nothing.p12'), '--home', home],
    ['remove', '7', '--home', home],
  ]) {
    const { code, out, err } = await agent(...args)
    expect([code, out, err.split('\n').length, err]).toEqual([1, '', 1, expect.stringMatching(/\.$/)])
  }
  expect((await agent('dance')).code).toBe(2)
})

test('files are added, listed with their certificates, and removed', async () => {
  const { file } = await newFileHolder()
  const home = temporaryFolder()
  enrolled(home)
  expect((await agent('list', '--home', home)).out).toContain('Nothing is added yet')
  const added = await agent('add-file', file, '--home', home)
  expect([added.code, added.out]).toEqual([0, expect.stringContaining('ANA BEATRIZ SOUZA, CPF 529.982.247-25')])
  await agent('add-file', file, '--home', home)
  expect((await agent('status', '--home', home)).out).toBe(
    'This machine is enrolled as Recepção (w-1) at http://127.0.0.1:9.\n1 token or file is added.\nThe agent does not run.',
  )
  expect((await agent('remove', '1', '--home', home)).out).toBe(`Removed: file ${file}.`)
  expect(statSync(join(home, 'sources.json')).mode & 0o777).toBe(0o600)
})

test('an agent runs until it is stopped; a second one on the same folder is refused', async () => {
  const home = temporaryFolder()
  enrolled(home)
  const { code, err } = await agent('run', '--home', home)
  expect([code, err]).toEqual([0, expect.stringContaining('The agent has ended; every PIN is forgotten.')])
  writeFileSync(join(home, 'running.pid'), String(process.ppid))
  expect(await agent('run', '--home', home)).toMatchObject({ code: 1, err: expect.stringContaining('runs already') })
})

test('a number that a power failure left, and another process has now, keeps no agent out', async () => {
  const home = temporaryFolder()
  enrolled(home)
  writeFileSync(join(home, 'running.pid'), `${process.ppid}\nof another process, of before`)
  expect((await agent('status', '--home', home)).out).toContain('does not run')
  expect((await agent('run', '--home', home)).code).toBe(0)
})

test('what tells processes apart is read as each system says it', () => {
  expect(startTimeInStat('42 (a) b (c)) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 8815 20 21')).toBe('8815')
  expect(programInTaskList('"chancela-agent.exe","4711","Console","1","50,000 K"\r\n')).toBe('chancela-agent.exe')
  expect(programInTaskList('INFO: No tasks are running which match the specified criteria.')).toBeUndefined()
  expect([markOf(process.pid), markOf(process.pid) === markOf(process.ppid)]).toEqual([expect.any(String), false])
})

test('the folder is where the system keeps settings', () => {
  expect(defaultHome('linux', { XDG_CONFIG_HOME: '/x' })).toBe('/x/chancela/agent')
  expect(defaultHome('linux', {})).toMatch(/\/\.config\/chancela\/agent$/)
  expect(defaultHome('darwin', {})).toMatch(/Library\/Application Support\/Chancela\/agent$/)
  expect(defaultHome('win32', { APPDATA: 'C:/Roaming' })).toMatch(/Roaming.Chancela.agent$/)
})

test('the wait between attempts doubles up to the longest, and is never the same for all', () => {
  const backOff = { first: 1_000, longest: 60_000 }
  expect([0, 1, 2, 10, 1_000].map((failures) => waitAfter(failures, backOff, () => 1))).toEqual([
    1_000, 2_000, 4_000, 60_000, 60_000,
  ])
  expect(waitAfter(3, backOff, () => 0)).toBe(4_000)
})
