// The commands with a software token in its usual place.
import { cachedKeys, createDemoPki } from '@chancela/testkit/demo-pki'
import { newSoftToken } from '@chancela/testkit/soft-token'
import { temporaryFolder } from '@chancela/testkit/tools'
import { expect, onTestFinished, test } from 'vitest'
import { AgentHome } from '../home.ts'
import { runAgentCli } from '../run-agent-cli.ts'
import { knownCards } from './cards.ts'
import { readerSentence } from './token-sentences.ts'

const pki = await createDemoPki({ baseUrl: 'http://localhost:8087', clock: () => new Date(), keys: cachedKeys() })

async function agent(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runAgentCli(args, {
    print: (text) => void out.push(text),
    log: (text) => void err.push(text),
    terminal: undefined,
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

test('a token is found and added without a path; one that is not there is not', async () => {
  const holders = [pki.certificate('ana-souza')]
  const [label, other] = [`cartao ${crypto.randomUUID().slice(0, 8)}`, `vazio ${crypto.randomUUID().slice(0, 8)}`]
  const token = await newSoftToken({ label, pin: '84-token-17', holders })
  const empty = await newSoftToken({ label: other, pin: '84-token-17', holders: [] })
  onTestFinished(() => {
    token.destroy()
    empty.destroy()
  })
  const shown = await agent('tokens')
  expect(shown).toMatchObject({ code: 0, err: '' })
  for (const told of [`Token ${label} (SoftHSM project SoftHSM v2), through SoftHSM 2: ${token.module}`, 'ANA BEATRIZ'])
    expect(shown.out).toContain(told)

  const home = temporaryFolder()
  expect(await agent('add-token', '--token', 'no such', '--home', home)).toMatchObject({ code: 1, out: '' })
  expect(await agent('add-token', '--token', other, '--home', home)).toMatchObject({ code: 1, out: '' })
  const added = await agent('add-token', '--token', label, '--home', home)
  expect(added).toMatchObject({ code: 0, out: expect.stringContaining('ANA BEATRIZ SOUZA, CPF 529.982.247-25') })
  await agent('add-token', '--home', home)
  const sources = new AgentHome(home).readSources()
  expect(sources).toEqual([{ kind: 'token', module: token.module, token: expect.stringMatching(/^[0-9a-f]{16}$/) }])
})

test('a card whose module is missing is named with its vendor and what to install', () => {
  const card = knownCards.find(({ name }) => name === 'Watchdata WatchKey')!
  const reader = { name: 'Leitora', atr: card.atr, card }
  const watchdata = {
    id: 'watchdata',
    vendor: 'Watchdata',
    software: 'WatchKey driver',
    paths: { linux: [], win32: [], darwin: [] },
  }
  const missing = readerSentence({ ...reader, middleware: [watchdata], isInstalled: false })
  for (const told of ['Leitora: Watchdata WatchKey', 'missing', 'WatchKey driver of Watchdata'])
    expect(missing).toContain(told)
  expect(readerSentence({ ...reader, middleware: [watchdata], isInstalled: true })).toBe('Leitora: Watchdata WatchKey.')
  expect(readerSentence({ name: 'Leitora', atr: '3B00', middleware: [], isInstalled: false })).toContain('3B00')
  expect(readerSentence({ name: 'Leitora', middleware: [], isInstalled: false })).toBe('Leitora: no card.')
})
