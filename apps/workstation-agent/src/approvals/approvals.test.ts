import { createHash, createVerify, randomUUID } from 'node:crypto'
import type { AgentMessage } from '@chancela/session-server/channel'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Moment } from '../moment.ts'
import { Screen } from '../prompt/screen.ts'
import type { Terminal } from '../prompt/terminal.ts'
import { addFile } from '../source-commands.ts'
import { newFileHolder, PASSWORD } from '../test-support/holder-file.ts'
import type { ApprovalQuestion } from './approval-prompt.ts'
import { ApprovedKeys } from './approved-keys.ts'
import { ApprovalPrompts } from './ask-approval.ts'
import { codeView } from './code-view.ts'
import { Pairing, type PairingResult } from './pairing.ts'

const question = (more: Partial<ApprovalQuestion> = {}): ApprovalQuestion => ({
  id: randomUUID(),
  approval: randomUUID(),
  kind: 'sign',
  code: '7KQ2-X9DM',
  site: 'documentos.example <b>',
  application: 'document-platform',
  house: 'Prefeitura & Povo',
  requester: 'Hospital & Cia',
  documents: ['Contrato.pdf', 'Anexo <i>.pdf'],
  seconds: 30,
  ...more,
})

/** A holder's machine whose pages the test opens. */
async function newMachine(terminal?: Terminal) {
  const holder = await newFileHolder()
  const urls: string[] = []
  const screen = new Screen({
    openBrowser: async (url) => {
      urls.push(url)
      return terminal === undefined
    },
    terminal,
    language: 'en_US.UTF-8',
  })
  const log = (sentence: string) => void holder.said.push(sentence)
  const approved = new ApprovedKeys(log)
  const server = 'https://sessions.example'
  const prompts = new ApprovalPrompts(holder.sources, { clock: () => new Date(), screen, server, approved, log })
  onTestFinished(() => {
    prompts.takeBackAll('stopped')
    screen.close()
  })
  const shown = () => vi.waitUntil(() => urls.shift(), { interval: 5 })
  return { ...holder, screen, approved, prompts, shown, source: holder.sources.all[0]! }
}

const headers = { 'accept-language': 'en' }

const send = async (url: string, fields: Record<string, string>) =>
  (await fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers })).text()

const digest = (text: string) => ({
  digest: createHash('sha256').update(text).digest('base64'),
  digestAlgorithm: 'SHA-256' as const,
})

const signApproved = ({ approval }: ApprovalQuestion, digests: readonly ReturnType<typeof digest>[], nonce?: string) =>
  ({ type: 'sign-approved', id: '9', approval, digests, ...(nonce && { nonce }) }) as const

test('the window names site, requester, application, code and every document, and escapes them', async () => {
  const { prompts, shown } = await newMachine()
  const asked = prompts.answer(question())
  const page = await fetch(await shown(), { headers })
  const html = await page.text()
  for (const told of [
    'documentos.example &lt;b&gt;',
    'Hospital &amp; Cia',
    'Prefeitura &amp; Povo',
    '<strong>Chancela',
    'sessions.example',
    '7KQ2-X9DM',
  ])
    expect(html).toContain(told)
  for (const told of ['on 2 documents', 'Contrato.pdf', 'Anexo &lt;i&gt;.pdf', 'ANA BEATRIZ SOUZA', 'valid until'])
    expect(html).toContain(told)
  expect(await send(page.url, { action: 'decline' })).toContain('declined')
  expect(await asked).toMatchObject({ type: 'approved', result: 'declined' })
})

test('an approval signs one digest for each document, once; then the PIN is forgotten', async () => {
  const { prompts, approved, shown, source, issued } = await newMachine()
  const wanted = question()
  const asked = prompts.answer(wanted)
  const page = await fetch(await shown(), { headers })
  expect(await send(page.url, { action: 'continue', pin: 'errada' })).toContain('not accepted')
  expect(await send(page.url, { action: 'continue', pin: PASSWORD })).toContain('approved')
  expect(await asked).toMatchObject({ result: 'approved', der: Buffer.from(issued.der).toString('base64') })
  expect([source.hasPin, approved.isReserved(source)]).toEqual([true, true])

  const signed = await approved.sign(signApproved(wanted, [digest('a'), digest('b')]))
  const [a] = (signed as Extract<AgentMessage, { type: 'all-signed' }>).signatures
  expect(createVerify('sha256').update('a').verify(issued.key.publicKey, Buffer.from(a!, 'base64'))).toBe(true)
  expect(source.hasPin).toBe(false)
  expect(await approved.sign(signApproved(wanted, [digest('a'), digest('b')]))).toMatchObject({ problem: 'no-pin' })
})

