import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE } from '@chancela/service-kernel/clock'
import { testStores } from '@chancela/testkit/stores'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { mailWorld } from './test-support/mail-world.ts'

/** A self-signed certificate for `localhost`. */
async function selfSigned() {
  const folder = temporaryFolder()
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const made = await openssl(
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${key} -out ${certificate}`.split(
      ' ',
    ),
  )
  if (!made.ok) throw new Error(made.text)
  return { file: certificate, key: readFileSync(key, 'utf8'), certificate: readFileSync(certificate, 'utf8') }
}

const open = testStores.SQLite

describe('an encrypted connection', () => {
  test.each([
    ['StartTls', 'STARTTLS'],
    ['Tls', 'start'],
  ] as const)('%s sends to a server whose certificate is trusted', async (Security, from) => {
    const { file, ...pem } = await selfSigned()
    const world = await mailWorld(open, { tls: { ...pem, from } })
    const { mailer, enqueue } = world.start({ Security, TrustedCertificatesFile: file })
    await enqueue({})
    await mailer.idle()
    expect(world.smtp.inbox).toHaveLength(1)
    expect(world.smtp.inbox[0]!.isEncrypted).toBe(true)
  })

  test.each([
    ['StartTls', 'STARTTLS'],
    ['Tls', 'start'],
  ] as const)('%s sends nothing to a server whose certificate is not trusted', async (Security, from) => {
    const { file: _, ...pem } = await selfSigned()
    const world = await mailWorld(open, { tls: { ...pem, from } })
    const { mailer, enqueue } = world.start({ Security })
    await enqueue({})
    await mailer.idle()
    expect(world.smtp.inbox).toEqual([])
    expect(await world.jobs()).toMatchObject([{ state: 'waiting', last_error: expect.stringContaining('self-signed') }])
  })

  test('StartTls sends nothing to a server that does not offer it', async () => {
    const world = await mailWorld(open)
    const { mailer, enqueue } = world.start({ Security: 'StartTls' })
    await enqueue({})
    await mailer.idle()
    expect([world.smtp.inbox, world.smtp.seen('sender')]).toEqual([[], 0])
    expect(await world.jobs()).toMatchObject([{ state: 'waiting', attempts: 1 }])
  })

  test('a file of certificates that cannot be read is told by its setting', async () => {
    const world = await mailWorld(open)
    expect(() => world.start({ TrustedCertificatesFile: 'nowhere.pem' })).toThrow(
      'test-service Email:TrustedCertificatesFile: the file nowhere.pem cannot be read.',
    )
  })
})

describe('an account', () => {
  const accounts = { suite: 'a long password' }

  test('is used where it is set', async () => {
    const world = await mailWorld(open, { accounts })
    const { mailer, enqueue } = world.start({ Username: 'suite', Password: accounts.suite })
    await enqueue({})
    await mailer.idle()
    expect(world.smtp.inbox).toHaveLength(1)
  })

  test('with a wrong password is for the operator to mend: the mail waits, and the log does not tell it', async () => {
    const world = await mailWorld(open, { accounts })
    const { mailer, enqueue } = world.start({ Username: 'suite', Password: 'mistaken' })
    await enqueue({})
    await mailer.idle()
    expect(await world.jobs()).toMatchObject([{ state: 'waiting', last_error: expect.stringContaining('535') }])
    expect(world.log()).not.toContain('mistaken')
  })
})

describe('headers', () => {
  const hostile = 'Oi\r\nBcc: everybody@example.com\r\n\r\nHello'

  test('a subject and a name with line ends stay one line', async () => {
    const world = await mailWorld(open)
    const { mailer, enqueue } = world.start()
    await enqueue({ subject: hostile, to: { address: 'maria@example.com', name: hostile } })
    await mailer.idle()
    const [mail] = world.smtp.inbox
    const flat = 'Oi Bcc: everybody@example.com Hello'
    expect(mail).toMatchObject({ subject: flat, to: [{ name: flat, address: 'maria@example.com' }] })
    expect(mail!.envelope.to).toEqual(['maria@example.com'])
    expect(mail!.headers).not.toHaveProperty('bcc')
  })

  test.each([
    'maria@example.com\r\nBcc: everybody@example.com',
    'maria@example.com, everybody@example.com',
    'Maria <maria@example.com>',
    '',
  ])('%j is no address to send to', async (address) => {
    const world = await mailWorld(open)
    const { enqueue } = world.start()
    await expect(enqueue({ to: { address } })).rejects.toThrow('A mail needs an e-mail address.')
    expect(await world.jobs()).toEqual([])
  })
})

test('a server that never greets is given up after the time set, and asked again later', async () => {
  const world = await mailWorld(open)
  world.smtp.behave({ kind: 'is-silent', at: 'connection' })
  const { mailer, enqueue } = world.start({ TimeoutSeconds: 1 })
  await enqueue({})
  await mailer.idle()
  expect(await world.jobs()).toMatchObject([{ state: 'waiting', last_error: expect.stringContaining('ETIMEDOUT') }])
  world.smtp.behave({ kind: 'accepts' })
  world.clock.advance(2 * MINUTE)
  await mailer.idle()
  expect(world.smtp.inbox).toHaveLength(1)
})

test('a server that is away is asked again later', async () => {
  const world = await mailWorld(open)
  await world.smtp.stop()
  const { mailer, enqueue } = world.start()
  await enqueue({})
  await mailer.idle()
  expect(await world.jobs()).toMatchObject([{ state: 'waiting', last_error: expect.stringContaining('ECONNREFUSED') }])
})
