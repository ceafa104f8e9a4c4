import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { MINUTE } from '@chancela/service-kernel/clock'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Moment } from '../moment.ts'
import { newFileHolder, PASSWORD } from '../test-support/holder-file.ts'
import { HolderPrompt } from './ask-holder.ts'
import type { Question } from './prompt.ts'
import { Prompt } from './prompt.ts'
import { promptPage } from './prompt-page.ts'
import { Screen } from './screen.ts'
import type { Terminal } from './terminal.ts'

const question = (fingerprint: string, more: Partial<Question> = {}): Question => ({
  id: crypto.randomUUID(),
  fingerprints: [fingerprint],
  pin: PASSWORD,
  cpf: '52998224725',
  application: 'Prontuário <b>& Cia</b>',
  seconds: 30,
  ...more,
})

/** A prompt whose page the test opens. */
async function newPrompt(terminal?: Terminal, lingerMilliseconds = MINUTE) {
  const holder = await newFileHolder()
  const urls: string[] = []
  const screen = new Screen({
    openBrowser: async (url) => {
      urls.push(url)
      return terminal === undefined
    },
    terminal,
    language: 'en_US.UTF-8',
    lingerMilliseconds,
  })
  const prompt = new HolderPrompt(holder.sources, {
    clock: () => new Date(),
    screen,
    server: 'https://sessions.hospital.example/console',
    log: (sentence) => void holder.said.push(sentence),
  })
  onTestFinished(() => {
    prompt.takeBackAll('stopped')
    screen.close()
  })
  const shown = () => vi.waitUntil(() => urls.shift(), { interval: 5 })
  return { ...holder, prompt, screen, shown }
}

const inPortuguese = { 'accept-language': 'pt-PT,pt;q=0.9' }

