import { createHash, createVerify } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerOffer, answerSign, forgetPins } from './answers.ts'
import { ApprovedKeys } from './approvals/approved-keys.ts'
import type { HolderPrompt } from './prompt/ask-holder.ts'
import { newFileHolder, PASSWORD } from './test-support/holder-file.ts'

async function newContext() {
  const holder = await newFileHolder()
  const context = {
    ...holder,
    holder: undefined as unknown as HolderPrompt,
    approved: new ApprovedKeys(() => {}),
    log: (text: string) => void holder.said.push(text),
  }
  const offer = (pin: string) =>
    answerOffer(context, { type: 'offer', id: '1', fingerprints: [holder.fingerprint], pin })
  const toSign = Buffer.from('o que se assina')
  const digest = createHash('sha256').update(toSign).digest('base64')
  const sign = () =>
    answerSign(context, { type: 'sign', id: '2', fingerprint: holder.fingerprint, digest, digestAlgorithm: 'SHA-256' })
  return { ...holder, context, offer, sign, toSign }
}

test('an offered PIN is compared with the one in use; where none is, nothing is tried', async () => {
  const { offer, sources, fingerprint } = await newContext()
  expect(offer(PASSWORD)).toEqual({ type: 'offered', to: '1', result: 'no-pin' })
  expect(sources.all[0]!.hasPin).toBe(false)
  await sources.all[0]!.unlock(PASSWORD, { finalTry: false })
  expect(offer(PASSWORD)).toEqual({ type: 'offered', to: '1', result: 'confirmed', fingerprint })
  for (const other of ['', 'x', `${PASSWORD} `, PASSWORD.slice(1)])
    expect(offer(other)).toEqual({ type: 'offered', to: '1', result: 'differs' })
})

test('a digest is signed while a PIN is in use, and not before or after', async () => {
  const { sign, sources, context, fingerprint, issued, toSign } = await newContext()
  expect(await sign()).toMatchObject({ type: 'not-signed', to: '2', problem: 'no-pin' })
  await sources.all[0]!.unlock(PASSWORD, { finalTry: false })
  const answer = await sign()
  const signature = Buffer.from((answer as { signature: string }).signature, 'base64')
  expect(createVerify('sha256').update(toSign).verify(issued.key.publicKey, signature)).toBe(true)
  await forgetPins(context, [fingerprint])
  expect(await sign()).toMatchObject({ problem: 'no-pin' })
})

test('the PIN goes with its file, and the certificate too', async () => {
  const { sources, file, sign, said } = await newContext()
  await sources.all[0]!.unlock(PASSWORD, { finalTry: false })
  const [source] = sources.all
  rmSync(file)
  expect(await sources.look()).toBe(true)
  expect(source!.hasPin).toBe(false)
  expect(said).toContain('ana-souza.p12 is away; its PIN is forgotten.')
  expect(await sign()).toMatchObject({ problem: 'certificate-absent' })
})

test('a password that is typed twice in haste is tried once', async () => {
  const { sources } = await newContext()
  const [source] = sources.all
  const [first, second] = await Promise.all([
    source!.unlock('errada', { finalTry: false }),
    source!.unlock(PASSWORD, { finalTry: false }),
  ])
  expect([first, second]).toEqual([{ kind: 'wrong' }, { kind: 'wrong' }])
})

test('no file of the agent has the password in it', async () => {
  const { home, sources } = await newContext()
  await sources.all[0]!.unlock(PASSWORD, { finalTry: false })
  for (const name of readdirSync(home)) expect(readFileSync(join(home, name)).includes(PASSWORD)).toBe(false)
})
