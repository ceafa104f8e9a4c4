// The version of the agent that the server offers, from the setting to the program in its place.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '@chancela/testkit/tools'
import { runAgentCli } from '@chancela/workstation-agent'
import { expect, onTestFinished, test } from 'vitest'
import { startSessionServer } from './test-support/session-world.ts'
import { newCpf } from './test-support/vault.ts'
import { newWorkstation, startTestAgent } from './test-support/workstation.ts'

/** A program that knows its version. */
const programOf = (version: string): string => `#!/bin/sh\necho ${version}\n`

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

interface Site {
  readonly version?: string
  readonly platform?: string
  /** What the server of packages serves. */
  readonly served?: string
  /** What was named. */
  readonly named?: string
}

/** A site that offers a version, an agent that is connected, and a program where a package would be. */
async function newSite(site: Site = {}) {
  const { version = '99.1.0', platform = `${process.platform}-${process.arch}` } = site
  const { served = programOf(version), named = served } = site
  let fetched = 0
  const packages = createServer((_, response) => {
    fetched++
    response.end(served)
  })
  await new Promise<void>((resolve) => void packages.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void packages.close().closeAllConnections())
  const Url = `http://127.0.0.1:${(packages.address() as AddressInfo).port}/agent`
  const AgentPackages = [{ Platform: platform, Url, Sha256: digestOf(named).toUpperCase() }]
  const world = await startSessionServer('SQLite', {
    settings: { Workstations: { AgentVersion: version, AgentPackages } },
  })
  const { home } = await newWorkstation(world, [newCpf()])
  const executable = join(temporaryFolder(), 'chancela-agent')
  writeFileSync(executable, programOf('old'), { mode: 0o755 })
  const urls: string[] = []
  const said: string[] = []
  const agent = await startTestAgent(home, {
    executable,
    log: (sentence) => void said.push(sentence),
    openBrowser: async (url) => {
      urls.push(url)
      return true
    },
  })
  await agent.connected
  const cli = async (args: readonly string[], changes: { readonly executable?: undefined } = {}) => {
    const [out, err]: [string[], string[]] = [[], []]
    const code = await runAgentCli([...args, '--home', home], {
      executable,
      ...changes,
      print: (text) => void out.push(text),
      log: (text) => void err.push(text),
    })
    return { code, out: out.join('\n'), err: err.join('\n') }
  }
  const here = () => readFileSync(executable, 'utf8')
  return { agent, cli, executable, here, said, urls, home, fetched: () => fetched }
}

test('a newer version is told of, and nothing is fetched before the holder says so; then it is in its place', async () => {
  const { cli, executable, here, said, fetched } = await newSite()
  expect(said).toContain('Version 99.1.0 of the agent is there: chancela-agent update.')
  expect((await cli(['status'])).out).toContain('Version 99.1.0 is there')
  expect([fetched(), here()]).toEqual([0, programOf('old')])
  expect(await cli(['update'])).toMatchObject({ code: 0, out: expect.stringContaining('99.1.0'), err: '' })
  expect([fetched(), here(), statSync(executable).mode & 0o777]).toEqual([1, programOf('99.1.0'), 0o755])
  // The former one stays: the new one has not run.
  expect((await cli(['update'])).code).toBe(1)
  expect((await cli(['status'])).out).toContain('Version 99.1.0 is installed')
  expect(fetched()).toBe(1)
  expect(readFileSync(`${executable}.old`, 'utf8')).toBe(programOf('old'))
})

test.each([
  ['what is served is not what was named', { served: programOf('99.1.0'), named: programOf('99.1.1') }],
  ['it is another version than was offered', { served: programOf('99.2.0') }],
  ['it does not start', { served: 'no program' }],
  ['it is for other systems', { platform: 'win32-arm64' }],
  ['it is older than what runs', { version: '0.0.1' }],
])('where %s, nothing is changed and one sentence says so', async (_why, site) => {
  const { cli, executable, here } = await newSite(site)
  const { code, out, err } = await cli(['update'])
  expect([code, out, err.split('\n').length]).toEqual([1, '', 1])
  expect([here(), existsSync(`${executable}.old`)]).toEqual([programOf('old'), false])
})

test('an agent that runs from its sources only says that a newer version is there', async () => {
  const { cli, fetched } = await newSite()
  const { code, err } = await cli(['update'], { executable: undefined })
  expect([code, fetched()]).toEqual([1, 0])
  expect(err).toContain('sources')
})

test('the window offers it, and installs it on a click', async () => {
  const { agent, urls, here, fetched } = await newSite()
  await agent.openWindow()
  const { origin } = new URL(urls[0]!)
  const entered = await fetch(urls[0]!, { redirect: 'manual' })
  const headers = { cookie: entered.headers.get('set-cookie')!.split(';')[0]!, 'accept-language': 'pt-BR', origin }
  const html = await (await fetch(origin, { headers })).text()
  expect(html).toContain('A versão 99.1.0 está disponível')
  const body = (token: string) => ({ method: 'POST', headers, body: new URLSearchParams({ token }) })
  expect((await fetch(`${origin}/update`, { headers })).status).toBe(404)
  expect((await fetch(`${origin}/update`, body('other'))).status).toBe(403)
  expect([fetched(), here()]).toEqual([0, programOf('old')])
  const token = html.match(/name="token" value="([^"]+)"/)![1]!
  expect(await (await fetch(`${origin}/update`, body(token))).text()).toContain('A versão 99.1.0 foi instalada')
  expect(here()).toBe(programOf('99.1.0'))
  expect(await (await fetch(origin, { headers })).text()).not.toContain('Instalar agora')
})

test('the former version goes when the new one is connected', async () => {
  const { agent, home, executable } = await newSite({ version: '0.0.1' })
  await agent.stop()
  writeFileSync(`${executable}.old`, programOf('old'))
  const updated = (version: string) =>
    writeFileSync(join(home, 'updated.json'), JSON.stringify({ version, former: `${executable}.old` }))
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const started = async () => {
    const next = await startTestAgent(home)
    await next.connected
    await next.stop()
  }
  updated('99.0.0')
  await started()
  expect(existsSync(`${executable}.old`)).toBe(true)
  updated(version)
  await started()
  expect([existsSync(`${executable}.old`), existsSync(join(home, 'updated.json'))]).toEqual([false, false])
})