describe('the page a holder is asked on', () => {
  test('says who asks, for whom and until when, in the language of the browser, and escapes what others wrote', async () => {
    const { prompt, fingerprint, shown } = await newPrompt()
    const asked = prompt.ask(question(fingerprint))
    const url = await shown()
    expect(new URL(url).hostname).toBe('127.0.0.1')
    const page = await fetch(url, { headers: inPortuguese })
    const html = await page.text()
    expect(html).toContain('<html lang="pt-BR">')
    expect(html).toContain('Prontuário &lt;b&gt;&amp; Cia&lt;/b&gt;')
    for (const told of ['ANA BEATRIZ SOUZA', '529.982.247-25', 'ana-souza.p12', 'Responda até'])
      expect(html).toContain(told)
    expect(html).not.toContain(PASSWORD)
    const headers = Object.fromEntries(page.headers)
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    expect(headers).not.toHaveProperty('set-cookie')
    const english = await (await fetch(page.url, { headers: { 'accept-language': 'en' } })).text()
    expect(english).toContain('wants to sign documents')
    prompt.takeBackAll('stopped')
    expect(await asked).toEqual({ result: 'not-shown' })
  })

  test('is behind an address that works once, and behind no other host or path', async () => {
    const { prompt, fingerprint, shown } = await newPrompt()
    const asked = prompt.ask(question(fingerprint))
    const url = await shown()
    expect((await fetch(url)).status).toBe(200)
    // The address works only once: a program that saw it cannot open it later.
    expect((await fetch(url)).status).toBe(404)
    expect((await fetch(new URL('/', url))).status).toBe(404)
    const rebound = await new Promise<number | undefined>((resolve, reject) => {
      get(url, { headers: { host: 'evil.example' } }, (response) => resolve(response.statusCode)).on('error', reject)
    })
    expect(rebound).toBe(421)
    prompt.takeBackAll('stopped')
    await asked
  })

  test('names the product, the house, its server, what may be signed and for how long', async () => {
    const { prompt, fingerprint, shown } = await newPrompt()
    const more = { house: 'Hospital <i>São Lucas</i>', sessionSeconds: 5400, allowance: 20 }
    void prompt.ask(question(fingerprint, more))
    const page = await fetch(await shown(), { headers: inPortuguese })
    const html = await page.text()
    const seal = readFileSync(new URL('../../../web-console/public/seal.svg', import.meta.url), 'utf8')
    for (const [, drawn] of seal.matchAll(/ d="([^"]+)"/g)) expect(html).toContain(drawn)
    expect(html).toContain('<strong>Chancela</strong>')
    for (const told of ['Hospital &lt;i&gt;São Lucas&lt;/i&gt;', 'sessions.hospital.example', '20 pedidos', '1,5 hora'])
      expect(html).toContain(told)
    const english = await (await fetch(page.url, { headers: { 'accept-language': 'en' } })).text()
    for (const told of ['20 requests', '1.5 hours without a signature']) expect(english).toContain(told)
  })

  test('says that every document may be signed where no limit is set', async () => {
    const { prompt, fingerprint, shown } = await newPrompt()
    void prompt.ask(question(fingerprint, { sessionSeconds: 45 }))
    const html = await (await fetch(await shown(), { headers: inPortuguese })).text()
    for (const told of ['Todos os que a aplicação enviar', '45 segundos sem assinatura']) expect(html).toContain(told)
  })

  test.each([
    [
      'it was answered elsewhere or nobody waits',
      (prompt: HolderPrompt, id: string) => prompt.takeBack(id),
      'foi retirado',
    ],
    ['the server is gone', (prompt: HolderPrompt) => prompt.takeBackAll('disconnected'), 'conexão com o servidor'],
  ])('stays when %s, and says so to whoever continues', async (_why, end, told) => {
    const { prompt, fingerprint, shown, sources } = await newPrompt()
    const asking = question(fingerprint)
    const asked = prompt.ask(asking)
    const page = await fetch(await shown(), { headers: inPortuguese })
    end(prompt, asking.id)
    expect(await asked).toEqual({ result: 'not-shown' })
    const body = new URLSearchParams({ action: 'continue', pin: PASSWORD })
    for (const sent of [{ headers: inPortuguese }, { method: 'POST', body, headers: inPortuguese }]) {
      const answer = await fetch(page.url, sent)
      expect([answer.status, await answer.text()]).toEqual([410, expect.stringContaining(told)])
    }
    expect(sources.all[0]!.hasPin).toBe(false)
  })

  test('stays when its time is over, and when it was answered on another page; then it is served no more', async () => {
    const { prompt, fingerprint, shown } = await newPrompt(undefined, 500)
    const late = prompt.ask(question(fingerprint, { seconds: 0.2 }))
    const latePage = await fetch(await shown(), { headers: inPortuguese })
    expect(await late).toEqual({ result: 'timed-out' })
    expect(await (await fetch(latePage.url, { headers: inPortuguese })).text()).toContain('O tempo para responder')
    const asked = [1, 2].map(() => prompt.ask(question(fingerprint)))
    const pages = [await fetch(await shown()), await fetch(await shown())]
    await fetch(pages[0]!.url, { method: 'POST', body: new URLSearchParams({ action: 'continue', pin: PASSWORD }) })
    await Promise.all(asked)
    expect(await (await fetch(pages[1]!.url, { headers: inPortuguese })).text()).toContain('já foi respondido')
    await vi.waitUntil(() =>
      fetch(pages[1]!.url).then(
        () => false,
        () => true,
      ),
    )
  })

  test('speaks of the tries that are left only where the token does', async () => {
    const { sources, fingerprint } = await newFileHolder()
    const prompt = new Prompt(question(fingerprint), sources.all, new Date(), 'https://sessions.example')
    const [choice] = prompt.choices as [(typeof prompt.choices)[0]]
    const html = (pinState: 'fine' | 'count-low' | 'final-try') => promptPage(prompt, { choice, pinState }, 'pt-BR')
    expect(html('fine')).not.toContain('tentativa')
    // PKCS#11 says only that a wrong PIN was typed since the last right one, not how many tries are left.
    expect(html('count-low')).toContain('PIN errado foi digitado')
    expect(html('count-low')).not.toContain('Poucas')
    expect(html('final-try')).toContain('última tentativa')
    prompt.decline()
  })

  test('takes the PIN: a wrong one may be typed again, the right one answers whoever else asked for it', async () => {
    const { prompt, fingerprint, shown, sources } = await newPrompt()
    const asked = prompt.ask(question(fingerprint))
    const page = await fetch(await shown())
    const other = prompt.ask(question(fingerprint, { pin: 'outra' }))
    const send = async (fields: Record<string, string>) =>
      (await fetch(page.url, { method: 'POST', body: new URLSearchParams(fields), headers: inPortuguese })).text()
    expect(await send({ action: 'continue', pin: '' })).not.toContain('não foi aceito')
    expect(await send({ action: 'continue', pin: 'errada' })).toContain('não foi aceito')
    expect(sources.all[0]!.hasPin).toBe(false)
    expect(await send({ action: 'continue', pin: PASSWORD })).toContain('PIN aceito')
    expect(await asked).toEqual({ result: 'confirmed', fingerprint })
    expect(await other).toEqual({ result: 'differs' })
  })

  test('is not shown for a certificate that is not here, nor to a holder who is asked too much already', async () => {
    const { prompt, fingerprint } = await newPrompt()
    expect(await prompt.ask(question('0'.repeat(64)))).toEqual({ result: 'not-shown' })
    const open = [1, 2, 3].map(() => prompt.ask(question(fingerprint)))
    expect(await prompt.ask(question(fingerprint))).toEqual({ result: 'not-shown' })
    prompt.takeBackAll('stopped')
    await Promise.all(open)
  })

  test('is over when its time is', async () => {
    const { prompt, fingerprint } = await newPrompt()
    expect(await prompt.ask(question(fingerprint, { seconds: 0.05 }))).toEqual({ result: 'timed-out' })
  })

  test('warns before the last try and takes none when the token is locked', async () => {
    const { sources, fingerprint } = await newFileHolder()
    const prompt = new Prompt(question(fingerprint), sources.all, new Date(), 'https://sessions.example')
    const [choice] = prompt.choices as [(typeof prompt.choices)[0]]
    const last = promptPage(prompt, { choice, pinState: 'final-try' }, 'en-US')
    expect(last).toContain('one more wrong PIN locks the token')
    expect(last).toMatch(/name="finalTry"[^>]*required/)
    const locked = promptPage(prompt, { choice, pinState: 'locked' }, 'en-US')
    expect(locked).toContain('is locked')
    expect(locked).not.toContain('type="password"')
    prompt.decline()
  })
})

