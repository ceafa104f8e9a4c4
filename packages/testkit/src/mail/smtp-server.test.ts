import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { type SmtpServerOptions, startSmtpServer } from './index.ts'

/** Sends each line after the server's answer to the one before, and returns the answers. */
async function converse(port: number, ...lines: string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const answers: string[] = []
  for await (const answer of createInterface({ input: socket })) {
    // All but the last line of an answer have a hyphen after the number.
    if (answer[3] === '-') continue
    answers.push(answer)
    const next = lines.shift()
    if (next === undefined) break
    socket.write(`${next}\r\n`)
  }
  socket.destroy()
  return answers
}

const message = 'Subject: =?utf-8?Q?A=C3=A7a=C3=AD?=\r\nMessage-ID: <1@a.example>\r\n\r\nOi\r\n.'
const mail = ['EHLO me', 'MAIL FROM:<a@a.example>', 'RCPT TO:<b@b.example>', 'DATA', message]

async function started(options?: SmtpServerOptions) {
  const server = await startSmtpServer(options)
  onTestFinished(() => server.stop())
  return server
}

test('a mail is kept as its reader finds it', async () => {
  const server = await started()
  expect((await converse(server.port, ...mail)).map((answer) => answer.slice(0, 3))).toEqual(
    ['220', '250', '250', '250', '354', '250'], // greeting, then one answer a line
  )
  expect(server.inbox).toMatchObject([
    {
      number: 1,
      envelope: { from: 'a@a.example', to: ['b@b.example'] },
      messageId: '<1@a.example>',
      subject: 'Açaí',
      text: 'Oi\n',
      isEncrypted: false,
    },
  ])
})

test('a refusal comes at the step asked for, and nothing is kept', async () => {
  const server = await started()
  server.behave({ kind: 'refuses', at: 'recipient', code: 550, text: 'Nobody here.' })
  expect((await converse(server.port, ...mail.slice(0, 3))).at(-1)).toBe('550 Nobody here.')
  server.behave({ kind: 'refuses', at: 'message', code: 451 })
  expect((await converse(server.port, ...mail)).at(-1)).toBe('451 No.')
  expect(server.inbox).toEqual([])
})

test('of more mails than are to be kept the oldest are forgotten', async () => {
  const server = await started({ keeps: 2 })
  for (let sent = 0; sent < 3; sent += 1) await converse(server.port, ...mail)
  expect(server.inbox.map(({ number }) => number)).toEqual([2, 3])
})

test('with accounts, nobody sends without logging in', async () => {
  const server = await started({ accounts: { a: 'b' } })
  expect((await converse(server.port, ...mail.slice(0, 2))).at(-1)).toMatch(/^530 /)
  const login = `AUTH PLAIN ${Buffer.from('\0a\0b').toString('base64')}`
  expect((await converse(server.port, 'EHLO me', login)).at(-1)).toMatch(/^235 /)
})