test.each([
  ['more digests than documents', question(), [digest('a'), digest('b'), digest('c')], undefined],
  ['a nonce beside the digests', question(), [digest('a'), digest('b')], 'AAAA'],
  ['a digest in a test', question({ kind: 'test', documents: [] }), [digest('a')], undefined],
  ['a digest beside the nonce of a test', question({ kind: 'test', documents: [] }), [digest('a')], 'AAAA'],
])('%s is not what was approved: nothing is signed', async (_what, wanted, digests, nonce) => {
  const { prompts, approved, shown, source } = await newMachine()
  const asked = prompts.answer(wanted)
  const page = await fetch(await shown(), { headers })
  await send(page.url, { action: 'continue', pin: PASSWORD })
  await asked
  expect(await approved.sign(signApproved(wanted, digests, nonce))).toMatchObject({ type: 'not-signed' })
  expect(source.hasPin).toBe(false)
})

test('a PIN in use by a session stays when an approval ends', async () => {
  const { prompts, approved, shown, source } = await newMachine()
  await source.unlock(PASSWORD, { finalTry: false })
  const wanted = question()
  const asked = prompts.answer(wanted)
  const page = await fetch(await shown(), { headers })
  expect(await send(page.url, { action: 'continue', pin: 'errada' })).toContain('not accepted')
  await send(page.url, { action: 'continue', pin: PASSWORD })
  await asked
  expect(approved.isReserved(source)).toBe(false)
  await approved.endAll()
  expect(source.hasPin).toBe(true)
})

test('at a terminal the same is asked, and an empty line declines', async () => {
  const written: string[] = []
  const lines = [PASSWORD, '']
  const terminal: Terminal = { write: (text) => void written.push(text), ask: async () => lines.shift() }
  const { prompts } = await newMachine(terminal)
  expect(await prompts.answer(question())).toMatchObject({ result: 'approved' })
  expect(await prompts.answer(question())).toMatchObject({ result: 'declined' })
  for (const told of ['7KQ2-X9DM', 'Contrato.pdf', 'on 2 documents', 'Hospital & Cia'])
    expect(written.join('')).toContain(told)
  for (const told of ['Prefeitura & Povo', 'document-platform', 'sessions.example', 'Answer until', 'Chancela'])
    expect(written.join('')).toContain(told)
})

test('a request that is taken back while the certificate is chosen says so at the terminal', async () => {
  const written: string[] = []
  const [isAsked, isTyped] = [new Moment(), new Moment()]
  const terminal: Terminal = {
    write: (text) => void written.push(text),
    ask: async () => {
      isAsked.happen()
      await isTyped.promise
      return '1'
    },
  }
  const { prompts, home, sources } = await newMachine(terminal)
  await addFile(home, (await newFileHolder('bruno-lima')).file, PASSWORD)
  await sources.look()
  const wanted = question()
  const asked = prompts.answer(wanted)
  await isAsked.promise
  prompts.takeBack(wanted.id)
  isTyped.happen()
  expect(await asked).toMatchObject({ result: 'not-shown' })
  await vi.waitUntil(() => written.join('').includes('was taken back'), { interval: 5 })
  expect(sources.all.some(({ hasPin }) => hasPin)).toBe(false)
})

test('more requests than a person can read are not shown', async () => {
  const { prompts } = await newMachine()
  const open = [1, 2, 3].map(() => prompts.answer(question()))
  expect(await prompts.answer(question())).toMatchObject({ result: 'not-shown' })
  prompts.takeBackAll('stopped')
  await Promise.all(open)
})

test('the window for a code says what is wrong with it, and leads on to the request it finds', async () => {
  const { prompts, screen, shown } = await newMachine()
  const results: PairingResult[] = ['not-found', 'too-many', 'found']
  const pairing: Pairing = new Pairing((message) => {
    const result = results.shift() as 'found'
    pairing.hear({ type: 'paired', to: (message as { id: string }).id, result })
    if (result === 'found') void prompts.answer(question())
  })
  const window = new AbortController()
  await screen.show(codeView(pairing, prompts, window.signal))
  const page = await fetch(await shown(), { headers })
  expect(await page.text()).toContain('Type the code')
  expect(await send(page.url, { code: 'x' })).toContain('eight letters and digits')
  expect(await send(page.url, { code: '7kq2 x9dm' })).toContain('No page waits')
  expect(await send(page.url, { code: '7kq2 x9dm' })).toContain('Too many wrong codes')
  // The browser follows to the request, in the same window.
  expect(await send(page.url, { code: '7kq2 x9dm' })).toContain('on 2 documents')
})
