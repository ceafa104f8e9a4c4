import { get } from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
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
async function newPrompt(terminal?: Terminal) {
  const holder = await newFileHolder()
  const urls: string[] = []
  const prompt = new HolderPrompt(holder.sources, {
    clock: () => new Date(),
    screen: new Screen({
      openBrowser: async (url) => {
        urls.push(url)
        return terminal === undefined
      },
      terminal,
      language: 'en_US.UTF-8',
    }),
    log: (sentence) => void holder.said.push(sentence),
  })
  onTestFinished(() => prompt.takeBackAll())
  const shown = () => vi.waitUntil(() => urls.shift(), { interval: 5 })
  return { ...holder, prompt, shown }
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
    prompt.takeBackAll()
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
    prompt.takeBackAll()
    await asked
    await expect(fetch(url)).rejects.toThrow() // the server is closed while there is no prompt
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
    prompt.takeBackAll()
    await Promise.all(open)
  })

  test('is over when its time is', async () => {
    const { prompt, fingerprint } = await newPrompt()
    expect(await prompt.ask(question(fingerprint, { seconds: 0.05 }))).toEqual({ result: 'timed-out' })
  })

  test('warns before the last try and takes none when the token is locked', async () => {
    const { sources, fingerprint } = await newFileHolder()
    const prompt = new Prompt(question(fingerprint), sources.all, new Date())
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
    expect(await prompt.ask(question(fingerprint))).toEqual({ result: 'confirmed', fingerprint })
    expect(asked).toEqual([1, 2].map(() => ({ question: 'PIN of ana-souza.p12 (empty to decline): ', secret: true })))
    expect(written.join('')).toContain('wants to sign documents')
    expect(written.join('')).not.toContain(PASSWORD)
  })

  test('an empty line declines', async () => {
    const { terminal } = newTerminal([''])
    const { prompt, fingerprint } = await newPrompt(terminal)
    expect(await prompt.ask(question(fingerprint))).toEqual({ result: 'declined' })
  })
})