describe('the terminal, where no page can be shown', () => {
  /** A terminal whose user types these lines. */
  function newTerminal(lines: readonly string[]) {
    const left = [...lines]
    const asked: { question: string; secret: boolean }[] = []
    const written: string[] = []
    const terminal: Terminal = {
      write: (text) => void written.push(text),
      ask: async (question, { secret }) => {
        asked.push({ question, secret })
        return left.shift()
      },
    }
    return { terminal, asked, written }
  }

  test('asks without showing what is typed, until the PIN is right', async () => {
    const { terminal, asked, written } = newTerminal(['errada', PASSWORD])
    const { prompt, fingerprint } = await newPrompt(terminal)
    const more = { house: 'Hospital São Lucas', sessionSeconds: 5400, allowance: 20 }
    expect(await prompt.ask(question(fingerprint, more))).toEqual({ result: 'confirmed', fingerprint })
    for (const told of ['Chancela', 'Hospital São Lucas', 'sessions.hospital.example', '20 requests', '1.5 hours'])
      expect(written.join('')).toContain(told)
    expect(asked).toEqual([1, 2].map(() => ({ question: 'PIN of ana-souza.p12 (empty to decline): ', secret: true })))
    expect(written.join('')).toContain('wants to sign documents')
    expect(written.join('')).not.toContain(PASSWORD)
  })

  test('a question that is taken back while the PIN is typed says so, and no PIN is tried', async () => {
    const written: string[] = []
    const [isAsked, isTyped] = [new Moment(), new Moment()]
    const terminal: Terminal = {
      write: (text) => void written.push(text),
      ask: async () => {
        isAsked.happen()
        await isTyped.promise
        return PASSWORD
      },
    }
    const { prompt, fingerprint, sources } = await newPrompt(terminal)
    const asking = question(fingerprint)
    const asked = prompt.ask(asking)
    await isAsked.promise
    prompt.takeBack(asking.id)
    isTyped.happen()
    expect(await asked).toEqual({ result: 'not-shown' })
    await vi.waitUntil(() => written.join('').includes('was taken back'), { interval: 5 })
    expect(sources.all[0]!.hasPin).toBe(false)
  })

  test('an empty line declines', async () => {
    const { terminal } = newTerminal([''])
    const { prompt, fingerprint } = await newPrompt(terminal)
    expect(await prompt.ask(question(fingerprint))).toEqual({ result: 'declined' })
  })
})
